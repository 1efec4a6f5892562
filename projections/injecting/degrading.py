"""When a session is given paths only, and when everything again: the fold of what its replies say.

Pure. A session is degraded by a reply that cannot see the code as it is, or by too many references that lead
nowhere: an agent that invents files reads what it is pointed to, and trusts no text that was handed to it. It
is restored by good replies, or by a person.
"""

from collections.abc import Sequence

import msgspec

from navlog.projections.injecting.block import Found
from navlog.projections.injecting.sharing import Offer
from navlog.schemas.event import Event
from navlog.schemas.replies import DegradedWhy, ReplyChecked, SessionDegraded, SessionRestored
from navlog.schemas.sessions import SessionEnded
from navlog.schemas.settings import Inject

WINDOW = 5  # replies whose references are counted together
LEAST_INVENTED = 2  # one name that is not there yet is no habit


class Trust(msgspec.Struct, frozen=True):
    """``why``: "" while the session is given everything. ``replies``: (references, missing) of the last ones.

    ``good``: so many replies in a row since it was degraded.
    """

    why: DegradedWhy = ""
    replies: tuple[tuple[int, int], ...] = ()
    good: int = 0


def apply(trust: Trust, event: Event, _position: int = 0) -> Trust:
    """The state after an event of the session; live and when the log is read again."""
    match event:
        case ReplyChecked():
            replies = (*trust.replies, (event.references, event.invented))[-WINDOW:]
            good = trust.good + 1 if event.good else 0
            return Trust(trust.why, replies, good)
        case SessionDegraded(why=why):
            return Trust(why)
        case SessionRestored() | SessionEnded():
            return Trust()
        case _:
            return trust


def is_good(why: DegradedWhy, references: int, invented: int, blind: str, settings: Inject) -> bool:
    """Whether a reply speaks for the session; one without a reference only where nothing was invented."""
    if blind or invented > settings.invented_share * references:
        return False
    return bool(references) or why != "invented"


def decide(trust: Trust, checked: ReplyChecked, settings: Inject) -> SessionDegraded | SessionRestored | None:
    """What follows from a reply; ``trust`` is the state after it."""
    if trust.why:
        if trust.good >= settings.good_replies:
            return SessionRestored(session=checked.session, why="replies")
        return None
    references, invented = (sum(column) for column in zip(*trust.replies, strict=True))
    why: DegradedWhy = ""
    if checked.blind:
        why = "blind"
    elif (
        references >= settings.invented_references
        and invented >= LEAST_INVENTED
        and invented > settings.invented_share * references
    ):
        why = "invented"
    if not why:
        return None
    return SessionDegraded(session=checked.session, why=why, references=references, invented=invented)


def paths_only(offers: Sequence[Offer]) -> list[Offer]:
    """The files of all that was offered, as bare paths; what has no path stays out."""
    paths = dict.fromkeys(
        found.pointer.partition(":")[0]
        for offer in offers
        for found in offer.found
        if found.kind in ("msu", "routing", "knowledge") and found.pointer
    )
    return [Offer(1.0, [Found(f"path:{path}", "routing", path) for path in paths if path])]
