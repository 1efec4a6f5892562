"""orders."""


def orders() -> None:
    """Does it."""
