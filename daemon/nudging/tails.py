"""The tails of sessions as they are now, part by part: what was counted is not counted again.

Texts are not kept, but for the beginning of what a tool was called with. All of it can be read again.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from threading import RLock
from typing import NamedTuple, TypeVar

import msgspec

from navlog.projections.nudging.passing import Seen
from navlog.projections.nudging.tail import Counted, is_user_turn, read, stable_json
from navlog.schemas.errors import RequestRefused
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message

SESSIONS = 64
BEGINNING = 60  # characters of a call's input
Count = Callable[[str], int]
Shape = TypeVar("Shape", bound=msgspec.Struct)


class Kept(NamedTuple):
    """One message as it was counted. ``digest`` is of its JSON as it came."""

    digest: bytes
    parts: Sequence[Counted]
    turn: bool
    summary: bool
    beginnings: dict[str, str]


class Tail:
    """One session's. Use it under its lock."""

    def __init__(self, count: Count, settings: Nudge) -> None:
        self.lock = RLock()
        self.removes = False  # what its host said last
        self._count = count
        self._settings = settings
        self._messages: OrderedDict[str, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._messages)

    def put(self, message: Message, digest: bytes = b"") -> None:
        """At its end; one of the same id is replaced where it is."""
        self._messages[message.id] = self._kept(message, digest)

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
            self._messages = OrderedDict((id_, self._now(id_, by_id.get(id_))) for id_ in wanted)
        return missing

    def _now(self, id_: str, raw: msgspec.Raw | None) -> Kept:
        if raw is None:
            return self._messages[id_]
        digest = blake2b(raw, digest_size=12).digest()
        kept = self._messages.get(id_)
        return kept if kept and kept.digest == digest else self._kept(message_of(raw), digest)

    def _kept(self, message: Message, digest: bytes) -> Kept:
        parts = read(message, self._count, self._settings)
        turn = is_user_turn(message)
        return Kept(digest, parts, turn, message.summary, _beginnings(message, parts))

    def cut(self, length: int) -> None:
        """Only the first ``length`` messages stay."""
        while len(self._messages) > length:
            self._messages.popitem()

    def clear(self) -> None:
        """Begins anew."""
        self._messages.clear()

    def seen(self) -> Seen:
        """All of it, flat."""
        parts: list[Counted] = []
        turns, summaries, beginnings = [], [], {}
        for kept in self._messages.values():
            parts.extend(kept.parts)
            beginnings.update(kept.beginnings)
            if kept.parts and kept.turn:
                turns.append(kept.parts[0].block)
            if kept.parts and kept.summary:
                summaries.append(kept.parts[0].block)
        return Seen(parts, turns, summaries, beginnings)


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


def _beginnings(message: Message, parts: Sequence[Counted]) -> dict[str, str]:
    return {
        counted.block: said
        for part, counted in zip(message.parts, parts, strict=True)
        if part.kind == "call" and (said := _beginning(part.input))
    }


def _beginning(given: object) -> str:
    """What a call was about, in a few words: its first text, else its JSON."""
    texts = [one for one in given.values() if isinstance(one, str)] if isinstance(given, dict) else []
    text = texts[0] if texts else given if isinstance(given, str) else stable_json(given)
    return " ".join(text.split())[:BEGINNING]
