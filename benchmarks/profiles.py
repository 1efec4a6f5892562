"""The two profiles of nudging side by side: what is shown, what of it repeats, what agents give up for it.

    python benchmarks/profiles.py [--sessions N] [--seed N] [--recorded FOLDER]

Both see the very same sessions, step by step, through the daemon's own rules; a session's state is the fold
of its events. Recorded: the public golden tails, message by message, and with ``--recorded`` a folder of
samples of what pi and OpenCode send. Generated, seeded: sizes, tools and turns are drawn, in three kinds
(``KINDS``). How an agent answers is assumed, not measured (``AGENTS``): a real model may do otherwise.

A repeat is a full text of a level that was said in full before, U being within a cadence of what it was then
and no compaction between: it tells nothing new, unless the agent gave something up meanwhile.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

from measuring import table  # noqa: E402

from navlog.projections.nudging.applying import due  # noqa: E402
from navlog.projections.nudging.bands import cadence  # noqa: E402
from navlog.projections.nudging.deciding import Pass, decide  # noqa: E402
from navlog.projections.nudging.leasing import claim, confirmed, returned, watch  # noqa: E402
from navlog.projections.nudging.measuring import Measurement, Standing, arrange, measure  # noqa: E402
from navlog.projections.nudging.session import Session, apply  # noqa: E402
from navlog.projections.nudging.tags import numbered  # noqa: E402
from navlog.projections.nudging.tail import Counted, is_user_turn, read  # noqa: E402
from navlog.projections.nudging.window import default_floor  # noqa: E402
from navlog.projections.tokens import count_tokens  # noqa: E402
from navlog.schemas.event import Event  # noqa: E402
from navlog.schemas.nudges import (  # noqa: E402
    DropsApplied,
    NudgeShown,
    ReduceAsked,
    ReduceToolJudged,
    TagsNumbered,
    TailMeasured,
)
from navlog.schemas.settings import Nudge  # noqa: E402
from navlog.schemas.tails import Message, Part  # noqa: E402
from support.tails import golden, messages_of  # noqa: E402

WINDOW = 200_000  # tokens of the model whose window a generated session has
SHOWN = ("full", "line", "message", "repeats", "reclaimed")
COMPACT = 170_000  # of tail, from which its host compacts


class Step(NamedTuple):
    """What a session does next: parts that appear, and whether they are a real user turn."""

    parts: Sequence[Counted]
    turn: bool = False


@dataclass
class Outcome:
    """What became of sessions under one profile. ``reclaimed`` in tokens that an agent gave up."""

    full: int = 0
    line: int = 0
    message: int = 0
    repeats: int = 0
    reclaimed: int = 0
    highest: int = 0

    def add(self, other: "Outcome") -> None:
        """Sums, and the highest tail of all."""
        for name in SHOWN:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.highest = max(self.highest, other.highest)


Agent = Callable[[random.Random, str], float]
# What an agent does with the share of its spent outputs when it is told "full", "line", "message" or nothing.
AGENTS: Mapping[str, Agent] = {
    "never reduces": lambda _chance, _said: 0.0,
    "heeds every full text": lambda _chance, said: 0.6 if said in ("full", "message") else 0.0,
    "tidies up now and then": lambda chance, _said: 0.1 if chance.random() < 0.1 else 0.0,
}


@dataclass
class Played:
    """One session under one profile."""

    nudge: Nudge
    agent: Agent
    chance: random.Random
    session: Session = field(default_factory=Session)
    parts: list[Counted] = field(default_factory=list)
    out: Outcome = field(default_factory=Outcome)
    turn: int = 0
    count: int = 0
    said: dict[str, int] = field(default_factory=dict)

    def play(self, steps: Sequence[Step]) -> Outcome:
        """The session from its start to its end."""
        self._append(ReduceToolJudged(session="s", usable=True, tool="ctx_reduce"))
        for step in steps:
            self.turn += step.turn
            self.parts += step.parts
            if step.parts[-1].kind == "result":
                self._pass(step.parts[-1].block)
        return self.out

    def _append(self, event: Event) -> None:
        self.session = apply(self.session, event)

    def _pass(self, result: str) -> None:
        applied = self._drop()
        compacted = self._compact()
        if new := numbered(self.parts, self.session.tags):
            self._append(TagsNumbered(session="s", tags=new))
        found = self._measured()
        self.count += 1
        now = Pass("s", found.u, found.t, self.turn, result=result, applied=applied, compacted=compacted)
        before, decided = self.session, decide(self.session, now, self.nudge)
        self._append(
            TailMeasured(session="s", u=now.u, t=now.t, turn=now.turn, measured=self.count, parts=found.parts)
        )
        for event in (*decided.events, *filter(None, [watch(before, now, self.nudge)])):
            self._append(event)
        if decided.action != "hold":
            self._shown(decided.action, decided.level, now)
        sent = self._sent()
        self.out.highest = max(self.out.highest, now.t)
        self._answer(found, sent or (decided.action if decided.action != "hold" else ""))

    def _measured(self) -> Measurement:
        standing = Standing(
            self.session.queued, floor=default_floor(WINDOW, self.nudge), reduce_tool="ctx_reduce"
        )
        return measure(arrange(self.parts, self.session.tags), standing, self.nudge)

    def _shown(self, form: Any, level: Any, now: Pass) -> None:
        last = self.said.get(level)
        if form == "full":
            self.out.full += 1
            self.out.repeats += last is not None and abs(now.u - last) < cadence(now.t, self.nudge)
        else:
            self.out.line += 1
        self.said[level] = now.u
        self._append(
            NudgeShown(session="s", level=level, form=form, u=now.u, turn=now.turn, result=now.result)
        )

    def _sent(self) -> str:
        claimed = claim(self.session.lease, "s", str(self.count), 0)
        if claimed is None:
            return ""
        self._append(claimed)
        for step in (returned, confirmed):
            event = step(self.session.lease, "s", str(self.count))
            assert event
            self._append(event)
        self.out.message += 1
        return "message"

    def _answer(self, found: Measurement, said: str) -> None:
        """The agent gives up a share of what is spent, the oldest first."""
        share = self.agent(self.chance, said)
        spent = sorted({part.tag for part in found.parts if part.code == "reclaimable"})
        tags = spent[: int(len(spent) * share)]
        if tags:
            self.out.reclaimed += sum(part.tokens for part in found.parts if part.tag in set(tags))
            self._append(ReduceAsked(session="s", queued=tags))

    def _drop(self) -> bool:
        """What is queued leaves the tail where that is worth it."""
        queued = self.session.queued
        known = self.session.parts
        tokens = sum(part.tokens for part in known.values() if part.tag in queued)
        whole = sum(part.tokens for part in known.values() if part.code != "placeholder")
        if not due(tokens, whole, self.nudge, rewrites=False):
            return False
        blocks = {part.block for part in known.values() if part.tag in queued}
        self.parts = [
            Counted(part.block, part.kind, "", 0, "placeholder", part.call, part.tool)
            if part.block in blocks
            else part
            for part in self.parts
        ]
        self._append(DropsApplied(session="s", tags=sorted(queued)))
        return True

    def _compact(self) -> bool:
        """A host whose window is full keeps the last tenth of the parts."""
        if sum(part.tokens for part in self.parts) < COMPACT:
            return False
        kept = self.parts[-max(len(self.parts) // 10, 2) :]
        while kept and kept[0].kind == "result":
            kept.pop(0)
        self.parts = kept or self.parts[-2:]
        self.said.clear()
        return True


def generated(kind: str, seed: int) -> list[Step]:
    """A session of some 200 steps; the same for the same kind and seed."""
    chance = random.Random(f"{kind}:{seed}")
    low, high, huge, words, turns = KINDS[kind]
    steps = [_turn(0, chance, words)]
    for number in range(1, chance.randint(120, 240)):
        if chance.random() < turns:
            steps.append(_turn(number, chance, words))
        size = chance.randint(20_000, 40_000) if chance.random() < huge else chance.randint(low, high)
        steps.append(Step(_arc(f"s{number}", chance.choice(TOOLS), size)))
    return steps


# Tokens of an output from and to, share of outputs with 20,000 to 40,000, tokens of prose at a turn at most,
# and how many steps are a turn.
KINDS: Mapping[str, tuple[int, int, float, int, float]] = {
    "reading": (500, 6_000, 0.0, 300, 0.12),
    "talking": (300, 3_000, 0.0, 6_000, 0.35),
    "large outputs": (300, 2_000, 0.08, 1_500, 0.2),
}
TOOLS = ("read", "bash", "grep", "edit", "webfetch")


def _arc(name: str, tool: str, tokens: int) -> list[Counted]:
    return [
        Counted(f"{name}#0", "call", "tool", 40, "", name, tool),
        Counted(f"{name}r#0", "result", "tool", tokens, "", name, tool),
    ]


def _turn(number: int, chance: random.Random, words: int) -> Step:
    """A person's words, and a real user turn."""
    return Step([Counted(f"u{number}#0", "text", "prose", chance.randint(10, words))], turn=True)


