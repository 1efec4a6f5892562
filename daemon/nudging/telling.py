"""The verbs `nudge-explain` and `nudge-status`: what is stored of a session's tail, and nothing else."""

from collections.abc import Callable

from navlog.daemon.nudging.memory import Memory
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.nudging.telling import explained, state_of
from navlog.schemas.errors import UsageError
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import (
    NudgeExplainArgs,
    NudgeExplained,
    NudgeStatusArgs,
    NudgeStatusReply,
    TailState,
)

SHOWN = 3  # in `status`


class Telling:
    """``lately``: the sessions that hooks were heard of last, which this process may not have met yet."""

    def __init__(self, memory: Memory, settings: Nudge, lately: Callable[[], list[str]]) -> None:
        self._memory = memory
        self._settings = settings
        self._lately = lately

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {
            "nudge-explain": Verb(self.explain, NudgeExplainArgs),
            "nudge-status": Verb(self.status, NudgeStatusArgs),
        }

    def explain(self, args: NudgeExplainArgs, _trace: str, _report: Report) -> NudgeExplained:
        """Everything of one session; raises `UsageError` where nothing was measured."""
        name = self._found(args.session)
        session = self._memory.of(name)[1]
        if session.measured is None:
            raise UsageError(
                f"Nothing was measured of the session {name!r}.",
                hint="See those that were:  navlog nudge status",
            )
        return explained(name, session, session.measured, self._settings)

    def status(self, args: NudgeStatusArgs, _trace: str, _report: Report) -> NudgeStatusReply:
        """The sessions measured last."""
        return NudgeStatusReply(tails=self.tails(args.limit))

    def tails(self, limit: int = SHOWN) -> list[TailState]:
        """The same, for `status`."""
        found: list[TailState] = []
        for name in self._names():
            session = self._memory.of(name)[1] if len(found) < limit else None
            if session and session.measured:
                found.append(state_of(name, session, session.measured, self._settings))
        return found

    def _names(self) -> list[str]:
        return list(dict.fromkeys([*self._memory.sessions(), *self._lately()]))

    def _found(self, name: str) -> str:
        """The session of an id, or of the beginning of one."""
        names = self._names()
        begin = [one for one in names if one.startswith(name)]
        return begin[0] if name not in names and len(begin) == 1 else name
