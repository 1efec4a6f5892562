"""The keeper: what happened is on its pages, and equal logs give equal bytes."""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from navlog.daemon.journal import Item
from navlog.daemon.vault.folder import VaultFolder
from navlog.daemon.vault.keeper import Keeper, Written
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.pages import Vault
from navlog.projections.projector import Projector
from navlog.projections.sessions.projection import SessionsProjection
from navlog.projections.vault.reading import Reader, Sources
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Record
from navlog.schemas.errors import Degraded, UsageError
from navlog.schemas.events import (
    CommitFile,
    CommitRecorded,
    FileMoved,
    FileRemoved,
    ProjectRemoved,
    ScanCompleted,
)
from support.graph import REGISTERED, ListLog, World, edits, observed, outlined


class Selecting(ListLog):
    def select(self, items: Sequence[Item], after: int = 0) -> Iterator[Record]:
        return (
            one
            for one in islice(self.records, after, None)
            if any(item.matches(one.type, ()) for item in items)
        )


class Kept:
    """A world with a vault; `bytes` are all files of it."""

    def __init__(self, home: Path, log: ListLog | None = None, files: int = 100) -> None:
        self.log = Selecting()
        self.log.records = log.records if log else []
        self.home = home
        self.files = files
        self.world = World(home / "data", self.log)
        self.open()

    def open(self) -> None:
        graph = self.world.graph
        views: dict[str, ProjectView] = graph.views
        sources = Sources(self.world.store, lambda: graph.projects, views)
        roots = lambda: [Path(header.root) for header in graph.projects.values()]  # noqa: E731
        logs: Any = (self.log, ListLog())
        beside = (
            Projector(one, self.world.store, {"events": self.log})
            for one in (SessionsProjection(), KnowledgeProjection())
        )
        projectors = self.projectors = [self.world.projector, *beside]
        self.keeper = Keeper(
            VaultFolder(self.home / "vault"), Vault(), Reader(sources, self.files), logs, projectors, roots
        )

    def write(self) -> Written:
        self.world.run()
        for one in self.projectors:
            one.catch_up(self.log.position)
        return self.keeper.write()

    def again(self) -> None:
        """Everything derived is lost, and comes back."""
        self.world.store.close()
        for part in ("data", "vault"):
            shutil.rmtree(self.home / part)
        (self.home / "data/derived").mkdir(parents=True)
        self.world = World(self.home / "data", self.log)
        self.open()

    @property
    def bytes(self) -> dict[str, bytes]:
        root = self.home / "vault"
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }

    def page(self, path: str) -> str:
        return (self.home / "vault" / path).read_text()


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    (tmp_path / "data/derived").mkdir(parents=True)
    made = Kept(tmp_path)
    made.log.add(
        REGISTERED,
        observed("a.py", "import b"),
        outlined("import b"),
        observed("b.py", "def go"),
        outlined("def go"),
    )
    made.log.add(ScanCompleted(why="start", files=2))
    return made


def test_no_page_is_taken_away_while_the_tables_come_back(kept: Kept) -> None:
    """At a start without derived files everything is unknown at first, and the vault would be empty."""
    kept.write()
    before = kept.bytes
    kept.world.store.close()
    shutil.rmtree(kept.home / "data")
    (kept.home / "data/derived").mkdir(parents=True)
    kept.world = World(kept.home / "data", kept.log)
    kept.open()
    kept.keeper.start()
    with pytest.raises(Degraded, match="come back from the log"):
        kept.keeper.write()
    assert kept.bytes == before
    kept.keeper.stop()
    assert (kept.write().removed, kept.bytes) == (0, before)


def test_a_file_that_is_used_has_a_page_that_names_its_user(kept: Kept) -> None:
    kept.write()
    page = kept.page("Files/p/b.py (p).md")
    assert "## Used by\n\n- " in page
    assert "a.py" in page
    assert "| 1 | `go` | function |" in page


def test_an_unchanged_vault_is_not_written(kept: Kept) -> None:
    first = kept.write()
    assert first.written == first.pages > 0
    second = kept.write()
    assert (second.pages, second.written, second.removed) == (first.pages, 0, 0)


def test_nothing_is_lately_before_anything_happened(kept: Kept) -> None:
    kept.write()
    assert "Nothing has happened since the first look." in kept.page("Projects/p.md")


def test_a_save_is_on_its_pages(kept: Kept) -> None:
    kept.write()
    kept.log.add(observed("b.py", "def gone_on", 2), outlined("def gone_on"))
    done = kept.write()
    assert "`gone_on`" in kept.page("Files/p/b.py (p).md")
    assert "changed: [[Files/p/b.py (p)" in kept.page("Home.md")
    assert done.written < done.pages


