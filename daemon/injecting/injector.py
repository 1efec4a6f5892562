"""Gives a session what it needs at a moment: asks the sources, chooses, fences, records, then replies.

Never raises and never waits past ``until``: a source that is too slow is left out, its offer is kept for the
next time. What cannot be recorded is not given.
"""

import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_all
from contextvars import copy_context
from functools import partial
from threading import Lock
from typing import NamedTuple

import structlog

from navlog.daemon.hosts.heard import Ask
from navlog.daemon.injecting.memory import Memory
from navlog.daemon.injecting.recording import Recording
from navlog.daemon.injecting.sources import Source
from navlog.daemon.projects import Projects
from navlog.projections.injecting.block import Found, Limit, title_of, within
from navlog.projections.injecting.degrading import paths_only
from navlog.projections.injecting.knowing import Known
from navlog.projections.injecting.limits import limit_of
from navlog.projections.injecting.sharing import Offer, share
from navlog.projections.sessions.prompting import says_a_task
from navlog.projections.tokens import count_tokens
from navlog.schemas.errors import NavlogError
from navlog.schemas.sessions import InjectionGiven
from navlog.schemas.settings import Inject

# Kept back from the time there is, for choosing, the fsync and the way back.
MARGIN_S = 0.03
OFFERS = 256
THREADS = 4
log = structlog.get_logger()


Gather = Callable[[Inject], tuple[list[Offer], list[str]]]
Measured = Callable[[InjectionGiven, str, float], None]


class Chosen(NamedTuple):
    """``why``: what is missing, and why."""

    found: list[Found]
    block: str
    why: str


