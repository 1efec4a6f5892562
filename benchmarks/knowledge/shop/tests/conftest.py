"""conftest."""


def conftest() -> None:
    """Does it."""
