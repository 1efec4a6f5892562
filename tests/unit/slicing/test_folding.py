"""Neighbouring chunks are folded by two thresholds: their cosine, and the tokens of the fold."""

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.slicing.folding import CAP, THRESHOLD, cosine, fold, words
from navlog.schemas.events import Chunk

TEXTS = st.lists(
    st.tuples(st.sampled_from(["alpha beta gamma", "alpha beta delta", "x_one x_two", "", "self return"]),
              st.integers(0, 700)),
    max_size=12,
)  # fmt: skip


def folded(pieces: list[tuple[str, int]], threshold: float = THRESHOLD) -> list[Chunk]:
    chunks = [Chunk(number, number, tokens) for number, (_, tokens) in enumerate(pieces, 1)]
    return fold(chunks, lambda chunk: pieces[chunk.line - 1][0].encode(), threshold)


@given(TEXTS)
def test_a_fold_is_a_run_of_neighbours_under_the_cap_named_by_its_first(
    pieces: list[tuple[str, int]],
) -> None:
    found = folded(pieces)
    assert [(one.line, one.tokens) for one in found] == [(n, t) for n, (_, t) in enumerate(pieces, 1)]
    for name in {one.fold for one in found} - {-1}:
        members = [index for index, one in enumerate(found) if one.fold == name]
        assert members == list(range(name, name + len(members)))
        assert len(members) > 1
        assert sum(found[index].tokens for index in members) <= CAP


@given(TEXTS)
def test_neighbours_join_exactly_where_both_thresholds_allow(pieces: list[tuple[str, int]]) -> None:
    found = folded(pieces)
    for index in range(1, len(found)):
        joined = found[index].fold >= 0 and found[index].fold == found[index - 1].fold
        start = found[index - 1].fold if found[index - 1].fold >= 0 else index - 1
        total = sum(one.tokens for one in found[start : index + 1])
        near = cosine(*(words(pieces[at][0].encode()) for at in (index - 1, index))) >= THRESHOLD
        assert joined == (near and total <= CAP)


def test_neighbours_about_the_same_join_and_others_do_not() -> None:
    found = folded([("def load_cookie(cookie)", 20), ("def dump_cookie(cookie)", 20), ("class Router", 20)])
    assert [one.fold for one in found] == [0, 0, -1]


def test_common_words_make_nobody_alike() -> None:
    assert cosine(words(b"def return self None"), words(b"def return self None")) == 0.0


def test_words_are_whole_identifiers_in_any_case() -> None:
    assert words(b"Parse_Cookie(HTTPHeader)") == {b"parse_cookie", b"httpheader"}
