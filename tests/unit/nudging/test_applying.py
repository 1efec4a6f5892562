"""When queued drops leave what the model is sent: its beginning is new anyway, or it is worth that."""

import pytest

from navlog.projections.nudging.applying import due
from navlog.schemas.settings import Nudge

NUDGE = Nudge()


@pytest.mark.parametrize(("queued", "leaves"), [(1, True), (0, False)])
def test_a_beginning_that_is_new_anyway_takes_every_drop_with_it(queued: int, leaves: bool) -> None:
    assert due(queued, 100_000, NUDGE, rewrites=True) == leaves


@pytest.mark.parametrize(
    ("queued", "t", "leaves"),
    [
        (40_000, 100_000, True),
        (39_999, 100_000, False),
        (25_000, 62_500, True),
        (24_999, 60_000, False),  # 0.417 of the tail, and too little to be worth it
        (0, 0, False),
    ],
)
def test_a_warm_beginning_is_broken_where_the_drops_are_worth_it(queued: int, t: int, leaves: bool) -> None:
    assert due(queued, t, NUDGE, rewrites=False) == leaves
