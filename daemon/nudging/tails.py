"""The tails of sessions as they are now, part by part: what was counted is not counted again.

Texts are not kept, but for the beginning of what a tool was called with. All of it can be read again.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from operator import is_
from threading import RLock
from typing import NamedTuple, TypeVar

import msgspec

from navlog.projections.nudging.passing import Seen
from navlog.projections.nudging.reclaiming import Subject, subject
from navlog.projections.nudging.tail import Counted, is_user_turn, read, stable_json
from navlog.schemas.errors import RequestRefused
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message, Part

SESSIONS = 64
BEGINNING = 60  # characters of a call's input
Count = Callable[[str], int]
Shape = TypeVar("Shape", bound=msgspec.Struct)
Fact = TypeVar("Fact")


class Kept(NamedTuple):
    """One message as it was counted. ``digest`` is of its JSON as it came."""

    digest: bytes
    parts: Sequence[Counted]
    turn: bool
    summary: bool
    beginnings: dict[str, str]
    subjects: dict[str, Subject]


class Tail:
    """One session's. Use it under its lock."""

    def __init__(self, count: Count, settings: Nudge) -> None:
        self.lock = RLock()
        self.removes = False  # what its host said last
        self._count = count
        self._settings = settings
        self._messages: dict[str, Kept] = {}
        self._seen: Seen | None = Seen()

    def __len__(self) -> int:
        return len(self._messages)

    def put(self, message: Message) -> None:
        """At its end; one of the same id is replaced where it is."""
        known = message.id in self._messages
        kept = self._messages[message.id] = self._kept(message)
        if known:
            self._seen = None
        elif self._seen:
            _grow(self._seen, kept)

    def take(self, messages: Iterable[msgspec.Raw], order: Sequence[str] | None) -> list[str]:
        """The whole tail, or with ``order`` what is new of it; the ids of which nothing is known.

        The tail stays as it was where there are such, or `RequestRefused` is raised for what is no message.
        """
        given = [(message_id(raw), raw) for raw in messages]
        by_id = dict(given)
        wanted = list(by_id) if order is None else order
        if len(by_id) < len(given) or len(set(wanted)) < len(wanted):
            raise RequestRefused("An id comes twice in the tail.", hint="Each message has an id of its own.")
        missing = [id_ for id_ in wanted if id_ not in by_id and id_ not in self._messages]
        if not missing:
            self._become({id_: self._now(id_, by_id.get(id_)) for id_ in wanted})
        return missing

    def cut(self, length: int) -> None:
        """Only the first ``length`` messages stay."""
        self._become(dict(islice(self._messages.items(), length)))

    def clear(self) -> None:
        """Begins anew."""
        self._become({})

    def seen(self) -> Seen:
        """All of it, flat; it grows with the tail as long as only its end does."""
        if self._seen is None:
            self._seen = Seen()
            for kept in self._messages.values():
                _grow(self._seen, kept)
        return self._seen

    def blocks(self, ids: Iterable[str]) -> Iterator[str]:
        """The blocks of these messages, of those that are in it."""
        return (part.block for id_ in ids if id_ in self._messages for part in self._messages[id_].parts)

    def _become(self, messages: dict[str, Kept]) -> None:
        before, self._messages = self._messages, messages
        if self._seen and all(map(is_, before.values(), messages.values())) and len(before) <= len(messages):
            for kept in islice(messages.values(), len(before), None):
                _grow(self._seen, kept)
        else:
            self._seen = None

    def _now(self, id_: str, raw: msgspec.Raw | None) -> Kept:
        if raw is None:
            return self._messages[id_]
        digest = blake2b(raw, digest_size=12).digest()
        kept = self._messages.get(id_)
        return kept if kept and kept.digest == digest else self._kept(message_of(raw), digest)

    def _kept(self, message: Message, digest: bytes = b"") -> Kept:
        parts = read(message, self._count, self._settings)
        turn = is_user_turn(message)
        beginnings = _of_calls(message, parts, lambda part: _beginning(part.input))
        subjects = _of_calls(message, parts, lambda part: subject(part.tool, part.input))
        return Kept(digest, parts, turn, message.summary, beginnings, subjects)


def _grow(seen: Seen, kept: Kept) -> None:
    seen.parts.extend(kept.parts)
    seen.beginnings.update(kept.beginnings)
    seen.subjects.update(kept.subjects)
    if kept.parts and kept.turn:
        seen.turns.append(kept.parts[0].block)
    if kept.parts and kept.summary:
        seen.summaries.append(kept.parts[0].block)


class Tails:
    """Every session's, those asked for lately."""

    def __init__(self, count: Count, settings: Nudge) -> None:
        self._count = count
        self._settings = settings
        self._tails: OrderedDict[str, Tail] = OrderedDict()
        self._lock = RLock()

    def of(self, session: str) -> Tail:
        """A new one where none is kept."""
        with self._lock:
            tail = self._tails.pop(session, None) or Tail(self._count, self._settings)
            self._tails[session] = tail
            while len(self._tails) > SESSIONS:
                self._tails.popitem(last=False)
            return tail

    def has(self, session: str) -> bool:
        """Whether it is kept."""
        return session in self._tails


def message_id(raw: msgspec.Raw) -> str:
    """The message's id; raises `RequestRefused`."""
    return _decoded(raw, _Head).id


def message_of(raw: msgspec.Raw) -> Message:
    """The message; raises `RequestRefused`."""
    return _decoded(raw, Message)


class _Head(msgspec.Struct):
    id: str


def _decoded(raw: msgspec.Raw, shape: type[Shape]) -> Shape:
    try:
        return msgspec.json.decode(raw, type=shape)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise RequestRefused(
            f"A message of the tail cannot be read: {fault}.", hint="docs/wire.md names its fields."
        ) from None


def _of_calls(
    message: Message, parts: Sequence[Counted], about: Callable[[Part], Fact | None]
) -> dict[str, Fact]:
    """By block, what ``about`` says of each call, where it says anything."""
    return {
        counted.block: said
        for part, counted in zip(message.parts, parts, strict=True)
        if part.kind == "call" and (said := about(part))
    }


def _beginning(given: object) -> str:
    """What a call was about, in a few words: its first text, else its JSON."""
    texts = [one for one in given.values() if isinstance(one, str)] if isinstance(given, dict) else []
    text = texts[0] if texts else given if isinstance(given, str) else stable_json(given)
    return " ".join(text.split())[:BEGINNING]
