"""Tables made anew from the logs, while the present ones go on answering.

A new generation is filled beside the old one by the same `catch_up` that runs live, and takes its place at
the end. If anything fails, the old one stays and the new one is forgotten.
"""

from collections.abc import Callable

from navlog.projections.positions import Positions
from navlog.projections.projector import Projection, Projector
from navlog.schemas.control import Replayed

Progress = Callable[[str, int, int], None]  # the projection, events done, events in all


def replay(
    projector: Projector,
    fresh: Projection | None = None,
    size: int = 2000,
    progress: Progress = lambda *_: None,
) -> Replayed:
    """Fills ``fresh`` (another one of the same kind, if none is given) from the logs' beginning.

    It takes the place of ``projector``'s projection.

    A projection keeps no earlier state, so a replay from N > 0 reads from 0 as well: what was moved before N
    decides what events after N mean.
    """
    fresh = fresh or projector.projection.fresh()
    builder = projector.begin(fresh)
    try:
        builder.catch_up(projector.logs, projector.goal, size, _telling(fresh.name, projector, progress))
        before, after = projector.adopt(builder)
    except BaseException:
        projector.abandon(builder)
        raise
    position = builder.position
    return Replayed(
        name=fresh.name,
        events=position.events,
        overlays=position.overlays,
        digest=after,
        changed=after != before,
    )


def _telling(name: str, projector: Projector, progress: Progress) -> Callable[[Positions], None]:
    return lambda position: progress(name, position.events, projector.goal)
