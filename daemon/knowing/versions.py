"""The versions of a project's knowledge: what is shown, what was, and what people decide about it.

A version is the position of the event that began it. Going back is an event and so is going forward: nothing
is deleted. Refuses to go back further than the settings say: what was given then may be long untrue.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from navlog.daemon.injecting.memory import Folded
from navlog.daemon.journal import Journal
from navlog.daemon.knowing.judging import Judgements
from navlog.daemon.knowing.showing import Showing
from navlog.daemon.projects import Project
from navlog.projections.graph.tables import Row
from navlog.projections.knowledge import tables
from navlog.projections.knowledge.configuring import (
    Configuration,
    Judged,
    begun,
    configuration_of,
    of_session,
    of_variant,
)
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.envelope import draft
from navlog.schemas.errors import TimedOut, UsageError
from navlog.schemas.event import Event
from navlog.schemas.knowing import Difference, DocumentInfo
from navlog.schemas.knowledge import (
    CandidateJudged,
    KnowledgePinned,
    KnowledgeRolledBack,
)
from navlog.schemas.names import word
from navlog.schemas.sessions import InjectionGiven
from navlog.schemas.settings import Settings

SOURCE = "person"
SHOWN_S = 10.0


class Versions:
    """``exists``: whether a pointer of a project is in the graph; ``now`` is in seconds since the epoch."""

    def __init__(
        self,
        store: Store,
        events: Journal,
        knowledge: Projector,
        settings: Settings,
        exists: Callable[[str, str], bool],
        new_id: Callable[[], str],
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._events = events
        self._knowledge = knowledge
        self._settings = settings
        self._exists = exists
        self._new_id = new_id
        self._now = now
        self._begun: Folded[str | None] = Folded(events, (InjectionGiven.TYPE,), None, begun)
        self._judged = Judgements(events)
        self._showing = Showing(store, events, knowledge, self.running)

    def shown(self, project: str, document: str = "") -> list[DocumentInfo]:
        """What stands now; all documents, or one with its parts."""
        shown = self._showing.of(project)
        return [
            self._info(row, pinned=name in shown.pins)
            for name, row in sorted(shown.rows.items())
            if _is_of(name, document)
        ]

    def all(self, project: str, document: str) -> list[DocumentInfo]:
        """Every version of a document or of a file's parts; raises `UsageError` where there never was one."""
        with self._store.cursor() as db:
            rows = [row for row in tables.versions(db, project) if _is_of(row[1], document)]
        if not rows:
            raise UsageError(
                f"There is no document {document!r}.", hint="See which there are:  navlog knowledge list"
            )
        return [self._info(_whole(row), gone=row[13]) for row in rows]

    def _one(self, project: str, document: str) -> list[DocumentInfo]:
        """The versions of one document; raises `UsageError` for a file that is several."""
        found = self.all(project, document)
        if parts := sorted({one.document for one in found if one.document != document}):
            raise UsageError(
                f"{document} is {len(parts)} documents.", hint=f"Name one of them, for example  {parts[0]}"
            )
        return found

    def row(self, project: str, document: str, version: int) -> Row | None:
        """The row of exactly that version."""
        with self._store.cursor() as db:
            return db.execute(_ONE, [project, document, version]).fetchone()

    def stands_at(self, project: str) -> int:
        """The version that was rolled back to; 0 at the newest."""
        return self._showing.of(project).stands_at

    def newest(self, project: str) -> int:
        """The newest version there is; 0 before the first."""
        return self._showing.of(project).newest

    def diff(self, project: str, since: int, until: int) -> list[Difference]:
        """The documents that differ between two versions; raises `UsageError` for one still to come."""
        self._check_there(project, max(since, until))
        before, after = self._as_of(project, since), self._as_of(project, until)
        return [
            Difference(document=name, before=before.get(name), after=after.get(name))
            for name in sorted({*before, *after})
            if _said(before.get(name)) != _said(after.get(name))
        ]

    def pin(self, project: Project, document: str, version: int, why: str) -> int:
        """Keeps a document as of a version (0: the one that is shown); the position of the event."""
        known = self._one(project.id, document)
        shown = next(iter(self.shown(project.id, document)), None)
        wanted = version or (shown.version if shown else known[0].version)
        fitting = [one for one in known if one.version <= wanted and not one.gone]
        if not fitting:
            raise UsageError(
                f"{document} has no version {wanted} or older.",
                hint=f"See them:  navlog knowledge list {word(document)}",
            )
        return self._say(project.id, KnowledgePinned(document=document, version=fitting[0].version, why=why))

    def release(self, project: Project, document: str, why: str) -> int:
        """Lets a pinned document go on."""
        self._one(project.id, document)
        return self._say(project.id, KnowledgePinned(document=document, version=0, why=why))

    def roll_back(self, project: Project, version: int, why: str) -> int:
        """Back to a version of the last days, or (0) forward to the newest; the position of the event."""
        if version:
            self._check_age(project.id, version)
        return self._say(project.id, KnowledgeRolledBack(version=version, why=why))

    def judge(self, project: Project, why: str, *, promote: bool) -> int:
        """The trial of the settings' candidate is over; raises `UsageError` where there is none."""
        candidate = self._settings.candidate
        if not candidate.name:
            raise UsageError(
                "No candidate is on trial.", hint='Name one in the settings:  [candidate] name = "…"'
            )
        verdict = CandidateJudged(
            candidate=candidate.name, verdict="promoted" if promote else "dropped",
            configuration=configuration_of(candidate), why=why,
        )  # fmt: skip
        return self._say(project.id, verdict)

    def configuration(self, project: str, session: str) -> Configuration:
        """What a session of the project runs."""
        variant = self._begun.of(session)
        return of_session(self._settings, session, self.judged(project), variant)

    def running(self, project: str, variant: str = "") -> Configuration:
        """What a variant of the project runs; "" is what counts for everybody."""
        return of_variant(self._settings, variant, self.judged(project))

    def judged(self, project: str) -> Mapping[str, Judged]:
        """The candidates that were judged, in that order."""
        return self._judged.of(project)

    def _check_age(self, project: str, version: int) -> None:
        days = self._settings.knowledge.rollback_days
        with self._store.cursor() as db:
            row = db.execute(_AT, [project, version]).fetchone()
        self._check_there(project, version)
        if row is None or row[0] is None:
            raise UsageError(
                f"There was no knowledge at version {version} yet.",
                hint="See the versions:  navlog knowledge list",
            )
        oldest = datetime.fromtimestamp(self._now(), UTC) - timedelta(days=days)
        left_at = row[1]  # when the version after it came: until then this one stood
        if left_at is not None and datetime.fromisoformat(left_at) < oldest:
            raise UsageError(
                f"Version {version} ended more than {days:g} days ago.",
                hint="A newer one:  navlog knowledge list    (knowledge.rollback_days is the limit)",
            )

    def _check_there(self, project: str, version: int) -> None:
        """Raises `UsageError` for a version that is still to come."""
        if version > (newest := self.newest(project)):
            raise UsageError(
                f"There is no version {version} yet; the newest is {newest}.",
                hint="See the versions:  navlog knowledge list",
            )

    def _as_of(self, project: str, version: int) -> dict[str, DocumentInfo]:
        with self._store.cursor() as db:
            rows = db.execute(_AS_OF, [project, version or self.newest(project)]).fetchall()
        return {row[1]: self._info(_whole(row)) for row in rows if not row[13]}

    def _info(self, row: Row, *, pinned: bool = False, gone: bool = False) -> DocumentInfo:
        project, document, variant, version, kind, _, summariser, title, *elements, tokens, made_at = row
        pointer = elements[3]
        return DocumentInfo(
            document=document, kind=kind, version=version, made_at=made_at, title=title,
            summariser=summariser,
            core_problem=elements[0], key_constraint=elements[1], latest_decision=elements[2],
            entry_pointer=pointer, tokens=tokens, variant=variant, gone=gone, pinned=pinned,
            state="FRESH" if not pointer or self._exists(project, pointer) else "GONE",
        )  # fmt: skip

    def _say(self, project: str, event: Event) -> int:
        one = draft(event, project=project, source=SOURCE, id=self._new_id())
        position = self._events.append([one]).result().last
        if not self._knowledge.wait_for(position, SHOWN_S):
            raise TimedOut("It is in the log, but not in the tables yet.", hint="Look at:  navlog status")
        return position


_ONE = "SELECT * FROM summaries WHERE project = ? AND document = ? AND version = ? AND NOT gone LIMIT 1"
_AT = (
    "SELECT max(made_at) FILTER (version <= $2), min(made_at) FILTER (version > $2)"
    " FROM summaries WHERE project = $1"
)
_AS_OF = (
    "SELECT * FROM summaries WHERE project = ? AND version <= ? AND variant = ''"
    " QUALIFY row_number() OVER (PARTITION BY document ORDER BY version DESC) = 1 ORDER BY document"
)


def _is_of(name: str, document: str) -> bool:
    return not document or name == document or name.partition("#")[0] == document


def _whole(row: Row) -> Row:
    """A row of `summaries` as one of `knowledge`, which shows none that is gone."""
    return row[:13] + row[14:]


def _said(one: DocumentInfo | None) -> tuple[str, ...]:
    return (one.core_problem, one.key_constraint, one.latest_decision, one.entry_pointer) if one else ()
