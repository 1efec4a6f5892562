"""Channel 2: one message of its own, by lease. Each step gives the event that makes it, or None: refused.

The log decides between two who try the same step: the event is appended on the condition that nothing of
this session's lease came after the position it was read at.
"""

from navlog.projections.nudging.bands import wants_message
from navlog.projections.nudging.deciding import Pass
from navlog.projections.nudging.session import Lease, Session
from navlog.schemas.event import Event
from navlog.schemas.nudges import (
    NudgeArmed,
    NudgeClaimed,
    NudgeCycleReset,
    NudgeDelivered,
    NudgeExpired,
    NudgeReleased,
    NudgeSent,
)
from navlog.schemas.settings import Nudge


def watch(session: Session, now: Pass, settings: Nudge) -> Event | None:
    """What a pass does to the lease: it arms an empty one, takes back a pending one, ends a delivered one.

    The session is the one before this pass's measurement, as in `deciding`.
    """
    match session.lease.state:
        case "empty":
            return _armed(session, now, settings)
        case "pending":
            return withdrawn(session.lease, now, settings)
        case "delivered":
            return _ended(now, settings)
        case "claimed":
            return None


def withdrawn(lease: Lease, now: Pass, settings: Nudge) -> NudgeReleased | None:
    """A pending lease whose rule is KNOWN to be false, at a pass or just before delivery."""
    if lease.state != "pending" or not now.measurable or wants_message(now.u, now.t, settings):
        return None
    return NudgeReleased(session=now.session, why="below")


def run_ended(lease: Lease, session: str) -> NudgeReleased | None:
    """A run that ended leaves nothing pending: its report must not be answered by a nudge."""
    return NudgeReleased(session=session, why="run_ended") if lease.state == "pending" else None


def claim(lease: Lease, session: str, token: str, since: int) -> NudgeClaimed | None:
    """Just before sending; ``since`` in seconds after 1970."""
    if lease.state != "pending":
        return None
    return NudgeClaimed(session=session, token=token, since=since)


def failed(lease: Lease, session: str, token: str) -> NudgeReleased | None:
    """The send itself failed: due again."""
    if not _holds(lease, token) or lease.sent:
        return None
    return NudgeReleased(session=session, why="send_failed", token=token)


def returned(lease: Lease, session: str, token: str, text: str = "") -> NudgeSent | None:
    """The send returned: recorded at once, before the confirmation; such a claim is never freed."""
    if not _holds(lease, token) or lease.sent:
        return None
    return NudgeSent(session=session, token=token, text=text)


def confirmed(lease: Lease, session: str, token: str) -> NudgeDelivered | None:
    """The last step. Where it cannot be recorded, the claim stays as it is and is never armed again."""
    return NudgeDelivered(session=session, token=token) if _holds(lease, token) and lease.sent else None


def expired(lease: Lease, session: str, now_s: int, settings: Nudge) -> NudgeExpired | None:
    """A claim that grew old while nobody knows whether its send returned."""
    if lease.state != "claimed" or lease.sent or now_s - lease.since < settings.lease_s:
        return None
    return NudgeExpired(session=session, token=lease.token)


def _holds(lease: Lease, token: str) -> bool:
    return lease.state == "claimed" and lease.token == token


def _armed(session: Session, now: Pass, settings: Nudge) -> NudgeArmed | None:
    may = session.usable and now.turn >= 1 and now.measurable and not session.reduced
    if not may or not wants_message(now.u, now.t, settings):
        return None
    return NudgeArmed(session=now.session, u=now.u, t=now.t)


def _ended(now: Pass, settings: Nudge) -> NudgeCycleReset | None:
    if now.compacted:
        return NudgeCycleReset(session=now.session, why="compaction")
    if now.measurable and now.u < settings.reclaimable_tokens:
        return NudgeCycleReset(session=now.session, why="below")
    return None
