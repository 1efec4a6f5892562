"""The composition root: the one place that knows every room and opens them in order."""

from contextlib import ExitStack

from navlog.daemon.home import Home
from navlog.daemon.house import House
from navlog.schemas.settings import Settings


def compose(_home: Home, _settings: Settings, _stack: ExitStack) -> House:
    """Opens the rooms; each is pushed on the stack, which closes them in the opposite order."""
    return House()
