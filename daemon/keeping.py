"""How far the logs can be copied while they grow: what verify, salvage and backup ask a running daemon.

The asking process reads the files itself, up to the fences: the daemon gives no time, needs no leave to write
elsewhere, and nothing that is not durable is seen.
"""

from navlog.daemon.journal import Fence, Journal
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.control import Nothing


def verbs(events: Journal, overlays: Journal) -> Verbs:
    """`fences`: the overlays' is taken first, so that no judgement is ahead of its events."""

    def fences(_args: Nothing, _trace: str, _report: Report) -> tuple[Fence, ...]:
        return overlays.fence, events.fence

    return {"fences": Verb(fences)}
