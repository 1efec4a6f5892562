"""A reranker that speaks TEI's /rerank, within a bounded time; without it the words decide.

Its scores take the place of ours for the documents it was shown; the least score counts for both.
"""

from collections.abc import Sequence

import msgspec
import structlog

from navlog.daemon.knowing.endpoint import post
from navlog.projections.knowledge.retrieving import Chosen
from navlog.schemas.errors import NavlogError

PROMPT_CHARS = 2000
log = structlog.get_logger()


class _Rank(msgspec.Struct):
    index: int
    score: float


def reranked(task: str, chosen: Sequence[Chosen], url: str, timeout_s: float) -> list[Chosen]:
    """The documents in the order of the reranker at ``url``; as they were given without one, or where it is
    away."""
    if not url or not chosen:
        return list(chosen)
    payload = {"query": task[:PROMPT_CHARS], "texts": [one.known.text for one in chosen], "truncate": True}
    try:
        body = post(url.rstrip("/") + "/rerank", payload, timeout_s)
        scores = {rank.index: rank.score for rank in msgspec.json.decode(body, type=list[_Rank])}
    except (NavlogError, msgspec.DecodeError, UnicodeDecodeError) as fault:
        log.warning("reranker_away", fault=str(fault).partition("\n")[0])
        return list(chosen)
    found = [one._replace(score=round(scores.get(row, 0.0), 4)) for row, one in enumerate(chosen)]
    return sorted(found, key=lambda one: (-one.score, one.known.document))
