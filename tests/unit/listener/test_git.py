"""What git is asked: HEAD, commits, differences, tips."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from navlog.daemon.listener import process
from navlog.daemon.listener.git import Git, Head
from navlog.schemas.errors import GitFailed
from navlog.schemas.events import CommitFile
from navlog.schemas.names import name_to_text
from support.listening import commit, make_repository, run_git, write


def test_head_is_the_commit_and_the_branch(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    assert Git(root).head() is None  # before the first commit
    first = commit(root, "first")
    assert Git(root).head() == Head(first, "main")
    run_git(root, "checkout", "-q", "--detach")
    assert Git(root).head() == Head(first, "")
    run_git(root, "checkout", "-q", "-b", "feature/缓存")
    assert Git(root).head() == Head(first, "feature/缓存")


def test_head_survives_packed_refs(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    head = Git(root).head()
    run_git(root, "pack-refs", "--all")
    assert not (root / ".git/refs/heads/main").exists()
    assert Git(root).head() == head


def test_head_of_a_linked_worktree_is_its_own(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "main", {"a": "1"})
    run_git(root, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    write(tmp_path / "side", {"b": "1"})
    moved = commit(tmp_path / "side", "b")
    assert Git(tmp_path / "side").head() == Head(moved, "side")
    assert Git(root).head() != Head(moved, "side")


def test_a_repository_git_refuses_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_repository(tmp_path / "my project", {"a": "1"})
    monkeypatch.setitem(process._FIXED, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitFailed, match="another user") as fault:
        Git(root).head()
    assert fault.value.dubious
    assert fault.value.hint.endswith(f"--add safe.directory '{root}'")


def test_commits_come_oldest_first_with_their_files(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "one\ntwo\nthree\n", "b": "1"})
    run_git(root, "mv", "a", "sub-a")
    write(root, {"b": "2"})
    run_git(root, "commit", "-aqm", "second\n\n:100 is a line of the body\n\nand more")
    commit(root, "empty")
    first, second, third = Git(root).commits(None, 10, files=10)
    assert first.files == [CommitFile("a", "A"), CommitFile("b", "A")]
    assert second.files == [CommitFile("b", "M"), CommitFile("sub-a", "R", "a")]
    assert (second.subject, second.body) == ("second", ":100 is a line of the body\n\nand more")
    assert (third.subject, third.files, third.file_count) == ("empty", [], 0)
    assert second.parents == [first.commit]
    assert (first.parents, first.author, first.committed_at) == ([], "A", "2026-01-02T03:04:05Z")


def test_only_new_commits_are_asked_for(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    first = Git(root).head()
    assert first
    second = commit(root, "second")
    third = commit(root, "third")
    assert [c.commit for c in Git(root).commits(first.commit, 10, files=5)] == [second, third]
    assert [c.commit for c in Git(root).commits(None, 2, files=5)] == [second, third]
    assert list(Git(root).commits(third, 10, files=5)) == []


def test_a_commit_that_git_no_longer_has_counts_as_none(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    assert len(list(Git(root).commits("0" * 39 + "1", 10, files=5))) == 1


def test_many_files_are_cut_but_counted(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {f"f{n}": "1" for n in range(7)})
    (only,) = Git(root).commits(None, 10, files=3)
    assert [file.path for file in only.files] == ["f0", "f1", "f2"]
    assert only.file_count == 7


def test_a_long_body_is_cut_and_latin1_is_read(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    message = b"caf\xe9\n\n" + b"x" * 5000
    run_git(root, "-c", "i18n.commitEncoding=latin1", "commit", "-q", "--allow-empty", "-F", "-", say=message)
    *_, last = Git(root).commits(None, 5, files=5)
    assert last.subject == "café"
    assert last.body == "x" * 1000


def test_names_in_commits_that_are_not_utf8_survive(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    name = b'caf\xe9\n"x'
    (root / os.fsdecode(name)).write_text("1")
    commit(root, "odd")
    (only,) = Git(root).commits(None, 5, files=5)
    assert only.files == [CommitFile(name_to_text(name), "A")]


def test_where_a_shallow_clone_ends_nothing_was_added(tmp_path: Path) -> None:
    origin = make_repository(tmp_path / "origin", {"a": "1"})
    write(origin, {"b": "1"})
    commit(origin, "second")
    write(origin, {"c": "1"})
    commit(origin, "third")
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{origin}", "clone")
    second, third = Git(tmp_path / "clone").commits(None, 10, files=5)
    assert (second.files, second.file_count) == ([], 0)
    assert third.files == [CommitFile("c", "A")]


def test_changes_between_two_commits(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "one\ntwo\nthree\n", "b": "1", "c/d": "1"})
    first = Git(root).head()
    assert first
    run_git(root, "mv", "a", "z")
    (root / "b").unlink()
    write(root, {"c/d": "2", "new": "quite another\n"})
    second = commit(root, "second")
    assert set(map(tuple_of, Git(root).changes(first.commit, second))) == {
        ("z", "R", "a"), ("b", "D", ""), ("c/d", "M", ""), ("new", "A", ""),
    }  # fmt: skip


def test_where_a_text_is_missing_renames_of_edited_files_are_not_known_but_everything_else_is(
    tmp_path: Path,
) -> None:
    lines = "".join(f"line {n}\n" for n in range(40))
    root = make_repository(tmp_path, {"old.py": lines, "same.py": "same\n"})
    first = git_id(root, "HEAD")
    run_git(root, "mv", "old.py", "new.py")
    run_git(root, "mv", "same.py", "moved.py")
    write(root, {"new.py": f"{lines}one more\n"})
    last = commit(root, "moves")
    lacked = git_id(root, f"{first}:old.py")
    (root / ".git/objects" / lacked[:2] / lacked[2:]).unlink()  # as in a clone with --filter=blob:none
    expected = [("new.py", "A", ""), ("moved.py", "R", "same.py"), ("old.py", "D", "")]
    commits = list(Git(root).commits(None, 9, files=9))
    assert [said.commit for said in commits] == [first, last]
    assert sorted(map(tuple_of, commits[1].files)) == sorted(expected)
    assert sorted(map(tuple_of, Git(root).changes(first, last))) == sorted(expected)


def test_what_git_says_when_it_breaks_off_is_said(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    lacked = git_id(root, "HEAD^{tree}")
    (root / ".git/objects" / lacked[:2] / lacked[2:]).unlink()
    with pytest.raises(GitFailed, match=f"git log failed in .*: fatal: .*{lacked}"):
        list(Git(root).commits(None, 9, files=9))


def git_id(root: Path, what: str) -> str:
    return run_git(root, "rev-parse", what).decode().strip()


def tuple_of(file: CommitFile) -> tuple[str, str, str]:
    return file.path, file.status, file.previous


def test_tips_are_branches_and_sibling_worktrees(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "main", {"a": "1"})
    head = Git(root).head()
    assert head
    run_git(root, "branch", "old")
    run_git(root, "update-ref", "refs/remotes/origin/main", "HEAD")
    run_git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    run_git(root, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    run_git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "loose"))
    tips = {tip.ref: (tip.commit, tip.worktree) for tip in Git(root).tips(50)}
    assert tips == {
        "refs/heads/main": (head.commit, ""),
        "refs/heads/old": (head.commit, ""),
        "refs/heads/side": (head.commit, str(tmp_path / "side")),
        "refs/remotes/origin/main": (head.commit, ""),
        f"HEAD {tmp_path / 'loose'}": (head.commit, str(tmp_path / "loose")),
    }
    assert "refs/heads/main" in {tip.ref for tip in Git(tmp_path / "side").tips(50)}


def test_a_reader_that_stops_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    commit(root, "second")
    started: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    commits = Git(root).commits(None, 10, files=5)
    next(commits)
    assert started[-1].returncode is None
    commits.close()  # type: ignore[attr-defined]
    assert all(child.returncode is not None for child in started)


def test_a_branch_is_compared_from_where_it_parted_and_searched_by_word(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": "def one(): ...\n", "[x].py": "x = 1\n"})
    run_git(root, "checkout", "-qb", "side")
    write(root, {"a.py": "import os\ndef one(new): ...\none_more = 1\n", "[x].py": "x = 2\n"})
    side = commit(root, "side")
    run_git(root, "checkout", "-q", "main")
    write(root, {"b.py": "one"})
    commit(root, "main goes on")
    git = Git(root)
    parted = git.fork(side)
    assert [file.path for file in git.changes(parted, side)] == ["[x].py", "a.py"]
    assert [file.path for file in git.changes(parted, side, ["[x].py"])] == ["[x].py"]
    assert git.grep(side, "one", ["a.py"]) == [("a.py", 2, "def one(new): ...")]
    assert git.grep(side, "nowhere") == []
    assert git.changed_at(side, "a.py") == git.changed_at(side, "[x].py") > 0
    assert git.changed_at(side, "never.py") == 0
