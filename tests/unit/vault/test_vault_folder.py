"""The folder: what is ours is written and taken, what is a person's survives, and nothing leaves it."""

import os
from pathlib import Path

import pytest

from navlog.daemon.vault.folder import VaultFolder, look, obsidian_root
from navlog.projections.pages import pages
from navlog.projections.pages.marks import FOLDER_MARK
from navlog.schemas.errors import Degraded
from support.vault import shop

PAGE = "Concepts/shop/pricing (shop).md"
MADE = {page.path: page.text for page in pages([shop()])}


@pytest.fixture
def folder(tmp_path: Path) -> VaultFolder:
    made = VaultFolder(tmp_path / "vault")
    made.prepare()
    for path, text in MADE.items():
        assert made.put(path, text) == "written"
    return made


def test_every_page_we_write_is_known_as_ours(folder: VaultFolder) -> None:
    assert set(folder.ours()) == set(MADE)
    assert look(folder) == (MADE, {})


def test_what_is_the_same_is_not_written(folder: VaultFolder) -> None:
    before = {path: (folder.root / path).stat() for path in MADE}
    assert {folder.put(path, text) for path, text in MADE.items()} == {"same"}
    assert {path: (folder.root / path).stat() for path in MADE} == before


def test_a_persons_notes_beside_ours_survive(folder: VaultFolder) -> None:
    note, copy = folder.root / "Concepts/shop/mine.md", folder.root / "Concepts/shop/copy of pricing.md"
    note.write_text("my words")
    copy.write_text(MADE[PAGE])  # bears the mark of another path
    assert not folder.take("Concepts/shop/mine.md")
    assert not folder.take("Concepts/shop/copy of pricing.md")
    assert folder.put("Concepts/shop/mine.md", "ours") == "theirs"
    for path in MADE:
        assert folder.take(path)
    assert note.read_text() == "my words"
    assert copy.exists()
    assert not (folder.root / "Files").exists()  # what we leave empty goes


def test_a_page_whose_mark_was_taken_out_is_a_persons(folder: VaultFolder) -> None:
    mine = MADE[PAGE].replace("navlog: ", "was: ")
    (folder.root / PAGE).write_text(mine)
    assert folder.put(PAGE, "new") == "theirs"
    assert (folder.root / PAGE).read_text() == mine


def test_a_page_whose_properties_obsidian_wrote_anew_is_still_ours(folder: VaultFolder) -> None:
    for quoted in (PAGE, f"'{PAGE}'"):
        (folder.root / PAGE).write_text(
            MADE[PAGE].replace(f'navlog: "{PAGE}"', f"rating: 5\nnavlog: {quoted}")
        )
        assert folder.put(PAGE, MADE[PAGE]) == "written"


def make_odd(place: Path, what: str, outside: Path) -> None:
    if what == "fifo":
        os.mkfifo(place)
    elif what == "directory":
        place.mkdir()
    else:
        place.symlink_to(outside / ("x.md" if what == "file" else "new.md"))


@pytest.mark.parametrize("what", ["file", "folder", "dangling", "fifo", "directory"])
def test_nothing_is_written_through_or_over_what_is_no_page(
    folder: VaultFolder, tmp_path: Path, what: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("outside")
    place = folder.root / "Sub"
    if what == "folder":
        place.symlink_to(outside)
    else:
        place.mkdir()
        make_odd(place / "x.md", what, outside)
    assert folder.put("Sub/x.md", "ours") == "theirs"
    assert not folder.take("Sub/x.md")
    assert sorted(path.name for path in outside.iterdir()) == ["x.md"]
    assert (outside / "x.md").read_text() == "outside"
    assert set(folder.ours()) == set(MADE)


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "vault").symlink_to(tmp_path / "real")
    with pytest.raises(Degraded, match="is a link"):
        VaultFolder(tmp_path / "vault").prepare()
    assert not list((tmp_path / "real").iterdir())


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(Degraded, match="cannot be written"):
        VaultFolder(tmp_path / "taken/vault").prepare()


def test_a_page_is_whole_or_as_it_was(folder: VaultFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(OSError, match="No space"):
        folder.put(PAGE, MADE[PAGE] + "more\n")
    assert (folder.root / PAGE).read_text() == MADE[PAGE]
    assert not [name for name in (folder.root / "Concepts/shop").iterdir() if name.name.startswith(".")]


def test_what_a_crash_left_is_swept(folder: VaultFolder) -> None:
    half = folder.root / "Concepts/.navlog-half-1"
    half.write_text("ha")
    list(folder.ours())
    assert not half.exists()


def test_obsidians_own_folder_is_never_touched(folder: VaultFolder) -> None:
    theirs = folder.root / ".obsidian" / "app.md"
    theirs.parent.mkdir()
    theirs.write_text('---\nnavlog: ".obsidian/app.md"\n---\n')
    assert ".obsidian/app.md" not in set(folder.ours())
    assert theirs.exists()


def test_links_count_from_the_folder_that_obsidian_opens(tmp_path: Path) -> None:
    inner = tmp_path / "notes" / "code"
    assert obsidian_root(inner) == inner
    (tmp_path / "notes" / ".obsidian").mkdir(parents=True)
    assert obsidian_root(inner) == tmp_path / "notes"


def test_the_folder_bears_a_mark_that_watchers_know(folder: VaultFolder) -> None:
    assert (folder.root / FOLDER_MARK).is_file()
