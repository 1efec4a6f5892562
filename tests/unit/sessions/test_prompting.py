"""Which words of a prompt are a person's, and whether they ask for something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.nudging.wording import reminder
from navlog.projections.quoting import fence
from navlog.projections.sessions.prompting import own_words, says_a_task

BOUNDARY = "0123456789abcdef"


@pytest.mark.parametrize(
    "text",
    ["yes", "Yes!", "ok, go on", "y", "继续", "好的，请继续", "可以", "/clear", "/model opus", "?", "...", "",
     "2", "LGTM, thanks", "next", "👍", "ｙｅｓ"],
)  # fmt: skip
def test_a_nod_says_no_task(text: str) -> None:
    assert not says_a_task(text)


@pytest.mark.parametrize(
    "text",
    ["Fix the login", "why?", "yes, and rename the cache key", "修复登录", "继续修复登录的问题",
     "/review src/auth.py for races please",
     "run the tests", "app.py"],
)  # fmt: skip
def test_a_request_says_one(text: str) -> None:
    assert says_a_task(text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_we_put_in_is_never_a_persons(inside: str, own: str) -> None:
    plain = own.replace("<", "")
    said = f"{fence('title', inside, BOUNDARY)}{plain}{reminder(inside.replace('</system-reminder>', ''))}"
    assert own_words(said) == plain.strip()


@given(st.text(alphabet=st.characters(exclude_characters="<"), max_size=80))
def test_other_words_stay_as_they_are(text: str) -> None:
    assert own_words(text) == text.strip()
