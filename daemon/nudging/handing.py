"""What was handed to hooks, and whether they heard it: a client that did not leaves its call in the spool.

Kept as long as this process lives. What is open when it ends counts as said, and a claim of it expires.
"""

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import NamedTuple

OPEN = 256
UNSETTLED = (".open", ".tmp")  # its client may still hear


class Handed(NamedTuple):
    """``result``: the tool result a reminder stood beside; ``token``: a message's. One of them is ""."""

    session: str
    result: str = ""
    token: str = ""
    text: str = ""


class Handing:
    """Thread-safe. ``spool`` is the folder in which clients leave calls, in files named by their ids."""

    def __init__(self, spool: Path) -> None:
        self._spool = spool
        self._open: OrderedDict[str, Handed] = OrderedDict()
        self._lock = Lock()

    def gave(self, call: str, what: Handed) -> None:
        """The reply to ``call`` says it."""
        with self._lock:
            self._open[call] = what
            while len(self._open) > OPEN:
                self._open.popitem(last=False)

    def take(self, call: str) -> Handed | None:
        """What that call was to say: it came by way of the spool, so nobody heard it."""
        with self._lock:
            return self._open.pop(call, None)

    def settled(self, session: str) -> tuple[list[Handed], list[Handed]]:
        """(what was heard, what was not) of what was open for the session; what nobody can say yet stays."""
        with self._lock:
            calls = [call for call, what in self._open.items() if what.session == session]
            if not calls:
                return [], []
            waiting = self._names()
            heard: list[Handed] = []
            missed: list[Handed] = []
            for call in calls:
                end = waiting.get(call)
                if end not in UNSETTLED:
                    (heard if end is None else missed).append(self._open.pop(call))
            return heard, missed

    def _names(self) -> dict[str, str]:
        """Call -> how its file ends, of the calls that lie in the spool."""
        try:
            names = os.listdir(self._spool)  # noqa: PTH208 - names alone, and nothing is made of them
        except OSError:
            return {}
        paths = [Path(name.removeprefix(".")) for name in names]
        return {path.name.partition(".")[0].rpartition("-")[2]: path.suffix for path in paths}
