"""The second half of an answer: what goes with the first files comes before what only shares words."""

import numpy as np

from navlog.projections.ranking.completing import STAND, completed

PATHS = ["a/1.py", "a/2.py", "b/3.py", "c/4.py", "d/5.py", "e/6.py", "f/7.py", "g/8.py", "a/9.py"]
SCORES = np.array([20.0, 12.0, 10.0, 9.0, 8.0, 5.0, 4.0, 3.5, 3.0])


def nothing(_row: int) -> list[int]:
    return []


def test_the_first_files_stand_whatever_goes_with_what() -> None:
    order, scores = completed(PATHS, SCORES, lambda row: [4, 8] if row == 3 else [])
    assert order[:STAND] == [0, 1, 2, 3, 4]
    assert scores[:STAND].tolist() == SCORES[:STAND].tolist()


def test_what_is_tied_to_the_best_file_and_what_lies_beside_it_comes_next() -> None:
    order, _ = completed(PATHS, SCORES, lambda row: [7] if row == 0 else [])
    assert order[STAND:] == [7, 8, 5, 6]


def test_a_file_tied_to_a_poor_hit_gains_little() -> None:
    order, _ = completed(PATHS[:8], SCORES[:8], lambda row: [7] if row == 4 else [])
    assert order[STAND:] == [5, 6, 7]


def test_no_score_rises_above_the_last_that_stands() -> None:
    scores = SCORES.copy()
    scores[5] = 7.9
    order, summed = completed(PATHS, scores, lambda _row: [5])
    assert order[STAND] == 5
    assert summed[5] == scores[4]


def test_files_that_tie_are_ordered_by_name_and_short_answers_stay() -> None:
    paths = [f"{letter}/x.py" for letter in "gfedcba"]
    order, _ = completed(paths, np.ones(7), nothing)
    assert [paths[row][0] for row in order] == list("abcdefg")
    order, scores = completed(PATHS[:3], SCORES[:3], lambda _row: [0, 1, 2])
    assert (order, scores.tolist()) == ([0, 1, 2], SCORES[:3].tolist())
