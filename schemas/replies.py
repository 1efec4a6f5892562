"""The events of judging replies: what an agent's words were found to refer to, and what followed.

A check is a fact: it was made against what the project had at that moment.
"""

from typing import ClassVar, Literal

from navlog.schemas.event import Event

DegradedWhy = Literal["", "blind", "invented"]


class ReplyChecked(Event, frozen=True, kw_only=True):
    """A reply referred to ``references`` files and definitions, ``invented`` of which are not there.

    ``missing`` names the first of these. ``blind`` are the words by which it says that it cannot see the code
    as it is. ``good``: it speaks for the session, by the settings of that moment.
    """

    TYPE: ClassVar[str] = "reply_checked"
    session: str
    host: str
    references: int
    invented: int
    missing: list[str] = []
    blind: str = ""
    good: bool = False
    turn: str = ""
    variant: str = ""


class SessionDegraded(Event, frozen=True, kw_only=True):
    """From now on the session is given paths only. ``why``: blind (it says so) or invented (references)."""

    TYPE: ClassVar[str] = "session_degraded"
    session: str
    why: DegradedWhy
    references: int = 0
    invented: int = 0


class SessionRestored(Event, frozen=True, kw_only=True):
    """From now on it is given everything again, for its ``replies`` or because a ``person`` said so."""

    TYPE: ClassVar[str] = "session_restored"
    session: str
    why: Literal["replies", "person"]


REPLIES: tuple[type[Event], ...] = (ReplyChecked, SessionDegraded, SessionRestored)
