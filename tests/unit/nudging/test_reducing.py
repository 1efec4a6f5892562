"""`ctx_reduce` over MCP: whose call it is, and that nobody else's tail is touched."""

import pytest

from navlog.daemon.nudging.offers import Expected, Offers
from navlog.daemon.nudging.reducing import CALL, Reducing, Wish
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import ToolArgs
from support.tails import Office, session_of


class Tool:
    """The tool, in a daemon that knows the sessions ``s`` and ``t``."""

    def __init__(self, office: Office) -> None:
        self.offers = Offers()
        self.reducing = Reducing(office.desk, self.offers)
        for session in ("s", "t"):
            office.measure(session_of(100), session=session)

    def expect(self, session: str, call: str, drop: str = "2") -> None:
        self.offers.expect(Expected(session, "p", call, drop))

    def call(self, drop: str = "2", parent: int = 0, session: str = "", named: str = "") -> str:
        meta = {CALL: named} if named else {}
        args = ToolArgs(name="ctx_reduce", parent=parent, meta=meta)
        return self.reducing.reduce(Wish(drop, session=session), args, "p", "")


@pytest.fixture
def tool(office: Office) -> Tool:
    return Tool(office)


def queued(office: Office) -> dict[str, set[int]]:
    return {session: set(office.steps.of(session).queued) for session in ("s", "t")}


def test_the_host_s_own_name_of_the_call_decides(office: Office, tool: Tool) -> None:
    tool.expect("s", "one")
    tool.expect("t", "two")
    assert tool.call(named="two").startswith("Set aside: 2.")
    assert queued(office) == {"s": set(), "t": {2}}


def test_without_a_name_the_only_announced_call_that_asks_the_same_is_it(office: Office, tool: Tool) -> None:
    tool.expect("s", "one", "2")
    tool.expect("t", "two", "3")
    tool.call("3")
    assert queued(office) == {"s": set(), "t": {3}}


def test_where_two_ask_the_same_at_once_neither_is_guessed(office: Office, tool: Tool) -> None:
    tool.expect("s", "one")
    tool.expect("t", "two")
    with pytest.raises(UsageError, match="which session"):
        tool.call()
    assert queued(office) == {"s": set(), "t": set()}
    assert tool.call(session="t").startswith("Set aside: 2.")


def test_an_announced_call_is_taken_once(tool: Tool) -> None:
    tool.expect("s", "one")
    tool.call()
    with pytest.raises(UsageError):
        tool.call()


def test_the_agent_s_own_hooks_say_whose_server_it_is(
    office: Office, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool.offers, "session_of", lambda pid: "t" if pid == 42 else "")
    tool.call(parent=42)
    assert queued(office) == {"s": set(), "t": {2}}