def recorded_golden() -> Iterator[list[Step]]:
    """The golden tails as sessions, with the token counts that come with them."""
    tokens = golden("hygiene-part-tokens.json")["parts"]
    for case in golden("hygiene-golden.json")["cases"]:
        yield [
            _step(message, count) for message, count in messages_of(case, tokens[case["id"]]) if message.parts
        ]


def recorded_hosts(folder: Path) -> Iterator[list[Step]]:
    """What pi and OpenCode sent once each."""
    pi = json.loads((folder / "pi/events.json").read_text())["agent_end"]["messages"]
    yield [
        _step(message, count_tokens)
        for message in (_of_pi(str(n), one) for n, one in enumerate(pi))
        if message.parts
    ]
    came = json.loads((folder / "opencode/hooks.json").read_text())
    for one in came["experimental.chat.messages.transform"]["output"]:
        parts = tuple(
            Part(kind="text", text=part["text"], synthetic=part.get("synthetic", False))
            for part in one["parts"]
        )
        yield [_step(Message(id=one["info"]["id"], role=one["info"]["role"], parts=parts), count_tokens)]


def _of_pi(name: str, message: Mapping[str, Any]) -> Message:
    content = message["content"] if isinstance(message["content"], list) else []
    call = message.get("toolCallId", "")
    parts = []
    for part in content:
        if part["type"] == "toolCall":
            parts.append(Part(kind="call", call=part["id"], tool=part["name"], input=part["arguments"]))
        elif call:
            parts.append(Part(kind="result", call=call, tool=message["toolName"], text=part["text"]))
        else:
            parts.append(Part(kind="text", text=part["text"]))
    role: Any = "assistant" if message["role"] == "assistant" else "user"
    return Message(id=name, role=role, parts=tuple(parts[:1]) if call else tuple(parts))


