"""Nothing outside a project is read through it, and nothing in it can make the reader hang."""

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from navlog.daemon.listener import paths
from navlog.daemon.listener.paths import blob_id, open_beneath, opened, read_inside, walk_beneath
from navlog.schemas.names import name_to_text
from support.listening import run_git

LIMIT = 1 << 20
Opener = Callable[[int, bytes, int], int]


@pytest.fixture(params=["openat2", "part by part"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project beside a secret, read by either way of resolving."""
    if request.param != "openat2":
        monkeypatch.setattr(paths, "open_beneath", walk_beneath)
    (tmp_path / "secret").write_text("outside")
    (tmp_path / "project/src").mkdir(parents=True)
    (tmp_path / "project/src/a.py").write_bytes(b"x = 1\n")
    return tmp_path / "project"


def test_a_file_is_read_with_its_stats(root: Path) -> None:
    (root / "src/a.py").chmod(0o755)
    read = read_inside(root, "src/a.py", LIMIT)
    stats = (root / "src/a.py").stat()
    assert (read.data, read.size, read.mtime_ns, read.executable) == (b"x = 1\n", 6, stats.st_mtime_ns, True)
    assert read.skip is None
    assert not read.absent


@pytest.mark.parametrize("path", ["../secret", "src/../../secret", "/etc/passwd", "src//a.py", ".."])
def test_a_path_that_leaves_the_root_is_refused(root: Path, path: str) -> None:
    read = read_inside(root, path, LIMIT)
    assert read.data != b"outside"
    assert read.skip == "link" or (path == "src//a.py" and read.data == b"x = 1\n")


def test_a_link_out_of_the_root_is_not_followed(root: Path) -> None:
    (root / "out").symlink_to("../secret")
    (root / "folder").symlink_to("..")
    (root / "proc").symlink_to("/proc/self")
    assert read_inside(root, "out", LIMIT).skip == "link"
    assert read_inside(root, "folder/secret", LIMIT).skip == "link"
    assert read_inside(root, "proc/environ", LIMIT).skip == "link"


def test_a_loop_of_links_ends(root: Path) -> None:
    (root / "loop").symlink_to("loop")
    (root / "up").symlink_to(".")
    assert read_inside(root, "loop", LIMIT).skip == "link"
    assert read_inside(root, "loop/x", LIMIT).skip == "link"
    assert read_inside(root, "up/up/src/a.py", LIMIT).skip == "link"


def test_a_fifo_a_socket_and_a_device_are_not_opened(root: Path) -> None:
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))
    assert read_inside(root, "fifo", LIMIT).skip == "fifo"
    assert read_inside(root, "socket", LIMIT).skip == "socket"
    assert read_inside(Path("/dev"), "null", LIMIT).skip == "device"


def test_a_sparse_file_of_a_gibibyte_is_not_read(root: Path) -> None:
    with (root / "huge").open("wb") as file:
        file.truncate(1 << 30)
    read = read_inside(root, "huge", LIMIT)
    assert (read.data, read.skip, read.size) == (None, "too_large", 1 << 30)


def test_the_limit_is_the_last_size_that_is_read(root: Path) -> None:
    (root / "exact").write_bytes(b"12345")
    assert read_inside(root, "exact", 5).data == b"12345"
    assert read_inside(root, "exact", 4).skip == "too_large"


def test_a_file_that_grows_while_it_is_read_stays_within_the_limit() -> None:
    assert read_inside(Path("/proc/self"), "environ", 1).skip in ("too_large", "link")  # its size says 0


@pytest.mark.parametrize("path", ["gone", "src", "src/a.py/x", "x" * 300, "a\0b"])
def test_where_no_file_is_there_is_nothing_to_read(root: Path, path: str) -> None:
    assert read_inside(root, path, LIMIT).absent


def test_names_that_are_not_utf8_are_read(root: Path) -> None:
    name = b"caf\xe9 \n\"'.txt"
    (root / os.fsdecode(name)).write_bytes(b"bytes")
    assert read_inside(root, name_to_text(name), LIMIT).data == b"bytes"


def test_what_cannot_be_opened_says_why(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(paths, "open_beneath", refuse)
    read = read_inside(root, "src/a.py", LIMIT)
    assert (read.skip, read.detail) == ("unreadable", "Permission denied")


def test_no_descriptor_is_left_open(root: Path) -> None:
    (root / "loop").symlink_to("loop")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in ("src/a.py", "gone/x/y", "loop/x", "src", "../secret"):
        read_inside(root, path, LIMIT)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize("opener", [open_beneath, walk_beneath])
@pytest.mark.parametrize("path", [b"..", b"a/../..", b"/etc", b"link", b"link/x"])
def test_both_ways_of_resolving_refuse_the_same(tmp_path: Path, opener: Opener, path: bytes) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    with opened(tmp_path) as root, pytest.raises(OSError, match=r"link|device") as fault:
        os.close(opener(root, path, os.O_RDONLY))
    assert fault.value.errno in (errno.ELOOP, errno.EXDEV)


def test_blob_id_is_gits(tmp_path: Path) -> None:
    data = b"caf\xe9\0\n"
    assert blob_id(data) == run_git(tmp_path, "hash-object", "--stdin", say=data).decode().strip()
