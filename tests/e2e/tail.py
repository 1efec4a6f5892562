"""One act more: a session that reads until most of its tail is spent, is told so, and gives it up.

The protected window is set larger than the default one, so that a session of a size that can be played in a
minute passes through every level: with outputs of 5,900 tokens, gentle at the 14th, firm at the 16th, urgent
at the 23rd, a message of its own at the 36th.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.shop import git

if TYPE_CHECKING:
    from e2e.play import Stage

Body = Mapping[str, Any]
READS = 40
LATE = 3  # requests that may come before an answer does, on a busy machine: then they go out as they are
PROMPT = "Read every ledger of this year, one after the other, and say which of them is short."
DONE = "All of them were read."
ECHO = f"§1§ {DONE}"
SETTINGS = "[nudge]\nfloor_low_tokens = 48000\nfloor_low_share = 1.0\n"
TEXTS = {
    "gentle": "Set outputs aside as you finish with them",
    "firm": "Do one ctx_reduce now for what you no longer need",
    "urgent": "Before the next tool call, set every spent output aside",
    "message": "Most of this session's tail is spent",
}
LEASE = ("nudge_armed", "nudge_claimed", "nudge_sent", "nudge_delivered")
QUERY = "select type, data from events where data like '%\"session\":%' order by position"
EVENTS = ("tail_measured", "nudge_shown", *LEASE, "reduce_asked", "drops_applied")


def prepare(home: Path, shop: Path) -> None:
    """The ledgers, committed, and the size of the protected window."""
    settings = home / ".config" / "navlog" / "config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(SETTINGS)
    (shop / "ledgers").mkdir()
    for number in range(READS + 1):
        rows = "\n".join(
            f"row {row}: {row * 37 % 1000} sold, {row * 53 % 977} left, {number}" for row in range(330)
        )
        (shop / "ledgers" / f"{number:02}.txt").write_text(f"{_name(number)}\n{rows}\n")
    git(shop, "add", "ledgers")
    git(shop, "commit", "-qm", "The ledgers of the year")


def tail(stage: "Stage", reduce: str) -> dict[str, Any]:
    """Plays it; what each request of the model held, and what the log says."""
    calls = stage.client.calls
    ledgers = [stage.shop / "ledgers" / f"{number:02}.txt" for number in range(READS + 1)]
    stage.script.plan = [
        *(calls(ledger) for ledger in ledgers[:READS]),
        {reduce: {"drop": "1-500", "reason": "read"}},
        calls(ledgers[READS]),
    ]
    stage.script.most += len(stage.script.plan)
    reply, stage.script.reply = stage.script.reply, ECHO
    stage.asked, before = 0, len(stage.script.requests)
    seen = stage.ask(PROMPT)
    stage.script.reply = reply
    bodies = [body for _, body in stage.script.requests[before:] if stage.script.offers(body, reduce)]
    return {
        **seen,
        "left": len(stage.script.plan),
        "requests": [_request(body) for body in bodies],
        "log": [row for row in stage.rows(QUERY) if row["type"] in EVENTS],
    }


def faults(seen: Body) -> Iterator[str]:
    """Every promise that was broken, in words."""
    if seen["code"] != 0 or DONE not in seen["said"] or seen["left"]:
        yield f"tail: the client ended with {seen['code']}, {seen['left']} calls left: {seen['stderr']}"
        return
    log = [(row["type"], row["data"]) for row in seen["log"]]
    session = next((data["session"] for kind, data in log if kind == "nudge_shown"), "")
    log = [(kind, data) for kind, data in log if data["session"] == session]
    yield from _of_the_levels(log, seen["requests"])
    yield from _of_the_message(log, seen["requests"])
    yield from _of_the_drops(log, seen["requests"])
    if "§" in seen["said"]:
        yield f"tail: a mark that the model repeated reached the person: {seen['said']}"
    if any(request["holes in inputs"] for request in seen["requests"]):
        yield "tail: a placeholder stands in a tool's input"
    if bare := sum(not request["marks"] for request in seen["requests"][LATE:]):
        yield f"tail: {bare} requests came without marks"


def _of_the_levels(log: Sequence[tuple[str, Body]], requests: Sequence[Body]) -> Iterator[str]:
    """Each level once, in full, at the first measurement that reaches it, and once in what the model sees."""
    measured = [(data["u"], data["t"]) for kind, data in log if kind == "tail_measured"]
    shown = [(data["level"], data["form"], data["u"]) for kind, data in log if kind == "nudge_shown"]
    due = [
        (level, "full", next((u for u, t in measured if u >= 25_000 and t >= 60_000 and u >= share * t), 0))
        for level, share in (("gentle", 0.2), ("firm", 0.4), ("urgent", 0.6))
    ]
    if shown != due:
        yield f"tail: shown {shown}, due {due}"
    for level in ("gentle", "firm", "urgent"):
        counts = [request["texts"][level] for request in requests]
        if 1 not in counts or set(counts[counts.index(1) :]) - {0, 1}:
            yield f"tail: the {level} text reached the model {counts} times"


def _of_the_message(log: Sequence[tuple[str, Body]], requests: Sequence[Body]) -> Iterator[str]:
    steps = [kind for kind, _ in log if kind in LEASE]
    if tuple(steps) != LEASE:
        yield f"tail: channel 2 went {steps}"
    counts = [request["texts"]["message"] for request in requests]
    if counts != sorted(counts) or counts[-1:] != [1]:
        yield f"tail: the message of its own reached the model {counts} times"


def _of_the_drops(log: Sequence[tuple[str, Body]], requests: Sequence[Body]) -> Iterator[str]:
    """From the request after the reduce on, what was dropped is not in it, and what was protected is."""
    queued = next((len(data["queued"]) for kind, data in log if kind == "reduce_asked"), 0)
    if queued < READS // 2 or not any(kind == "drops_applied" for kind, _ in log):
        yield f"tail: {queued} parts were queued"
    here = [request["ledgers"] for request in requests]
    if here[-3:-2] != [READS] or here[-1] >= READS // 2 or here[-1] < 3:
        yield f"tail: ledgers in each request: {here}"


def _request(body: Body) -> dict[str, Any]:
    text = json.dumps(body, ensure_ascii=False)
    return {
        "texts": {name: text.count(words) for name, words in TEXTS.items()},
        "ledgers": sum(_name(number) in text for number in range(READS + 1)),
        "marks": re.search(r'"§\d+§ ', text) is not None,
        "holes in inputs": sum("[dropped" in said for said in _inputs(body)),
    }


def _inputs(body: Body) -> Iterator[str]:
    """What tools were called with, in the protocol of chat completions."""
    for message in body.get("messages") or ():
        for call in message.get("tool_calls") or ():
            yield json.dumps(call, ensure_ascii=False)


def _name(number: int) -> str:
    return f"LEDGER-{number:02}-OF-THE-YEAR"
