"""Why something was given, and what a session knew at a position: from the log alone, after any crash."""

from collections.abc import Callable, Iterator

import msgspec

from navlog.daemon.injecting.memory import Memory, session_tag
from navlog.daemon.injecting.recording import injection_id, text_id
from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.injecting.block import compose, given, text_hash, title_of
from navlog.projections.injecting.knowing import LATE, Known
from navlog.schemas.envelope import Record
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import (
    AsOfArgs,
    AsOfReply,
    ExplainArgs,
    Explained,
    ExplainReply,
    PieceGiven,
    SessionKnew,
)
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import InjectionGiven, Piece, PromptGiven, TextKept

INJECTIONS = Item(types=(InjectionGiven.TYPE,))


class LookingBack:
    """``name_of``: the name of a project, as the block called it."""

    def __init__(self, events: Journal, name_of: Callable[[str], str]) -> None:
        self._events = events
        self._name_of = name_of

    def explain(self, args: ExplainArgs) -> ExplainReply:
        """The injections that ``id`` is, is a piece of, or led to; raises `UsageError`."""
        named = self._events.find(injection_id(args.id))
        found = [named] if named else self._bearing(args.id)[-args.limit :]
        if found:
            return ExplainReply(injections=[self._explained(record) for record in reversed(found)])
        if event := self._events.find(args.id):
            return ExplainReply(injections=[], event=msgspec.Raw(msgspec.json.encode(event)))
        raise UsageError(
            f"Nothing in the log is called {args.id!r}.",
            hint="An injection's number stands in its fence; a piece's id in:  navlog as-of POSITION",
        )

    def as_of(self, args: AsOfArgs) -> AsOfReply:
        """What each session had before it; a compaction takes it away."""
        goal = min(args.position, self._events.position) or self._events.position
        hosts = {args.session: ""} if args.session else self._sessions(goal)
        knew = [self._knew(session, host, goal) for session, host in list(hosts.items())[-args.limit :]]
        return AsOfReply(position=goal, sessions=[one for one in knew if one.pieces or args.session])

    def _sessions(self, until: int) -> dict[str, str]:
        """Session -> host, those given something last at the end."""
        found: dict[str, str] = {}
        for position, event in self._injections():
            if position > until:
                break
            found.pop(event.session, None)
            found[event.session] = event.host
        found.pop("", None)
        return found

    def _injections(self) -> Iterator[tuple[int, InjectionGiven]]:
        for record in self._events.select([INJECTIONS]):
            event = decode_payload(record)
            if isinstance(event, InjectionGiven):
                yield record.position, event

    def _knew(self, session: str, host: str, until: int) -> SessionKnew:
        _, known = Memory(self._events).read(session, Known(), 0, until)
        pieces = [
            self._piece(piece, injection, one.position)
            for injection, one in known.given.items()
            for piece in one.pieces
        ]
        return SessionKnew(
            session=session, host=host, pieces=pieces, tokens=sum(piece.tokens for piece in pieces)
        )

    def _bearing(self, name: str) -> list[Record]:
        """The injections with this trace, or with a piece of this id; in order."""
        found = []
        for record in self._events.select([INJECTIONS]):
            event = decode_payload(record)
            if not isinstance(event, InjectionGiven) or event.skipped == LATE:
                continue
            if record.trace == name or any(piece.id == name for piece in event.pieces):
                found.append(record)
        return found

    def _explained(self, record: Record) -> Explained:
        event = decode_payload(record)
        assert isinstance(event, InjectionGiven)  # noqa: S101 - selected by its type
        pieces = [self._piece(piece, event.injection, record.position) for piece in event.pieces]
        title = title_of(self._name_of(record.project), event.position)
        shown = [given(piece, told.text) for piece, told in zip(event.pieces, pieces, strict=True)]
        block = compose(shown, title, event.injection)
        return Explained(
            project=record.project,
            position=record.position,
            at=record.at,
            trace=record.trace or "",
            task=self._task(record, event),
            given=event,
            pieces=pieces,
            block=block,
            exact=text_hash(block) == event.block,
        )

    def _piece(self, piece: Piece, injection: str, position: int) -> PieceGiven:
        return PieceGiven(
            id=piece.id,
            kind=piece.kind,
            pointer=piece.pointer,
            reason=piece.reason,
            tokens=piece.tokens,
            text=self._text(piece.text),
            injection=injection,
            position=position,
        )

    def _text(self, hash_: str) -> str:
        record = self._events.find(text_id(hash_)) if hash_ else None
        event = decode_payload(record) if record else None
        return event.text if isinstance(event, TextKept) else ""

    def _task(self, record: Record, event: InjectionGiven) -> str:
        """The prompt of the same call: its event bears the same trace."""
        if not record.trace or not event.session:
            return ""
        prompts = Item(types=(PromptGiven.TYPE,), tags=(session_tag(event.session),))
        for found in self._events.select([prompts]):
            prompt = decode_payload(found) if found.trace == record.trace else None
            if isinstance(prompt, PromptGiven):
                return prompt.text
        return ""
