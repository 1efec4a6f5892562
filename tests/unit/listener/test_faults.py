"""What the kernel cannot or will not tell: lost events, no watches, other people's disks."""

import errno
import mmap
import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from inotify_simple import flags

from navlog.daemon.listener import kernel as kernels
from navlog.daemon.listener import listener as listeners
from navlog.daemon.listener.kernel import Inotify, KernelEvent, NoInotify, remote_kind
from navlog.schemas.settings import Listen
from support.listening import Ears, commit, make_repository, run_git, write

POLL_S = Listen().poll_every_s


class Fickle(Inotify):
    """A real kernel whose watches are limited, and whose events can be withheld, split or lost."""

    def __init__(self, watches: int = 1 << 30) -> None:
        super().__init__()
        self.left = watches
        self.known: set[bytes] = set()
        self.refused: dict[bytes, int] = {}
        self.extra: list[KernelEvent] = []
        self.one_by_one = False
        self.queue: list[KernelEvent] = []

    def watch(self, folder: bytes, mask: int) -> int:
        if code := self.refused.get(os.path.basename(folder)):  # noqa: PTH119 - bytes
            raise OSError(code, os.strerror(code))
        if folder not in self.known and self.left <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.left -= folder not in self.known
        self.known.add(folder)
        return super().watch(folder, mask)

    def read(self) -> Iterable[KernelEvent]:  # type: ignore[override]
        self.queue += [*super().read(), *self.extra]
        self.extra = []
        count = 1 if self.one_by_one else len(self.queue)
        taken, self.queue = self.queue[:count], self.queue[count:]
        return taken

    def lose_all(self) -> None:
        """As if the queue had overflowed: what is in it is gone."""
        list(super().read())
        self.extra = [KernelEvent(-1, flags.Q_OVERFLOW, 0, b"")]


