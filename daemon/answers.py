"""`context`: what a task needs to know, from the views, checked against the disk at the moment of answering.

Looks and records nothing. It refuses to guess about freshness: what could not be awaited in time is said.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

from navlog.daemon.extract import decode, search_of
from navlog.daemon.listener import Listener
from navlog.daemon.listener.paths import blob_id, read_inside
from navlog.daemon.projects import Project, Projects
from navlog.daemon.recorder.recorder import Recorder
from navlog.projections.choosing import Memo
from navlog.projections.concepts import ConceptsView
from navlog.projections.concepts.routing import also_called, named, of_hits
from navlog.projections.packing import Look, pack
from navlog.projections.projector import Projector
from navlog.projections.ranking import parse, rank
from navlog.projections.ranking.query import Query
from navlog.projections.sessions.past import Past
from navlog.projections.sessions.telling import brief
from navlog.projections.tokens import count_tokens
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.errors import UsageError
from navlog.schemas.settings import Settings
from navlog.schemas.wire import ContextArgs, ContextReply, Item, State

# Contents without a secret that are remembered where their outlines do not say it: a megabyte.
CLEAN = 8192
# Contents of which it is remembered where words stand, and words of one: some 250 bytes a word, 8 MB at most.
MEMOS, MEMO_WORDS = 512, 64
TASKS = 3


class Answers:
    """``redact`` takes secrets out of text from the disk; ``now`` is in seconds since the epoch."""

    def __init__(
        self,
        projects: Projects,
        views: Mapping[str, ProjectView],
        past: Past,
        listener: Listener,
        recorder: Recorder,
        projector: Projector,
        settings: Settings,
        concepts: ConceptsView,
        *,
        redact: Callable[[str], str],
        now: Callable[[], float],
    ) -> None:
        self._projects = projects
        self._views = views
        self._past = past
        self._listener = listener
        self._recorder = recorder
        self._projector = projector
        self._settings = settings
        self._concepts = concepts
        self._redact = redact
        self._search = search_of(settings.security)
        self._clean: set[str] = set()
        self._memos: dict[str, Memo] = {}
        self._now = now

    def context(self, args: ContextArgs, trace: str, patience_s: float | None = None) -> ContextReply:
        """The answer to a task; raises `UnknownProject` and, for an empty task, `UsageError`.

        ``patience_s`` bounds each wait for the newest writes, where the settings are more patient.
        """
        began = perf_counter()
        if not args.task.strip():
            raise UsageError("The task is empty.", hint='Say it in words:  navlog context "…"')
        answer = self._settings.answer
        limit = args.limit or answer.files
        project = self._projects.find(args.project)
        stale = self.freshen(project, patience_s)
        view = self.view(project)
        query = parse(args.task, also_called(self._concepts.concepts_of(project.id), args.task))
        with view.lock:
            ranked = rank(view, query, limit)
            files = {hit.path: view.files[hit.path] for hit in ranked}
            position = self._projector.position.events
        items, tokens = pack(
            ranked,
            files,
            query.words,
            look=lambda file: self._look(project, file),
            count=count_tokens,
            limit=limit,
            budget=args.budget or answer.budget,
            now=self._now(),
        )
        concepts = of_hits(self._concepts, project.id, [hit.path for hit in ranked])
        return ContextReply(
            position=position,
            project=project.id,
            trace=trace,
            elapsed_ms=round((perf_counter() - began) * 1000, 2),
            tokens=tokens,
            stale=stale,
            items=items,
            tasks=self._tasks(project, query, items, [one.id for one, _ in concepts]),
            concepts=[dict(named(one, hit)) for one, hit in concepts],
        )

    def _tasks(
        self, project: Project, query: Query, items: Sequence[Item], concepts: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Past tasks that say something of this one."""
        paths = [item.path for item in items]
        found = self._past.related(project.id, query.words, paths, concepts=concepts, limit=TASKS)
        return [brief(one) for one in found]

    def view(self, project: Project) -> ProjectView:
        """What the project is answered from; an empty one while nothing is known of it."""
        return self._views.get(project.id) or ProjectView()

    def freshen(self, project: Project, patience_s: float | None = None) -> str:
        """Waits a little for every write that ended before the question; says what may be missing."""
        answer = self._settings.answer
        most = math.inf if patience_s is None else patience_s
        first_s, fresh_s = min(answer.first_s, most), min(answer.fresh_s, most)
        looked = self._recorder.wait_for_first(project.id, first_s)
        unheard = self._listener.drain(project.id)
        settled = self._recorder.settle(project.id, fresh_s)
        progress = self._recorder.progress(project.id)
        if not looked:
            missing = f"the project has not been looked at as a whole yet; files so far: {progress.files:,}"
        elif settled is None or not self._projector.wait_for(settled, fresh_s):
            missing = "the newest writes are not in the answer yet"
        elif progress.pending:
            missing = f"files known by name only yet: {progress.pending:,}"
        else:
            missing = unheard
        fault = self._recorder.faults().get(project.id)
        return "; ".join(filter(None, (missing, fault.reason if fault else "")))

    def _look(self, project: Project, file: FileView) -> Look:
        found = read_inside(project.root, file.path, self._settings.extract.file_bytes)
        if found.absent:
            return Look("GONE", "")
        if found.data is None:
            return Look("STALE", "")
        content = blob_id(found.data)
        state: State = "FRESH" if content == file.content else "STALE"
        known = state == "FRESH" and self._search != "" and file.clean == self._search
        return Look(state, self._shown(content, found.data, known), self._memo(content))

    def _memo(self, content: str) -> Memo:
        """What was looked for in a content before; forgotten when it is much."""
        memo = self._memos.get(content)
        if memo is None or len(memo) > MEMO_WORDS:
            if len(self._memos) >= MEMOS:
                self._memos.clear()
            memo = self._memos[content] = {}
        return memo

    def _shown(self, content: str, data: bytes, known: bool) -> str:
        """The text without its secrets; one ``known`` to hold none, or found so before, is not searched."""
        decoded = decode(data)
        if decoded is None or known or content in self._clean:
            return decoded.text if decoded else ""
        text = self._redact(decoded.text)
        if text == decoded.text:
            if len(self._clean) >= CLEAN:
                self._clean.clear()
            self._clean.add(content)
        return text
