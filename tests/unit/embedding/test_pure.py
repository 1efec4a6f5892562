"""Hashing, thresholds and recall."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.embedding.calibrating import calibrate, cosines, plot
from navlog.projections.embedding.hashing import DIMENSIONS, HashingEmbedder
from navlog.projections.embedding.recall import nearest

EMBEDDER = HashingEmbedder()


@given(st.lists(st.text(max_size=60), max_size=5))
def test_vectors_have_length_one_or_say_nothing(texts: list[str]) -> None:
    rows = EMBEDDER.embed(texts)
    assert rows.shape == (len(texts), DIMENSIONS)
    lengths = np.linalg.norm(rows, axis=1)
    assert all(abs(length - 1) < 1e-5 or length == 0 for length in lengths)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_the_same_text_gives_the_same_vector_alone_or_in_company(texts: list[str]) -> None:
    rows = EMBEDDER.embed(texts)
    assert all((EMBEDDER.embed([text])[0] == row).all() for text, row in zip(texts, rows, strict=True))


def test_a_vector_is_the_same_on_any_machine() -> None:
    (row,) = EMBEDDER.embed(["parse cookie"])
    assert {int(at): round(float(row[at]), 4) for at in np.flatnonzero(row)} == {104: 0.7071, 230: 0.7071}


def test_texts_that_share_words_are_nearer() -> None:
    cookie, session, router = EMBEDDER.embed(["load the cookie jar", "cookie jar of a session", "match url"])
    assert cookie @ session > 0.5 > cookie @ router


def test_identifiers_and_prose_meet_in_their_parts() -> None:
    code, prose = EMBEDDER.embed(["def parseCookieHeader(raw_value)", "how is a cookie header parsed"])
    assert code @ prose > 0.3


def test_one_of_a_hundred_unrelated_pairs_passes() -> None:
    negatives = [number / 1000 for number in range(1000)]
    made = calibrate(negatives, [0.95])
    assert sum(one > made.fold for one in negatives) == 10
    assert sum(one > made.alike for one in negatives) == 50
    assert (made.negatives[0], made.negatives[-1]) == (0.0, 0.999)


def test_a_handful_of_pairs_calibrates_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        calibrate([0.1] * 99, [])


def test_the_plot_marks_the_threshold() -> None:
    lines = plot([0.05] * 21, [0.85] * 21, 0.42)
    assert next(line for line in lines if "threshold" in line).startswith("  0.4")
    assert sum("#" * 20 in line for line in lines) == 2


def test_nearest_is_a_list_of_the_best_with_ties_by_place() -> None:
    rows = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    assert nearest(np.array([1, 0], np.float32), rows, 5) == [(0, 1.0), (2, 1.0)]
    assert nearest(np.array([1, 0], np.float32), rows, 1) == [(0, 1.0)]


def test_cosines_go_row_by_row() -> None:
    left, right = np.eye(2, dtype=np.float32), np.array([[1, 0], [1, 0]], np.float32)
    assert cosines(left, right) == [1.0, 0.0]
