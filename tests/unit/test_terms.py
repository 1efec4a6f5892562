"""Terms: the same words from an identifier, a sentence and a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.terms import LONGEST, count_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getHTTPUrl_v2", "get http url gethttpurl_v2"),
        ("HTTPServer", "http server httpserver"),
        ("snake_case_name", "snake case name snake_case_name"),
        ("__init__", "init"),
        ("sha256", "sha 256 sha256"),
        ("CONSTANT", "constant"),
        ("a.b x", ""),
        ("port 8080, issue 12345678901", "port 8080 issue"),
        ("缓存失效", "缓存 存失 失效"),
        ("的", "的"),
        ("用Redis做缓存", "用 redis 做缓 缓存"),
        ("naïveValue", "naïve value naïvevalue"),
        ("ПриветМир", "привет мир приветмир"),
        ("cafe\u0301", "café"),
        ("ＡＢＣ", "abc"),
        ("x" * (LONGEST + 1), ""),
    ],
)
def test_a_text_gives_these_terms(text: str, expected: str) -> None:
    assert list(terms(text)) == expected.split()


def test_a_base64_blob_gives_no_terms() -> None:
    assert not list(terms("Qk" * 150))


@given(st.text())
def test_counting_equals_listing(text: str) -> None:
    listed = list(terms(text))
    assert count_terms(text) == {term: listed.count(term) for term in listed}


@given(st.text())
def test_a_term_is_found_by_itself(text: str) -> None:
    """What stands in the index can be asked for: its own terms hold it again."""
    for term in set(terms(text)):
        if term == term.lower():
            assert term in list(terms(term))


@given(st.text(), st.text())
def test_terms_of_two_lines_are_the_terms_of_each(first: str, second: str) -> None:
    assert list(terms(f"{first}\n{second}")) == [*terms(first), *terms(second)]


@given(st.text())
def test_a_term_has_no_space_and_a_bounded_length(text: str) -> None:
    assert all(not set(term) & set(" \n\t") and 0 < len(term) <= LONGEST * 3 for term in terms(text))
