"""One root for the forms of a word."""

import pytest

from navlog.projections.sessions.roots import is_between, root


@pytest.mark.parametrize(
    "forms",
    [
        "route routes routed routing router routers",
        "validate validates validated validating validation validations validator validators",
        "query queries queried querying",
        "expire expires expired expiring expiry expiration",
        "stop stops stopped stopping stopper",
        "map maps mapped mapping",
        "configure configures configured configuring configuration",
        "cache caches cached caching",
        "create creates created creating creation creator",
        "session sessions",
        "permission permissions",
    ],
)
def test_forms_of_a_word_have_one_root(forms: str) -> None:
    assert len({root(word) for word in forms.split()}) == 1


@pytest.mark.parametrize("words", ["class clash", "status state", "session server", "cache catch"])
def test_other_words_keep_apart(words: str) -> None:
    first, second = words.split()
    assert root(first) != root(second)


@pytest.mark.parametrize("word", ["会话", "sha256", "get_http_url", "ed", "naïve", "as"])
def test_what_is_no_english_word_stays(word: str) -> None:
    assert root(word) == word


def test_a_pair_across_the_border_of_known_pairs_is_none() -> None:
    known = ["会话", "过期", "login"]
    assert is_between("话总", known)
    assert is_between("是过", known)
    assert not is_between("总是", known)
    assert not is_between("in", known)
