"""Which concepts a task affected: those of the files it modified, as they are called at that time. Pure."""

from collections.abc import Callable, Sequence

from navlog.projections.sessions.state import Task
from navlog.schemas.concept import Concept

MOST = 8  # of one task: the rest of a sweep over the whole project names nothing
OF_FILE = 2  # a file's most telling ones; a package's concept has all its files


def affected(task: Task, of_file: Callable[[str], Sequence[Concept]]) -> list[tuple[str, str]]:
    """(id, label), the most affected first; ``of_file`` gives a path's concepts, the most telling first."""
    worth: dict[str, float] = {}
    labels: dict[str, str] = {}
    for path, file in sorted(task.files.items()):
        if file.modified:
            for place, one in enumerate(of_file(path)[:OF_FILE]):
                worth[one.id] = worth.get(one.id, 0.0) + 1 / (1 + place)
                labels[one.id] = one.label
    best = sorted(worth, key=lambda id_: (-worth[id_], id_))[:MOST]
    return [(id_, labels[id_]) for id_ in best]
