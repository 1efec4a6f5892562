"""What the concepts' fold remembers between batches, per project; a cache of its tables and of the views."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from navlog.projections.concepts.facts import Facts, Seen
from navlog.projections.concepts.finding import Finding
from navlog.projections.concepts.judgements import Judgement, Move
from navlog.projections.concepts.moving import Lost
from navlog.schemas.concept import Concept
from navlog.schemas.concepts import ConceptsProposed
from navlog.schemas.errors import Internal


@dataclass
class Project:
    """``name`` is None while the project is not registered: what people said of it is kept all the same.

    ``files`` and ``moved``: paths and concepts that moved, in the order of the log. ``found`` are the main
    files of what the rules find, ``lost`` those of what they found before. ``failed``: provider -> why its
    last question had no answer. ``seen`` is the last look; ``facts`` and ``finding`` are None until somebody
    asks after a start.
    """

    name: str | None = None
    judgements: dict[int, Judgement] = field(default_factory=dict)
    files: list[Move] = field(default_factory=list)
    moved: list[Move] = field(default_factory=list)
    proposals: dict[str, ConceptsProposed] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    found: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lost: Lost = field(default_factory=dict)
    concepts: tuple[Concept, ...] = ()
    seen: dict[str, Seen] = field(default_factory=dict)
    facts: Facts | None = None
    finding: Finding | None = None

    @property
    def looked(self) -> tuple[Finding, Facts]:
        """What was found in what; raises `Internal` before the first look."""
        if self.finding is None or self.facts is None:
            raise Internal("The project's concepts were asked for before its files were looked at.")
        return self.finding, self.facts

    def leave(self) -> None:
        """The project is registered no more."""
        self.name, self.facts, self.finding = None, None, None
        self.seen, self.found, self.lost, self.concepts = {}, {}, {}, ()


State = dict[str, Project]


class Shown:
    """The concepts of every project as others read them: whole tuples change hands, so no reader waits."""

    def __init__(self) -> None:
        self._concepts: dict[str, tuple[Concept, ...]] = {}
        self._by_file: dict[str, Mapping[str, tuple[Concept, ...]]] = {}

    def concepts_of(self, project: str) -> tuple[Concept, ...]:
        """See `ConceptsView`."""
        return self._concepts.get(project, ())

    def of_file(self, project: str, path: str) -> tuple[Concept, ...]:
        """See `ConceptsView`."""
        return self._by_file.get(project, {}).get(path, ())

    def put(self, project: str, concepts: tuple[Concept, ...]) -> None:
        """These are the project's concepts from now on."""
        self._by_file[project] = _by_file(concepts)
        self._concepts[project] = concepts

    def replace(self, state: State) -> None:
        """Shows what ``state`` knows."""
        for project in {*self._concepts, *state}:
            self.put(project, state[project].concepts if project in state else ())


def _by_file(concepts: tuple[Concept, ...]) -> dict[str, tuple[Concept, ...]]:
    """The most telling first: the concept the file is a main one of, then the narrowest."""
    found: dict[str, dict[str, tuple[float, int]]] = {}
    known = {one.id: one for one in concepts if one.shown}
    for one in known.values():
        for claim in one.files:
            here = found.setdefault(claim.path, {})
            weight = claim.confidence * (2.0 if claim.relation == "implemented_by" else 1.0)
            here[one.id] = min((-weight, len(one.files)), here.get(one.id, (0.0, 0)))
    return {
        path: tuple(known[id_] for id_ in sorted(weighed, key=lambda id_: (weighed[id_], id_)))
        for path, weighed in found.items()
    }
