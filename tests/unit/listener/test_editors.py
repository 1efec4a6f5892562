"""How editors save: always the one file, never a move, and no trace of their helpers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.listening import Ears, make_repository, run_git, write


def in_place(root: Path) -> None:
    """VS Code, nano."""
    (root / "a.py").write_text("new")


def vim_with_a_backup(root: Path) -> None:
    """`backupcopy=no`: a probe, the old text moved aside, the new one written, the old one removed."""
    (root / "4913").write_text("")
    (root / "4913").unlink()
    (root / "a.py").rename(root / "a.py~")
    (root / "a.py").write_text("new")
    (root / "a.py~").unlink()


def temporary_and_rename(root: Path) -> None:
    """Most tools that write atomically."""
    (root / ".a.py.tmp").write_text("new")
    (root / ".a.py.tmp").replace(root / "a.py")


def jetbrains(root: Path) -> None:
    """A safe write: the new text beside it, the old one moved aside, the new one in, the old one removed."""
    (root / "a.py___jb_tmp___").write_text("new")
    (root / "a.py").rename(root / "a.py___jb_old___")
    (root / "a.py___jb_tmp___").rename(root / "a.py")
    (root / "a.py___jb_old___").unlink()


def sed_in_place(root: Path) -> None:
    """`sed -i`: a file of its own name, its mode set, renamed over the old one."""
    (root / "sedAbC123").write_text("new")
    (root / "sedAbC123").chmod(0o644)
    (root / "sedAbC123").replace(root / "a.py")


def emacs(root: Path) -> None:
    """A lock that is a dangling link, a backup by rename."""
    (root / ".#a.py").symlink_to("me@here.123:456")
    (root / "a.py").rename(root / "a.py~")
    (root / "a.py").write_text("new")
    (root / "a.py~").unlink()
    (root / ".#a.py").unlink()


@pytest.mark.parametrize(
    "save", [in_place, vim_with_a_backup, temporary_and_rename, jetbrains, sed_in_place, emacs]
)
def test_a_save_is_one_hint_for_one_file(tmp_path: Path, save: Callable[[Path], None]) -> None:
    write(tmp_path, {"a.py": "old"})
    with Ears(tmp_path) as ears:
        save(tmp_path)
        hint = ears.one()
        assert "a.py" in hint.changed
        assert hint.moved == ()
        assert {path for path in hint.changed if (tmp_path / path).exists()} == {"a.py"}
        save(tmp_path)  # a watch on the file would be blind by now
        assert "a.py" in ears.one().changed


def test_git_mv_is_a_move_and_keeps_history(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": "text", "b/c.py": "text"})
    with Ears(root) as ears:
        run_git(root, "mv", "a.py", "b/a.py")
        assert ears.one().moved == (("a.py", "b/a.py"),)
        run_git(root, "mv", "b", "d")
        assert set(ears.one().moved) == {("b/a.py", "d/a.py"), ("b/c.py", "d/c.py")}


def test_a_copy_is_a_copy(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "text"})
    with Ears(tmp_path) as ears:
        write(tmp_path, {"copy.py": "text"})
        hint = ears.one()
        assert (set(hint.changed), hint.moved) == ({"copy.py"}, ())
