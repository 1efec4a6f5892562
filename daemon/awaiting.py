"""What agents propose waits for a person: accepted it is an overlay like any other, rejected it moves
nothing.

Both stand in the log, so a proposal is judged once, and an agent that repeats itself is told what was said.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.daemon.judging import Judging
from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.concepts.proposals import OPEN, PREFIX, Proposal, Verdict, proposals, wanted
from navlog.schemas.concept import Evidence
from navlog.schemas.control import ProjectName
from navlog.schemas.envelope import draft
from navlog.schemas.errors import UsageError
from navlog.schemas.event import Event
from navlog.schemas.meaning import Candidate, JudgeArgs, JudgementRow, JudgeReply, ProposalRow
from navlog.schemas.sessions import JudgementProposed, ProposalJudged

SOURCE = "person"
_BOTH = Item(types=(JudgementProposed.TYPE, ProposalJudged.TYPE))
_VERDICTS: Mapping[str, Verdict] = {"accept": "accepted", "reject": "rejected", "reopen": OPEN}
_REOPEN = "navlog overlay reopen"


class Awaiting:
    """``judging`` makes the overlays; ``new_id`` names what is written."""

    def __init__(
        self, projects: Projects, events: Journal, judging: Judging, new_id: Callable[[], str]
    ) -> None:
        self._projects = projects
        self._events = events
        self._judging = judging
        self._new_id = new_id

    def verbs(self) -> Verbs:
        """See `navlog.daemon.handlers`."""
        return {
            "overlay": Verb(self.judge, JudgeArgs, looks=False),
            "overlay-proposals": Verb(self.listed, ProjectName),
        }

    def propose(self, project: Project, said: JudgementProposed, trace: str) -> None:
        """Keeps what an agent would judge; raises `UsageError` for what means nothing or was said before."""
        self._judging.says(project, wanted(said, project.id, said.host))
        for one in self._all(project).values():
            if (one.said.overlay, one.said.fields) == (said.overlay, said.fields):
                raise UsageError(
                    f"That was proposed before, as {one.said.proposal}; it is {one.verdict}.",
                    hint="A person decides." if one.verdict == OPEN else f"{one.who} decided.",
                )
        self._append(project, said, f"mcp:{said.host}", _id(said), trace)

    def judge(self, args: JudgeArgs, trace: str, report: Report) -> JudgeReply:
        """A judgement on a proposal, or any other."""
        verdict = _VERDICTS.get(args.action)
        if verdict is None or not (args.target.startswith(PREFIX) or verdict == OPEN):
            return self._judging.judge(args, trace, report)
        project = self._projects.find(args.project)
        one = self._named(project, args.target)
        if verdict == one.verdict or OPEN not in (verdict, one.verdict):
            raise UsageError(
                f"{one.target} is {one.verdict} already.", hint=f"Take it back:  {_REOPEN} {one.target}"
            )
        says = f"{verdict}: {self._says(project, one)}"
        made = self._moved(project, one, verdict, args, trace)
        event = ProposalJudged(proposal=one.said.proposal, verdict=verdict, who=args.who, why=args.why)
        self._append(project, event, SOURCE, self._new_id(), trace, cause=_id(one.said))
        return JudgeReply(project=project.id, judgements=made, says=says)

    def listed(self, args: ProjectName, _trace: str, _report: Report) -> list[ProposalRow]:
        """Every proposal, the oldest first, the judged ones too."""
        project = self._projects.find(args.project)
        return [self._row(project, one) for one in self._all(project).values()]

    def candidates(self, project: Project) -> Iterator[Candidate]:
        """The open ones that mean something as things are."""
        for one in self._all(project).values():
            if one.verdict == OPEN and not self._fault(project, one):
                yield Candidate(
                    id=one.target, concept=one.target, says=self._says(project, one), confidence=1.0,
                    evidence=[Evidence(one.said.why)], by=one.said.host,
                )  # fmt: skip

    # --- helpers ----------------------------------------------------------------------------------------

    def _moved(
        self, project: Project, one: Proposal, verdict: Verdict, args: JudgeArgs, trace: str
    ) -> list[JudgementRow]:
        """The judgements that the verdict makes: its own, or the withdrawal of it; none for a rejection."""
        if verdict == "accepted":
            asked = replace(wanted(one.said, project.id, args.who), why=args.why or one.said.why)
            return self._judging.judge_once(asked, f"{one.target}@{one.judged}", trace)
        if one.verdict == "accepted":
            return self._judging.withdraw_named(project, f"{one.target}@{one.judged - 1}", args, trace)
        return []

    def _all(self, project: Project) -> dict[str, Proposal]:
        return proposals(one for one in self._events.select((_BOTH,)) if one.project == project.id)

    def _named(self, project: Project, target: str) -> Proposal:
        """By its id or the beginning of it; raises `UsageError` with those that wait."""
        known = self._all(project)
        found = [one for id_, one in known.items() if id_.startswith(target.removeprefix(PREFIX))]
        if len(found) == 1:
            return found[0]
        near = ", ".join(one.target for one in known.values() if one.verdict == OPEN)
        raise UsageError(
            f"{len(found)} proposals begin with {target!r}." if found else f"There is no {target!r}.",
            hint=f"Waiting: {near}" if near else "No proposal waits:  navlog overlay list --proposals",
        )

    def _row(self, project: Project, one: Proposal) -> ProposalRow:
        return ProposalRow(
            target=one.target, at=one.at, host=one.said.host, says=self._says(project, one),
            why=one.said.why, verdict=one.verdict, who=one.who,
            fault=self._fault(project, one) if one.verdict == OPEN else "",
        )  # fmt: skip

    def _says(self, project: Project, one: Proposal) -> str:
        """In the words of a judgement where it can be understood, else in its own."""
        try:
            return self._judging.says(project, wanted(one.said, project.id, one.said.host))
        except UsageError:
            fields = ", ".join(f"{name} {text}" for name, text in sorted(one.said.fields.items()))
            return f"{one.said.overlay}: {fields}"

    def _fault(self, project: Project, one: Proposal) -> str:
        try:
            self._judging.says(project, wanted(one.said, project.id, one.said.host))
        except UsageError as fault:
            return fault.message
        return ""

    def _append(
        self, project: Project, event: Event, source: str, name: str, trace: str, cause: str | None = None
    ) -> None:
        one = draft(event, project=project.id, source=source, id=name, trace=trace, cause=cause)
        self._events.append([one]).result()


def _id(said: JudgementProposed) -> str:
    return f"proposal:{said.proposal}"
