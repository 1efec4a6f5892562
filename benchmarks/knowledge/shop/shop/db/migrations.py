"""migrations."""


def migrations() -> None:
    """Does it."""
