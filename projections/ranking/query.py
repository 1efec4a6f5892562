"""A task as the ranker asks it: the parts of its text, each with its weighted terms."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from navlog.projections.ranking.reading import Place, read
from navlog.projections.ranking.words import TRANSLATED, weigh
from navlog.projections.terms import terms

# Tasks that stay parsed: whoever answers a prompt, and whoever recalls what was done before, ask the same.
KEPT = 8


class Query(NamedTuple):
    """``subject`` is the first line; ``title``, ``prose`` and ``code`` weigh the terms of a part.

    ``words`` are all terms of what was said, the title's counting full and the body's half.
    """

    subject: str
    title: Mapping[str, float]
    prose: Mapping[str, float]
    code: Mapping[str, float]
    words: Mapping[str, float]
    places: tuple[Place, ...]
    modules: tuple[str, ...]
    frames: tuple[str, ...]
    title_names: tuple[str, ...]
    prose_names: tuple[str, ...]
    code_names: tuple[str, ...]


def parse(task: str, also: Iterable[str] = ()) -> Query:
    """The query of a task's text; an empty text gives an empty query.

    ``also``: other names of what the task speaks of. They count as translations of its title.
    """
    return _parsed(task, "\n".join(also))


@lru_cache(maxsize=KEPT)
def _parsed(task: str, also: str) -> Query:
    reading = read(task)
    title, prose = weigh(reading.title), weigh(reading.prose)
    for term in terms(also):
        title.setdefault(term, TRANSLATED)
    return Query(
        subject=task.strip().partition("\n")[0],
        title=title,
        prose=prose,
        code=weigh(reading.code),
        words={term: max(title.get(term, 0.0), prose.get(term, 0.0) / 2) for term in {**title, **prose}},
        places=reading.places,
        modules=reading.modules,
        frames=reading.frames,
        title_names=reading.title_names,
        prose_names=reading.prose_names,
        code_names=reading.code_names,
    )
