"""The limits of the four elements, and what is made of a model's answer."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.knowledge.elements import (
    LIMITS,
    SHARE,
    TOGETHER,
    TOKENS,
    Elements,
    Unfit,
    as_yaml,
    count_words,
    cut,
    faults,
    fitted,
    read_yaml,
)
from navlog.projections.tokens import count_tokens

GOOD = Elements("It tells time.", "Never use floats.", "UTC only.", "a/clock.py:now")
texts = st.text(max_size=600) | st.text("汉字 。ab-", max_size=600)


def test_words_are_english_words_or_half_the_chinese_characters() -> None:
    assert count_words("never log personal data") == 4
    assert count_words("不得写入") == 2
    assert count_words("不得写入 the log") == 4
    assert count_words("禁") == 1


@given(texts, st.integers(1, 40))
def test_what_is_cut_keeps_its_limit_and_its_beginning(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert count_words(short) <= limit + short.endswith("…")
    assert " ".join(text.split()).startswith(short.removesuffix("…")) or not text.isprintable()


@given(texts, texts, texts, texts, st.sampled_from([SHARE, TOKENS]))
def test_fitted_elements_keep_every_limit(a: str, b: str, c: str, d: str, tokens: int) -> None:
    found = fitted(Elements(a, b, c, d), tokens)
    assert count_tokens(as_yaml(found)) <= tokens
    assert all(count_words(getattr(found, name)) <= limit + 1 for name, limit in LIMITS.items())


def test_the_three_that_stand_together_stay_below_their_sum() -> None:
    assert 3 * SHARE <= TOGETHER


@given(texts, texts, texts, texts)
def test_the_yaml_that_is_written_is_read_again(a: str, b: str, c: str, d: str) -> None:
    found = fitted(Elements(a, b, c, d))
    assert read_yaml(as_yaml(found)) == found


def test_an_answer_may_stand_in_a_fence() -> None:
    assert read_yaml(f"Here it is:\n```yaml\n{as_yaml(GOOD)}```\nDone.") == GOOD


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "no yaml: [",
        "core_problem: a\n",
        as_yaml(GOOD) + "extra: 1\n",
        as_yaml(GOOD).replace('"UTC only."', "[UTC]"),
        "&a [*a, *a]",
        "[" * 5000,
        "x" * 20_000,
        "core_problem: !!python/object/apply:os.system [ls]\n",
        "- 1\n- 2\n",
        "\x00",
    ],
)
def test_what_is_not_these_four_keys_is_refused_in_words(answer: str) -> None:
    with pytest.raises(Unfit) as refusal:
        read_yaml(answer)
    assert "\n" not in str(refusal.value)


def test_a_good_answer_has_no_fault() -> None:
    assert faults(GOOD, lambda pointer: pointer == "a/clock.py:now") == []


def test_each_fault_is_named() -> None:
    wrong = Elements("", "word " * 41, "x", "gone.py")
    found = faults(wrong, lambda _: False)
    assert [fault.split()[0] for fault in found] == ["key_constraint", "core_problem", "entry_pointer"]
    assert "41 words" in found[0]
    assert "gone.py" in found[2]


def test_too_many_tokens_are_a_fault() -> None:
    heavy = msgspec.structs.replace(GOOD, core_problem="𝔘" * 200)
    assert any("tokens" in fault for fault in faults(heavy, lambda _: True))
