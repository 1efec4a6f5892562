"""What people judge: each verb becomes an overlay in the log, and counts before the answer is given.

Names are understood here, against what is shown now; the log holds ids and paths. Refuses to write down what
means nothing: an unknown name is an error with the nearest ones.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.concepts import sharing
from navlog.projections.concepts.judgements import Judgement, active
from navlog.projections.concepts.saying import overlay_says
from navlog.projections.concepts.state import State
from navlog.projections.concepts.understanding import Said
from navlog.projections.projector import Projector
from navlog.schemas import overlays as o
from navlog.schemas.concept import Concept
from navlog.schemas.control import ProjectName
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import (
    ImportArgs,
    ImportReply,
    JudgeArgs,
    JudgementRow,
    JudgeReply,
    SharedJudgement,
    SharedReply,
)

SOURCE = "person"


class Judging:
    """``paths`` of a project; ``projector`` keeps the concepts; ``now`` is RFC 3339 in UTC."""

    def __init__(
        self,
        projects: Projects,
        paths: Callable[[Project], frozenset[str]],
        overlays: Journal,
        projector: Projector,
        state: Callable[[], State],
        now: Callable[[], str],
    ) -> None:
        self._projects = projects
        self._paths = paths
        self._overlays = overlays
        self._projector = projector
        self._state = state
        self._now = now

    def verbs(self) -> Verbs:
        """See `navlog.daemon.handlers`."""
        return {
            "overlay-list": Verb(self.listed, ProjectName),
            "overlay-export": Verb(self.export, ProjectName),
            "overlay-import": Verb(self.take, ImportArgs, looks=False),
        }

    def judge(self, args: JudgeArgs, trace: str, _report: Report) -> JudgeReply:
        """Writes the judgement down; raises `UsageError` for what means nothing."""
        project = self._projects.find(args.project)
        return JudgeReply(project=project.id, judgements=self._judge(project, args, trace))

    def judge_once(self, args: JudgeArgs, name: str, trace: str) -> list[JudgementRow]:
        """The same under a ``name``, by which it is known in this project: a second time nothing happens."""
        project = self._projects.find(args.project)
        if self._position_of(project, name):
            return []
        return self._judge(project, args, trace, name)

    def withdraw_named(self, project: Project, name: str, args: JudgeArgs, trace: str) -> list[JudgementRow]:
        """Takes back what was judged under ``name``, unless somebody did."""
        position = self._position_of(project, name)
        if position not in {one.position for one in self.judged(project)}:
            return []
        back = JudgeArgs(action="withdraw", project=project.id, position=position, who=args.who, why=args.why)
        return self._judge(project, back, trace)

    def says(self, project: Project, args: JudgeArgs) -> str:
        """What it would say, written down nowhere; raises `UsageError` like `judge`."""
        names = {concept.id: concept.label for concept in self.concepts(project)}
        return "; ".join(overlay_says(one, names) for one in self._said(project, args).overlays(0))

    def _said(self, project: Project, args: JudgeArgs) -> Said:
        if not args.who.strip():
            raise UsageError("Nobody is named who judges.", hint="Say who:  navlog overlay … --who NAME")
        return Said(args, self.concepts(project), self._paths(project), self._known(project))

    def _judge(self, project: Project, args: JudgeArgs, trace: str, name: str = "") -> list[JudgementRow]:
        said = self._said(project, args)
        made = said.overlays(self._projector.position.events)
        at = self._now()
        lines = [sharing.shared(one, at, said.withdraws) for one in made]
        drafts = [_draft(project, one, line, trace, name) for one, line in zip(made, lines, strict=True)]
        first = self._append(drafts)
        known = self._known(project)
        return [self._row(project, known[first + number]) for number in range(len(made))]

    def _position_of(self, project: Project, name: str) -> int:
        """Where the judgement of this name stands in the log of overlays; 0 for none."""
        found = self._overlays.find(_named(project, name))
        return found.position if found else 0

    def listed(self, args: ProjectName, _trace: str, _report: Report) -> list[JudgementRow]:
        """Every judgement, the oldest first, the withdrawn ones too."""
        project = self._projects.find(args.project)
        return [self._row(project, one) for one in self._known(project).values()]

    def export(self, args: ProjectName, _trace: str, _report: Report) -> SharedReply:
        """The judgements as lines for others."""
        project = self._projects.find(args.project)
        return SharedReply(project=project.id, judgements=sharing.export(self._known(project).values()))

    def take(self, args: ImportArgs, trace: str, _report: Report) -> ImportReply:
        """Others' judgements, each once; all or none."""
        project = self._projects.find(args.project)
        after = self._projector.position.events
        checked = [line for line, _ in sharing.read(args.judgements, after)]
        known = {line.id for line in sharing.export(self._known(project).values())}
        new = list({line.id: line for line in checked if line.id not in known}.values())
        plain = [line for line in new if not line.withdraws]
        self._append([_draft(project, sharing.overlay_of(one, after, {}), one, trace) for one in plain])
        positions = self._positions(project)
        backs = [line for line in new if line.withdraws in positions]
        self._append(
            [_draft(project, sharing.overlay_of(one, after, positions), one, trace) for one in backs]
        )
        return ImportReply(
            project=project.id,
            taken=len(plain) + len(backs),
            known=len(args.judgements) - len(plain) - len(backs),
            elsewhere=sum(self._is_elsewhere(project, one) for one in plain),
        )

    def refresh(self) -> None:
        """What is in the logs is in the concepts when this returns."""
        self._projector.catch_up(self._projector.goal)

    def concepts(self, project: Project) -> tuple[Concept, ...]:
        """As they stand, rejected ones too."""
        known = self._state().get(project.id)
        return known.concepts if known else ()

    def rows_of(self, project: Project, concept: str) -> Sequence[JudgementRow]:
        """What people said of one concept."""
        return [
            self._row(project, one)
            for one in self._known(project).values()
            if concept in msgspec.to_builtins(one.overlay).values()
        ]

    def judged(self, project: Project) -> list[Judgement]:
        """The judgements that count."""
        return active(self._known(project).values())

    # --- helpers ----------------------------------------------------------------------------------------

    def _known(self, project: Project) -> Mapping[int, Judgement]:
        known = self._state().get(project.id)
        return dict(known.judgements) if known else {}

    def _append(self, drafts: Sequence[Draft]) -> int:
        """The first position; everybody sees it when this returns."""
        if not drafts:
            return 0
        first = self._overlays.append(drafts).result().first
        self.refresh()
        return first

    def _positions(self, project: Project) -> dict[str, int]:
        """Of the judgements that can be taken back, by the ids of their lines."""
        return {
            sharing.shared(one.overlay, one.at).id: one.position
            for one in self._known(project).values()
            if not isinstance(one.overlay, o.OverlayWithdrawn)
        }

    def _is_elsewhere(self, project: Project, line: SharedJudgement) -> bool:
        here = {id_ for one in self.concepts(project) for id_ in (one.id, *one.merged)}
        named = [value for value in line.data.values() if str(value).startswith("concept:")]
        paths = [line.data["path"]] if "path" in line.data else line.data.get("paths", [])
        return any(name not in here for name in named) or any(p not in self._paths(project) for p in paths)

    def _row(self, project: Project, one: Judgement) -> JudgementRow:
        known = self._known(project)
        counts = {judgement.position for judgement in active(known.values())}
        names = {concept.id: concept.label for concept in self.concepts(project)}
        data = msgspec.to_builtins(one.overlay)
        return JudgementRow(
            position=one.position,
            id=one.id,
            at=one.at,
            who=one.overlay.who,
            why=one.overlay.why,
            type=one.overlay.TYPE,
            says=overlay_says(one.overlay, names),
            withdrawn=one.position not in counts and not isinstance(one.overlay, o.OverlayWithdrawn),
            data={name: value for name, value in data.items() if name not in ("who", "why")},
        )


def _draft(project: Project, overlay: o.Overlay, line: SharedJudgement, trace: str, name: str = "") -> Draft:
    return draft(
        overlay,
        project=project.id,
        source=SOURCE,
        id=_named(project, name or line.id),
        occurred_at=line.at,
        trace=trace,
    )


def _named(project: Project, name: str) -> str:
    return f"overlay:{project.id}:{name}"
