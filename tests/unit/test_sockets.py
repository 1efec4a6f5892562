"""The listening socket's file: who makes it, who removes it."""

import socket
from pathlib import Path

import pytest

from navlog.daemon.sockets import listen
from navlog.schemas.errors import AlreadyRunning, UnsafeHome


def test_the_file_is_for_its_owner_only_and_goes_with_the_daemon(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with listen(path, None) as listening:
        assert path.stat().st_mode & 0o777 == 0o600
        assert not listening.lost()
    assert not path.exists()


def test_a_dead_daemons_socket_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with listen(path, None), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_a_socket_somebody_answers_on_stays(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with listen(path, None):
        with pytest.raises(AlreadyRunning), listen(path, None):
            pass
        assert path.exists()


def test_a_file_that_is_no_socket_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("mine")
    with pytest.raises(UnsafeHome, match="not a socket"), listen(tmp_path / "s", None):
        pass
    assert (tmp_path / "s").read_text() == "mine"


def test_a_successors_socket_is_noticed_and_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with listen(path, None) as listening:
        path.unlink()
        path.write_text("the successor's")
        assert listening.lost()
    assert path.read_text() == "the successor's"


def test_a_passed_socket_is_used_and_its_file_never_removed(tmp_path: Path) -> None:
    path = tmp_path / "s"
    passed = socket.socket(socket.AF_UNIX)
    passed.bind(str(path))
    with listen(path, passed) as listening:
        assert listening.passed
        assert listening.socket is passed
        assert not listening.lost()
    assert path.exists()
