"""The search index: the same answers whatever way the files came."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections import index as index_module
from navlog.projections.index import FIELDS, SearchIndex

PATHS = ("a/cookie.py", "a/session.py", "b/cookie.js", "b/__init__.py", "登录/缓存.go")
WORDS = ("cookie", "session", "samesite", "header", "缓存", "parse")
QUERY = {"cookie": 1.0, "session": 2.0, "缓存": 1.0, "parse": 0.5, "unknown": 9.0}

bodies = st.dictionaries(st.integers(1, 9).map(str), st.lists(st.sampled_from(WORDS), min_size=1).map(set))
files = st.tuples(
    st.sampled_from(PATHS), st.lists(st.sampled_from(("set_cookie", "Session", "parse"))), bodies
)
scripts = st.lists(st.one_of(files, st.sampled_from(PATHS)), max_size=60)


def distinct(body: dict[str, set[str]]) -> dict[str, str]:
    """Each word under one count only, as an outline has it."""
    counts = {word: count for count, words in sorted(body.items()) for word in words}
    return {n: " ".join(sorted(w for w in counts if counts[w] == n)) for n in sorted(set(counts.values()))}


def scores(index: SearchIndex, field: str) -> dict[str, float]:
    column = index.scores(field, QUERY)
    return {path: float(column[slot]) for path, slot in index.slots.items()}


@given(scripts)
def test_an_edited_index_scores_exactly_like_a_clean_one(script: list[object]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_module, "SPARE", 3)  # so that numbers are drawn anew within a short script
        edited, now = SearchIndex(), {}
        for step in script:
            if isinstance(step, tuple):
                path, names, body = step
                now[path] = (names, distinct(body))
                edited.put(path, *now[path])
            else:
                now.pop(step, None)
                edited.drop(str(step))
            edited.scores("body", QUERY)
        clean = SearchIndex()
        for path in sorted(now):
            clean.put(path, *now[path])
    for field in FIELDS:
        assert scores(edited, field) == scores(clean, field)
    assert len(edited) == len(now)


def test_an_index_whose_files_are_all_gone_finds_nothing() -> None:
    index = SearchIndex()
    index.put("a", ["name"], {"1": "word"})
    index.scores("body", {"word": 1.0})
    index.put("a", [], {"1": "other"})
    index.drop("a")
    assert not index.scores("body", {"word": 1.0}).any()
    assert index.defining("name") == []


def test_rarer_words_and_shorter_files_score_higher() -> None:
    index = SearchIndex()
    index.put("a", [], {"1": "common rare"})
    index.put("b", [], {"1": "common " + " ".join(f"w{n}" for n in range(50))})
    index.put("c", [], {"1": "common other"})
    found = index.scores("body", {"common": 1.0, "rare": 1.0})
    by_path = {path: found[slot] for path, slot in index.slots.items()}
    assert by_path["a"] > by_path["c"] > by_path["b"] > 0


def test_a_word_that_half_of_a_large_project_holds_says_nothing() -> None:
    index = SearchIndex()
    for number in range(60):
        index.put(f"f{number}", [], {"1": "import rare" if number == 7 else "import"})
    assert set(index.scores("body", {"import": 1.0})) == {0.0}
    assert index.paths[int(index.scores("body", {"import": 1.0, "rare": 1.0}).argmax())] == "f7"


def test_exact_names_path_ends_and_modules_are_looked_up() -> None:
    index = SearchIndex()
    index.put("src/http/cookie.py", ["SimpleCookie", "parse"], {})
    index.put("src/http/__init__.py", ["parse_header"], {})
    index.put("cookie.py", [], {})

    def paths(slots: list[int]) -> list[str]:
        return [index.paths[slot] for slot in slots]

    assert paths(index.defining("parse")) == ["src/http/cookie.py"]
    assert paths(index.ending("cookie.py")) == ["cookie.py", "src/http/cookie.py"]
    assert paths(index.ending("http/cookie.py")) == ["src/http/cookie.py"]
    assert paths(index.ending("ttp/cookie.py")) == []
    assert paths(index.module("http")) == ["src/http/__init__.py"]
    assert paths(index.module("http/cookie")) == ["src/http/cookie.py"]
    named = {name: {index.paths[slot] for slot in index.named(name, 9)} for name in ("cookie", "http")}
    assert named == {"cookie": {"cookie.py", "src/http/cookie.py"}, "http": {"src/http/__init__.py"}}
    assert len(index.named("cookie", 1)) == 2
    assert len(index.named("cookie", 0)) == 1
    index.drop("src/http/cookie.py")
    assert paths(index.ending("cookie.py")) == ["cookie.py"]
    assert index.defining("parse") == []


def test_a_count_beyond_sixteen_bits_is_kept_as_the_largest() -> None:
    index = SearchIndex()
    index.put("big.txt", [], {"9999999999": "word"})
    index.put("small.txt", [], {"1": "word"})
    assert index.scores("body", {"word": 1.0}).min() > 0
