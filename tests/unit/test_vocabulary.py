"""Numbers of terms: what a dict would say, in fewer bytes."""

import pickle
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.vocabulary import Vocabulary

# The first two have one and the same hash, and so have the next two.
TWINS = ("plumless", "buckeroo", "codding", "gnu")
TERMS = st.one_of(st.sampled_from((*TWINS, "cache", "缓存", "", "\udc80")), st.text(max_size=3))
STEPS = st.lists(st.tuples(st.sampled_from(("number", "find", "join", "keep")), TERMS), max_size=60)


def test_the_twins_are_twins() -> None:
    assert [crc32(one.encode()) for one in TWINS[:2]] == [crc32(TWINS[0].encode())] * 2
    assert [crc32(one.encode()) for one in TWINS[2:]] == [crc32(TWINS[2].encode())] * 2


@given(STEPS)
def test_it_is_a_dict_that_counts(steps: list[tuple[str, str]]) -> None:
    plain: dict[str, int] = {}
    terms = Vocabulary()
    for step, term in steps:
        if step == "number":
            assert terms.numbers([term, term]) == [plain.setdefault(term, len(plain))] * 2
        elif step == "find":
            assert terms.find(term) == plain.get(term)
        elif step == "join":
            terms.join()
        else:
            terms = pickle.loads(pickle.dumps(terms))  # noqa: S301 - our own
        assert len(terms) == len(plain)
    assert {term: terms.find(term) for term in plain} == plain
    assert list(terms) == list(plain)


def test_terms_are_grouped_by_their_counts() -> None:
    terms = Vocabulary(["a", "b"])
    assert terms.grouped({"b": 2, "c": 1, "a": 2}) == {2: [1, 0], 1: [2]}
