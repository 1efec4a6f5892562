"""How much of a tail is spent, as a word. Every comparison is "at least"."""

from navlog.projections.nudging.window import half_up
from navlog.schemas.nudges import Level
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Band

LEVELS: tuple[Level, ...] = ("quiet", "gentle", "firm", "urgent")
RANK: dict[Level, int] = {level: rank for rank, level in enumerate(LEVELS)}


def severity(u: int, t: int) -> float:
    """The share of the tail that could be given up."""
    return u / max(t, 1)


def level(u: int, t: int, settings: Nudge) -> Level:
    """Channel 1's word for it; the band of channel 2 is urgent here."""
    share = severity(u, t)
    if t < settings.tail_tokens or u < settings.reclaimable_tokens or share < settings.gentle:
        return "quiet"
    if share < settings.firm:
        return "gentle"
    return "firm" if share < settings.urgent else "urgent"


def wants_message(u: int, t: int, settings: Nudge) -> bool:
    """Channel 2's rule: a message of its own is due."""
    return (
        level(u, t, settings) == "urgent"
        and severity(u, t) >= settings.message_severity
        and u >= settings.message_tokens
    )


def band(u: int, t: int, settings: Nudge) -> Band:
    """The band as status and explain show it."""
    return "channel2" if wants_message(u, t, settings) else level(u, t, settings)


def cadence(t: int, settings: Nudge) -> int:
    """Tokens that U has to grow by before the same level is said again, and before a grace ends."""
    return max(settings.cadence_tokens, half_up(settings.cadence_share * t))
