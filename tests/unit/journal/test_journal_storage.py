"""What both storages promise, checked on both; then what only the twin can show: a power cut."""

import errno
from pathlib import Path

import pytest

from navlog.daemon.journal.memory import MemoryStorage, PowerCut, Trouble
from navlog.daemon.journal.storage import RealStorage, Storage, append_all, write_whole
from navlog.schemas.errors import AlreadyRunning


@pytest.fixture(params=[RealStorage, MemoryStorage])
def storage(request: pytest.FixtureRequest) -> Storage:
    made: Storage = request.param()
    return made


def nothing(_most: int) -> int:
    return 0


# --- the contract -------------------------------------------------------------------------------------------


def test_a_file_is_made_once_and_appended_to(storage: Storage, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    storage.make_folder(folder)
    storage.make_folder(folder)
    file = storage.create(folder / "x")
    assert file.append(b"abc") == 3
    file.fsync()
    file.close()
    file.close()
    again = storage.extend(folder / "x")
    append_all(again, b"def")
    again.close()
    assert storage.read(folder / "x") == b"abcdef"
    assert bytes(storage.view(folder / "x")) == b"abcdef"
    assert storage.size(folder / "x") == 6
    with pytest.raises(FileExistsError):
        storage.create(folder / "x")


def test_a_part_is_read_and_the_end_is_no_error(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    write_whole(storage, tmp_path / "x", b"0123456789")
    assert storage.read(tmp_path / "x", 3, 4) == b"3456"
    assert storage.read(tmp_path / "x", 8, 10) == b"89"
    assert storage.read(tmp_path / "x", 20, 10) == b""
    assert storage.read(tmp_path / "x", 8) == b"89"


def test_settling_changes_nothing_of_a_sound_file(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    append_all(storage.create(tmp_path / "a"), b"sound")
    storage.settle(tmp_path / "a")
    assert storage.read(tmp_path / "a") == b"sound"


def test_a_cut_file_goes_on_at_its_new_end(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    file = storage.create(tmp_path / "x")
    file.append(b"0123456789")
    file.truncate(4)
    file.append(b"x")
    file.close()
    assert storage.read(tmp_path / "x") == b"0123x"


def test_a_rename_replaces(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    write_whole(storage, tmp_path / "x", b"old")
    write_whole(storage, tmp_path / "x", b"new")
    assert storage.read(tmp_path / "x") == b"new"
    assert storage.listdir(tmp_path) == ["x"]
    storage.rename(tmp_path / "x", tmp_path / "y")
    assert storage.listdir(tmp_path) == ["y"]
    storage.remove(tmp_path / "y")
    assert storage.listdir(tmp_path) == []


def test_an_interrupted_whole_write_is_begun_again(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    storage.create(tmp_path / "x.tmp").close()
    write_whole(storage, tmp_path / "x", b"new")
    assert storage.listdir(tmp_path) == ["x"]


def test_what_is_missing_is_missing(storage: Storage, tmp_path: Path) -> None:
    assert storage.listdir(tmp_path / "nowhere") == []
    storage.make_folder(tmp_path)
    for call in (storage.extend, storage.size, storage.read, storage.view, storage.remove):
        with pytest.raises(FileNotFoundError):
            call(tmp_path / "x")


def test_an_empty_file_has_an_empty_view(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    storage.create(tmp_path / "x").close()
    assert bytes(storage.view(tmp_path / "x")) == b""


def test_a_view_cannot_be_written_to_and_outlives_its_file(storage: Storage, tmp_path: Path) -> None:
    content = bytes(range(256)) * 5000
    storage.make_folder(tmp_path)
    write_whole(storage, tmp_path / "x", content)
    view = storage.view(tmp_path / "x")
    storage.remove(tmp_path / "x")
    assert view == content
    with pytest.raises(TypeError):
        view[0] = 1


def test_a_view_holds_no_descriptor_and_goes_when_nobody_looks_at_it(tmp_path: Path) -> None:
    storage = RealStorage()
    write_whole(storage, tmp_path / "x", b"mapped" * 5000)

    def held() -> tuple[int, int]:
        """Descriptors, and mappings of the file."""
        mappings = Path("/proc/self/maps").read_text().count(str(tmp_path / "x"))
        return sum(1 for _ in Path("/proc/self/fd").iterdir()), mappings

    before = held()
    piece = storage.view(tmp_path / "x")[6:].cast("B")
    assert held() == (before[0], 1)
    assert bytes(piece[:6]) == b"mapped"
    del piece
    assert held() == before == (before[0], 0)


def test_a_folder_has_one_holder(storage: Storage, tmp_path: Path) -> None:
    storage.make_folder(tmp_path)
    lock = storage.lock(tmp_path)
    with pytest.raises(AlreadyRunning):
        storage.lock(tmp_path)
    lock.close()
    lock.close()
    storage.lock(tmp_path).close()


def test_private_files_and_folders(tmp_path: Path) -> None:
    storage = RealStorage()
    storage.make_folder(tmp_path / "a")
    write_whole(storage, tmp_path / "a" / "x", b"")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "x").stat().st_mode & 0o777 == 0o600


# --- the twin -----------------------------------------------------------------------------------------------


@pytest.fixture
def twin(tmp_path: Path) -> MemoryStorage:
    storage = MemoryStorage()
    storage.make_folder(tmp_path)
    return storage


def test_without_fsync_of_file_and_folder_nothing_survives(twin: MemoryStorage, tmp_path: Path) -> None:
    file = twin.create(tmp_path / "x")
    file.append(b"abc")
    file.fsync()
    twin.cut_power(nothing)
    assert twin.listdir(tmp_path) == []
    file = twin.create(tmp_path / "y")
    file.append(b"abc")
    twin.fsync_dir(tmp_path)
    twin.cut_power(nothing)
    assert twin.read(tmp_path / "y") == b""


def test_a_cut_that_was_not_fsynced_comes_back(twin: MemoryStorage, tmp_path: Path) -> None:
    write_whole(twin, tmp_path / "x", b"0123456789")
    twin.extend(tmp_path / "x").truncate(3)
    assert twin.size(tmp_path / "x") == 3
    twin.cut_power(nothing)
    assert twin.size(tmp_path / "x") == 10


def test_a_second_fsync_succeeds_over_lost_bytes(twin: MemoryStorage, tmp_path: Path) -> None:
    file = twin.create(tmp_path / "x")
    twin.fsync_dir(tmp_path)
    file.append(b"abc")
    twin.trouble(Trouble(code=errno.EIO))
    with pytest.raises(OSError, match="Input/output"):
        file.fsync()
    assert twin.read(tmp_path / "x") == b"abc"
    file.fsync()
    assert twin.fsynced_again == 1
    twin.cut_power()
    assert twin.read(tmp_path / "x") == b"\0\0\0"


def test_settling_shows_what_the_disk_has(twin: MemoryStorage, tmp_path: Path) -> None:
    file = twin.create(tmp_path / "a")
    file.append(b"lost")
    twin.trouble(Trouble(call="fsync", code=errno.EIO))
    with pytest.raises(OSError, match="Input/output"):
        file.fsync()
    assert twin.read(tmp_path / "a") == b"lost"
    twin.settle(tmp_path / "a")
    assert twin.read(tmp_path / "a") == bytes(4)


def test_a_removed_file_that_comes_back_has_lost_its_cache_too(twin: MemoryStorage, tmp_path: Path) -> None:
    twin.create(tmp_path / "a").append(b"cached")
    twin.remove(tmp_path / "a")
    twin.cut_power(lambda most: 1 if most == 2 else 0)  # of the folder's two changes the first is left
    assert twin.read(tmp_path / "a") == b""


def test_a_kill_keeps_the_cache_and_frees_the_folder(twin: MemoryStorage, tmp_path: Path) -> None:
    twin.lock(tmp_path)
    file = twin.create(tmp_path / "x")
    file.append(b"abc")
    twin.kill()
    assert twin.read(tmp_path / "x") == b"abc"
    twin.lock(tmp_path).close()
    with pytest.raises(OSError, match="descriptor"):
        file.append(b"d")


def test_a_full_disk_takes_what_fits_then_nothing(twin: MemoryStorage, tmp_path: Path) -> None:
    file = twin.create(tmp_path / "x")
    twin.room = 2
    assert file.append(b"abc") == 2
    with pytest.raises(OSError, match="No space"):
        file.append(b"d")
    file.truncate(1)
    assert file.append(b"d") == 1


def test_power_goes_in_the_middle_of_a_write(twin: MemoryStorage, tmp_path: Path) -> None:
    file = twin.create(tmp_path / "x")
    twin.fsync_dir(tmp_path)
    twin.trouble(Trouble(calls=0, taken=2))
    with pytest.raises(PowerCut):
        file.append(b"abc")
    twin.cut_power()
    assert twin.read(tmp_path / "x") == b"ab"
