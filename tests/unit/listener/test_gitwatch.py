"""What git does in a watched repository arrives as one hint."""

from pathlib import Path

import pytest

from navlog.daemon.listener import listener
from navlog.daemon.listener.git import Git
from navlog.daemon.listener.watched import LARGE
from navlog.schemas.settings import Listen
from support.listening import Ears, commit, make_repository, run_git, write


def test_a_commit_moves_head_and_nothing_else(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        commit(root, "empty")
        hint = ears.one()
        assert (hint.head, hint.changed, hint.rescan) == (True, frozenset(), False)


def test_a_checkout_is_one_hint_with_its_files(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {f"d{n % 9}/f{n}": "1" for n in range(200)})
    run_git(root, "checkout", "-q", "-b", "side")
    write(root, {f"d{n % 9}/f{n}": "2" for n in range(100)})
    commit(root, "side")
    with Ears(root) as ears:
        run_git(root, "checkout", "-q", "main")
        hint = ears.one()
        assert hint.head
        assert hint.changed == {f"d{n % 9}/f{n}" for n in range(100)}


@pytest.mark.parametrize("action", [
    ("branch", "feature/deep/name"), ("update-ref", "refs/remotes/origin/x", "HEAD"), ("branch", "-D", "old"),
    ("pack-refs", "--all"), ("checkout", "-q", "--detach"), ("symbolic-ref", "HEAD", "refs/heads/old"),
])  # fmt: skip
def test_every_move_of_a_ref_is_heard(tmp_path: Path, action: tuple[str, ...]) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    run_git(root, "branch", "old")
    with Ears(root) as ears:
        run_git(root, *action)
        assert ears.one().head


def test_a_commit_after_pack_refs_is_heard(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    run_git(root, "checkout", "-q", "-b", "feature/x")
    run_git(root, "pack-refs", "--all")
    with Ears(root) as ears:
        moved = commit(root, "after")
        assert ears.one().head
        head = Git(root).head()
        assert head
        assert head.commit == moved


def test_a_new_branch_in_a_folder_of_its_own_is_followed(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        run_git(root, "checkout", "-q", "-b", "feature/deep/x")
        assert ears.one().head
        commit(root, "there")
        assert ears.one().head


def test_while_git_holds_the_index_nothing_is_said(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        (root / ".git/index.lock").touch()
        write(root, {"a": "2"})
        assert ears.settle() == []
        assert ears.listener.drain("p") == "git is writing the worktree"
        assert ears.hints == []
        (root / ".git/index.lock").unlink()
        assert ears.one().changed == {"a"}
        assert ears.listener.drain("p") == ""


def test_a_lock_left_behind_holds_back_once_and_not_for_long(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        (root / ".git/index.lock").touch()
        write(root, {"a": "2"})
        assert ears.settle() == []
        ears.time += Listen().index_lock_s
        assert ears.one().changed == {"a"}
        write(root, {"a": "3"})
        assert ears.one().changed == {"a"}


def test_a_checkout_is_one_hint_however_long_it_takes(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a0": "1"})
    with Ears(root) as ears:
        (root / ".git/index.lock").touch()
        for n in range(10):
            write(root, {f"a{n}": "2"})
            ears.time += Listen().index_lock_s - 1
            assert ears.settle() == []
        (root / ".git/index.lock").unlink()
        assert len(ears.one().changed) == 10


def test_a_large_checkout_is_one_hint_though_head_moves_late(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {f"a{n}": "1" for n in range(LARGE + 1)})
    with Ears(root) as ears:
        (root / ".git/index.lock").touch()
        write(root, {f"a{n}": "2" for n in range(LARGE + 1)})
        ears.listener.turn()
        (root / ".git/index.lock").unlink()
        ears.listener.turn()
        ears.time += 0.4
        ears.listener.turn()
        assert ears.hints == []
        run_git(root, "checkout", "-qb", "side")
        hint = ears.one()
        assert hint.head
        assert len(hint.changed) == LARGE + 1


def test_head_that_moves_while_rules_are_read_is_said_with_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    run_git(root, "branch", "side")

    def slowly(_: Path) -> frozenset[bytes]:
        run_git(root, "symbolic-ref", "HEAD", "refs/heads/side")
        return frozenset()

    with Ears(root) as ears:
        write(root, {"a": "2"})
        run_git(root, "add", "a")
        ears.listener.turn()
        monkeypatch.setattr(listener, "tracked_but_ignored", slowly)
        ears.time += 1
        ears.listener.turn()
        hint = ears.one()
        assert hint.changed == {"a"}
        assert hint.head


def test_a_folder_that_never_rests_under_a_lock_is_not_held_back_for_good(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    limit = Listen(index_hold_s=20)
    with Ears(root, settings=limit) as ears:
        (root / ".git/index.lock").touch()
        began = ears.time
        while not ears.settle():
            write(root, {"a": str(ears.time)})
            ears.time += 1
        assert 20 <= ears.time - began < 25


def test_a_rebase_is_one_hint_however_long_it_takes(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        (root / ".git/rebase-merge").mkdir()
        for n in range(30):
            write(root, {"a": str(n)})
            commit(root, f"{n}")
            ears.listener.turn()
            ears.time += 0.4
            ears.listener.turn()
        assert ears.hints == []
        (root / ".git/rebase-merge").rmdir()
        hint = ears.one()
        assert hint.changed == {"a"}
        assert hint.head


def test_a_rebase_that_was_stopped_halfway_holds_no_save_back(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        (root / ".git/rebase-merge").mkdir()
        ears.settle()
        ears.time += 1
        write(root, {"a": "2"})
        ears.listener.turn()
        ears.time += Listen().settle_s
        ears.listener.turn()
        assert [hint.changed for hint in ears.hints] == [{"a"}]


def test_reading_commands_of_others_say_nothing(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        run_git(root, "status")
        run_git(root, "log")
        run_git(root, "diff")
        assert ears.settle() == []


def test_a_repository_that_begins_at_the_root_is_listened_to(tmp_path: Path) -> None:
    write(tmp_path, {"a": "1"})
    with Ears(tmp_path) as ears:
        make_repository(tmp_path)
        assert ears.one().why == "rules"
        commit(tmp_path, "first")
        assert ears.one().head
