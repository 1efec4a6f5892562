"""When queued drops really leave what the model is sent, where the host lets us edit that.

A provider keeps the beginning of a request and charges the rest anew, so a hole in the middle of a tail
makes everything behind it new. Pure: holes are made where the beginning is new anyway, or where it is worth
it.
"""

from navlog.projections.nudging.bands import severity
from navlog.schemas.settings import Nudge


def due(queued: int, t: int, settings: Nudge, *, rewrites: bool) -> bool:
    """Whether to apply now what is queued: ``queued`` tokens of a tail of ``t``.

    ``rewrites``: the host knows that nothing of this request is kept by the provider.
    """
    if rewrites or queued <= 0:
        return queued > 0
    return queued >= settings.reclaimable_tokens and severity(queued, t) >= settings.apply_share
