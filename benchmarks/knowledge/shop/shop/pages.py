"""pages."""


def pages() -> None:
    """Does it."""
