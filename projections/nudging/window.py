"""The protected window: the newest tool outputs, which are not to be given up yet."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from navlog.schemas.settings import Nudge


class Output(NamedTuple):
    """A tool's tag and the local tokens of its output; None while the call is open."""

    tag: int
    tokens: int | None


def cutoff(outputs: Iterable[Output], floor: int, settings: Nudge, ratio: float = 1.0) -> int | None:
    """The oldest protected tag: every tool tag from here on is protected. None where there is no tool tag.

    Whole groups of one tag are added, newest first, until their calibrated tokens reach ``floor``; the cut
    is there or at the third newest tag, whichever is older, and at the oldest where ``floor`` is not reached.
    """
    groups: dict[int, int] = defaultdict(int)
    for output in outputs:
        groups[output.tag] += output.tokens or 0
    return cutoff_of(sorted(groups, reverse=True), groups, floor, settings, ratio)


def cutoff_of(
    newest: Iterable[int], masses: Mapping[int, int], floor: int, settings: Nudge, ratio: float = 1.0
) -> int | None:
    """The same of tags that come newest first, with the tokens of each; looks no further than it must."""
    mass, reached, cut = 0, False, None
    near = (floor - 1) / ratio - 1  # below it no rounding up reaches the floor
    for count, tag in enumerate(newest, 1):
        cut = tag
        mass += masses.get(tag, 0)
        reached = reached or (mass >= near and calibrated(mass, ratio) >= floor)
        if reached and count >= settings.recent_tools:
            break
    return cut


def default_floor(usable: int, settings: Nudge) -> int:
    """Tokens to protect in a session whose model has ``usable`` tokens of window."""
    low = min(settings.floor_low_tokens, half_up(usable * settings.floor_low_share))
    return min(max(half_up(usable * settings.floor_share), low), settings.floor_high_tokens)


def calibrated(tokens: float, ratio: float = 1.0) -> int:
    """Provider tokens, rounded up once. A float's last digits are no fraction of a token."""
    return math.ceil(round(tokens * ratio, 6))


def half_up(value: float) -> int:
    """To the nearest whole number, a half upwards: Python's ``round`` takes it to the even one."""
    return math.floor(value + 0.5)
