"""What it costs to measure a tail of 2,000 parts and 249,000 tokens: ``python -m benchmarks.nudging [RUNS]``.

The published figure it stands beside, 2.1 ms, is a warm pass over three messages. Here the parts are a
prompt, and calls of a tool with results out of Python's own sources. Prints p50 and p95 by the clock and by
the thread's own processor time: on a busy machine the clock counts the others as well.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import msgspec

from benchmarks.measuring import machine, percentile, table
from navlog.daemon.nudging.claude_rows import ClaudeRows
from navlog.daemon.nudging.following import Following
from navlog.daemon.nudging.tails import Tail
from navlog.projections.nudging.ledger import Ledger
from navlog.projections.nudging.passing import Moment, passed
from navlog.projections.nudging.session import Session, apply
from navlog.projections.tokens import count_tokens
from navlog.schemas.event import Event
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message, Part

PARTS, TOKENS = 2_000, 249_000
NUDGE = Nudge()
MOMENT = Moment("s", tool="ctx_reduce", counter="class-weighted-1")
Row = tuple[str, list[float], list[float]]


def main(runs: int) -> None:
    """One table."""
    print(machine())
    messages = list(tail_of(PARTS, TOKENS))
    rows = [
        timed("cold: every part read, numbered, measured", runs, lambda: cold(messages)),
        *kept(messages, runs),
        timed("the log's events of it folded", runs, folding(messages)),
        *followed(messages, runs),
    ]
    heading = ("what", "by the clock, p50", "p95", "of the processor, p50", "p95")
    print(table(heading, [(what, *ms(clock), *ms(own)) for what, clock, own in rows]))


def tail_of(parts: int, tokens: int) -> Iterator[Message]:
    """A prompt, then arcs whose results are pieces of sources, ``tokens`` in all as nearly as may be."""
    each = tokens // (parts // 2) - count_tokens('{"file_path":"src/module_0000.py"}')
    yield Message(id="u0", role="user", parts=(Part(kind="text", text="Tidy the module up"),))
    for number, text in enumerate(islice(pieces(each), parts // 2)):
        yield from arc(number, text)


def arc(number: int, text: str) -> tuple[Message, Message]:
    """A call and its result."""
    given = {"file_path": f"src/module_{number:04}.py"}
    call = Part(kind="call", call=f"c{number}", tool="Read", input=given)
    result = Part(kind="result", call=f"c{number}", tool="Read", text=text)
    return (
        Message(id=f"a{number}", role="assistant", parts=(call,)),
        Message(id=f"r{number}", role="user", parts=(result,)),
    )


def pieces(tokens: int) -> Iterator[str]:
    """Pieces of the standard library of about so many tokens, of a half to one and a half of it in turn."""
    text = "".join(path.read_text() for path in sorted(Path(json.__file__).parent.glob("*.py")))
    share = len(text) / count_tokens(text)
    at = 0
    for factor in cycle((0.5, 1.5, 1.0, 0.75, 1.25)):
        size = int(tokens * share * factor)
        yield (text + text)[at : at + size]
        at = (at + size) % len(text)


def cold(messages: list[Message]) -> tuple[Tail, Session]:
    """A tail of which nothing is known, and the session after its first pass."""
    tail = Tail(count_tokens, NUDGE)
    for message in messages:
        tail.put(message)
    return tail, passed(Session(), tail.seen(), MOMENT, NUDGE).session


def kept(messages: list[Message], runs: int) -> Iterator[Row]:
    """A pass in which nothing has changed, and one with one part more."""
    tail, session = cold(messages)
    outcome = passed(session, tail.seen(), MOMENT, NUDGE)
    assert not outcome.events
    print(f"{len(tail.seen().parts):,} parts, T {outcome.t:,} tokens, U {outcome.u:,}")
    yield timed("warm: nothing new", runs * 20, lambda: passed(session, tail.seen(), MOMENT, NUDGE))
    more = (message for number, text in enumerate(pieces(200), PARTS) for message in arc(number, text))
    sessions = [session]

    def one_more() -> None:
        tail.put(next(more))
        sessions[0] = passed(sessions[0], tail.seen(), MOMENT, NUDGE).session

    yield timed("one new part", runs * 10, one_more)


def folding(messages: list[Message]) -> Callable[[], object]:
    """What a restart does: the session out of the events of as many passes as there are messages."""
    tail, session, events = Tail(count_tokens, NUDGE), Session(), list[Event]()
    for message in messages:
        tail.put(message)
        outcome = passed(session, tail.seen(), MOMENT, NUDGE)
        session = outcome.session
        events += outcome.events

    def fold() -> None:
        state = Session()
        for event in events:
            state = apply(state, event)
        Ledger(state.tags, NUDGE)

    return fold


def followed(messages: list[Message], runs: int) -> Iterator[Row]:
    """The same tail out of a Claude Code transcript: from its beginning, and one row more."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_bytes(b"".join(map(row, messages)))

        def whole() -> Following:
            one = Following(str(path), Tail(count_tokens, NUDGE), ClaudeRows)
            one.catch_up()
            return one

        yield timed("a transcript read from its beginning", runs, whole)
        one = whole()
        more = (message for number, text in enumerate(pieces(200), PARTS) for message in arc(number, text))

        def row_more() -> None:
            with path.open("ab") as file:
                file.write(row(next(more)))
            one.catch_up()

        yield timed("one row more of it", runs * 10, row_more)


def row(message: Message) -> bytes:
    """As Claude Code writes it."""
    part = message.parts[0]
    block = {
        "text": {"type": "text", "text": part.text},
        "call": {"type": "tool_use", "id": part.call, "name": part.tool, "input": part.input},
        "result": {"type": "tool_result", "tool_use_id": part.call, "content": part.text},
    }[part.kind]
    content = {"role": message.role, "content": [block]}
    return msgspec.json.encode({"type": message.role, "uuid": message.id, "message": content}) + b"\n"


def timed(what: str, runs: int, once: Callable[[], object]) -> Row:
    """Seconds by the clock and of this thread's processor time, run by run."""
    clock, own = [], []
    for _ in range(runs):
        began, spent = time.perf_counter(), time.thread_time()
        once()
        clock.append(time.perf_counter() - began)
        own.append(time.thread_time() - spent)
    return what, clock, own


def ms(seconds: list[float]) -> tuple[str, str]:
    """p50 and p95 in milliseconds."""
    return f"{percentile(seconds, 0.5) * 1e3:.2f} ms", f"{percentile(seconds, 0.95) * 1e3:.2f} ms"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
