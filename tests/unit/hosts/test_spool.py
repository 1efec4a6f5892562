"""The spool: read in order, forgotten when said, kept while nothing can be said."""

import os
import stat
from pathlib import Path

import msgspec
import pytest

from navlog.daemon.hosts import spool as spools
from navlog.daemon.hosts.spool import Spool
from navlog.schemas.errors import Internal, WriterPoisoned
from navlog.schemas.wire import HookArgs


class Log:
    """Hears calls; refuses as it is told."""

    def __init__(self) -> None:
        self.heard: list[HookArgs] = []
        self.fault: Exception | None = None

    def say(self, args: HookArgs) -> None:
        if self.fault:
            raise self.fault
        self.heard.append(args)


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spool"


def put(folder: Path, number: int, data: bytes | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    args = HookArgs(host="codex", id=f"call-{number:04}", payload=msgspec.Raw(b"{}"))
    file = folder / f"{number:020}-x.json"
    file.write_bytes(msgspec.json.encode(args) if data is None else data)
    return file


def test_calls_are_said_in_their_order_and_forgotten(folder: Path, log: Log) -> None:
    for number in (3, 1, 2):
        put(folder, number)
    spool = Spool(folder, log.say)
    assert spool.waiting() == 3
    assert spool.drain() == 3
    assert [args.id for args in log.heard] == ["call-0001", "call-0002", "call-0003"]
    assert all(args.spooled for args in log.heard)
    assert spool.waiting() == 0


def test_without_a_folder_there_is_nothing_to_say(folder: Path, log: Log) -> None:
    spool = Spool(folder, log.say)
    assert (spool.drain(), spool.waiting(), spool.damaged()) == (0, 0, [])
    assert not folder.exists()


def test_while_the_log_cannot_be_written_everything_waits(folder: Path, log: Log) -> None:
    put(folder, 1)
    spool = Spool(folder, log.say)
    log.fault = WriterPoisoned("The disk is full.")
    assert (spool.drain(), spool.waiting()) == (0, 1)
    log.fault = None
    assert (spool.drain(), spool.waiting()) == (1, 0)


@pytest.mark.parametrize("data", [b"", b"{", b'{"host": 1}', b"\x00" * 100, b'{"host":"x","id":"y"}'])
def test_a_damaged_file_is_set_aside_and_the_others_are_said(folder: Path, log: Log, data: bytes) -> None:
    bad = put(folder, 1, data)
    put(folder, 2)
    spool = Spool(folder, log.say)
    assert spool.drain() == 2
    assert [args.id for args in log.heard] == ["call-0002"]
    assert spool.damaged() == [bad.name]
    assert (folder / "damaged" / bad.name).read_bytes() == data


def test_a_call_that_is_refused_for_good_does_not_hold_up_the_others(folder: Path, log: Log) -> None:
    put(folder, 1)
    log.fault = Internal("This cannot be understood.")
    spool = Spool(folder, log.say)
    assert spool.drain() == 1
    assert len(spool.damaged()) == 1


def test_links_pipes_and_folders_are_not_read(folder: Path, log: Log, tmp_path: Path) -> None:
    target = put(tmp_path / "elsewhere", 9)
    folder.mkdir()
    (folder / "1-link.json").symlink_to(target)
    os.mkfifo(folder / "2-pipe.json")
    (folder / "3-folder.json").mkdir()
    spool = Spool(folder, log.say)
    spool.drain()
    assert not log.heard
    assert len(spool.damaged()) == 3
    assert target.exists()


def test_a_file_that_is_too_long_is_set_aside(
    folder: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spools, "FILE_BYTES", 10)
    put(folder, 1)
    spool = Spool(folder, log.say)
    spool.drain()
    assert len(spool.damaged()) == 1


def test_only_so_many_are_kept_aside(folder: Path, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spools, "DAMAGED", 2)
    for number in range(5):
        put(folder, number, b"{")
    spool = Spool(folder, log.say)
    spool.drain()
    assert [name[:20] for name in spool.damaged()] == [f"{3:020}", f"{4:020}"]
    assert stat.S_IMODE((folder / "damaged").stat().st_mode) == 0o700


def test_of_a_killed_client_the_call_is_said_and_the_draft_removed_after_a_while(
    folder: Path, log: Log
) -> None:
    for number, end in ((1, ".tmp"), (2, ".tmp"), (3, ".open"), (4, ".open")):
        file = put(folder, number)
        file.rename(folder / f".{file.stem}{end}")
    for number, end in ((1, ".tmp"), (3, ".open")):
        os.utime(folder / f".{number:020}-x{end}", (1, 1))
    Spool(folder, log.say).drain()
    assert [args.id for args in log.heard] == ["call-0003"]
    assert sorted(file.name[-6:] for file in folder.iterdir()) == ["x.open", "-x.tmp"][::-1]


def test_the_thread_says_what_is_there_when_it_starts(folder: Path, log: Log) -> None:
    put(folder, 1)
    spool = Spool(folder, log.say)
    spool.drain()
    spool.start()
    spool.stop()
    assert len(log.heard) == 1
