"""How well the knowledge serves: injection_recall, quote_miss_ratio, ctx_util, and when that is alarming.

Pure: events in, numbers out; the time of an alarm is an argument. A number without a basis is None, and
raises no alarm. Keeps the newest `SESSIONS` only.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from navlog.schemas.event import Event
from navlog.schemas.knowledge import CitationChecked
from navlog.schemas.sessions import InjectionGiven, TaskOpened, ToolUsed

SESSIONS = 256


class Tally:
    """One session's task: what it was given and what it went on to change."""

    def __init__(self) -> None:
        self.variant = ""
        self.offered: set[str] = set()
        self.changed: set[str] = set()
        self.used = self.missed = 0
        self.tokens = 0


class Measures:
    """``window``: the model's, in tokens. Fed by one thread, read by others."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._sessions: OrderedDict[str, Tally] = OrderedDict()

    def apply(self, event: Event) -> None:
        """An event of a session; others say nothing here."""
        session = getattr(event, "session", "")
        if not session or not isinstance(event, InjectionGiven | ToolUsed | TaskOpened | CitationChecked):
            return
        tally = self._sessions.setdefault(session, Tally())
        self._sessions.move_to_end(session)
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)
        match event:
            case TaskOpened():
                tally.changed.clear()
                tally.offered.clear()
            case InjectionGiven():
                tally.variant = event.variant or tally.variant
                tally.offered |= {path_of(piece.pointer) for piece in event.pieces}
                tally.tokens = max(tally.tokens, event.tokens)
            case ToolUsed() if event.kind == "modified" and not event.failed and tally.offered:
                tally.changed |= set(event.paths)
            case CitationChecked():
                tally.used += len(event.used)
                tally.missed += len(set(event.used) - set(event.quoted))
            case ToolUsed():
                pass

    def values(self) -> dict[str, dict[str, float | None]]:
        """variant -> metric -> value; None where there was nothing to measure."""
        tallies = list(self._sessions.values())
        return {
            variant: _values([one for one in tallies if one.variant == variant], self._window)
            for variant in sorted({one.variant for one in tallies} | {""})
        }


def _values(tallies: list[Tally], window: int) -> dict[str, float | None]:
    changed = sum(len(one.changed) for one in tallies)
    used = sum(one.used for one in tallies)
    tokens = max((one.tokens for one in tallies), default=0)
    return {
        "injection_recall": sum(len(one.changed & one.offered) for one in tallies) / changed
        if changed
        else None,
        "quote_miss_ratio": sum(one.missed for one in tallies) / used if used else None,
        "ctx_util": tokens / window if tokens else None,
    }


def path_of(pointer: str) -> str:
    """The path of a pointer: ``a/b.py:12`` and ``a/b.py:f`` are in a/b.py."""
    return pointer.partition(":")[0]


class Alarm(NamedTuple):
    """``below`` or above ``limit`` for ``seconds``."""

    metric: str
    limit: float
    seconds: float
    below: bool


ALARMS = (
    Alarm("injection_recall", 0.6, 300.0, below=True),
    Alarm("quote_miss_ratio", 0.1, 600.0, below=False),
)


def alarming(
    values: Mapping[str, float | None], since: Mapping[str, float], now: float
) -> tuple[list[str], dict[str, float]]:
    """The metrics that are over their limit long enough, and since when each one is over it."""
    over = {
        alarm.metric: since.get(alarm.metric, now)
        for alarm in ALARMS
        if (value := values.get(alarm.metric)) is not None
        and (value < alarm.limit if alarm.below else value > alarm.limit)
    }
    return [
        one.metric for one in ALARMS if one.metric in over and now - over[one.metric] >= one.seconds
    ], over
