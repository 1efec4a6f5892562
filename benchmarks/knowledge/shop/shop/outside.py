"""outside."""


def outside() -> None:
    """Does it."""
