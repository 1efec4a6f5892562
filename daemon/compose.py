"""Between the service and the rooms: the lock is taken before anything heavy is imported."""

from contextlib import ExitStack

from navlog.daemon.home import Home
from navlog.daemon.house import House
from navlog.daemon.journal import Held
from navlog.schemas.settings import Settings


def compose(home: Home, settings: Settings, lock: Held, stack: ExitStack) -> House:
    """Opens the rooms; each is pushed on the stack, which closes them in the opposite order."""
    from navlog.daemon.opening import open_house  # noqa: PLC0415  half a second, and a second daemon needs none

    return open_house(home, settings, lock, stack)
