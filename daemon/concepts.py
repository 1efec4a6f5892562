"""`concept list`, `concept show`, and what is still to be judged.

Looks, and changes nothing unless somebody says that the provider is to be asked.
"""

from collections.abc import Callable, Iterator

from navlog.daemon.awaiting import Awaiting
from navlog.daemon.judging import Judging
from navlog.daemon.projects import Project, Projects
from navlog.daemon.proposing import Proposing
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.concepts.claiming import claim_id
from navlog.projections.concepts.saying import concept_says, relation_says
from navlog.projections.concepts.state import State
from navlog.projections.concepts.targets import concept_named
from navlog.schemas.concept import Concept, Evidence
from navlog.schemas.concepts import ConceptProviderFailed
from navlog.schemas.control import ProjectName
from navlog.schemas.errors import Degraded
from navlog.schemas.meaning import (
    Candidate,
    CandidatesArgs,
    CandidatesReply,
    ConceptArgs,
    ConceptReply,
    ConceptsArgs,
    ConceptsReply,
)


class Concepts:
    """``freshen`` waits for the newest writes; ``position``: the event the concepts are computed from."""

    def __init__(
        self,
        projects: Projects,
        freshen: Callable[[Project], str],
        judging: Judging,
        awaiting: Awaiting,
        proposing: Proposing,
        state: Callable[[], State],
        position: Callable[[], int],
    ) -> None:
        self._projects = projects
        self._freshen = freshen
        self._judging = judging
        self._awaiting = awaiting
        self._proposing = proposing
        self._state = state
        self._position = position

    def verbs(self) -> Verbs:
        """See `navlog.daemon.handlers`."""
        return {
            "concept-list": Verb(self.listed, ConceptsArgs),
            "concept-show": Verb(self.show, ConceptArgs),
            "concept-propose": Verb(self.propose, ProjectName, looks=False, timeout_s=None),
            "overlay-candidates": Verb(self.candidates, CandidatesArgs),
        }

    def listed(self, args: ConceptsArgs, _trace: str, _report: Report) -> ConceptsReply:
        """Every concept that is shown; with ``all`` the rejected ones too."""
        project = self._projects.find(args.project)
        known = self._judging.concepts(project)
        return ConceptsReply(
            position=self._position(),
            project=project.id,
            concepts=[one for one in known if args.all or one.shown],
        )

    def show(self, args: ConceptArgs, _trace: str, _report: Report) -> ConceptReply:
        """One concept; raises `UsageError` with the nearest names."""
        project = self._projects.find(args.project)
        known = self._judging.concepts(project)
        one = concept_named(known, args.concept)
        linked = {link.concept for link in one.relations}
        return ConceptReply(
            position=self._position(),
            project=project.id,
            concept=one,
            labels={other.id: other.label for other in known if other.id in linked},
            judgements=list(self._judging.rows_of(project, one.id)),
        )

    def propose(self, args: ProjectName, _trace: str, _report: Report) -> ConceptsReply:
        """Asks the provider now; raises `Degraded` when it fails."""
        project = self._projects.find(args.project)
        said = self._proposing.ask(project.id, self._state()[project.id])
        if isinstance(said, ConceptProviderFailed):
            raise Degraded(f"{said.provider} gave no answer: {said.why}", hint="docs/settings.md, [concepts]")
        self._judging.refresh()
        return self.listed(ConceptsArgs(project=project.id), _trace, _report)

    def candidates(self, args: CandidatesArgs, _trace: str, _report: Report) -> CandidatesReply:
        """What nobody judged yet, and first of all what agents propose."""
        project = self._projects.find(args.project)
        shown = [one for one in self._judging.concepts(project) if one.shown]
        if args.concept:
            shown = [concept_named(shown, args.concept)]
        names = {one.id: one.label for one in self._judging.concepts(project)}
        by_relation = args.relations or bool(args.concept)
        found = (
            one for each in shown for one in (_relations(each, names) if by_relation else _concept(each))
        )
        waiting = () if by_relation else self._awaiting.candidates(project)
        return CandidatesReply(project=project.id, candidates=[*waiting, *found])


def _concept(one: Concept) -> Iterator[Candidate]:
    if one.status == "found":
        yield Candidate(
            id=one.id, concept=one.id, says=concept_says(one), confidence=one.confidence,
            evidence=list(one.evidence),
        )  # fmt: skip


def _relations(one: Concept, names: dict[str, str]) -> Iterator[Candidate]:
    ends: list[tuple[str, str, float, list[Evidence], str]] = [
        *(
            (claim.relation, claim.path, claim.confidence, list(claim.evidence), claim.status)
            for claim in one.files
        ),
        *(
            (link.relation, link.concept, link.confidence, list(link.evidence), link.status)
            for link in one.relations
        ),
    ]
    for relation, other, confidence, evidence, status in ends:
        if status == "found":
            yield Candidate(
                id=claim_id(one.id, relation, other), concept=one.id,
                says=relation_says(names, one.id, relation, other), confidence=confidence,
                evidence=evidence, relation=relation, other=other,
            )  # fmt: skip
