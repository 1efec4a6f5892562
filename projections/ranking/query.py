"""A task as the ranker asks it: the parts of its text, each with its weighted terms."""

from collections.abc import Mapping
from typing import NamedTuple

from navlog.projections.ranking.reading import Place, read
from navlog.projections.ranking.words import weigh


class Query(NamedTuple):
    """``subject`` is the first line; ``title``, ``prose`` and ``code`` weigh the terms of a part."""

    subject: str
    title: Mapping[str, float]
    prose: Mapping[str, float]
    code: Mapping[str, float]
    places: tuple[Place, ...]
    modules: tuple[str, ...]
    frames: tuple[str, ...]
    title_names: tuple[str, ...]
    prose_names: tuple[str, ...]
    code_names: tuple[str, ...]

    @property
    def words(self) -> Mapping[str, float]:
        """All terms of what was said, the title's counting full and the body's half."""
        return {
            term: max(self.title.get(term, 0.0), self.prose.get(term, 0.0) / 2)
            for term in {**self.title, **self.prose}
        }


def parse(task: str) -> Query:
    """The query of a task's text; an empty text gives an empty query."""
    reading = read(task)
    return Query(
        subject=task.strip().partition("\n")[0],
        title=weigh(reading.title),
        prose=weigh(reading.prose),
        code=weigh(reading.code),
        places=reading.places,
        modules=reading.modules,
        frames=reading.frames,
        title_names=reading.title_names,
        prose_names=reading.prose_names,
        code_names=reading.code_names,
    )