def test_after_lost_events_everything_is_looked_at_and_listening_goes_on(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1", "d/x": "1"})
    kernel = Fickle()
    with Ears(root, kernel=kernel) as ears:
        write(root, {"new/deep/file": "1"})
        (root / "d").rename(root / "e")
        kernel.lose_all()
        assert ears.listener.drain("p") != ""
        hint = ears.one()
        assert (hint.rescan, hint.why, hint.head) == (True, "overflow", True)
        assert ears.listener.overflows() == 1
        write(root, {"new/deep/file": "2", "e/x": "2"})
        assert ears.hear() == {"new/deep/file", "e/x"}


def test_a_storm_of_lost_events_is_one_look(tmp_path: Path) -> None:
    kernel = Fickle()
    with Ears(tmp_path, kernel=kernel) as ears:
        for _ in range(20):
            kernel.lose_all()
            ears.listener.turn()
            ears.time += 0.05
        assert len(ears.settle()) == 1


def test_a_real_overflow_is_noticed(tmp_path: Path) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 20_000:
        pytest.skip(f"the queue holds {limit} events: too many to overflow it here")
    write(tmp_path, {"a": "1", "b": "1"})
    with Ears(tmp_path) as ears:
        for n in range(limit + 100):  # in turn, since the kernel joins equal events that follow each other
            (tmp_path / "ab"[n % 2]).chmod(0o644)
        assert ears.one().why == "overflow"
        write(tmp_path, {"after": "1"})
        assert ears.hear() == {"after"}


def test_a_rename_split_between_two_reads_is_still_a_move(tmp_path: Path) -> None:
    write(tmp_path, {"a": "1", "d/x": "1"})
    kernel = Fickle()
    kernel.one_by_one = True
    with Ears(tmp_path, kernel=kernel) as ears:
        (tmp_path / "a").rename(tmp_path / "d/b")
        (tmp_path / "d").rename(tmp_path / "e")
        for _ in range(4):
            ears.listener.turn()
        assert set(ears.one().moved) == {("a", "e/b"), ("d/x", "e/x")}


def test_enospc_of_watches_is_polled_and_shown(tmp_path: Path) -> None:
    write(tmp_path, {f"d{n}/deep/x": "1" for n in range(5)})
    with Ears(tmp_path, kernel=Fickle(watches=5)) as ears:
        coverage = ears.listener.coverage()["p"]
        assert (coverage.folders, coverage.watched, coverage.polled) == (11, 5, 6)
        assert "max_user_watches" in coverage.why
        assert "folders polled, not watched" in ears.listener.drain("p")
        assert ears.settle() == []
        write(tmp_path, {f"d{n}/deep/x": "22" for n in range(5)})
        write(tmp_path, {"d0/deep/new/y": "1", "d4/z": "1"})
        heard = ears.hear()
        ears.time += POLL_S
        heard |= ears.hear()
        assert heard == {f"d{n}/deep/x" for n in range(5)} | {"d0/deep/new/y", "d4/z"}


def test_polled_folders_that_go_bring_a_whole_look(tmp_path: Path) -> None:
    write(tmp_path, {"d/x": "1"})
    with Ears(tmp_path, kernel=Fickle(watches=0)) as ears:
        ears.settle()
        (tmp_path / "d/x").unlink()
        (tmp_path / "d").rmdir()
        ears.time += POLL_S
        assert ears.one().rescan
        assert ears.listener.coverage()["p"].folders == 1


def test_watches_that_are_free_again_are_taken_at_the_next_whole_look(tmp_path: Path) -> None:
    write(tmp_path, {"d/x": "1"})
    kernel = Fickle(watches=1)
    with Ears(tmp_path, kernel=kernel) as ears:
        assert ears.listener.coverage()["p"].polled == 1
        kernel.left = 10
        ears.time += Listen().reconcile_every_s
        assert ears.one().why == "periodic"
        coverage = ears.listener.coverage()["p"]
        assert (coverage.watched, coverage.polled, coverage.why) == (2, 0, "")


def test_a_git_folder_without_watches_is_asked_now_and_then(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root, kernel=Fickle(watches=0)) as ears:
        commit(root, "unheard")
        ears.settle()
        ears.hints.clear()
        ears.time += POLL_S
        assert ears.one().head


def test_without_an_inotify_instance_everything_is_polled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Inotify:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(listeners, "Inotify", refuse)
    write(tmp_path, {"a": "1"})
    with Ears(tmp_path) as ears:
        assert isinstance(ears.listener._kernel, NoInotify)
        write(tmp_path, {"a": "22"})
        ears.time += POLL_S
        ears.settle()
        ears.time += POLL_S
        assert ears.hear() == {"a"}


def test_a_network_file_system_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "remote_kind", lambda _: "nfs4")
    root = make_repository(tmp_path, {"a": "1", ".gitignore": "*.log\n"})
    with Ears(root) as ears:
        coverage = ears.listener.coverage()["p"]
        assert (coverage.watched, coverage.polled) == (0, 1)
        assert "nfs4" in coverage.why
        assert ears.settle() == []
        ears.time += POLL_S
        write(root, {"a": "22", "b": "1", "x.log": "1"})
        (root / ".gitignore").unlink()
        assert ears.one().why == "rules"
        ears.time += POLL_S
        write(root, {"x.log": "22"})
        assert "x.log" in ears.hear()


def test_file_systems_are_told_apart_by_their_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "1 0 8:1 / / rw - ext4 /dev/a rw\n"
        "2 1 0:5 / /mnt/far\\040away rw shared:1 - nfs4 host:/x rw\n"
        "3 2 0:6 / /mnt/far\\040away/local rw - tmpfs none rw\n"
        "4 1 0:7 / /c rw - 9p none rw\n"
        "5 1 0:8 / /c rw - ext4 /dev/b rw\n"
    )
    assert remote_kind(Path("/home/me"), mounts) == ""
    assert remote_kind(Path("/mnt/far away/p"), mounts) == "nfs4"
    assert remote_kind(Path("/mnt/far away/local/p"), mounts) == ""
    assert remote_kind(Path("/mnt/far"), mounts) == ""
    assert remote_kind(Path("/c/p"), mounts) == ""  # covered by a later mount
    assert remote_kind(Path("/c/p"), tmp_path / "gone") == ""