def test_a_move_keeps_links_whole_by_its_old_page_and_an_alias(kept: Kept) -> None:
    kept.write()
    kept.log.add(FileMoved(previous="b.py", path="c.py"), FileMoved(previous="c.py", path="d.py"))
    kept.write()
    assert "now called [[Files/p/d.py (p)|d.py]]" in kept.page("Files/p/b.py (p).md")
    assert '"b.py"' in kept.page("Files/p/d.py (p).md")
    kept.log.add(FileMoved(previous="d.py", path="b.py"))
    kept.write()
    assert "now called" not in kept.page("Files/p/b.py (p).md")


def test_commits_are_told_without_merges_under_the_names_files_have_now(kept: Kept) -> None:
    kept.log.add(
        CommitRecorded(
            commit="1",
            parents=[],
            committed_at="2026-01-01T10:00:00+02:00",
            author="Ada",
            subject="Old",
            files=[CommitFile("old.py", "A")],
        ),
        CommitRecorded(
            commit="2",
            parents=["1"],
            committed_at="2026-01-02T10:00:00+02:00",
            author="Ada",
            subject="Renamed",
            files=[CommitFile("b.py", "R", "old.py")],
        ),
        CommitRecorded(
            commit="3",
            parents=["1", "2"],
            committed_at="2026-01-03T10:00:00+02:00",
            author="Ada",
            subject="Both",
        ),
    )
    kept.write()
    page = kept.page("Files/p/b.py (p).md")
    assert "| 2026-01-02 08:00 UTC | Renamed | Ada |\n| 2026-01-01 08:00 UTC | Old | Ada |" in page
    assert "Both" not in kept.page("Home.md")


def test_a_project_that_is_registered_again_is_the_same_and_a_removed_one_begins_anew(kept: Kept) -> None:
    kept.log.add(FileMoved(path="c.py", previous="b.py"))
    kept.write()
    moved = "Files/p/b.py (p).md"
    assert "This file is now called" in kept.page(moved)
    kept.log.add(REGISTERED)
    kept.write()
    assert "This file is now called" in kept.page(moved)
    kept.log.add(ProjectRemoved(), REGISTERED)
    kept.write()
    assert not (kept.home / "vault" / moved).exists()


def test_what_is_gone_has_no_page_and_no_folder(kept: Kept) -> None:
    kept.write()
    mine = kept.home / "vault/Files/p/mine.md"
    mine.write_text("mine")
    kept.log.add(FileRemoved(path="b.py"))
    kept.write()
    assert not (kept.home / "vault/Files/p/b.py (p).md").exists()
    kept.log.add(ProjectRemoved())
    kept.write()
    assert [path.name for path in (kept.home / "vault/Files").rglob("*.md")] == ["mine.md"]


def test_a_place_that_a_person_has_taken_is_said_and_left(kept: Kept) -> None:
    (kept.home / "vault").mkdir()
    (kept.home / "vault/Home.md").write_text("my home")
    assert kept.write().theirs == ("Home.md",)
    assert kept.page("Home.md") == "my home"
    (kept.home / "vault/Home.md").unlink()
    assert kept.write().theirs == ()


def test_a_vault_around_a_project_is_refused(kept: Kept) -> None:
    kept.log.add(REGISTERED.__class__(root=str(kept.home / "vault/p"), name="q", kind="folder"), project="q")
    with pytest.raises(Degraded, match="holds the project"):
        kept.write()
    assert not (kept.home / "vault").exists()


def test_without_a_folder_there_is_none(kept: Kept) -> None:
    kept.keeper.folder = None
    with pytest.raises(UsageError, match="no vault"):
        kept.write()


@pytest.mark.parametrize("seed", range(3))
def test_pass_by_pass_at_once_and_after_the_loss_of_everything_the_bytes_are_the_same(
    tmp_path: Path, seed: int
) -> None:
    log = edits(120, seed)
    homes = [tmp_path / name for name in ("live", "once")]
    for home in homes:
        (home / "data/derived").mkdir(parents=True)
    live = Kept(homes[0])
    for record in log.records:
        live.log.records.append(record)
        if record.position % 7 == 0:
            live.world.run()
            live.keeper._pass(whole=not live.keeper.position)
    live.world.run()
    live.keeper._pass(whole=False)
    once = Kept(homes[1], log)
    once.write()
    assert live.bytes == once.bytes
    digest, before = live.keeper.digest(), live.bytes
    live.again()
    live.write()
    assert live.bytes == before
    assert live.keeper.digest() == digest == once.keeper.digest()
    assert len(hashlib.sha256(b"".join(before.values())).hexdigest()) == 64


def test_only_so_many_files_have_pages_and_the_others_stand_in_tables(tmp_path: Path) -> None:
    (tmp_path / "data/derived").mkdir(parents=True)
    kept = Kept(tmp_path, files=2)
    kept.log.add(REGISTERED)
    for number in range(6):
        text = f"import m{number + 1}"
        kept.log.add(observed(f"m{number}.py", text), outlined(text))
    kept.write()
    names = sorted(path.name for path in (tmp_path / "vault/Files/p").iterdir())
    assert names == ["Folder (p).md", "m1.py (p).md", "m2.py (p).md"]
    assert all(f"m{number}.py" in kept.page("Files/p/Folder (p).md") for number in range(6))
