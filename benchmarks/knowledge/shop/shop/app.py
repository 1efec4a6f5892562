"""app."""


def create_app(path: str) -> object:
    """The application."""
    return path
