"""A backup of a log that grows is a log; a restore brings exactly that back, or says why not."""

import threading
from pathlib import Path

import msgspec
import pytest

from navlog.daemon.journal import Journal, RealStorage
from navlog.daemon.journal.backup import MANIFEST, Manifest, backup, restore
from navlog.daemon.journal.verify import verify
from navlog.schemas.errors import LogDamaged, UsageError
from navlog.schemas.settings import Log
from support.journal import FOLDER, SMALL, Process, disk, files_of, gone, open_journal, written

COPY, BACK = Path("/home/copy"), Path("/home/back")


def test_a_closed_log_comes_back_byte_for_byte() -> None:
    files = written(60, SMALL)
    storage = disk(files)
    manifest = backup(FOLDER, COPY, storage=storage)
    assert [(fence.log, fence.position) for fence in manifest.fences] == [("events", 60), ("overlays", 0)]
    restore(COPY, BACK, storage=storage)
    for name, content in files.items():
        if name.endswith(".jsonl"):
            assert storage.read(BACK / name) == content
    assert verify(BACK, storage=storage).ok
    assert files_of(storage) == files


def test_a_restored_log_goes_on() -> None:
    storage = disk(written(10, SMALL))
    backup(FOLDER, FOLDER.parent / "copy", storage=storage)
    moved = disk({name: storage.read(COPY / name) for name in storage.listdir(COPY) if "." in name})
    process = Process(moved)
    process.commit([gone("new")])
    assert process.ids == [*(f"id-{n}" for n in range(1, 11)), "id-new"]


def test_the_quarantine_goes_along() -> None:
    storage = disk(written(3, closed=False))
    path = FOLDER / "events-00000001.jsonl"
    file = storage.extend(path)
    file.truncate(storage.size(path) - 5)
    file.close()
    Process(storage)
    backup(FOLDER, COPY, storage=storage)
    restore(COPY, BACK, storage=storage)
    (name,) = storage.listdir(BACK / "quarantine")
    assert storage.read(BACK / "quarantine" / name) == storage.read(FOLDER / "quarantine" / name)


def test_a_backup_under_load_holds_what_was_durable_at_its_fence(tmp_path: Path) -> None:
    lock = RealStorage().lock(tmp_path)
    events = open_journal(tmp_path, Log(segment_bytes=20_000), lock=lock)
    overlays = Journal.open(tmp_path, "overlays", settings=Log(), redact=lambda draft: draft, lock=lock)
    stop = threading.Event()

    def load() -> None:
        number = 0
        while not stop.is_set():
            events.append([gone(f"{number}-{n}") for n in range(3)]).result()
            overlays.append([gone(number)]).result()
            number += 1

    writer = threading.Thread(target=load)
    writer.start()
    try:
        for turn in range(5):
            events.wait(events.position + 20)
            copy, back = tmp_path / f"copy-{turn}", tmp_path / f"back-{turn}"
            manifest = backup(tmp_path, copy, fences=[overlays.fence, events.fence])
            restore(copy, back)
            report = verify(back)
            assert report.ok
            ends = {log.log: log.position for log in report.logs}
            assert ends == {fence.log: fence.position for fence in manifest.fences}
            assert verify(tmp_path, fences=[overlays.fence, events.fence]).ok
    finally:
        stop.set()
        writer.join()
        events.close()
        overlays.close()
        lock.close()


@pytest.mark.parametrize("name", ["events-00000002.jsonl", "events.anchor", MANIFEST])
def test_a_backup_that_was_changed_is_not_restored(name: str) -> None:
    storage = disk(written(60, SMALL))
    backup(FOLDER, COPY, storage=storage)
    content = storage.read(COPY / name)
    storage._node(COPY / name).content = content[:-9] + b"x" + content[-8:]
    with pytest.raises(LogDamaged):
        restore(COPY, BACK, storage=storage)
    assert storage.listdir(BACK) == []


def test_a_missing_file_is_seen() -> None:
    storage = disk(written(60, SMALL))
    backup(FOLDER, COPY, storage=storage)
    storage.remove(COPY / "events-00000002.jsonl")
    with pytest.raises(LogDamaged):
        restore(COPY, BACK, storage=storage)


def test_a_damaged_log_is_not_backed_up() -> None:
    files = written(20)
    storage = disk(
        files | {"events-00000001.jsonl": files["events-00000001.jsonl"].replace(b"id-7", b"id-8")}
    )
    with pytest.raises(LogDamaged) as caught:
        backup(FOLDER, COPY, storage=storage)
    assert "salvage" in caught.value.hint


def test_nothing_is_ever_overwritten() -> None:
    storage = disk(written(3))
    backup(FOLDER, COPY, storage=storage)
    with pytest.raises(UsageError):
        backup(FOLDER, COPY, storage=storage)
    with pytest.raises(UsageError):
        restore(COPY, FOLDER, storage=storage)
    with pytest.raises(UsageError):
        restore(BACK, Path("/home/elsewhere"), storage=storage)


def test_a_manifest_that_names_files_outside_is_refused() -> None:
    storage = disk(written(3))
    manifest = backup(FOLDER, COPY, storage=storage)
    file = msgspec.structs.replace(manifest.files[0], name="../log/events-00000001.jsonl")
    evil = msgspec.structs.replace(manifest, files=(file,))
    storage._node(COPY / MANIFEST).content = msgspec.json.encode(evil)
    with pytest.raises(LogDamaged, match="outside"):
        restore(COPY, BACK, storage=storage)


def test_progress_ends_at_the_total_and_the_manifest_can_be_read() -> None:
    storage = disk(written(60, SMALL))
    told: list[tuple[int, int]] = []
    manifest = backup(FOLDER, COPY, storage=storage, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 0
    assert msgspec.json.decode(storage.read(COPY / MANIFEST), type=Manifest) == manifest
    told.clear()
    assert verify(COPY, storage=storage, progress=lambda done, total: told.append((done, total))).ok
    assert told[-1][0] == told[-1][1] > 0
