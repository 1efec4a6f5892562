"""What the pages need of the log that no table keeps: where files were moved from, when a project was first
looked at."""

import math
from collections.abc import Iterable
from datetime import datetime

from navlog.schemas.envelope import Record
from navlog.schemas.events import FileMoved, ProjectRemoved, ScanCompleted
from navlog.schemas.payloads import decode_payload

TYPES = (ProjectRemoved.TYPE, ScanCompleted.TYPE, FileMoved.TYPE)


class Trail:
    """A fold over the records of `TYPES`; ``position`` is the last one it has seen."""

    def __init__(self) -> None:
        self.position = 0
        self._moves: dict[str, dict[str, str]] = {}
        self._first_look: dict[str, float] = {}

    def follow(self, records: Iterable[Record]) -> None:
        """Takes in the next records."""
        for record in records:
            self.position = record.position
            self._take(record)

    def moves(self, project: str) -> dict[str, str]:
        """Each former path of a file and the path it has now, as far as moves tell."""
        moves = self._moves.get(project, {})
        return {former: _end(moves, former) for former in moves}

    def first_look(self, project: str) -> float:
        """When the first whole look ended, in seconds since the epoch; never, before that."""
        return self._first_look.get(project, math.inf)

    def _take(self, record: Record) -> None:
        event = decode_payload(record)
        if isinstance(event, ProjectRemoved):
            self._moves.pop(record.project, None)
            self._first_look.pop(record.project, None)
        elif isinstance(event, ScanCompleted):
            self._first_look.setdefault(record.project, datetime.fromisoformat(record.at).timestamp())
        elif isinstance(event, FileMoved):
            moves = self._moves.setdefault(record.project, {})
            moves.pop(event.path, None)  # what came back is there
            moves[event.previous] = event.path


def _end(moves: dict[str, str], path: str) -> str:
    seen = {path}
    while (later := moves.get(path)) is not None and later not in seen:
        seen.add(later)
        path = later
    return path
