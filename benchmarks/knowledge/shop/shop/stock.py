"""stock."""


def stock() -> None:
    """Does it."""
