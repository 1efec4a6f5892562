"""The Agent Framework's provider with the real package, a model in this process, and a real daemon."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.tails import NudgeExplainArgs, NudgeExplained
from support.tails import OUTPUT, SETTINGS, WAIT_S

framework: Any = pytest.importorskip("agent_framework", reason="the extra `agent-framework` is not installed")
provider: Any = pytest.importorskip("navlog.daemon.hosts.agent_framework")

GENTLE = "as you go"

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(180)]

Step = tuple[str, dict[str, Any]] | str  # a tool's call, or the words that end a run
Answer = Callable[[list[Any]], Any]


async def _whole(contents: list[Any]) -> Any:
    return framework.ChatResponse(messages=[framework.Message("assistant", contents)])


async def _pieces(contents: list[Any]) -> AsyncIterator[Any]:
    yield framework.ChatResponseUpdate(role="assistant", contents=contents)


def _respond(self: Any, *, messages: Sequence[Any], stream: bool, options: Any, **_more: Any) -> Any:
    self.requests.append(list(messages))
    self.options = options
    contents = self.answer(list(messages))
    if not stream:
        return _whole(contents)
    return framework.ResponseStream(_pieces(contents), finalizer=framework.ChatResponse.from_updates)


def model(answer: Answer) -> Any:
    """A chat client whose model is ``answer``: the request's messages to the contents of the reply."""
    layers = (framework.FunctionInvocationLayer, framework.ChatMiddlewareLayer, framework.BaseChatClient)
    one = type("Model", layers, {"_inner_get_response": _respond})()
    one.requests, one.answer = [], answer
    return one


class Loop:
    """A model that runs ``steps``: each a tool's call, or the words that end the run."""

    def __init__(self, root: Path) -> None:
        self.steps: list[Step] = []
        self.calls = 0
        self.ran: list[str] = []
        self.client = model(self.answer)
        self.client.function_invocation_configuration["max_iterations"] = 200

        def run(command: str) -> str:
            """Runs a command."""
            self.ran.append(command)
            return OUTPUT

        self.navlog = provider.NavlogContextProvider(project=root, limit_s=WAIT_S)
        self.history = framework.InMemoryHistoryProvider()
        self.agent = framework.Agent(
            client=self.client, tools=[run], context_providers=[self.history, self.navlog]
        )
        self.session = framework.AgentSession()

    def answer(self, _messages: list[Any]) -> list[Any]:
        step = self.steps.pop(0)
        if isinstance(step, str):
            return [framework.Content.from_text(step)]
        self.calls += 1
        name, given = step
        return [framework.Content.from_function_call(f"c{self.calls}", name, arguments=json.dumps(given))]

    async def run(self, prompt: str, *steps: Step, stream: bool = False) -> str:
        self.steps = list(steps)
        if not stream:
            return str((await self.agent.run(prompt, session=self.session)).text)
        running_ = self.agent.run(prompt, session=self.session, stream=True)
        async for _ in running_:
            pass
        return str((await running_.get_final_response()).text)

    def commands(self, count: int) -> list[tuple[str, dict[str, Any]]]:
        return [("run", {"command": f"make step{self.calls + number}"}) for number in range(count)]

    def results(self, request: int = -1) -> dict[str, str]:
        """What the model saw of each call's result."""
        return {
            content.call_id: content.items[0].text
            for message in self.client.requests[request]
            for content in message.contents
            if content.type == "function_result"
        }

    def words(self, request: int = -1) -> list[str]:
        """The texts that the model saw."""
        return [
            content.text
            for message in self.client.requests[request]
            for content in message.contents
            if content.type == "text"
        ]

    def kept(self) -> str:
        """The history, as it is kept."""
        messages = self.session.state["in_memory"]["messages"]
        return "\n".join(json.dumps(one.to_dict(), ensure_ascii=False) for one in messages)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, Path]]:
    root = tmp_path_factory.mktemp("p").resolve()
    (root / "login.py").write_text("def login(user: str) -> bool:\n    return bool(user)\n")
    with running(tmp_path_factory) as one:
        one.home.settings.parent.mkdir(parents=True, exist_ok=True)
        one.home.settings.write_text(SETTINGS)
        assert one.run("up", str(root)).returncode == 0
        one.index(root)
        yield one, root


@pytest.fixture
def loop(house: tuple[Installation, Path], monkeypatch: pytest.MonkeyPatch) -> Loop:
    installation, root = house
    monkeypatch.setenv("XDG_RUNTIME_DIR", installation.environ["XDG_RUNTIME_DIR"])
    monkeypatch.setattr("navlog.daemon.hosts.agent_framework_tail.REDUCE_S", WAIT_S)
    return Loop(root)


def explained(house: tuple[Installation, Path], loop: Loop) -> NudgeExplained:
    args = NudgeExplainArgs(session=loop.session.session_id)
    return ask(house[0].home, "nudge-explain", NudgeExplained, args)


