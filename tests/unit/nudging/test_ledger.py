"""The ledger says what measuring anew says, however the tail grew and whatever became of its tags."""

import random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.nudging.ledger import Ledger
from navlog.projections.nudging.measuring import Measurement, Standing, arrange, measure
from navlog.projections.nudging.session import Session, apply
from navlog.projections.nudging.tags import numbered
from navlog.projections.nudging.tail import Counted
from navlog.schemas.nudges import MeasuredPart, TailMeasured, TailTag
from support.tails import NUDGE

TOOLS = ("bash", "read", "ctx_reduce")
KINDS = st.sampled_from(["text", "text", "call", "result", "result", "file", "reasoning"])
CODES = st.sampled_from(["", "", "", "", "placeholder", "empty", "synthetic"])


@st.composite
def tails(draw: Any) -> list[Counted]:
    """Parts in any order: calls without results, results without calls, ids that come again."""
    parts = []
    for number in range(draw(st.integers(0, 25))):
        kind, code = draw(KINDS), draw(CODES)
        arc = kind in ("call", "result")
        own = {"reasoning": "reasoning"}.get(kind, "" if kind == "call" and code == "placeholder" else code)
        unit: Any = "" if own else {"text": "prose", "file": "image"}.get(kind, "tool")
        tokens = 0 if own else draw(st.integers(0, 900))
        call = f"c{draw(st.integers(0, 6))}" if arc else ""
        parts.append(
            Counted(
                f"m{number}#0", kind, unit, tokens, own, call, draw(st.sampled_from(TOOLS)) if arc else ""
            )
        )
    return parts


def anew(
    parts: list[Counted], tags: list[TailTag], standing: Standing, hidden: frozenset[int]
) -> Measurement:
    numbers = arrange(parts, tags).numbers
    seen = [
        msgspec.structs.replace(part, unit="", tokens=0, code="placeholder")
        if number in hidden and not part.code and part.kind != "call"
        else part
        for part, number in zip(parts, numbers, strict=True)
    ]
    return measure(arrange(seen, tags), standing, NUDGE)


@given(tails(), st.integers(0, 2**32), st.booleans())
def test_the_ledger_is_measuring_anew(parts: list[Counted], seed: int, hides: bool) -> None:
    dice = random.Random(seed)
    ledger, tags = Ledger((), NUDGE), list[TailTag]()
    at, dropped = 0, frozenset[int]()
    while at < len(parts) or dice.random() < 0.5:
        step = dice.randint(0, 4)
        ledger.add(parts[at : at + step])
        at = min(len(parts), at + step)
        tags += numbered(parts[:at], tags)
        numbers = [tag.number for tag in tags]
        dropped |= frozenset(dice.sample(numbers, min(len(numbers), dice.randint(0, 1))))
        standing = Standing(
            queued=frozenset(dice.sample(numbers, min(len(numbers), dice.randint(0, 3)))), dropped=dropped,
            floor=dice.choice([0, 500, 2_000]), reduce_tool="ctx_reduce",
            tool_ratio=dice.choice([1.0, 1.3]), prose_ratio=dice.choice([1.0, 0.7]),
        )  # fmt: skip
        hidden = dropped if hides else frozenset[int]()
        expected = anew(parts[:at], tags, standing, hidden)
        found = ledger.measure(standing, hidden)
        assert ledger.tags == tags
        assert [row for row, _ in ledger.rows()] == expected.parts
        assert found == (expected.u, expected.t, expected.cutoff, expected.outputs, expected.floor)


def fold(session: Session, rows: list[MeasuredPart], gone: list[str]) -> Session:
    number = (session.measured.measured if session.measured else 0) + 1
    event = TailMeasured(session="s", u=0, t=0, turn=0, measured=number, parts=rows, gone=gone)
    return apply(session, event)


@given(tails(), st.integers(0, 2**32))
def test_what_the_ledger_says_has_changed_makes_the_stored_measurement_whole(
    parts: list[Counted], seed: int
) -> None:
    """Also where an append failed, and where somebody else measured in between."""
    dice = random.Random(seed)
    ledger, session, at = Ledger((), NUDGE), Session(), 0
    stale = MeasuredPart("elsewhere#0", 9, 9, "protected")
    while at < len(parts):
        ledger.add(parts[at : at + 3])
        at += 3
        ledger.measure(Standing(floor=dice.choice([0, 500, 2_000])))
        rows, gone = ledger.changes(session.parts, session.measured)
        fate = dice.random()
        if fate < 0.6:
            session = fold(session, rows, gone)
            assert session.parts == {row.block: row for row, _ in ledger.rows()}
        elif fate < 0.8:
            session = fold(fold(session, [stale], []), [], [])


def test_what_did_not_change_is_not_looked_at_again() -> None:
    ledger = Ledger((), NUDGE)
    ledger.add([Counted(f"m{number}#0", "text", "prose", 10) for number in range(100)])
    ledger.measure(Standing())
    session = fold(Session(), *ledger.changes({}, None))
    assert ledger.changes(session.parts, session.measured) == ([], [])
    ledger.add([Counted("new#0", "text", "prose", 10)])
    ledger.measure(Standing())
    rows, _ = ledger.changes(session.parts, session.measured)
    assert [row.block for row in rows] == ["new#0"]


def test_tags_that_somebody_else_gave_are_no_fit() -> None:
    ledger = Ledger((), NUDGE)
    ledger.add([Counted("a#0", "text", "prose", 1), Counted("b#0", "text", "prose", 1)])
    assert ledger.new() == [TailTag(1, "a#0", "message"), TailTag(2, "b#0", "message")]
    assert ledger.fits(())
    assert not ledger.fits((TailTag(1, "a#0", "message"),))
    assert not ledger.fits((TailTag(1, "x#0", "message"), TailTag(2, "y#0", "message")))
    assert ledger.fits(tuple(ledger.tags))
    assert ledger.new() == []
    assert not ledger.fits(())
