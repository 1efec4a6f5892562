"""clock."""


def now() -> str:
    """The time in UTC."""
    return ""
