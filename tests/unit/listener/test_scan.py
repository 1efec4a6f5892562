"""A whole look at a project."""

import os
import subprocess
from pathlib import Path

import pytest

from navlog.daemon.listener import process
from navlog.daemon.listener.scan import scan
from navlog.schemas.errors import GitFailed
from navlog.schemas.names import name_to_text
from support.listening import commit, make_repository, run_git, write


def seen(root: Path) -> dict[str, str]:
    """Path -> skip, "" for a file that is read."""
    return {file.path: file.skip or "" for file in scan(root)}


def test_a_repository_is_listed_as_git_lists_it(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": "1", "src/b.py": "1", ".gitignore": "*.log\n"})
    write(root, {"new.py": "1", "x.log": "1"})
    assert seen(root) == dict.fromkeys((".gitignore", "a.py", "new.py", "src/b.py"), "")


def test_a_file_deleted_from_the_worktree_is_not_present(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": "1", "b/c.py": "1"})
    (root / "b/c.py").unlink()
    (root / "b").rmdir()
    (root / "b").write_text("a file now")
    assert seen(root) == {"a.py": "", "b": ""}


def test_an_unmerged_file_is_listed_once(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1\n"})
    run_git(root, "checkout", "-q", "-b", "side")
    write(root, {"a": "2\n"})
    commit(root, "side")
    run_git(root, "checkout", "-q", "main")
    write(root, {"a": "3\n"})
    commit(root, "main")
    with pytest.raises(subprocess.CalledProcessError):
        run_git(root, "merge", "side")
    assert [file.path for file in scan(root)] == ["a"]


def test_stats_are_those_of_the_file(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"run.sh": "echo\n"})
    (root / "run.sh").chmod(0o755)
    (file,) = scan(root)
    assert (file.size, file.executable, file.mtime_ns) == (5, True, (root / "run.sh").stat().st_mtime_ns)


@pytest.mark.parametrize("kind", ["git", "folder"])
def test_links_fifos_and_sockets_are_named_not_read(tmp_path: Path, kind: str) -> None:
    root = make_repository(tmp_path / "p") if kind == "git" else tmp_path / "p"
    write(root, {"src/a.py": "1"})
    (root / "passwd").symlink_to("/etc/passwd")
    (root / "loop").symlink_to("loop")
    (root / "up").symlink_to("..")
    os.mkfifo(root / "src/pipe")
    assert seen(root) == {"src/a.py": "", "passwd": "link", "loop": "link", "up": "link", "src/pipe": "fifo"}


def test_an_ignored_fifo_is_not_named(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1", ".gitignore": "*.pipe\n"})
    os.mkfifo(root / "x.pipe")
    os.mkfifo(root / "y")
    assert seen(root) == {"a": "", ".gitignore": "", "y": "fifo"}


@pytest.mark.parametrize("kind", ["git", "folder"])
def test_non_ascii_paths_survive(tmp_path: Path, kind: str) -> None:
    root = make_repository(tmp_path / "p") if kind == "git" else tmp_path / "p"
    root.mkdir(exist_ok=True)
    names = [
        "缓存 é.py".encode(),
        b"a\nb",
        b"quote\"'",
        b"\xff\xfe",
        b"tab\t",
        b" lead",
        b"-rf",
        b"back\\slash",
    ]
    for name in names:
        (root / os.fsdecode(name)).write_bytes(b"1")
    assert set(seen(root)) == {name_to_text(name) for name in names}


def test_submodules_and_nested_repositories_are_reported_as_excluded(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "library", {"lib.py": "1"})
    root = make_repository(tmp_path / "main", {"a.py": "1"})
    run_git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "vendor")
    make_repository(root / "tools/nested", {"n.py": "1"})
    found = seen(root)
    assert found == {"a.py": "", ".gitmodules": "", "vendor": "repository", "tools/nested": "repository"}


def test_a_repository_inside_a_plain_folder_is_excluded(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "1"})
    make_repository(tmp_path / "deep/repo", {"b.py": "1"})
    assert seen(tmp_path) == {"a.py": "", "deep/repo": "repository"}


def test_a_folder_outside_git_honours_ignore_files_and_leaves_caches_out(tmp_path: Path) -> None:
    cached = ("node_modules/x/i.js", "b/__pycache__/a.pyc", ".venv/bin/x", "b/out/x")
    write(tmp_path, dict.fromkeys(("a.py", *cached, "b/c/out"), "1") | {"b/.gitignore": "/out\n"})
    assert seen(tmp_path) == {"a.py": "", "b/.gitignore": "", "b/c/out": ""}


def test_where_git_refuses_another_owners_repository_it_is_walked_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_repository(tmp_path, {"a.py": "1", ".gitignore": "*.log\n", "x.log": "1"})
    monkeypatch.setitem(process._FIXED, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    found = scan(root)
    assert {file.path for file in found} == {"a.py", ".gitignore"}
    assert "belongs to another user" in found.note
    assert "safe.directory" in found.note
    assert found.whole


def test_a_broken_repository_is_walked_and_said(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": "1", "b.py": "1"})
    (root / ".git/index").write_bytes(b"not an index")
    found = scan(root)
    assert {file.path for file in found} == {"a.py", "b.py"}
    assert "git ls-files failed" in found.note


def test_a_look_that_was_whole_says_so(tmp_path: Path) -> None:
    found = scan(make_repository(tmp_path, {"a": "1"}))
    assert [file.path for file in found] == ["a"]
    assert (found.note, found.whole) == ("", True)


def test_what_is_absent_from_a_root_that_is_gone_may_still_be_there(tmp_path: Path) -> None:
    found = scan(tmp_path / "gone")
    assert list(found) == []
    assert not found.whole
    assert "cannot be opened" in found.note


def test_git_runs_no_monitor_and_no_hook_and_writes_nothing(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "p", {"a": "1"})
    program = tmp_path / "monitor"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    run_git(root, "config", "core.fsmonitor", str(program))
    os.utime(root / "a")  # a status would refresh the index
    before = (root / ".git/index").stat().st_mtime_ns
    list(scan(root))
    assert not (tmp_path / "ran").exists()
    assert (root / ".git/index").stat().st_mtime_ns == before


def test_the_callers_git_variables_do_not_lead_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other", {"other.py": "1"})
    root = make_repository(tmp_path / "root", {"a.py": "1"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert seen(root) == {"a.py": ""}


def test_git_that_is_too_slow_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_command", lambda _: ["sleep", "60"])
    with pytest.raises(GitFailed, match=r"longer than 0\.01 s"):
        process.git(tmp_path, "ls-files", timeout=0.01)
    with pytest.raises(GitFailed):
        list(process.git_fields(tmp_path, "log", timeout=0.01))


def test_without_git_the_reason_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_repository(tmp_path, {"a.py": "1"})
    monkeypatch.setenv("PATH", "/nowhere")
    found = scan(root)
    assert {file.path for file in found} == {"a.py"}
    assert "git cannot be run" in found.note
