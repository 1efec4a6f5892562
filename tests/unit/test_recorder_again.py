"""What the recorder missed it makes up for: failed looks, untold histories, files that came back."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import count
from pathlib import Path

import pytest

from navlog.daemon.journal import Receipt
from navlog.daemon.listener.hints import Hint
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.recorder.worktree import Said
from navlog.schemas.envelope import Draft
from navlog.schemas.settings import Settings
from support.recording import Echo, Memory, faults, git, settle


@pytest.fixture
def journal() -> Memory:
    return Memory()


@pytest.fixture
def recorder(journal: Memory) -> Iterator[Recorder]:
    made = recording(journal)
    yield made
    made.close()


def recording(journal: Memory) -> Recorder:
    ids = map(str, count())
    return Recorder(journal, Echo(), "echo-1", Settings(), new_id=ids.__next__, now_ns=lambda: 0)


def test_a_history_git_could_not_tell_is_told_by_the_next_look(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    (tmp_path / "a.py").write_text("a = 1\n")
    git(tmp_path, "add", "a.py")
    git(tmp_path, "commit", "-q", "-m", "second")
    tree = git(tmp_path, "rev-parse", "HEAD^{tree}")
    there, away = tmp_path / ".git/objects" / tree[:2] / tree[2:], tmp_path / ".git/away"
    there.rename(away)
    recorder.hint(Hint(project="p", rescan=True, head=True))
    settle(recorder)
    assert [file["path"] for file in journal.said("file_observed")] == ["a.py"]
    assert faults(recorder)["p"].startswith("git log failed")
    assert recorder.faults()["p"].hint == f"Look at it: git -C {tmp_path} fsck"
    away.rename(there)
    recorder.hint(Hint(project="p", rescan=True, head=True))
    settle(recorder)
    assert [commit["subject"] for commit in journal.said("commit_recorded")] == ["first", "second"]
    assert journal.said("head_moved")[-1]["commit"] == git(tmp_path, "rev-parse", "HEAD")
    assert faults(recorder) == {}


@pytest.fixture
def patient(recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """It has looked everywhere, and tries nothing again by itself."""
    monkeypatch.setattr("navlog.daemon.recorder.recorder.RETRY_S", (3600.0,))
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    return recorder


def saved(recorder: Recorder, root: Path, name: str) -> None:
    (root / name).write_text("a = 1\n")
    recorder.hint(Hint(project="p", changed=frozenset({name})))
    settle(recorder)


def test_what_a_look_failed_at_is_part_of_the_next_look_at_the_project(
    patient: Recorder, journal: Memory, tmp_path: Path
) -> None:
    journal.refusals = 1
    saved(patient, tmp_path, "a.py")
    assert faults(patient) == {"p": "The disk is full."}
    saved(patient, tmp_path, "b.py")
    assert [file["path"] for file in journal.said("file_observed")] == ["a.py", "b.py"]
    assert faults(patient) == {}


def test_looks_that_fail_again_and_again_take_no_thread_each(
    patient: Recorder, journal: Memory, tmp_path: Path
) -> None:
    before, journal.refusals = threading.active_count(), 20
    for _ in range(20):
        saved(patient, tmp_path, "a.py")
    assert threading.active_count() == before


class Switching(Memory):
    """While an observation is written down, git takes the file away, as it does in the midst of a rebase."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root
        self.switches = True

    def append(self, drafts: Sequence[Draft], *, unhurried: bool = False) -> Future[Receipt]:
        if self.switches and any(draft.type == "file_observed" for draft in drafts):
            (self.root / "a.py").unlink()
        return super().append(drafts, unhurried=unhurried)


def test_a_file_that_was_away_when_its_outline_was_due_gets_it_when_it_is_back(tmp_path: Path) -> None:
    journal = Switching(tmp_path)
    recorder = recording(journal)
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    saved(recorder, tmp_path, "a.py")
    assert "outline_recorded" not in journal.types
    saved(recorder, tmp_path, "a.py")  # there again before anybody looked
    assert journal.types.count("file_observed") == 1
    assert journal.types.count("outline_recorded") == 1
    recorder.close()


def test_a_file_under_a_name_of_another_language_is_outlined_in_that(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("a = 1\n")
    recorder.add("p", tmp_path, Said())
    with journal.appended:
        assert journal.appended.wait_for(lambda: "outline_recorded" in journal.types, 5)
    (tmp_path / "a.txt").rename(tmp_path / "a.py")
    recorder.hint(Hint(project="p", changed=frozenset({"a.txt", "a.py"}), moved=(("a.txt", "a.py"),)))
    settle(recorder)
    assert [move["path"] for move in journal.said("file_moved")] == ["a.py"]
    assert [outline["language"] for outline in journal.said("outline_recorded")] == ["text", "python"]
