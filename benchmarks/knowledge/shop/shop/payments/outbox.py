"""outbox."""


def outbox() -> None:
    """Does it."""