def _step(message: Message, count: Callable[[str], int]) -> Step:
    return Step(read(message, count, Nudge()), is_user_turn(message))


def compared(name: str, sessions: Sequence[Sequence[Step]], agents: Sequence[str]) -> Iterator[list[str]]:
    """Rows of the table, one for each agent: under parity, and under calm."""
    for agent in agents:
        strict, calm = (total(sessions, AGENTS[agent], nudge) for nudge in (Nudge(), Nudge(profile="calm")))
        pairs = [f"{getattr(strict, one):,} / {getattr(calm, one):,}" for one in SHOWN]
        yield [f"{name} ({len(sessions)})", agent, *pairs, f"{strict.highest:,}"]


def total(sessions: Sequence[Sequence[Step]], agent: Agent, nudge: Nudge) -> Outcome:
    """All of them under one profile; the agent's own chances are the same under both."""
    found = Outcome()
    for number, steps in enumerate(sessions):
        found.add(Played(nudge, agent, random.Random(number)).play(steps))
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="profiles", description=__doc__)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recorded", type=Path)
    asked = parser.parse_args()
    rows = list(compared("golden tails", list(recorded_golden()), ["never reduces"]))
    if asked.recorded:
        rows += compared("recorded hosts", list(recorded_hosts(asked.recorded)), ["never reduces"])
    for kind in KINDS:
        sessions = [generated(kind, asked.seed * 1000 + number) for number in range(asked.sessions)]
        rows += compared(kind, sessions, list(AGENTS))
    heading = [
        "sessions",
        "agent, parity / calm:",
        "full",
        "line",
        "message",
        "repeats",
        "tokens reclaimed",
        "highest T",
    ]
    print(table(heading, rows))


if __name__ == "__main__":
    main()
