"""The tool `ctx_reduce` of MCP: finds out which session calls it, and answers what became of its wish."""

import msgspec

from navlog.daemon.nudging.desk import Desk
from navlog.daemon.nudging.offers import Offers
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import ToolArgs, ToolOffered
from navlog.schemas.tails import TailReduceArgs

CALL = "claudecode/toolUseId"  # in a call's _meta: the host's own name of it


class Wish(msgspec.Struct, frozen=True):
    """The tool's arguments; ``session`` where a client is asked for it."""

    drop: str
    reason: str = ""
    session: str = ""


class Reducing:
    """A server's calls do not say whose they are: a hook announced it, or the same agent's hooks did."""

    def __init__(self, desk: Desk, offers: Offers) -> None:
        self._desk = desk
        self._offers = offers

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {"tool-offered": Verb(self.offered, ToolOffered, looks=False)}

    def offered(self, args: ToolOffered, _trace: str, _report: Report) -> ToolOffered:
        """A server of ours told its client what tools there are."""
        self._offers.offered(args.parent)
        return args

    def reduce(self, wish: Wish, args: ToolArgs, project: str, trace: str) -> str:
        """The answer for the model; raises `UsageError`."""
        session = wish.session or self._session(wish, args, project)
        if not session:
            raise UsageError(
                "It cannot be told which session calls.", hint="Name it: the argument session, its id."
            )
        asked = TailReduceArgs(session=session, drop=wish.drop, reason=wish.reason)
        return self._desk.asked(asked, project, trace).text

    def _session(self, wish: Wish, args: ToolArgs, project: str) -> str:
        announced = self._offers.taken(project, str(args.meta.get(CALL) or ""), wish.drop)
        return announced.session if announced else self._offers.session_of(args.parent)
