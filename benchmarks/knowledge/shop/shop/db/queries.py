"""queries."""


def queries() -> None:
    """Does it."""
