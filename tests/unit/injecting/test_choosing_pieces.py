"""Which pieces a session gets: shares of the budget, what it knows, what a host lets through."""

import pytest

from navlog.projections.injecting.block import Found, piece
from navlog.projections.injecting.knowing import LATE, Known, apply
from navlog.projections.injecting.limits import limit_of
from navlog.projections.injecting.sharing import Offer, share
from navlog.projections.sessions.prompting import says_a_task
from navlog.schemas.sessions import InjectionGiven, SessionCompacted, SessionStarted
from navlog.schemas.settings import Inject


def count(text: str) -> int:
    """Ten for each line."""
    return 10 * text.count("\n")


def found(name: str, text: str = "") -> Found:
    return Found(name, "routing", name, text)


def names(*offers: Offer, budget: int = 100, known: Known | None = None) -> list[str]:
    return [one.id for one in share(offers, known or Known(), budget, budget, count).chosen]


def test_each_source_has_its_share() -> None:
    assert names(Offer(0.5, [found(f"a{n}") for n in range(9)]), budget=60) == ["a0", "a1", "a2"]


def test_what_one_leaves_the_next_may_take() -> None:
    offers = Offer(0.5, [found("a")]), Offer(0.5, [found(f"b{n}") for n in range(9)])
    assert names(*offers, budget=60) == ["a", "b0", "b1", "b2", "b3", "b4"]


def test_shares_of_more_than_everything_give_no_more_than_everything() -> None:
    offers = Offer(0.5, [found(f"a{n}") for n in range(9)]), Offer(1.0, [found(f"b{n}") for n in range(9)])
    assert len(names(*offers, budget=60)) == 6


def test_a_text_that_costs_too_much_leaves_its_pointer() -> None:
    shared = share([Offer(1.0, [found("a", "1\n2\n3\n4")])], Known(), 30, 30, count)
    assert [(one.id, one.text) for one in shared.chosen] == [("a", "")]
    assert shared.cut == 1


def test_the_same_piece_is_taken_once() -> None:
    assert names(Offer(1.0, [found("a"), found("a")])) == ["a"]


def given(injection: str, *pieces: Found, **fields: str) -> InjectionGiven:
    return InjectionGiven(
        injection=injection, session="s", host="h", moment="prompt", position=1,
        pieces=[piece(one, count) for one in pieces], **fields,  # type: ignore[arg-type]
    )  # fmt: skip


def after(*events: object) -> Known:
    known = Known()
    for position, event in enumerate(events, 1):
        known = apply(known, event, position)  # type: ignore[arg-type]
    return known


def test_what_was_given_is_not_given_again() -> None:
    known = after(given("i", found("a", "text")))
    assert names(Offer(1.0, [found("a"), found("b")]), known=known) == ["b"]
    assert known.has(found("another name", "text"))


@pytest.mark.parametrize(
    "event",
    [
        SessionCompacted(session="s", host="h", done=True),
        SessionStarted(session="s", host="h", how="compact"),
        SessionStarted(session="s", host="h", how="clear"),
    ],
)
def test_a_compaction_takes_what_was_given_away(event: object) -> None:
    assert not after(given("i", found("a")), event).ids


@pytest.mark.parametrize(
    "event",
    [
        SessionCompacted(session="s", host="h", done=False),
        SessionStarted(session="s", host="h", how="resume"),
    ],
)
def test_a_resumed_session_still_has_it(event: object) -> None:
    assert after(given("i", found("a")), event).ids == {"a"}


def test_what_came_too_late_was_not_given() -> None:
    known = after(given("i", found("a")), given("j", found("b")), given("i", skipped=LATE))
    assert known.ids == {"b"}


def test_a_host_gets_no_more_than_it_lets_through() -> None:
    settings = Inject()
    assert limit_of("claude-code", settings).characters == 9_500
    assert limit_of("codex", settings).tokens == 2_500
    assert limit_of("codex", Inject(cap=1000)).tokens == 1000
    assert limit_of("another", settings).tokens == settings.cap


@pytest.mark.parametrize(
    "prompt",
    [
        "yes", "y", "ok", "OK!", "Okay, go on.", "go on", "continue", "please continue", "go ahead", "do it",
        "yes please do that", "thanks", "thank you very much", "looks good", "lgtm", "sounds good, go ahead",
        "no", "stop", "1", "2.", "?", "...", "👍", "/compact", "/clear", "", "  ",
        "继续", "继续吧", "好", "好的", "好的,继续", "可以", "行", "嗯嗯", "是的", "对", "没问题",
        "谢谢", "很好", "下一步", "不用", "停", "开始吧", "ok 继续",
    ],
)  # fmt: skip
def test_a_nod_needs_nothing(prompt: str) -> None:
    assert not says_a_task(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix it", "why?", "yes, but keep the old signature", "run the tests", "go on with the parser",
        "continue in sessions.py", "undo", "explain", "no, the other file", "ok, now rename it",
        "修复登录", "继续修改登录页面", "为什么", "好的,但是保留旧接口", "运行测试", "删除它",
    ],
)  # fmt: skip
def test_a_word_that_asks_is_a_task(prompt: str) -> None:
    assert says_a_task(prompt)
