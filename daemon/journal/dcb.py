"""The eventsourcing library's DCB recorder over a journal: read, append with a condition, subscribe.

Imported only by who uses that library; the journal itself does not pay for it. Payloads stay byte for byte:
what is not an object in one line of JSON is wrapped. Ids are drawn anew for each event, since here equal
events are two events.
"""

import base64
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import TimeoutError as WaitTimeout
from contextlib import suppress
from itertools import islice
from typing import Self
from uuid import uuid4

from eventsourcing.dcb.api import (
    DCBAppendCondition,
    DCBEvent,
    DCBQuery,
    DCBReadResponse,
    DCBRecorder,
    DCBSequencedEvent,
    DCBSubscription,
)
from eventsourcing.persistence import IntegrityError, OperationalError, ProgrammingError

from navlog.daemon.journal.journal import Journal
from navlog.daemon.journal.shapes import Condition, Item
from navlog.schemas.envelope import Draft, Record
from navlog.schemas.errors import ConditionFailed, NavlogError, UsageError
from navlog.schemas.payloads import check_payload

APPEND_S = 30.0  # how long an append may take before the caller hears that nobody knows


class JournalRecorder(DCBRecorder):
    """A `DCBRecorder`. ``project`` and ``source`` stand on the lines it appends; it reads every line."""

    def __init__(
        self, journal: Journal, *, project: str, source: str, new_id: Callable[[], str] = lambda: str(uuid4())
    ) -> None:
        self._journal = journal
        self._project = project
        self._source = source
        self._new_id = new_id

    def read(
        self, query: DCBQuery | None = None, *, after: int | None = None, limit: int | None = None
    ) -> "JournalResponse":
        head = self._journal.position  # before the records: a head that is too high would hide a conflict
        records = self._journal.select(_items(query), after or 0)
        if limit is not None:
            return JournalResponse.limited(islice(records, limit))
        return JournalResponse(records, head or None)

    def append(self, events: Sequence[DCBEvent], condition: DCBAppendCondition | None = None) -> int:
        """The last position given. Raises `IntegrityError` where the condition fails."""
        if not events:
            raise ProgrammingError("Nothing to append.")
        drafts = [self._draft(event) for event in events]
        try:
            return self._journal.append(drafts, _condition(condition)).result(APPEND_S).last
        except ConditionFailed as fault:
            raise IntegrityError(str(fault)) from fault
        except UsageError as fault:
            raise ProgrammingError(str(fault)) from fault
        except (NavlogError, WaitTimeout) as fault:
            raise OperationalError(str(fault)) from fault

    def subscribe(self, query: DCBQuery | None = None, *, after: int | None = None) -> "JournalSubscription":
        return JournalSubscription(self, query, after)

    def wait(self, after: int) -> int:
        """Blocks until there is something after a position, for a second at most."""
        return self._journal.wait(after, 1.0)

    def _draft(self, event: DCBEvent) -> Draft:
        return Draft(
            id=self._new_id(),
            project=self._project,
            source=self._source,
            type=event.type,
            data=_wrapped(event.data),
            tags=tuple(event.tags),
        )


class JournalResponse(DCBReadResponse):
    """Events, and the position up to which they were looked for; with a limit, that of the last one."""

    def __init__(self, records: Iterator[Record], head: int | None) -> None:
        self._records = records
        self._head = head

    @classmethod
    def limited(cls, records: Iterator[Record]) -> Self:
        """All at once: the head has to be known before the first is taken."""
        found = list(records)
        return cls(iter(found), found[-1].position if found else None)

    @property
    def head(self) -> int | None:
        return self._head

    def __next__(self) -> DCBSequencedEvent:
        return _event(next(self._records))


class JournalSubscription(DCBSubscription[JournalRecorder]):
    """Every matching event, then every new one as soon as it is durable."""

    def __init__(self, recorder: JournalRecorder, query: DCBQuery | None, after: int | None) -> None:
        super().__init__(recorder, query, after)
        self._response = JournalResponse(iter(()), self._last_position)

    def __next__(self) -> DCBSequencedEvent:
        while not self._has_been_stopped:
            event = next(self._response, None)
            if event is not None:
                self._last_position = event.position
                return event
            self._last_position = max(self._last_position, self._response.head or 0)
            self._recorder.wait(self._last_position)
            self._response = self._recorder.read(self._query, after=self._last_position)
        raise StopIteration


def _items(query: DCBQuery | None) -> tuple[Item, ...]:
    found = query.items if query else ()
    return tuple(Item(types=tuple(item.types), tags=tuple(item.tags)) for item in found)


def _condition(condition: DCBAppendCondition | None) -> Condition | None:
    if condition is None:
        return None
    return Condition(items=_items(condition.fail_if_events_match), after=condition.after or 0)


def _event(record: Record) -> DCBSequencedEvent:
    event = DCBEvent(type=record.type, data=_unwrapped(bytes(record.data)), tags=list(record.tags))
    return DCBSequencedEvent(event=event, position=record.position)


def _wrapped(data: bytes) -> bytes:
    if data.startswith(b"{") and data.endswith(b"}") and not data.startswith(_WRAP):
        with suppress(UsageError):
            check_payload(data)
            return data
    return _WRAP + base64.b64encode(data) + b'"}'


def _unwrapped(data: bytes) -> bytes:
    return base64.b64decode(data[len(_WRAP) : -2]) if data.startswith(_WRAP) else data


_WRAP = b'{"base64":"'
