"""Names: what counts as the same word, what says nothing, how ids and labels are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.concepts.naming import compact, is_generic, label, slug, stem, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("templates", "templating"), ("sessions", "session"), ("queries", "query"), ("caching", "cache"),
        ("pagination", "paginator"), ("classes", "class"), ("auth", "authentication"), ("ctx", "context"),
        ("logging", "log"), ("config", "configuration"), ("routes", "routing"),
    ],
)  # fmt: skip
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("string", "str"), ("process", "proces"), ("test", "tree")])
def test_different_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("AppContext", "app-context"), ("status_codes", "status-codes"), ("i18n", "i18n"),
        ("  Tagged JSON ", "tagged-json"), ("库存", "库存"), ("…", ""),
    ],
)  # fmt: skip
def test_an_id_has_words_and_dashes(name: str, written: str) -> None:
    assert slug(name) == written


@given(st.text(max_size=40))
def test_an_id_stays_as_it_is(name: str) -> None:
    assert slug(slug(name)) == slug(name)
    assert not slug(name).startswith("-")


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("static_files", "Static files"),
        ("json", "JSON"),
        ("AppContext", "AppContext"),
        ("url-routing", "URL routing"),
    ],
)
def test_a_label_reads_like_words(name: str, read: str) -> None:
    assert label(name) == read


def test_names_that_say_how_and_not_what_are_generic() -> None:
    assert all(map(is_generic, ("utils", "base_types", "__init__", "x", "common")))
    assert not any(map(is_generic, ("sessions", "url_utils", "test")))


def test_words_written_together_are_found_again() -> None:
    assert compact("AppContexts") == compact("appcontext") == compact("app_context")
    assert stems("The App and Request Context") == stems("application request context")