def test_an_unreadable_folder_is_shown_and_heard_once_it_opens(tmp_path: Path) -> None:
    write(tmp_path, {"private/x": "1", "a": "1"})
    kernel = Fickle()
    kernel.refused[b"private"] = errno.EACCES
    with Ears(tmp_path, kernel=kernel) as ears:
        coverage = ears.listener.coverage()["p"]
        assert (coverage.watched, coverage.polled) == (1, 1)
        assert "Permission denied" in coverage.why
        write(tmp_path, {"private/x": "22"})
        ears.settle()
        ears.time += POLL_S
        assert ears.hear() == {"private/x"}


def test_writes_without_any_event_are_found_by_the_periodic_look(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/mapped").write_bytes(b"x" * 4096)
    (tmp_path / "p/hard").write_bytes(b"x")
    (tmp_path / "outside").hardlink_to(tmp_path / "p/hard")
    with Ears(tmp_path / "p") as ears:
        with (tmp_path / "p/mapped").open("r+b") as file:
            mapped = mmap.mmap(file.fileno(), 0)
        ears.hear()  # of the closing, not of what comes now
        mapped[:3] = b"new"
        mapped.flush()
        (tmp_path / "outside").write_text("new")
        assert ears.hear() == set()
        mapped.close()
        ears.hear()
        ears.time += Listen().reconcile_every_s
        assert ears.one().why == "periodic"


def test_an_idle_listener_sleeps_until_the_periodic_look(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        start = ears.time
        assert ears.listener.turn() == start + Listen().reconcile_every_s


def test_what_a_look_at_a_new_folder_finds_is_said_though_nothing_else_happens(tmp_path: Path) -> None:
    """Written before the folder was watched, the file has no event: the turn that finds it goes on."""
    with Ears(tmp_path) as ears:
        write(tmp_path, {"new/deep/file": "1"})
        assert ears.by_itself() == {"new/deep/file"}


def test_deleted_files_go_in_one_hint(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {f"d/e{n}/f{n}": "1" for n in range(50)})
    with Ears(root) as ears:
        run_git(root, "rm", "-rq", "d")
        assert ears.one().changed == {f"d/e{n}/f{n}" for n in range(50)}


def test_an_edit_a_wait_and_a_revert_are_two_hints(tmp_path: Path) -> None:
    write(tmp_path, {"a": "old"})
    with Ears(tmp_path) as ears:
        write(tmp_path, {"a": "new"})
        assert ears.one().changed == {"a"}
        write(tmp_path, {"a": "old"})
        assert ears.one().changed == {"a"}


def test_an_unknown_watch_is_nobodys(tmp_path: Path) -> None:
    kernel = Fickle()
    with Ears(tmp_path, kernel=kernel) as ears:
        kernel.extra = [
            KernelEvent(99_999, flags.CREATE, 0, b"x"),
            KernelEvent(99_999, flags.IGNORED, 0, b""),
        ]
        assert ears.settle() == []


def test_masks_leave_reading_and_every_single_write_alone() -> None:
    for mask in (kernels.FOLDER_MASK, kernels.ROOT_MASK):
        assert not mask & (flags.MODIFY | flags.OPEN | flags.ACCESS | flags.CLOSE_NOWRITE)


def test_one_polled_folder_is_no_plural(tmp_path: Path) -> None:
    write(tmp_path, {"d/x": "1"})
    with Ears(tmp_path, kernel=Fickle(watches=1)) as ears:
        assert ears.listener.drain("p").startswith("1 folder polled, not watched: ")
