"""A group commit in the making: requests in, lines out, and each one's outcome once they are durable.

Pure but for the futures: reads the catalog, touches no file. Outcomes are held back until the group is
settled, since a refusal may rest on a line of the same group that never becomes durable.
"""

from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

import msgspec

from navlog.daemon.journal.catalog import Catalog
from navlog.daemon.journal.shapes import Condition, Receipt
from navlog.schemas.envelope import Draft, Record, seal, seal_of
from navlog.schemas.errors import ConditionFailed, IdReused, NavlogError, UsageError

ENVELOPE_BYTES = 512  # a generous guess of what the envelope adds to a payload


class Request(msgspec.Struct, frozen=True, eq=False):
    """Drafts to be appended as one, and who waits for it; ``unhurried``: nobody does yet."""

    drafts: tuple[Draft, ...]
    condition: Condition | None
    future: Future[Receipt]
    unhurried: bool = False

    @property
    def size(self) -> int:
        """About how many bytes it will take."""
        return sum([len(draft.data) + ENVELOPE_BYTES for draft in self.drafts])

    def refuse(self, fault: Exception) -> None:
        """Ends the wait without a receipt."""
        with suppress(InvalidStateError):  # cancelled meanwhile
            self.future.set_exception(fault)


class Group:
    """Lines that will be written and fsynced together, behind what ``catalog`` holds."""

    def __init__(self, catalog: Catalog, at: str, line_bytes: int) -> None:
        self.lines: list[bytes] = []
        self.records: list[Record] = []
        self.size = 0
        self._catalog = catalog
        self._at = at
        self._line_bytes = line_bytes
        self._position = catalog.position
        self._prev = catalog.tail
        self._ids: dict[str, Record] = {}
        self._outcomes: list[tuple[Request, Receipt | NavlogError]] = []

    def stage(self, request: Request) -> None:
        """Gives ``request`` its positions, or notes why it is refused."""
        try:
            self._outcomes.append((request, self._receipt(request)))
        except NavlogError as fault:
            self._outcomes.append((request, fault))

    def settle(self) -> None:
        """The lines are durable: everybody hears."""
        for request, outcome in self._outcomes:
            if isinstance(outcome, NavlogError):
                request.refuse(outcome)
            else:
                with suppress(InvalidStateError):  # cancelled meanwhile
                    request.future.set_result(outcome)

    @property
    def requests(self) -> list[Request]:
        """Those staged so far."""
        return [request for request, _ in self._outcomes]

    # --- one request ------------------------------------------------------------------------------------

    def _receipt(self, request: Request) -> Receipt:
        new, old = self._without_repeats(request.drafts)
        if not new:
            positions = [record.position for record in old.values()]
            return Receipt(first=min(positions), last=max(positions), repeated=tuple(old))
        if request.condition is not None:
            self._check(request.condition)
        self._take(new)
        return Receipt(first=self._position - len(new) + 1, last=self._position, repeated=tuple(old))

    def _without_repeats(self, drafts: Sequence[Draft]) -> tuple[list[Draft], dict[str, Record]]:
        """What is new, and the records whose ids are repeated; raises `IdReused`."""
        new: dict[str, Draft] = {}
        old: dict[str, Record] = {}
        for draft in drafts:
            known = new.get(draft.id) or self._ids.get(draft.id) or self._catalog.find(draft.id)
            if known is None:
                new[draft.id] = draft
            elif not _same(draft, known):
                raise IdReused(
                    f"The id {draft.id} is taken by another event.",
                    hint=f"navlog explain {draft.id}",
                    position=known.position if isinstance(known, Record) else None,
                )
            elif isinstance(known, Record):
                old[draft.id] = known
        return list(new.values()), old

    def _check(self, condition: Condition) -> None:
        """Raises `ConditionFailed` if a durable or staged event matches."""
        found = next(self._catalog.select(condition.items, condition.after), None)
        found = found or next((r for r in self.records if _hits(condition, r)), None)
        if found is not None:
            raise ConditionFailed(
                f"An event at position {found.position} must not be there.", position=found.position
            )

    def _take(self, drafts: Sequence[Draft]) -> None:
        """Seals ``drafts`` behind the group's last line, all or none."""
        records, lines, prev = [], [], self._prev
        for k, draft in enumerate(drafts, 1):
            batch = (k, len(drafts)) if len(drafts) > 1 else None
            record = self._record(draft, self._position + k, batch, prev)
            line = seal(record)
            if len(line) > self._line_bytes:
                raise UsageError(
                    f"The event {draft.id} takes {len(line)} bytes; a line has at most {self._line_bytes}."
                )
            prev = seal_of(line)
            msgspec.structs.force_setattr(record, "h", prev)  # nobody has it yet; a copy costs every append
            records.append(record)
            lines.append(line)
        self.records += records
        self.lines += lines
        self.size += sum(map(len, lines))
        self._ids.update((record.id, record) for record in records)
        self._position, self._prev = self._position + len(lines), prev

    def _record(self, draft: Draft, position: int, batch: tuple[int, int] | None, prev: str) -> Record:
        return Record(
            position=position,
            id=draft.id,
            at=self._at,
            project=draft.project,
            source=draft.source,
            type=draft.type,
            version=draft.version,
            tags=draft.tags,
            data=msgspec.Raw(draft.data),
            occurred_at=draft.occurred_at,
            cause=draft.cause,
            trace=draft.trace,
            batch=batch,
            critical=draft.critical,
            prev=prev,
        )


def _same(draft: Draft, known: Draft | Record) -> bool:
    same_kind = (draft.type, draft.version) == (known.type, known.version)
    return same_kind and draft.data == bytes(known.data)


def _hits(condition: Condition, record: Record) -> bool:
    matching = not condition.items or any(item.matches(record.type, record.tags) for item in condition.items)
    return matching and record.position > condition.after
