"""Every version stays; what is shown is a pin, a rollback or the newest."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from navlog.projections.knowledge import tables
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.projector import Projector
from navlog.projections.replay import replay
from navlog.projections.store import Store
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.knowledge import (
    CandidateJudged,
    CitationChecked,
    CommentRecorded,
    IssueRecorded,
    IssuesFetched,
    KnowledgePinned,
    KnowledgeRolledBack,
    SummaryDropped,
    SummaryMade,
    SummaryRefused,
)
from support.graph import LIMITS, ListLog


class Shelf:
    def __init__(self, home: Path) -> None:
        self.log = ListLog()
        self.store = Store(home, LIMITS)
        self.projector = Projector(KnowledgeProjection(), self.store, {"events": self.log})

    def made(self, document: str, said: str, variant: str = "", source: str = "", by: str = "x") -> int:
        event = SummaryMade(
            document=document, kind="rules", source=source or said, summariser=by, core_problem=said,
            variant=variant,
        )  # fmt: skip
        return self.log.add(event)

    def shown(self, variant: str = "", by: str = "", size: int = 100) -> dict[str, str]:
        while self.projector.position.events < self.log.position:
            self.projector.catch_up(min(self.log.position, self.projector.position.events + size))
        with self.store.cursor() as db:
            return {row[1]: row[8] for row in tables.shown(db, "p", variant, by)}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    one = Shelf(tmp_path / "h")
    yield one
    one.store.close()


def test_the_newest_version_is_shown(shelf: Shelf) -> None:
    shelf.made("a", "1")
    shelf.made("a", "2")
    assert shelf.shown() == {"a": "2"}


def test_back_to_a_version_and_forward_again(shelf: Shelf) -> None:
    before = shelf.made("a", "1")
    shelf.made("b", "1")
    shelf.made("a", "2")
    shelf.log.add(KnowledgeRolledBack(version=before))
    assert shelf.shown() == {"a": "1"}
    shelf.made("a", "3")
    assert shelf.shown() == {"a": "1"}, "what is made meanwhile waits"
    shelf.log.add(KnowledgeRolledBack(version=0))
    assert shelf.shown() == {"a": "3", "b": "1"}


def test_a_pinned_document_stays_and_others_go_on(shelf: Shelf) -> None:
    first = shelf.made("a", "1")
    shelf.made("b", "1")
    shelf.log.add(KnowledgePinned(document="a", version=first))
    shelf.made("a", "2")
    shelf.made("b", "2")
    assert shelf.shown() == {"a": "1", "b": "2"}
    shelf.log.add(KnowledgePinned(document="a", version=0))
    assert shelf.shown() == {"a": "2", "b": "2"}


def test_a_document_that_is_gone_comes_back_with_a_rollback(shelf: Shelf) -> None:
    before = shelf.made("a", "1")
    shelf.log.add(SummaryDropped(document="a"))
    assert shelf.shown() == {}
    shelf.log.add(KnowledgeRolledBack(version=before))
    assert shelf.shown() == {"a": "1"}


def test_a_candidate_sees_its_own_where_it_has_one(shelf: Shelf) -> None:
    shelf.made("a", "base", source="1")
    shelf.made("b", "base", source="1")
    shelf.made("a", "tried", variant="c", source="1", by="command:x")
    assert shelf.shown() == {"a": "base", "b": "base"}
    assert shelf.shown("c", "command") == {"a": "tried", "b": "base"}


def test_a_candidate_is_not_given_what_a_text_said_before_it_changed(shelf: Shelf) -> None:
    before = shelf.made("a", "base", source="1")
    shelf.made("a", "tried", variant="c", source="1", by="command:x")
    shelf.made("a", "base 2", source="2")
    assert shelf.shown("c", "command") == {"a": "base 2"}
    shelf.made("a", "tried 2", variant="c", source="2", by="command:x")
    assert shelf.shown("c", "command") == {"a": "tried 2"}
    shelf.log.add(KnowledgeRolledBack(version=before))
    assert shelf.shown("c", "command") == {"a": "tried"}
    shelf.log.add(KnowledgeRolledBack(version=0), SummaryDropped(document="a"))
    assert shelf.shown("c", "command") == {}


def test_a_candidate_may_try_the_rules_where_a_model_is_set(shelf: Shelf) -> None:
    shelf.made("a", "by rules", source="1", by="extractive-2")
    shelf.made("a", "by a model", source="1", by="endpoint:m")
    assert shelf.shown() == {"a": "by a model"}
    assert shelf.shown("", "extractive") == {"a": "by rules"}


def test_a_removed_project_leaves_nothing(shelf: Shelf) -> None:
    shelf.made("a", "1")
    shelf.log.add(ProjectRemoved())
    assert shelf.shown() == {}
    assert rows(shelf, "summaries") == 0


def every_kind(shelf: Shelf) -> None:
    shelf.made("a", "1")
    shelf.log.add(
        IssueRecorded(tracker="t", issue="1", title="x", state="open", labels=["a", "b"]),
        CommentRecorded(tracker="t", issue="1", comment="2", body="y"),
        IssueRecorded(tracker="t", issue="1", title="z", state="closed"),
        IssuesFetched(tracker="t", page="issues", etag="e"),
        SummaryRefused(document="a", source="1", summariser="m", faults=["f"]),
        KnowledgePinned(document="a", version=1),
        KnowledgeRolledBack(version=1),
        CandidateJudged(candidate="c", verdict="dropped"),
        CitationChecked(session="s", mode="must", used=["a"], quoted=[]),
    )
    shelf.made("a", "2")


def test_batches_of_any_size_and_a_replay_give_the_same_tables(tmp_path: Path) -> None:
    digests = set()
    for size in (1, 3, 100):
        shelf = Shelf(tmp_path / str(size))
        every_kind(shelf)
        shelf.shown(size=size)
        digests.add(shelf.projector.digest())
        digests.add(replay(shelf.projector).digest)
        shelf.store.close()
    assert len(digests) == 1


def test_what_is_said_again_of_an_issue_takes_its_place(shelf: Shelf) -> None:
    every_kind(shelf)
    shelf.shown()
    with shelf.store.cursor() as db:
        [issue], [talk] = tables.recent_issues(db, "p", 10)
    assert (issue[3], issue[4]) == ("z", "closed")
    assert talk[:4] == ("t", "1", 1, "y")


def test_readers_are_told_of_every_change_and_after_a_replay(shelf: Shelf) -> None:
    projection = shelf.projector.projection
    assert isinstance(projection, KnowledgeProjection)
    counts = projection.changes
    shelf.made("a", "1")
    shelf.shown()
    before = counts["p"]
    replay(shelf.projector)
    assert 0 < before < counts["p"]


def rows(shelf: Shelf, table: str) -> Any:
    with shelf.store.cursor() as db:
        found = db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    return found and found[0]
