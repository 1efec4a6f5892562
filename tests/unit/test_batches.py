"""What git does at a stroke is one batch: real listener, recorder and git, a journal that remembers.

benchmarks/listening.py does the same with 5,000 files and 50 commits through a daemon.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from navlog.daemon.listener import Listener
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.recorder.worktree import Said
from navlog.schemas.settings import Settings
from support.listening import commit, make_repository, run_git, write
from support.recording import Echo, Memory

FILES = 600
COMMITS = 12


@pytest.fixture
def journal() -> Memory:
    return Memory()


@pytest.fixture
def recorder(journal: Memory) -> Iterator[Recorder]:
    ids = count(1)
    made = Recorder(journal, Echo(), "echo-1", Settings(), new_id=lambda: f"id-{next(ids)}", now_ns=lambda: 0)
    yield made
    made.close()


@pytest.fixture
def listener(recorder: Recorder) -> Iterator[Listener]:
    made = Listener(recorder.hint, Settings().listen)
    yield made
    made.close()


def begin(root: Path, recorder: Recorder, listener: Listener, journal: Memory) -> None:
    listener.add("p", root)
    recorder.add("p", root, Said())
    assert recorder.settle("p", 20) is not None
    journal.batches.clear()


def wait_for(journal: Memory, type_: str) -> None:
    with journal.appended:
        assert journal.appended.wait_for(lambda: type_ in journal.types, 20)


def test_a_checkout_is_one_batch(
    recorder: Recorder, listener: Listener, journal: Memory, tmp_path: Path
) -> None:
    root = make_repository(tmp_path, {f"d{n % 20}/f{n}.py": "1" for n in range(FILES)})
    run_git(root, "checkout", "-qb", "side")
    write(root, {f"d{n % 20}/f{n}.py": f"new {n}" for n in range(FILES)})
    commit(root, "all of them")
    run_git(root, "checkout", "-q", "main")
    begin(root, recorder, listener, journal)
    run_git(root, "checkout", "-q", "side")
    wait_for(journal, "head_moved")
    assert recorder.settle("p", 20) is not None
    batches = [batch for batch in journal.batches if batch[0].type != "outline_recorded"]
    assert [draft.type for draft in batches[0]] == [
        "head_moved", "commit_recorded", *["file_observed"] * FILES,
    ]  # fmt: skip


def test_a_rebase_is_one_batch_with_its_commits(
    recorder: Recorder, listener: Listener, journal: Memory, tmp_path: Path
) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    run_git(root, "checkout", "-qb", "side")
    for n in range(COMMITS):
        write(root, {f"f{n}.py": str(n)})
        commit(root, f"side {n}")
    run_git(root, "checkout", "-q", "main")
    write(root, {"mine": "1"})
    commit(root, "mine")
    run_git(root, "checkout", "-q", "side")
    begin(root, recorder, listener, journal)
    run_git(root, "rebase", "-q", "main")
    wait_for(journal, "head_moved")
    assert recorder.settle("p", 20) is not None
    batches = [batch for batch in journal.batches if batch[0].type != "outline_recorded"]
    assert [draft.type for draft in batches[0]] == [
        "head_moved", *["commit_recorded"] * (COMMITS + 1), "file_observed",
    ]  # fmt: skip
