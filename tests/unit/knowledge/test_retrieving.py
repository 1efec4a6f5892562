"""Which documents speak for a prompt."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.knowledge.elements import Elements
from navlog.projections.knowledge.kinship import voices, weighed
from navlog.projections.knowledge.retrieving import (
    COARSE,
    Known,
    among,
    calibrate,
    coarse,
    known,
    merged,
    question,
    rerank,
)

EMBED = HashingEmbedder().embed
RULES = [
    known(
        "AGENTS.md#data",
        "rules",
        1,
        "Data",
        Elements("Data", "There is no ORM here.", "", "shop/db.py:fetch"),
    ),
    known(
        "AGENTS.md#log",
        "rules",
        2,
        "Logging",
        Elements("Logs", "Never print; use structlog.", "", "shop/log.py"),
    ),
    known(
        "adr/1.md",
        "decision",
        3,
        "Pages",
        Elements("Slow", "", "All pages are server-rendered.", "shop/pages.py"),
    ),
    known(
        "adr/2.md",
        "decision",
        4,
        "Old pages",
        Elements("Slow", "", "(superseded) All pages are in React.", "a.py"),
    ),
]


def scores(prompt: str) -> dict[str, float]:
    return {
        one.known.document: one.score
        for one in rerank(question(prompt), [(one, 0.5) for one in RULES], among(RULES))
    }


def test_a_word_of_the_same_kind_finds_the_rule() -> None:
    found = scores("add a SQLAlchemy model for coupons")
    assert max(found, key=lambda name: found[name]) == "AGENTS.md#data"
    assert found["AGENTS.md#data"] >= 0.25


def test_a_chinese_prompt_finds_an_english_rule() -> None:
    found = scores("在购物车里打印日志")
    assert max(found, key=lambda name: found[name]) == "AGENTS.md#log"


def test_an_act_in_common_finds_the_rule_without_a_word_in_common() -> None:
    scope = known("AGENTS.md#scope", "rules", 5, "Scope", Elements("Scope", "No repo-wide cleanups.", "", ""))
    others = [*RULES, scope]
    asked = question("tidy up the other modules while you are at it")
    best = rerank(asked, [(one, 0.5) for one in others], among(others))[0]
    assert best.known is scope
    assert best.score >= 0.25
    assert best.why == ("aside",)


def test_who_names_the_pointer_means_the_document() -> None:
    assert scores("change shop/pages.py")["adr/1.md"] > scores("change something")["adr/1.md"] + 0.2


def test_a_decision_that_no_longer_holds_counts_half() -> None:
    found = scores("render pages in the browser")
    assert found["adr/2.md"] < found["adr/1.md"]


def test_a_prompt_about_something_else_reaches_nothing() -> None:
    assert all(score < 0.25 for score in scores("how is the weather").values())


def test_one_word_that_anybody_says_reaches_nothing() -> None:
    """The start page of a tool is not a rule about pages, and a fan is not one about models."""
    for prompt in (
        "make the start page load",
        "what does this model return?",
        "thanks, that looks good",
        "日历组件显示农历",
        "这一页的图片太模糊了",
    ):
        assert all(score < 0.25 for score in scores(prompt).values()), prompt


def test_one_word_of_the_trade_is_enough() -> None:
    """Print says what it says in any sentence; slow does not."""
    assert scores("just print it")["AGENTS.md#log"] >= 0.25
    assert scores("it is so slow")["adr/1.md"] < 0.25


def test_a_section_speaks_with_one_voice() -> None:
    """A part that says nothing of the prompt gains by one that does; a part of another section does not."""
    others = [
        known(name, "rules", row, title, Elements("Tests", "Every branch is covered.", "", ""))
        for row, (name, title) in enumerate([("AGENTS.md#log-2", "Logging"), ("AGENTS.md#tests", "Tests")])
    ]
    all_of_them = [*RULES, *others]
    ranked = rerank(question("just print it"), [(one, 0.5) for one in all_of_them], among(all_of_them))
    found = {one.known.document: one.score for one in ranked}
    assert found["AGENTS.md#log"] > found["AGENTS.md#log-2"] > 0.0
    assert found["AGENTS.md#tests"] == 0.0


@given(st.text(max_size=80))
def test_scores_lie_between_none_and_one(prompt: str) -> None:
    assert all(0 <= score <= 1 for score in scores(prompt).values())


def test_the_coarse_look_takes_the_nearest_and_those_that_are_named() -> None:
    rows = np.eye(30, 40, dtype=np.float32)
    query = np.linspace(1, 0, 40, dtype=np.float32)
    found = coarse(query, rows, 0.0, named=[29])
    assert [row for row, _ in found] == [*range(COARSE), 29]
    assert coarse(query, rows[:0], 0.0) == []


def test_what_is_not_near_enough_is_left_out() -> None:
    rows = EMBED(["alpha beta", "gamma delta"])
    assert [row for row, _ in coarse(EMBED(["alpha"]), rows, 0.3)] == [0]


def test_the_threshold_comes_from_the_documents_own_sentences() -> None:
    topics = ["orders cart", "stock ledger", "mail queue", "price cents", "login token", "page cache"]
    rows = EMBED(topics)
    near = calibrate(rows, EMBED(topics), list(range(6)))
    assert near < float((EMBED(["orders"]) @ rows[0:1].T)[0, 0])
    assert calibrate(rows[:2], EMBED(topics[:2]), [0, 1]) == 0.0


def test_what_a_word_stands_for_is_one_voice() -> None:
    [voice] = voices("sqlite")
    assert voice["sqlite"] == 1.0
    assert "~database" in voice
    assert voice["~database"] < voice["sqlite"] == weighed("sqlite")["~database"]


def test_a_chinese_word_and_its_translations_are_one_voice() -> None:
    [voice] = [one for one in voices("登录") if "login" in one]
    assert {"登录", "login", "~auth"} <= voice.keys()
    assert len(voices("登录")) == 1


def test_chinese_grammar_is_no_word() -> None:
    assert not [one for one in voices("这是我的") if one]


def test_words_are_looked_up_once() -> None:
    assert isinstance(RULES[0], Known)
    assert RULES[0].words.split().count("orm") == 1


def test_two_looks_are_one_of_the_same_length() -> None:
    model = [(row, 0.9) for row in range(COARSE)]
    words = [(row, 0.3) for row in (40, 3, 41)]
    found = merged([model, words])
    assert len(found) == COARSE
    assert [row for row, _ in found][:2] == [3, 0], "what both see comes first"
    assert {40, 41} <= {row for row, _ in found}
    assert dict(found)[3] == 0.9
    assert dict(found)[40] == 0.3


def test_what_is_named_stays_in_the_merged_look() -> None:
    crowd = [(row, 0.9) for row in range(COARSE)]
    late = [*crowd, (50, 0.1)]
    assert 50 in [row for row, _ in merged([late, late], named=[50])]


def test_what_a_chinese_prompt_asks_for_meets_an_english_rule() -> None:
    """Words of doing, which the glossary of what code calls things does not have."""
    rule = weighed("Never revert uncommitted changes of other people.")
    heard = voices("把其他人未提交的改动还原掉再开始")
    assert {word for voice in heard for word in voice} >= {"revert", "uncommitted"}
    assert sum(any(word in rule for word in voice) for voice in heard) == 2
