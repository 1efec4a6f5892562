"""The recorder on real folders and real git, with a journal that only remembers."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count
from pathlib import Path

import pytest

from navlog.daemon.listener.hints import Hint
from navlog.daemon.listener.paths import blob_id
from navlog.daemon.recorder import outlining
from navlog.daemon.recorder.plan import Known
from navlog.daemon.recorder.recorder import Recorder, merged
from navlog.daemon.recorder.worktree import Said
from navlog.schemas.errors import Degraded
from navlog.schemas.events import FileSkipped
from navlog.schemas.settings import Settings
from support.recording import Echo, Memory, faults, git, settle


@pytest.fixture
def journal() -> Memory:
    return Memory()


@pytest.fixture
def recorder(journal: Memory) -> Iterator[Recorder]:
    ids = count(1)
    made = Recorder(journal, Echo(), "echo-1", Settings(), new_id=lambda: f"id-{next(ids)}", now_ns=lambda: 0)
    yield made
    made.close()


def test_a_first_look_says_every_file_and_then_that_it_ended(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "b.py").write_text("b = 1\n")
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    assert [file["path"] for file in journal.said("file_observed")] == ["a.py", "b.py"]
    (end,) = journal.said("scan_completed")
    assert end["files"] == 2
    assert recorder.progress("p").looked


def test_what_the_log_knows_already_is_not_said_again(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    file = tmp_path / "a.py"
    file.write_text("a = 1\n")
    stat = file.stat()
    known = Known(blob_id(b"a = 1\n"), stat.st_size, stat.st_mtime_ns)
    recorder.add("p", tmp_path, Said({"a.py": known, "gone.py": known}))
    settle(recorder)
    assert journal.types.count("file_observed") == 0
    # One path vanished and none appeared: it is removed, not moved.
    assert [gone["path"] for gone in journal.said("file_removed")] == ["gone.py"]


def test_what_is_outlined_already_is_not_outlined_again(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "b.py").write_text("b = 1\n")
    recorder.add("p", tmp_path, Said(outlined={blob_id(b"a = 1\n"): "python"}))
    with journal.appended:
        assert journal.appended.wait_for(lambda: "outline_recorded" in journal.types, 5)
    assert [outline["path"] for outline in journal.said("outline_recorded")] == ["b.py"]


def test_edit_wait_revert_is_exactly_one_event_per_distinct_content(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    file = tmp_path / "a.py"
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    contents = [b"one\n", b"one\n", b"two\n", b"one\n"]
    for content in contents:
        file.write_bytes(content)
        recorder.hint(Hint(project="p", changed=frozenset({"a.py"})))
        settle(recorder)
    observed = [said["content"] for said in journal.said("file_observed")]
    assert observed == [blob_id(b"one\n"), blob_id(b"two\n"), blob_id(b"one\n")]
    # The outline of a content is made once, however often it comes back.
    assert len(journal.said("outline_recorded")) == 2


def test_deleted_files_are_gone_in_one_batch(recorder: Recorder, journal: Memory, tmp_path: Path) -> None:
    names = [f"f{number}.py" for number in range(5)]
    for name in names:
        (tmp_path / name).write_text(name)
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    for name in names:
        (tmp_path / name).unlink()
    recorder.hint(Hint(project="p", changed=frozenset(names)))
    settle(recorder)
    assert [draft.type for draft in journal.batches[-1]] == ["file_removed"] * 5


def test_a_head_move_is_one_batch_with_its_commits_and_files(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    assert journal.types.index("commit_recorded") < journal.types.index("head_moved")
    (tmp_path / "a.py").write_text("two\n")
    (tmp_path / "b.py").write_text("new\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "second")
    recorder.hint(Hint(project="p", changed=frozenset({"a.py", "b.py"}), head=True))
    settle(recorder)
    batch = next(batch for batch in journal.batches[-4:] if len(batch) > 1)
    assert [draft.type for draft in batch] == [
        "head_moved", "commit_recorded", "file_observed", "file_observed",
    ]  # fmt: skip
    assert journal.said("head_moved")[-1]["commit"] == git(tmp_path, "rev-parse", "HEAD")


def test_a_commit_is_named_by_git_so_saying_it_twice_is_once(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    ids = [draft.id for batch in journal.batches for draft in batch if draft.type == "commit_recorded"]
    assert ids == [f"commit:p:{git(tmp_path, 'rev-parse', 'HEAD')}"]


def test_a_refused_batch_is_said_when_the_journal_takes_it_again(
    recorder: Recorder, journal: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.daemon.recorder.recorder.RETRY_S", (0.0,))
    (tmp_path / "a.py").write_text("a = 1\n")
    journal.refusals = 2
    recorder.add("p", tmp_path, Said())
    with journal.appended:
        assert journal.appended.wait_for(lambda: "scan_completed" in journal.types, 5)
    assert len(journal.said("file_observed")) == 1
    settle(recorder)
    assert faults(recorder) == {}


def test_an_outline_for_want_of_a_worker_is_pending_with_the_reason_until_there_is_one(
    journal: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.daemon.recorder.outlining.AGAIN_S", (0.0,))
    workers = Workers()
    recorder = Recorder(journal, workers, "echo-1", Settings(), new_id=lambda: "id", now_ns=lambda: 0)
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    (tmp_path / "a.py").write_text("a = 1\n")
    recorder.hint(Hint(project="p", changed=frozenset({"a.py"})))
    assert workers.asked.wait(5)
    assert recorder.progress("p").pending == 1
    assert faults(recorder) == {"p": "No worker can be started."}
    workers.there = True
    settle(recorder)
    assert faults(recorder) == {}
    assert journal.types[-1] == "outline_recorded"
    recorder.close()


class Workers(Echo):
    """None can be started until they are ``there``."""

    def __init__(self) -> None:
        self.there = False
        self.asked = threading.Event()
        self._refused = 0

    def submit(self, path: str, data: bytes) -> Future[bytes]:
        if self.there:
            return super().submit(path, data)
        self._refused += 1
        if self._refused > 1:
            self.asked.set()
        refused: Future[bytes] = Future()
        refused.set_exception(Degraded("No worker can be started."))
        return refused


def test_an_outline_the_disk_refused_is_pending_until_it_is_taken(
    recorder: Recorder, journal: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.daemon.recorder.outlining.AGAIN_S", (0.0,))
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    (tmp_path / "a.py").write_text("a = 1\n")
    journal.refusals, journal.spared = 3, "file_observed"
    recorder.hint(Hint(project="p", changed=frozenset({"a.py"})))
    with journal.appended:
        assert journal.appended.wait_for(lambda: "outline_recorded" in journal.types, 5)
    assert journal.refusals == 0


def test_a_fifo_and_a_link_out_of_the_root_are_skipped_and_said(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "passwd").symlink_to("/etc/passwd")
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    skipped = {said["path"]: said["reason"] for said in journal.said("file_skipped")}
    assert skipped == {"pipe": "fifo", "passwd": "link"}
    assert journal.said("file_observed") == []


def test_a_removed_project_is_not_looked_at_again(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    recorder.remove("p")
    before = len(journal.batches)
    (tmp_path / "a.py").write_text("a")
    recorder.hint(Hint(project="p", changed=frozenset({"a.py"})))
    settle(recorder)
    assert len(journal.batches) == before


def test_two_hints_become_one_that_asks_for_both() -> None:
    one = Hint(project="p", changed=frozenset("a"), moved=(("a", "b"),))
    two = Hint(project="p", changed=frozenset("c"), rescan=True, why="overflow", head=True)
    both = merged(one, two)
    assert both == Hint(
        project="p", changed=frozenset("ac"), rescan=True, why="overflow", head=True, moved=(("a", "b"),)
    )


def test_a_skip_once_said_is_known_after_a_restart(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    (tmp_path / "passwd").symlink_to("/etc/passwd")
    recorder.add("p", tmp_path, Said({"passwd": FileSkipped(path="passwd", reason="link")}))
    settle(recorder)
    assert journal.batches == []


@pytest.mark.parametrize("names", [("a.py", "b.txt"), ("a.txt", "b.py")])
def test_bytes_under_two_suffixes_are_read_in_the_language_that_comes_first(
    recorder: Recorder, journal: Memory, tmp_path: Path, names: tuple[str, str]
) -> None:
    recorder.add("p", tmp_path, Said())
    settle(recorder)
    for name in (*names, *names):
        (tmp_path / name).write_text("def one(): ...\n")
        recorder.hint(Hint(project="p", changed=frozenset({name})))
        settle(recorder)
    assert journal.said("outline_recorded")[-1]["language"] == "python"
    assert len(journal.said("outline_recorded")) == 1 + (names[0] == "a.txt")


def test_a_text_outline_made_after_a_restart_does_not_stay_behind_the_one_with_symbols(
    journal: Memory, tmp_path: Path
) -> None:
    text = "def one(): ...\n"

    def run(name: str) -> None:
        """A run of the daemon that sees the text under this name alone."""
        ids = count(len(journal.ids))
        recorder = Recorder(
            journal, Echo(), "echo-1", Settings(), new_id=lambda: f"id-{next(ids)}", now_ns=lambda: 0,
            recorded=lambda _: str(journal.said("outline_recorded")[-1]["language"]),
        )  # fmt: skip
        recorder.add("p", tmp_path, Said())
        settle(recorder)
        (tmp_path / name).write_text(text)
        recorder.hint(Hint(project="p", changed=frozenset({name})))
        settle(recorder)
        (tmp_path / name).unlink()
        recorder.close()

    for name in ("a.py", "b.txt", "c.py", "d.py"):
        run(name)
    languages = [outline["language"] for outline in journal.said("outline_recorded")]
    assert languages == ["python", "text", "python"]


def test_of_outlines_only_those_of_contents_that_files_have_are_remembered(
    journal: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Counted(Echo):
        def submit(self, path: str, data: bytes) -> "Future[bytes]":
            made.append(f"{path} {data.decode()}")
            return super().submit(path, data)

    monkeypatch.setattr(outlining, "MEMORY", 3)
    ids = count(1)
    recorder = Recorder(
        journal, Counted(), "echo-1", Settings(), new_id=lambda: f"id-{next(ids)}", now_ns=lambda: 0
    )

    def save(path: str, text: str) -> None:
        (tmp_path / path).write_text(text)
        recorder.hint(Hint(project="p", changed=frozenset({path})))
        settle(recorder)

    recorder.add("p", tmp_path, Said())
    save("kept.py", "kept")
    for number in range(40):
        save("edited.py", str(number))
    events = len(journal.said("outline_recorded"))
    save("edited.py", "0")
    save("copy.txt", "kept")
    recorder.close()
    assert made[-1] == "edited.py 0"  # made again, and in the log already; what is still there was not
    assert made.count("edited.py 0") == 2
    assert len(journal.said("outline_recorded")) == events == 41


def test_a_path_that_was_named_is_read_in_a_whole_look_though_its_stat_is_the_same(
    recorder: Recorder, journal: Memory, tmp_path: Path
) -> None:
    file = tmp_path / "a.py"
    file.write_text("one\n")
    stat = file.stat()
    known = Known(blob_id(b"two\n"), stat.st_size, stat.st_mtime_ns, looked_ns=stat.st_mtime_ns + 10**10)
    recorder.add("p", tmp_path, Said({"a.py": known}))
    settle(recorder)
    assert not journal.said("file_observed")
    recorder.hint(Hint(project="p", changed=frozenset({"a.py"}), rescan=True))
    settle(recorder)
    assert [said["content"] for said in journal.said("file_observed")] == [blob_id(b"one\n")]
