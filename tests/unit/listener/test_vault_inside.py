"""A vault that navlog writes lies in a watched project: it does not come back as text of the project."""

from pathlib import Path

import pytest

from navlog.daemon.listener.scan import scan
from navlog.daemon.vault.folder import VaultFolder
from navlog.projections.pages import pages
from support.listening import Ears, commit, make_repository, write
from support.vault import shop


def write_vault(place: Path) -> None:
    folder = VaultFolder(place)
    folder.prepare()
    for page in pages([shop()]):
        folder.put(page.path, page.text)


def made(folder: Path, kind: str) -> Path:
    root = make_repository(folder) if kind == "git" else folder
    write(root, {"src/a.py": "1", "notes/mine.md": "1"})
    return root


@pytest.mark.parametrize("kind", ["git", "folder"])
def test_a_scan_passes_over_it(tmp_path: Path, kind: str) -> None:
    root = made(tmp_path / "p", kind)
    write_vault(root / "notes/navlog")
    assert sorted(one.path for one in scan(root)) == ["notes/mine.md", "src/a.py"]


def test_one_that_is_tracked_is_passed_over_too(tmp_path: Path) -> None:
    root = made(tmp_path / "p", "git")
    write_vault(root / "notes/navlog")
    commit(root, "everything")
    assert sorted(one.path for one in scan(root)) == ["notes/mine.md", "src/a.py"]


@pytest.mark.parametrize("kind", ["git", "folder"])
def test_what_is_written_into_it_is_not_heard(tmp_path: Path, kind: str) -> None:
    root = made(tmp_path / "p", kind)
    write_vault(root / "notes/navlog")
    with Ears(root) as ears:
        write(root, {"notes/navlog/Home.md": "2", "notes/navlog/New/x.md": "1", "notes/mine.md": "2"})
        assert ears.hear() == {"notes/mine.md"}


@pytest.mark.parametrize("kind", ["git", "folder"])
@pytest.mark.parametrize("there", [True, False])
def test_one_that_appears_is_not_heard_once_it_is_known(tmp_path: Path, kind: str, there: bool) -> None:
    """Whether a person has made the folder before, or it comes with its mark in it."""
    root = made(tmp_path / "p", kind)
    if there:
        (root / "notes/navlog").mkdir()
    with Ears(root) as ears:
        write_vault(root / "notes/navlog")
        assert any(hint.rescan for hint in ears.settle()) == there
        ears.hints.clear()
        write(root, {"notes/navlog/Home.md": "2", "src/a.py": "2"})
        assert ears.hear() == {"src/a.py"}
    assert sorted(one.path for one in scan(root)) == ["notes/mine.md", "src/a.py"]
