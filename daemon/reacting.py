"""Threads that act on what a projection shows: they append events, and so are off while one is replayed."""

import threading
from collections.abc import Callable, Mapping

import structlog

from navlog.daemon.journal import Journal
from navlog.projections.concepts.state import State
from navlog.schemas.concepts import ConceptMoved
from navlog.schemas.envelope import draft

SOURCE = "concepts"
log = structlog.get_logger()


class Reactor:
    """Calls ``react`` in a thread of its own once for any number of `tell`; faults are logged, not raised."""

    def __init__(self, name: str, react: Callable[[], None]) -> None:
        self._react = react
        self._told = threading.Event()
        self._ending = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """From now on `tell` counts, those before too."""
        self._thread.start()

    def tell(self) -> None:
        """Something changed; returns at once."""
        self._told.set()

    def close(self) -> None:
        """Ends after what is under way."""
        self._ending = True
        self._told.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while self._told.wait():
            self._told.clear()
            if self._ending:
                return
            try:
                self._react()
            except Exception as fault:  # noqa: BLE001 - the next change tries again
                log.warning("reaction_failed", reactor=self._thread.name, fault=str(fault))


def say_moves(events: Journal, moved: Mapping[str, list[tuple[str, str]]], state: State) -> None:
    """An event for each identity that moved: judgements on a concept follow its files.

    The id counts the moves of the project, so that a crash between saying and reading says it once.
    """
    drafts = [
        draft(
            ConceptMoved(previous=previous, concept=concept),
            project=project,
            source=SOURCE,
            id=f"concept-moved:{project}:{len(state[project].moved)}:{previous}",
        )
        for project, pairs in moved.items()
        for previous, concept in pairs
    ]
    if drafts:
        events.append(drafts).result()
