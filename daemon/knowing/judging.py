"""What people decided about candidates, folded from the log: asked for every session, so no table is."""

from collections.abc import Mapping
from threading import Lock

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.knowledge.configuring import Judged
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.knowledge import CandidateJudged
from navlog.schemas.payloads import decode_payload

_TYPES = (CandidateJudged.TYPE, ProjectRemoved.TYPE)


class Judgements:
    """Thread-safe. A candidate that is judged again counts from then on."""

    def __init__(self, events: Journal) -> None:
        self._events = events
        self._read = 0
        self._found: dict[str, dict[str, Judged]] = {}
        self._lock = Lock()

    def of(self, project: str) -> Mapping[str, Judged]:
        """The judged candidates of a project, in the order in which they were."""
        with self._lock:
            until = self._events.position
            for record in self._events.select([Item(types=_TYPES)], self._read):
                if record.position > until:
                    break
                if record.type == ProjectRemoved.TYPE:
                    self._found.pop(record.project, None)
                elif isinstance(event := decode_payload(record), CandidateJudged):
                    others = {**self._found.get(record.project, {})}
                    others.pop(event.candidate, None)
                    judged = Judged(event.candidate, event.verdict, event.configuration)
                    self._found[record.project] = {**others, event.candidate: judged}
            self._read = until
            return self._found.get(project, {})
