"""Which project a folder belongs to."""

from pathlib import Path

import pytest

from navlog.daemon.listener.identity import identify
from navlog.daemon.listener.repository import repository_at
from navlog.schemas.errors import ProjectRefused
from support.listening import make_repository, run_git


def test_the_nearest_boundary_wins(tmp_path: Path) -> None:
    outer = make_repository(tmp_path / "outer", {"a": "1"})
    inner = make_repository(outer / "deep/inner", {"b": "1"})
    (inner / "src").mkdir()
    assert identify(inner / "src").root == inner
    assert identify(outer / "deep").root == outer
    assert identify(inner).key != identify(outer).key


def test_a_nested_worktree_answers_for_itself(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "main", {"a": "1"})
    run_git(main, "worktree", "add", "-q", "nested", "-b", "side")
    here, there = identify(main), identify(main / "nested")
    assert there.root == main / "nested"
    assert there.kind == "git"
    assert there.common_dir == here.common_dir == main / ".git"
    assert there.key != here.key


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "library", {"a": "1"})
    main = make_repository(tmp_path / "main", {"a": "1"})
    run_git(
        main, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "vendor/library"
    )
    found = identify(main / "vendor/library")
    assert (found.root, found.kind) == (main / "vendor/library", "git")
    assert found.common_dir == main / ".git/modules/vendor/library"


def test_a_folder_outside_git_is_a_project_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    found = identify(tmp_path / "link")
    assert (found.root, found.kind, found.common_dir) == (tmp_path / "real", "folder", None)


def test_the_git_folder_itself_belongs_to_its_worktree(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "main", {"a": "1"})
    assert identify(root / ".git/hooks").root == root


def test_an_empty_git_folder_is_no_boundary(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "main", {"a/b": "1"})
    (root / "a/.git").mkdir()
    assert identify(root / "a").root == root


def test_a_worktree_whose_repository_is_gone_is_still_not_its_parents(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "main", {"a/b": "1"})
    (root / "a/.git").write_text("gitdir: /nowhere/at/all\n")
    found = identify(root / "a")
    assert (found.root, found.kind) == (root / "a", "folder")
    assert repository_at(root / "a") is None


def test_home_and_root_and_what_holds_home_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "users/me"
    (home / "work").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for refused in (Path("/"), home, tmp_path / "users", tmp_path):
        with pytest.raises(ProjectRefused, match="is not watched") as fault:
            identify(refused)
        assert "git init" in fault.value.hint
    assert identify(home / "work").root == home / "work"
    make_repository(home)  # dotfiles under version control
    with pytest.raises(ProjectRefused):
        identify(home / "work")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProjectRefused, match="is not there"):
        identify(tmp_path / "gone")


@pytest.mark.parametrize(
    ("name", "slug"), [("My Project!", "my-project"), ("缓存", "project"), ("a" * 90, "a" * 40)]
)
def test_the_key_is_a_slug_and_a_digest(tmp_path: Path, name: str, slug: str) -> None:
    (tmp_path / name).mkdir()
    key = identify(tmp_path / name).key
    assert key[:-9] == slug
    assert key[-9] == "-"
    assert int(key[-8:], 16) >= 0
    assert key == identify(tmp_path / name).key


def test_a_common_folder_that_cannot_be_read_is_no_repository(tmp_path: Path) -> None:
    git = tmp_path / ".git"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "commondir").write_text("/nowhere\n")
    assert repository_at(tmp_path) is None
