"""Every threshold, and one unit beside it."""

import pytest

from navlog.projections.nudging.bands import band, cadence, level, severity, wants_message
from navlog.schemas.settings import Nudge

NUDGE = Nudge()


@pytest.mark.parametrize(
    ("u", "t", "expected"),
    [
        (59_999, 59_999, "quiet"),
        (60_000, 60_000, "channel2"),
        (24_999, 60_000, "quiet"),
        (25_000, 60_000, "firm"),
        (25_000, 125_000, "gentle"),
        (25_000, 125_001, "quiet"),
        (24_999, 124_995, "quiet"),
        (39_999, 100_000, "gentle"),
        (40_000, 100_000, "firm"),
        (59_999, 100_000, "firm"),
        (60_000, 100_000, "urgent"),
        (74_999, 100_000, "urgent"),
        (75_000, 100_000, "channel2"),
        (49_999, 60_000, "urgent"),
        (50_000, 60_000, "channel2"),
        (0, 0, "quiet"),
    ],
)
def test_a_band_begins_at_its_threshold(u: int, t: int, expected: str) -> None:
    assert band(u, t, NUDGE) == expected
    assert wants_message(u, t, NUDGE) == (expected == "channel2")
    assert level(u, t, NUDGE) == ("urgent" if expected == "channel2" else expected)


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (0, 25_000),
        (312_500, 25_000),
        (312_506, 25_000),
        (312_507, 25_001),
        (312_519, 25_002),
        (1_000_000, 80_000),
    ],
)
def test_the_cadence_is_a_share_of_the_tail_a_half_rounded_up(t: int, expected: int) -> None:
    assert cadence(t, NUDGE) == expected


def test_the_cadences_half_goes_up_where_pythons_round_would_go_down() -> None:
    assert cadence(25, Nudge(cadence_tokens=0, cadence_share=0.1)) == 3


def test_severity_of_nothing_is_nothing() -> None:
    assert severity(0, 0) == 0
    assert severity(5, 0) == 5


def test_every_threshold_is_a_setting() -> None:
    assert level(10, 20, Nudge(tail_tokens=20, reclaimable_tokens=10)) == "firm"
    assert band(10, 20, Nudge(tail_tokens=1, reclaimable_tokens=1, gentle=0.6)) == "quiet"
    assert band(10, 20, Nudge(tail_tokens=1, reclaimable_tokens=1, firm=0.6)) == "gentle"
    assert (
        band(
            10,
            20,
            Nudge(tail_tokens=1, reclaimable_tokens=1, urgent=0.5, message_severity=0.5, message_tokens=10),
        )
        == "channel2"
    )