def types(house: tuple[Installation, Path], loop: Loop) -> list[str]:
    query = "SELECT type, data->>'session' FROM events WHERE source = 'navlog' ORDER BY position"
    rows = ask(house[0].home, "sql", SqlReply, SqlArgs(query=query)).rows
    return [str(type_) for type_, of in rows if of == loop.session.session_id]


def test_a_tail_over_60_000_tokens_is_told_once_and_reduced(
    house: tuple[Installation, Path], loop: Loop
) -> None:
    async def work() -> None:
        await loop.run("Fix the login", *loop.commands(36), "Done")
        told = [number for number in range(len(loop.client.requests)) if GENTLE in str(loop.results(number))]
        first = told[0]
        assert first * 2_100 > 60_000
        assert told == list(range(first, len(loop.client.requests)))  # and stays where it was said
        places = {call for call, text in loop.results().items() if GENTLE in text}
        assert len(places) == 1
        assert types(house, loop).count("nudge_shown") == 1
        assert all(re.match(r"§\d+§ x", text) for text in loop.results().values())

        tags = sorted(int(re.match(r"§(\d+)§", text)[1]) for text in loop.results().values())  # type: ignore[index]
        answer = ("ctx_reduce", {"drop": f"{tags[0]}-{tags[4]}", "reason": "done with it"})
        await loop.run("Go on", answer, "Done")
        said = [text for call, text in loop.results().items() if call == f"c{loop.calls}"]
        assert f"Set aside: {tags[0]}-{tags[4]}." in said[0]
        assert explained(house, loop).queued == tags[:5]

        loop.navlog._tails[loop.session.session_id].at_s -= 3_600  # an hour later: the prefix goes out anew
        await loop.run("Go on", "Done")
        seen = list(loop.results().values())
        assert all("x" * 20 not in text and "dropped" in text for text in seen[:5])
        assert "x" * 6_000 in seen[5]
        assert types(house, loop).count("drops_applied") == 1
        kept = loop.kept()
        assert kept.count("x" * 6_000) >= 36
        assert "§" not in kept
        assert GENTLE not in kept

    asyncio.run(work())


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_the_message_of_its_own_goes_out_once_stays_at_its_place_and_is_confirmed(
    house: tuple[Installation, Path], loop: Loop, *, stream: bool
) -> None:
    own = "Most of this session's tail is spent."

    async def work() -> None:
        await loop.run("Fix the login", *loop.commands(130), "Done", stream=stream)
        told = [number for number in range(len(loop.client.requests)) if own in str(loop.words(number))]
        assert told == list(range(told[0], len(loop.client.requests)))
        assert str(loop.words()).count(own) == 1
        assert explained(house, loop).state.lease == "delivered"
        await loop.run("Go on", "Done")
        assert str(loop.words()).count(own) == 1
        assert types(house, loop).count("nudge_claimed") == 1
        assert explained(house, loop).state.turn == 2  # it is no turn of a person's
        assert own not in loop.kept()
        assert loop.session.state["navlog"]["after"]
        loop.session.state["in_memory"]["messages"] = []
        await loop.run("Go on", "Done")
        assert loop.session.state["navlog"] == {"started": True, "beside": {}, "after": {}}  # with its places

    asyncio.run(work())


def test_a_message_that_did_not_go_out_is_due_again(house: tuple[Installation, Path], loop: Loop) -> None:
    own = "Most of this session's tail is spent."
    failed: list[str] = []

    def answer(messages: list[Any]) -> list[Any]:
        if own in str([one.text for one in messages]) and not failed:
            failed.append(own)
            raise ConnectionError
        return steps(messages)

    steps, loop.client.answer = loop.answer, answer

    async def work() -> None:
        with pytest.raises(ConnectionError):
            await loop.run("Fix the login", *loop.commands(130), "Done")
        assert explained(house, loop).state.lease == "pending"

    asyncio.run(work())
    assert failed


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_marks_that_the_model_repeats_do_not_come_back_and_reach_no_tool(loop: Loop, *, stream: bool) -> None:
    async def work() -> None:
        await loop.run("Fix the login", "First I look", stream=stream)
        await loop.run("Go on", "Done", stream=stream)
        assert [text[:3] for text in loop.words() if text.startswith("§")] == ["§1§", "§2§", "§3§"]
        await loop.run("More", ("run", {"command": "§1§ make"}), "§2§ Done\n§99§ stays", stream=stream)
        assert loop.ran == ["make"]
        kept = loop.kept()
        assert "Done\\n§99§ stays" in kept
        assert ("§2§" in kept) == stream  # a stream's words have gone out when they are known
        await loop.run("Go on", "Done", stream=stream)
        (said,) = [text for text in loop.words() if text.endswith("stays")]
        assert re.fullmatch(r"§\d+§ Done\n§99§ stays", said)

    asyncio.run(work())


