"""Reads what an agent said at the end of a turn: did it quote what it used?

Follows the sessions in the log: the last prompt, and the pieces of knowledge that were given since. Where a
host hands the whole reply over (`replied`), that counts; else the beginning that `turn_ended` keeps.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from navlog.projections.knowledge import citing
from navlog.projections.knowledge.citing import Given
from navlog.schemas.event import Event
from navlog.schemas.knowledge import CitationChecked, CitationMode
from navlog.schemas.sessions import InjectionGiven, PromptGiven, TurnEnded

SESSIONS = 256
PREFIX = "knowledge:"


@dataclass
class Turn:
    """A session's turn; ``read``: its reply was judged already, ``taken_on``: it was, so many times."""

    prompt: str = ""
    pieces: list[str] = field(default_factory=list)
    variant: str = ""
    read: bool = False
    taken_on: int = 0


class Quoting:
    """``given`` finds what a piece's id names; ``say`` appends an event of a project."""

    def __init__(
        self,
        mode: Callable[[str, str], CitationMode],
        retries: int,
        given: Callable[[str, list[str]], list[Given]],
        say: Callable[[str, Event, str], None],
    ) -> None:
        self._mode = mode
        self._retries = retries
        self._given = given
        self._say = say
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._lock = Lock()

    def heard(self, project: str, event: Event, trace: str = "") -> None:
        """An event of a session, in the order of the log."""
        match event:
            case PromptGiven():
                self._begin(event.session, event.text)
            case InjectionGiven():
                turn = self._turn(event.session)
                turn.pieces += [one.id for one in event.pieces if one.id.startswith(PREFIX)]
                turn.variant = event.variant
            case TurnEnded() if not self._turn(event.session).read:
                self._check(project, event.session, event.text, event.turn, trace, may_go_on=False)
            case _:
                pass

    def replied(
        self, project: str, session: str, reply: str, *, turn: str = "", trace: str = "", active: bool = False
    ) -> str:
        """The whole reply of a turn; why the turn should be taken on, "" if it should not.

        ``active``: the host has taken this turn on once already for a hook (``stop_hook_active``).
        """
        return self._check(project, session, reply, turn, trace, may_go_on=not active)

    def _check(
        self, project: str, session: str, reply: str, turn: str, trace: str, *, may_go_on: bool
    ) -> str:
        now, mode = self._turn(session), self._mode(project, session)
        now.read = True
        if mode == "off" or not now.pieces:
            return ""
        pieces = self._given(project, now.pieces)
        read = citing.read_reply(reply, now.prompt, pieces)
        reason = ""
        if read.missed and mode == "must" and may_go_on and now.taken_on < self._retries:
            now.taken_on += 1
            reason = citing.again(pieces, read.missed)
        if read.used:
            checked = CitationChecked(
                session=session, mode=mode, used=read.used, quoted=read.quoted, turn=turn,
                continued=bool(reason), variant=now.variant,
            )  # fmt: skip
            self._say(project, checked, trace)
        return reason

    def _begin(self, session: str, prompt: str) -> None:
        with self._lock:
            self._turns[session] = Turn(prompt)
            self._turns.move_to_end(session)
            while len(self._turns) > SESSIONS:
                self._turns.popitem(last=False)

    def _turn(self, session: str) -> Turn:
        with self._lock:
            return self._turns.setdefault(session, Turn())
