"""Whoever follows the hints ends up with what a fresh scan sees: no change is missed for good."""

import contextlib
import random
import shutil
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navlog.daemon.listener.hints import Hint
from navlog.daemon.listener.listener import Listener
from navlog.daemon.listener.paths import read_inside
from navlog.daemon.listener.scan import scan
from navlog.schemas.settings import Listen
from support.listening import Ears, make_repository, run_git, write

LIMIT = 1 << 20


class Follower:
    """The simplest recorder: path -> content, by hints alone."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known = fresh(root)

    def hear(self, hint: Hint) -> None:
        if hint.rescan:
            self.known = fresh(self.root)
            return
        for path in hint.changed:
            read = read_inside(self.root, path, LIMIT)
            if read.data is None:
                self.known.pop(path, None)
            else:
                self.known[path] = read.data

    def hear_all(self, ears: Ears) -> None:
        while ears.hints:
            self.hear(ears.hints.pop(0))


def fresh(root: Path) -> dict[str, bytes]:
    reads = {seen.path: read_inside(root, seen.path, LIMIT).data for seen in scan(root)}
    return {path: data for path, data in reads.items() if data is not None}


class Vandal:
    """Random deeds in a small tree; every one that cannot be done is left out."""

    NAMES = ("a", "b", "c.py", "x.log")

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.dice = random.Random(seed)

    def act(self) -> None:
        deeds = (
            self.save,
            self.save,
            self.save,
            self.replace,
            self.remove,
            self.move,
            self.move,
            self.nest,
            self.rules,
        )
        with contextlib.suppress(OSError):  # a folder where a file is wanted, a move into itself
            self.dice.choice(deeds)()

    def place(self) -> Path:
        return self.root.joinpath(
            *self.dice.choices(self.NAMES[:3], k=self.dice.randrange(3)), self.dice.choice(self.NAMES)
        )

    def save(self) -> None:
        path = self.place()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.dice.randbytes(3))

    def replace(self) -> None:
        (self.root / "tmp").write_bytes(self.dice.randbytes(3))
        (self.root / "tmp").replace(self.place())

    def remove(self) -> None:
        path = self.place()
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def move(self) -> None:
        self.place().rename(self.place())

    def nest(self) -> None:
        deep = self.place()
        deep.mkdir(parents=True)
        (deep / "a").write_text("deep")

    def rules(self) -> None:
        (self.place().parent / ".gitignore").write_text(
            self.dice.choice(("*.log\n", "b/\n", "a\n", "!x.log\n", ""))
        )


def test_a_file_removed_right_after_its_folder_moved_is_not_forgotten(tmp_path: Path) -> None:
    write(tmp_path, {"old/x": "1", "old/y": "1"})
    follower = Follower(tmp_path)
    with Ears(tmp_path) as ears:
        (tmp_path / "old").rename(tmp_path / "new")
        (tmp_path / "new/x").unlink()
        ears.settle()
        follower.hear_all(ears)
    assert follower.known == {"new/y": b"1"}


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32), st.lists(st.integers(0, 12), min_size=1, max_size=6), st.booleans())
def test_following_the_hints_is_as_good_as_a_scan(seed: int, bursts: list[int], drained: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = make_repository(Path(folder).resolve())
        vandal = Vandal(root, seed)
        vandal.save()
        follower = Follower(root)
        with Ears(root) as ears:
            for burst in bursts:
                for _ in range(burst):
                    vandal.act()
                if not drained or ears.listener.drain("p"):
                    ears.settle()
                follower.hear_all(ears)
            ears.settle()
            follower.hear_all(ears)
        assert follower.known == fresh(root)


def test_nothing_is_missed_while_everything_moves(tmp_path: Path) -> None:
    """The real thread, against a writer that does not wait."""
    root = make_repository(tmp_path)
    write(root, {"a": "1"})
    follower, quiet = Follower(root), threading.Event()
    listener = Listener(follower.hear, Listen(settle_s=0.001))
    listener.add("p", root)
    vandal = Vandal(root, 7)
    for _ in range(600):
        vandal.act()
    (root / "end").write_text("end")
    for _ in range(100):
        if not listener.drain("p") and follower.known.get("end"):
            break
        quiet.wait(0.05)
    listener.close()
    assert follower.known == fresh(root)


def test_races_of_a_writer_and_a_reader_leave_no_stale_answer(tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    listener = Listener(follower.hear, Listen(settle_s=0.001))
    listener.add("p", tmp_path)
    try:
        for n in range(300):
            path = f"d{n % 5}/f{n % 17}"
            write(tmp_path, {path: str(n)})
            reason = listener.drain("p")
            assert reason or follower.known[path] == str(n).encode()
            assert reason == ""
    finally:
        listener.close()


COMMANDS = (
    "checkout -q side",
    "merge -q side",
    "reset -q --hard side",
    "stash -q",
    "clean -qfd",
    "rebase -q side",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_git_does_to_the_worktree_is_followed(tmp_path: Path, command: str) -> None:
    root = make_repository(tmp_path, {f"d{n}/f": "1" for n in range(5)})
    run_git(root, "checkout", "-q", "-b", "side")
    write(root, {"d1/f": "2", "d9/new": "1"})
    (root / "d2/f").unlink()
    run_git(root, "add", "-A")
    run_git(root, "commit", "-qm", "side")
    run_git(root, "checkout", "-q", "main")
    write(root, {"mine": "1"})
    run_git(root, "add", "-A")
    run_git(root, "commit", "-qm", "mine")
    if command.startswith(("stash", "clean")):
        write(root, {"mine": "2", "untracked/x": "1"})
    follower = Follower(root)
    with Ears(root) as ears:
        run_git(root, *command.split())
        (hint,) = ears.settle()
        follower.hear(hint)
    assert follower.known == fresh(root)
    assert not hint.rescan