def test_a_placeholder_in_an_input_is_refused(loop: Loop) -> None:
    async def work() -> None:
        await loop.run("Fix the login", *loop.commands(1), "Done")
        tail = loop.navlog._tails[loop.session.session_id]
        tail.holes = {"gone#0": "[dropped §7§]"}
        ask_, loop.navlog._limit_s = loop.navlog._limit_s, 0.0  # nobody answers: what was known last stays
        await loop.run("Go on", ("run", {"command": "echo '[dropped §7§]'"}), "Done")
        loop.navlog._limit_s = ask_
        assert len(loop.ran) == 1
        assert "only marks the place of what was set aside" in list(loop.results().values())[-1]

    asyncio.run(work())


@pytest.mark.parametrize(
    "reply", [b"", b"no json\n", b"[]\n", b'{"result": [1]}\n', b'{"result": {"parts": 1}}\n']
)
def test_whatever_is_answered_the_run_is_as_without_it(
    loop: Loop, reply: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("s")  # short: a socket's path has 107 bytes
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    (folder / "navlog").mkdir()
    heard: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(json.loads(await reader.readline())["verb"])
        writer.write(reply)
        writer.close()

    async def work() -> None:
        server = await asyncio.start_unix_server(answer, folder / "navlog/navlog.sock")
        steps: list[Step] = [*loop.commands(2), ("ctx_reduce", {"drop": "1"}), "Done"]
        assert await loop.run("Fix the login", *steps) == "Done"
        server.close()
        results = list(loop.results().values())
        assert results[:2] == [OUTPUT, OUTPUT]
        assert "nothing was set aside" in results[2]
        assert "§" not in str(loop.words())

    asyncio.run(work())
    assert heard.count("tail.measure") == 4


def test_only_what_is_new_is_sent_and_all_of_it_where_the_daemon_forgot(
    house: tuple[Installation, Path], loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    ask_ = loop.navlog._ask_within

    async def heard(verb: str, args: dict[str, Any], limit_s: float) -> Any:
        sent.extend([len(args["messages"])] if verb == "tail.measure" else [])
        return await ask_(verb, args, limit_s)

    monkeypatch.setattr(loop.navlog, "_ask_within", heard)

    async def work() -> None:
        await loop.run("Fix the login", *loop.commands(3), "Done")
        assert sent[1:] == [2, 2, 2]
        one = loop.navlog._tails.pop(loop.session.session_id)
        loop.session = framework.AgentSession()
        loop.session.state["in_memory"] = {"messages": []}
        loop.navlog._tails[loop.session.session_id] = one
        one.session = loop.session.session_id
        sent.clear()
        await loop.run("Fix the login", "Done")  # the same words: taken to be known
        assert sent == [1, 2]
        assert explained(house, loop).state.turn == 1

    asyncio.run(work())


def test_what_a_compaction_left_out_is_not_counted(house: tuple[Installation, Path], loop: Loop) -> None:
    loop.agent.compaction_strategy = framework.SlidingWindowStrategy(keep_last_groups=3)

    async def work() -> None:
        await loop.run("Fix the login", *loop.commands(12), "Done")
        assert len(loop.results()) < 4
        assert explained(house, loop).state.t < 6 * 2_100

    asyncio.run(work())


def test_a_summary_of_messages_that_were_changed_is_taken_over(
    loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    loop.agent.compaction_strategy = framework.ToolResultCompactionStrategy(keep_last_tool_call_groups=2)

    async def work() -> None:
        await loop.run("Fix the login", *loop.commands(8), "Done")
        assert len(loop.results()) == 2
        assert sum("[Tool results: run:" in text for text in loop.words()) == 6

    asyncio.run(work())
    assert not caplog.records  # the framework warns of a summary that it cannot place


def test_a_request_that_goes_on_from_a_service_is_not_measured(
    house: tuple[Installation, Path], loop: Loop
) -> None:
    async def work() -> None:
        await loop.agent.run("Fix it", session=loop.session, options={"conversation_id": "theirs"})

    loop.steps = ["Done"]
    asyncio.run(work())
    assert loop.words()[-1] == "Fix it"
    assert "ctx_reduce" not in {one.name for one in loop.client.options["tools"]}
    assert types(house, loop).count("tail_measured") == 0


def test_where_the_service_keeps_the_history_nothing_is_measured(loop: Loop) -> None:
    loop.session = framework.AgentSession(service_session_id="theirs")
    assert asyncio.run(loop.run("Fix the login", *loop.commands(2), "Done")) == "Done"
    assert set(loop.results().values()) == {OUTPUT}
    assert "§" not in str(loop.words())
    assert "ctx_reduce" not in {one.name for one in loop.client.options["tools"]}


def test_without_a_daemon_the_run_is_as_without_it(
    loop: Loop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    steps: list[Step] = [*loop.commands(1), ("ctx_reduce", {"drop": "1"}), "Done"]
    assert asyncio.run(loop.run("Fix the login", *steps)) == "Done"
    output, answer = loop.results().values()
    assert (output, "navlog did not answer" in answer) == (OUTPUT, True)
    assert loop.words() == ["Fix the login"]
