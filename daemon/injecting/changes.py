"""The source of what changed lately: reads the queue and the kept texts, `changing` chooses and words them.

It takes what is there by the time of the question and waits for no record that is still being formed.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence

from navlog.daemon.answers import Answers
from navlog.daemon.embedding.thresholds import Thresholds
from navlog.daemon.hosts.heard import Ask
from navlog.daemon.projects import Projects
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.injecting.block import Found
from navlog.projections.injecting.changing import pieces, relevant, speaks
from navlog.projections.msu.projection import MsuProjection
from navlog.projections.msu.queue import KEPT, Hot, MsuQueue
from navlog.projections.store import Store
from navlog.projections.tokens import count_tokens
from navlog.schemas.sessions import Moment
from navlog.schemas.settings import Inject

LOOKED_AT = 3  # times as many records as are given: an older one may turn out to say nothing of the prompt
MINUTE_S = 60.0


class Changed:
    """See `navlog.daemon.injecting.sources.Source`. ``projection`` and ``queue`` give those that stand now.

    ``tuned`` gives a session's settings; ``now`` is in seconds since the epoch.
    """

    name = "changes"
    moments: frozenset[Moment] = frozenset(("prompt", "asked"))

    def __init__(
        self,
        projection: Callable[[], MsuProjection],
        queue: Callable[[], MsuQueue],
        thresholds: Thresholds,
        answers: Answers,
        projects: Projects,
        store: Store,
        tuned: Callable[[str, str], Inject],
        now: Callable[[], float],
    ) -> None:
        self._projection = projection
        self._queue = queue
        self._thresholds = thresholds
        self._answers = answers
        self._projects = projects
        self._store = store
        self._tuned = tuned
        self._now = now
        self._embedder = HashingEmbedder()  # the one the queue's vectors are of

    def share(self, settings: Inject) -> float:
        """See `Source`."""
        return settings.msu_share

    def version(self, project: str) -> Hashable:
        """Another one with every record, every change of a file, every calibration, and every minute."""
        view = self._answers.view(self._projects.find(project))
        least = self._thresholds.of(project, self._embedder)
        return self._queue().state(project), view.changes, least, self._now() // MINUTE_S

    def offer(self, ask: Ask, project: str) -> Sequence[Found]:
        """See `Source`."""
        settings = self._tuned(project, ask.session)
        chosen, texts = self._chosen(ask.task, project, settings)
        files = self._answers.view(self._projects.find(project)).files

        def content(path: str) -> str:
            return file.content if (file := files.get(path)) else ""

        room = int(settings.cap * settings.msu_share)
        records = [one.entry for one in chosen[: settings.msus]]
        return pieces(records, texts, content, room, count_tokens)

    def _chosen(self, task: str, project: str, settings: Inject) -> tuple[list[Hot], Mapping[str, str]]:
        queue, now = self._queue(), self._now()
        recent = {one.position for one in queue.recent(project, now, settings.recent_s)}
        near = queue.near(project, self._embedder.embed([task])[0], now, KEPT)
        least = self._thresholds.of(project, self._embedder)
        found = relevant(near, recent, task, least)[: LOOKED_AT * settings.msus]
        texts = self._texts(project, found)
        return [one for one in found if one.entry.position in recent or speaks(one, task, texts)], texts

    def _texts(self, project: str, found: Sequence[Hot]) -> Mapping[str, str]:
        """Those of this machine's records stand in the tables, those of others came with them."""
        members = [member for one in found for member in (*one.entry.msu.core, *one.entry.msu.radius)]
        if not members:
            return {}
        hashes = {member.text for member in members if member.text}
        with self._store.cursor() as db:
            return {**self._queue().texts(project, hashes), **self._projection().texts(db, hashes)}
