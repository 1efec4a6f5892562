"""money."""


def money() -> None:
    """Does it."""
