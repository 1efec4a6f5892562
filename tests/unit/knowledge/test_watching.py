"""injection_recall, quote_miss_ratio, ctx_util, and their alarms."""

import pytest

from navlog.projections.knowledge.watching import SESSIONS, Measures, alarming
from navlog.schemas.knowledge import CitationChecked
from navlog.schemas.sessions import InjectionGiven, Piece, TaskOpened, ToolUsed


def given(*pointers: str, session: str = "s", variant: str = "", tokens: int = 100) -> InjectionGiven:
    pieces = [Piece(f"p{number}", "routing", pointer, "", 1) for number, pointer in enumerate(pointers)]
    return InjectionGiven(
        injection="i", session=session, host="h", moment="prompt", position=1, pieces=pieces, tokens=tokens,
        variant=variant,
    )  # fmt: skip


def changed(*paths: str, session: str = "s", failed: bool = False) -> ToolUsed:
    return ToolUsed(
        session=session, host="h", call="c", tool="Edit", kind="modified", paths=list(paths), failed=failed
    )


def values(*events: object, variant: str = "") -> dict[str, float | None]:
    measures = Measures(1000)
    for event in events:
        measures.apply(event)  # type: ignore[arg-type]
    return measures.values()[variant]


def test_recall_is_the_share_of_changed_files_that_had_been_given() -> None:
    assert values(given("a.py:3", "b.py:f"), changed("a.py"), changed("z.py"))["injection_recall"] == 0.5


def test_what_failed_or_came_before_anything_was_given_does_not_count() -> None:
    assert values(changed("x.py"), given("a.py"), changed("y.py", failed=True))["injection_recall"] is None


def test_a_new_task_begins_anew() -> None:
    task = TaskOpened(task="t", title="t", by="rule", session="s")
    assert (
        values(given("a.py"), changed("z.py"), task, given("b.py"), changed("b.py"))["injection_recall"]
        == 1.0
    )


def test_misses_are_counted_over_what_was_used() -> None:
    checked = CitationChecked(session="s", mode="must", used=["a", "b", "c", "d"], quoted=["a", "b", "c"])
    assert values(checked)["quote_miss_ratio"] == 0.25


def test_the_window_is_filled_by_the_largest_block() -> None:
    assert values(given("a", tokens=100), given("b", tokens=400))["ctx_util"] == 0.4


def test_variants_are_counted_apart() -> None:
    events = (
        given("a.py", session="x", variant="new"),
        changed("b.py", session="x"),
        given("a.py"),
        changed("a.py"),
    )
    assert values(*events)["injection_recall"] == 1.0
    assert values(*events, variant="new")["injection_recall"] == 0.0


def test_old_sessions_are_forgotten() -> None:
    events = [
        event
        for n in range(SESSIONS + 5)
        for event in (given("a", session=str(n)), changed("b", session=str(n)))
    ]
    measures = Measures(1000)
    for event in events:
        measures.apply(event)
    assert len(measures._sessions) == SESSIONS


@pytest.mark.parametrize(
    ("metric", "bad", "good", "seconds"),
    [("injection_recall", 0.5, 0.6, 300.0), ("quote_miss_ratio", 0.2, 0.1, 600.0)],
)
def test_an_alarm_needs_its_time_and_ends_at_once(
    metric: str, bad: float, good: float, seconds: float
) -> None:
    raised, since = alarming({metric: bad}, {}, 10.0)
    assert raised == []
    assert alarming({metric: bad}, since, 10.0 + seconds)[0] == [metric]
    assert alarming({metric: good}, since, 10.0 + seconds) == ([], {})
    assert alarming({metric: None}, since, 10.0 + seconds) == ([], {})
