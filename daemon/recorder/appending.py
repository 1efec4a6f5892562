"""Events of the recorder on their way into the journal."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol

import msgspec

from navlog.daemon.journal import Receipt
from navlog.schemas.envelope import Draft
from navlog.schemas.events import CommitRecorded, Event, OutlineRecorded

SOURCE = "listener"


class Appends(Protocol):
    """The journal, as far as it is needed here."""

    def append(self, drafts: Sequence[Draft], *, unhurried: bool = False) -> Future[Receipt]: ...


class Appending:
    """``position`` is the last one of everything appended through this; ``new_id`` draws an id."""

    def __init__(self, journal: Appends, new_id: Callable[[], str]) -> None:
        self.position = 0
        self._journal = journal
        self._new_id = new_id
        self._turn = threading.Lock()

    def append(self, project: str, events: Sequence[Event]) -> None:
        """One atomic batch; returns once it is durable, raises what the journal raises."""
        if events:
            self._durable(self._journal.append([self._draft(project, event) for event in events]))

    def append_outline(
        self, project: str, name: str, data: bytes, *, anew: bool = False, unhurried: bool = False
    ) -> Future[Receipt]:
        """One outline, encoded already; its id, ``name``, says what it is made of, and so is made once.

        ``anew``: though it is there. ``unhurried``: it is one of very many.
        """
        future = self._journal.append(
            [
                Draft(
                    id=f"{name}:{self._new_id()}" if anew else name,
                    project=project,
                    source=SOURCE,
                    type=OutlineRecorded.TYPE,
                    version=OutlineRecorded.VERSION,
                    data=data,
                )
            ],
            unhurried=unhurried,
        )
        future.add_done_callback(self._ended)
        return future

    def _ended(self, receipt: Future[Receipt]) -> None:
        if not receipt.exception():
            self._durable(receipt)

    def _durable(self, receipt: Future[Receipt]) -> None:
        last = receipt.result().last
        with self._turn:  # the recorder's thread and the journal's both come here
            self.position = max(self.position, last)

    def _draft(self, project: str, event: Event) -> Draft:
        return Draft(
            id=self._id(project, event),
            project=project,
            source=SOURCE,
            type=event.TYPE,
            version=event.VERSION,
            data=msgspec.json.encode(event),
        )

    def _id(self, project: str, event: Event) -> str:
        """Git names a commit, so its id is made of that; other events have no name but the one given here."""
        if isinstance(event, CommitRecorded):
            return f"commit:{project}:{event.commit}"
        return self._new_id()
