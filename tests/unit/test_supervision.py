"""What systemd and navlog say to each other."""

import os
import socket
from pathlib import Path

from navlog.daemon.supervision import notify, take_passed_socket, watchdog_s


def test_notify_sends_one_datagram(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "n"))
        notify({"NOTIFY_SOCKET": str(tmp_path / "n")}, "READY=1", "MAINPID=4")
        assert systemd.recv(100) == b"READY=1\nMAINPID=4"


def test_notify_without_a_supervisor_or_with_a_dead_one_does_nothing(tmp_path: Path) -> None:
    notify({}, "READY=1")
    notify({"NOTIFY_SOCKET": str(tmp_path / "gone")}, "READY=1")
    notify({"NOTIFY_SOCKET": "vsock:2:1"}, "READY=1")


def test_a_socket_passed_to_another_process_is_not_taken() -> None:
    environ = {"LISTEN_PID": str(os.getpid() + 1), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x"}
    assert take_passed_socket(environ) is None
    assert environ == {}


def test_the_watchdogs_interval_is_this_process_own() -> None:
    assert watchdog_s({"WATCHDOG_USEC": "30000000"}) == 30.0
    assert watchdog_s({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}) == 30.0
    assert watchdog_s({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}) is None
    assert watchdog_s({"WATCHDOG_USEC": "0"}) is None
    assert watchdog_s({}) is None
