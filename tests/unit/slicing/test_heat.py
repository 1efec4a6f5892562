"""How hot a record is."""

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.slicing.heat import COLD, EDIT, hot_score


def test_a_record_of_this_moment_with_one_edit() -> None:
    assert hot_score(0, 1) == 1.3


@given(st.floats(0, 10_000), st.floats(0, 10_000), st.integers(0, 50))
def test_older_is_never_hotter(minutes: float, more: float, edits: int) -> None:
    assert hot_score(minutes + more, edits) <= hot_score(minutes, edits)


def test_a_clock_that_was_set_back_makes_nothing_hotter_than_new() -> None:
    assert hot_score(-5, 0) == 1.0


@given(st.floats(0, 1440))
def test_what_was_edited_today_is_never_cold(minutes: float) -> None:
    assert hot_score(minutes, 1) >= EDIT == COLD
