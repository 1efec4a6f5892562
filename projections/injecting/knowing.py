"""What a session has been given and still has before it: the fold of its events.

A compaction takes the transcript away, and with it what was given: from there on everything may be given
again. A block that was recorded and then came too late for its hook was not given.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from navlog.projections.injecting.block import Found, text_hash
from navlog.schemas.event import Event
from navlog.schemas.sessions import InjectionGiven, Piece, SessionCompacted, SessionStarted

LATE = "late"
_EMPTIED = ("compact", "clear")


class Given(NamedTuple):
    """The pieces of one injection."""

    position: int
    pieces: tuple[Piece, ...]


class Known(msgspec.Struct, frozen=True):
    """``given``: injection -> what is still before the agent, in order."""

    given: Mapping[str, Given] = {}
    ids: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()

    def has(self, found: Found) -> bool:
        """Whether the agent has read it: the same piece, or the same text under another name."""
        return found.id in self.ids or bool(found.text and text_hash(found.text) in self.texts)


def apply(known: Known, event: Event, position: int) -> Known:
    """The state after an event of this session; live and when the log is read again."""
    match event:
        case SessionStarted(how=how) if how in _EMPTIED:
            return Known()
        case SessionCompacted(done=True):
            return Known()
        case InjectionGiven(skipped=skipped) if skipped == LATE:
            return _of({key: one for key, one in known.given.items() if key != event.injection})
        case InjectionGiven() if event.pieces:
            return _of({**known.given, event.injection: Given(position, tuple(event.pieces))})
        case _:
            return known


def _of(given: Mapping[str, Given]) -> Known:
    pieces = [piece for one in given.values() for piece in one.pieces]
    return Known(
        given,
        frozenset(piece.id for piece in pieces),
        frozenset(piece.text for piece in pieces if piece.text),
    )
