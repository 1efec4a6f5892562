"""Hears the sessions in the log for the measures, reads replies, and says in the daemon's log what alarms.

A reactor as well: a replay does not run it. Looks once a second, so an alarm is said when its time has come,
whether or not anybody asks for metrics.
"""

import time
from collections.abc import Callable
from threading import Lock

import structlog

from navlog.daemon.knowing.room import Knowing
from navlog.projections.knowledge.watching import ALARMS, alarming
from navlog.schemas.envelope import Record
from navlog.schemas.event import Event
from navlog.schemas.knowledge import CitationChecked
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import InjectionGiven, PromptGiven, TaskOpened, ToolUsed, TurnEnded

_HEARD = frozenset(
    one.TYPE for one in (InjectionGiven, PromptGiven, TaskOpened, ToolUsed, TurnEnded, CitationChecked)
)
log = structlog.get_logger()


class Alarms:
    """``clock`` is monotonic, in seconds."""

    def __init__(self, knowing: Knowing, clock: Callable[[], float] = time.monotonic) -> None:
        self._knowing = knowing
        self._clock = clock
        self._since: dict[str, float] = {}
        self._raised: set[str] = set()
        self._lock = Lock()

    def heard(self, record: Record) -> None:
        """A record of the log, in its order."""
        if record.type in _HEARD and isinstance(event := decode_payload(record), Event):
            self._knowing.measures.apply(event)
            self._knowing.quoting.heard(record.project, event, record.trace or "")

    def values(self) -> dict[str, dict[str, float | None]]:
        """variant -> metric -> value, with what is alarming as ``alert_…`` 1.0; for /metrics and status."""
        values = self._knowing.measures.values()
        raised = self.look()
        alerts = {f"alert_{one.metric}": float(one.metric in raised) for one in ALARMS}
        return {**values, "": {**values.get("", {}), **alerts}}

    def look(self) -> list[str]:
        """The metrics that are over their limit long enough; each change is said once."""
        with self._lock:
            now = self._knowing.measures.values().get("", {})
            raised, self._since = alarming(now, self._since, self._clock())
            for metric in set(raised) - self._raised:
                log.warning("alert_raised", metric=metric, value=now[metric])
            for metric in self._raised - set(raised):
                log.info("alert_cleared", metric=metric, value=now.get(metric))
            self._raised = set(raised)
        return raised