class Injector:
    """See `navlog.daemon.hosts.heard.Injector`. ``position``: of the tables the sources answer from.

    ``variant`` names the candidate configuration that a session runs, if any, and ``tuned`` gives its
    settings; ``degraded`` says why it is given paths only, "" for everything. ``measured`` is told each
    injection with its project and seconds once it is in the log.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        projects: Projects,
        recording: Recording,
        memory: Memory,
        settings: Inject,
        *,
        position: Callable[[], int],
        redact: Callable[[str], str],
        variant: Callable[[str, str], str] = lambda _project, _session: "",
        tuned: Callable[[str, str], Inject] | None = None,
        degraded: Callable[[str], str] = lambda _session: "",
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
        monotonic: Callable[[], float] = time.monotonic,
        measured: Measured = lambda _event, _project, _seconds: None,
    ) -> None:
        self._sources = sources
        self._projects = projects
        self._recording = recording
        self._memory = memory
        self._tuned = tuned or (lambda _project, _session: settings)
        self._position = position
        self._redact = redact
        self._variant = variant
        self._degraded = degraded
        self._new_id = new_id
        self._monotonic = monotonic
        self._measured = measured
        self._kept = _Kept(settings.keep_s, monotonic)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="inject")

    def close(self) -> None:
        """Waits for nothing."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def give(self, ask: Ask, project: str, trace: str, until: float) -> str:
        """The block, "" for nothing; the log has it before this returns. Never raises."""
        try:
            return self._give(ask, project, trace, until)
        except NavlogError as fault:
            log.warning("injection_failed", fault=str(fault))
        except Exception:
            log.exception("injection_failed")
        return ""

    def unheard(self, session: str, project: str, trace: str) -> None:
        """See `navlog.daemon.hosts.heard.Injector`."""
        self._recording.unheard(session, project, trace)

    def tell(self, ask: Ask, project: str, trace: str, found: Sequence[Found]) -> str:
        """What somebody asked for by a tool, as a block, recorded; raises what the journal raises."""
        offers = [Offer(1.0, [self._without_secrets(one) for one in found])]
        return self._told(ask, project, trace, lambda _settings: (offers, []), Known())

    def _give(self, ask: Ask, project: str, trace: str, until: float) -> str:
        if not any(ask.moment in source.moments for source in self._sources):
            return ""  # nothing is ever given then: that is no event
        known = Known() if ask.moment == "compact" else self._memory.of(ask.session)
        gather = partial(self._offers, ask, project, until - MARGIN_S)
        return self._told(ask, project, trace, gather, known, until)

    def _told(
        self, ask: Ask, project: str, trace: str, gather: Gather, known: Known, until: float = math.inf
    ) -> str:
        began, injection, position = self._monotonic(), self._new_id(), self._position()
        if ask.moment == "prompt" and not says_a_task(ask.task):
            chosen = Chosen([], "", "nothing needed")
        else:
            settings = self._tuned(project, ask.session)
            offers, missing = gather(settings)
            if ask.moment != "asked" and (why := self._degraded(ask.session)):
                offers, missing = paths_only(offers), [*missing, f"paths only: {why}"]
            title = title_of(self._projects.find(project).name, position)
            chosen = self._choose(
                limit_of(ask.host, settings), title, injection, offers, missing, known, settings.target
            )
        variant = self._variant(project, ask.session)
        event = self._recording.given(
            ask, injection, position, chosen.found, chosen.block, chosen.why, variant
        )
        self._recording.append(event, chosen.found, project, trace)
        if chosen.block and self._monotonic() > until:
            event = self._recording.came_late(event, project, trace)
        self._measured(event, project, self._monotonic() - began)
        return chosen.block if event.pieces else ""

    def _choose(
        self,
        limit: Limit,
        title: str,
        injection: str,
        offers: Sequence[Offer],
        missing: Sequence[str],
        known: Known,
        target: int,
    ) -> Chosen:
        budget, frame = limit.tokens, self._frame(limit)
        shared = share(offers, known, budget - frame, min(budget, target) - frame, count_tokens)
        found, block = within(shared.chosen, title, injection, limit, count_tokens)
        cut = shared.cut + len(shared.chosen) - len(found)
        why = list(missing)
        why += [f"known: {shared.known}"] if shared.known else []
        why += [f"over the budget: {cut}"] if cut else []
        return Chosen(found, block, "; ".join(why) or ("" if found else "nothing found"))

    @staticmethod
    def _frame(limit: Limit) -> int:
        """What the fence and the headers cost at most."""
        return min(200, limit.tokens // 4)

    def _offers(
        self, ask: Ask, project: str, until: float, settings: Inject
    ) -> tuple[list[Offer], list[str]]:
        """What the sources of this moment have, in their order; and which of them were too slow for it."""
        asked = [source for source in self._sources if ask.moment in source.moments]
        futures = [  # each with a context of its own: its lines in the daemon's log bear the trace
            self._pool.submit(copy_context().run, self._offer, source, ask, project) for source in asked
        ]
        done, _ = wait_all(futures, timeout=max(0.0, until - self._monotonic()))
        offers = [
            Offer(source.share(settings), _result(future, source.name))
            for source, future in zip(asked, futures, strict=True)
            if future in done
        ]
        late = [one.name for one, future in zip(asked, futures, strict=True) if future not in done]
        return offers, [f"out of time: {name}" for name in late]

    def _offer(self, source: Source, ask: Ask, project: str) -> Sequence[Found]:
        key = (ask.session, source.name, project, " ".join(ask.task.split()))
        version = source.version(project)
        kept = self._kept.get(key, version)
        if kept is None:
            kept = [self._without_secrets(found) for found in source.offer(ask, project)]
            self._kept.put(key, version, kept)
        return kept

    def _without_secrets(self, found: Found) -> Found:
        """Before it is hashed: a hash names what is kept."""
        text, pointer, reason = map(self._redact, (found.text, found.pointer, found.reason))
        return found._replace(text=text, pointer=pointer, reason=reason)


class _Kept:
    """Offers by session, source and topic, for a while, as long as nothing they stand on changes."""

    def __init__(self, keep_s: float, monotonic: Callable[[], float]) -> None:
        self._keep_s = keep_s
        self._monotonic = monotonic
        self._offers: OrderedDict[Hashable, tuple[float, Hashable, Sequence[Found]]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, version: Hashable) -> Sequence[Found] | None:
        """What was offered then, if it would be offered again."""
        with self._lock:
            until, then, found = self._offers.get(key, (0.0, None, ()))
            return found if then == version and self._monotonic() < until else None

    def put(self, key: Hashable, version: Hashable, found: Sequence[Found]) -> None:
        """The oldest give way."""
        with self._lock:
            self._offers[key] = (self._monotonic() + self._keep_s, version, found)
            self._offers.move_to_end(key)
            while len(self._offers) > OFFERS:
                self._offers.popitem(last=False)


def _result(future: Future[Sequence[Found]], name: str) -> Sequence[Found]:
    try:
        return future.result()
    except Exception:
        log.exception("source_failed", source=name)
        return ()
