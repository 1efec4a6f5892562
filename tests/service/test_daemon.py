"""A real daemon: starting, stopping, being alone, being told from others."""

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from service.conftest import Installation

from navlog.daemon.build import VERSION
from navlog.daemon.client import connect
from navlog.daemon.launch import READY_FD, ensure_daemon, start, stop_daemon
from navlog.schemas.errors import AlreadyRunning, DaemonAway, StartRefused, UsageError

ENSURE = """
import os
from navlog.daemon.home import find_home
from navlog.daemon.launch import ensure_daemon
daemon, started = ensure_daemon(find_home(os.environ), os.environ)
print(daemon.pid, started)
"""
DAEMON = ("up", "--foreground", f"--ready-fd={READY_FD}")
pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(60)]


def gone(pid: int, within: float = 10) -> bool:
    with contextlib.suppress(ProcessLookupError):
        process = os.pidfd_open(pid)
        try:
            return bool(select.select([process], [], [], within)[0])
        finally:
            os.close(process)
    return True


def lines(installation: Installation) -> list[dict[str, object]]:
    return [json.loads(line) for line in installation.home.daemon_log.read_text().splitlines()]


def older_build(script: str, *arguments: str) -> tuple[str, ...]:
    """A command that runs ``script`` as build 0.0.9."""
    prelude = (
        "import navlog.daemon.build as build; build.VERSION = '0.0.9'\n"
        "from navlog.daemon.cli.main import main\n"
    )
    return (sys.executable, "-I", "-c", prelude + script, *arguments)


def test_up_status_down(installation: Installation) -> None:
    daemon, started = ensure_daemon(installation.home, installation.environ)
    assert started
    assert os.getsid(daemon.pid) == daemon.pid
    assert Path(f"/proc/{daemon.pid}/cwd").readlink() == Path("/")
    assert {str(Path(f"/proc/{daemon.pid}/fd/{n}").readlink()) for n in (0, 1)} == {os.devnull}
    again, started = ensure_daemon(installation.home, installation.environ)
    assert (again.pid, started) == (daemon.pid, False)
    shown = json.loads(installation.run("status", "--json").stdout)
    assert shown["pid"] == daemon.pid
    assert shown["data_home"] == str(installation.home.data)
    down = installation.run("down")
    assert (down.returncode, down.stdout) == (0, f"stopped (pid {daemon.pid})\n")
    assert not installation.home.socket.exists()
    assert installation.run("status").returncode == 75
    assert [line["event"] for line in lines(installation)][-1] == "daemon_stopped"


def test_twenty_starts_at_once_end_with_one_daemon(installation: Installation) -> None:
    starts = [
        subprocess.Popen(
            [sys.executable, "-I", "-c", ENSURE],
            env=installation.environ,
            text=True,
            stdout=subprocess.PIPE,
        )
        for _ in range(20)
    ]
    answers = [start.communicate(timeout=50)[0].split() for start in starts]
    assert {start.returncode for start in starts} == {0}
    assert len({pid for pid, _ in answers}) == 1
    assert [started for _, started in answers].count("True") == 1


def test_a_second_daemon_is_refused_and_the_first_goes_on(installation: Installation) -> None:
    pid = start(installation.home, installation.environ)
    with pytest.raises(AlreadyRunning):
        start(installation.home, installation.environ)
    second = installation.run("up", "--foreground")
    assert second.returncode == 78
    assert "navlog status" in second.stderr
    assert installation.status().pid == pid


def test_another_data_home_on_the_same_socket_is_refused(installation: Installation) -> None:
    pid = start(installation.home, installation.environ)
    other = {**installation.environ, "NAVLOG_HOME": str(installation.home.data) + "-2"}
    refused = subprocess.run(
        [sys.executable, "-I", "-m", "navlog.daemon", "up", "--foreground"],
        env=other, capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert refused.returncode == 78
    shown = subprocess.run(
        [sys.executable, "-I", "-m", "navlog.daemon", "status"],
        env=other, capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert shown.returncode == 2
    assert str(installation.home.data) in shown.stderr
    assert installation.status().pid == pid


def test_a_newer_build_takes_over(installation: Installation) -> None:
    older = start(installation.home, installation.environ, older_build("main()", *DAEMON))
    assert installation.status().version == "0.0.9"
    assert "older build 0.0.9" in installation.run("doctor").stdout
    daemon, started = ensure_daemon(installation.home, installation.environ)
    assert (started, daemon.version) == (True, VERSION)
    assert gone(older)


def test_an_older_build_asks_the_newer_daemon_and_leaves_it(installation: Installation) -> None:
    pid = start(installation.home, installation.environ)
    asked = subprocess.run(
        older_build(ENSURE), env=installation.environ, capture_output=True, text=True, check=True, timeout=30
    )
    assert asked.stdout.split() == [str(pid), "False"]
    assert installation.status().version == VERSION


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(installation: Installation, name: signal.Signals) -> None:
    daemon = installation.popen("up", "--foreground")
    _until_it_answers(installation)
    daemon.send_signal(name)
    _, errors = daemon.communicate(timeout=20)
    assert daemon.returncode == 0
    assert '"daemon_stopped"' in errors
    assert not installation.home.socket.exists()


def test_an_idle_client_does_not_keep_it_from_ending(installation: Installation) -> None:
    pid = start(installation.home, installation.environ)
    with connect(installation.home), connect(installation.home) as half:
        half.sendall(b'{"verb": ')
        stop_daemon(installation.home)
    assert gone(pid)


def test_after_kill_9_the_next_start_takes_over(installation: Installation) -> None:
    pid = start(installation.home, installation.environ)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert installation.home.socket.exists()
    with pytest.raises(DaemonAway):
        installation.status()
    assert start(installation.home, installation.environ) != pid


def test_a_daemon_whose_socket_was_taken_away_makes_room(installation: Installation) -> None:
    pid = start(installation.home, installation.environ)
    installation.home.socket.unlink()
    daemon, started = ensure_daemon(installation.home, installation.environ)
    assert started
    assert daemon.pid != pid
    assert "socket_lost" in [line["event"] for line in lines(installation)]


def test_a_start_that_is_refused_says_why_through_the_pipe(installation: Installation) -> None:
    installation.home.settings.parent.mkdir(parents=True)
    installation.home.settings.write_text("[answer]\nfilse = 3\n")
    with pytest.raises(UsageError, match="filse"):
        start(installation.home, installation.environ)


def test_a_start_that_dies_is_told_with_its_last_word(installation: Installation) -> None:
    installation.home.data.mkdir(mode=0o700)
    with pytest.raises(Exception, match=r"ended while starting \(3\).*so it goes"):
        start(
            installation.home, installation.environ,
            (sys.executable, "-c", "import sys; print('so it goes', file=sys.stderr); sys.exit(3)"),
        )  # fmt: skip


def traced_by(installation: Installation, trace: str) -> list[dict[str, object]]:
    return [line for line in lines(installation) if line.get("trace") == trace]


def test_every_line_of_a_request_carries_its_trace(installation: Installation) -> None:
    start(installation.home, installation.environ)
    with connect(installation.home) as wire:
        wire.sendall(b'{"verb": "status", "trace": "from-the-hook"}\nnot json\n')
        with wire.makefile("rb") as replies:
            assert json.loads(replies.readline())["trace"] == "from-the-hook"
            assert json.loads(replies.readline())["error"]["code"] == "RequestRefused"
    until = time.monotonic() + 30  # the reply goes out before it is logged
    while not (traced := traced_by(installation, "from-the-hook")) and time.monotonic() < until:
        time.sleep(0.02)
    assert [line["event"] for line in traced] == ["request"]


def test_a_passed_socket_is_used_and_left_alone(installation: Installation) -> None:
    installation.home.socket.parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as passed, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        passed.bind(str(installation.home.socket))
        passed.listen()
        told = installation.home.socket.with_name("notify")
        systemd.bind(str(told))
        systemd.settimeout(20)
        environ = installation.environ
        script = (
            "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ['LISTEN_PID'] = str(os.getpid()); "
            "os.execv(sys.executable, [sys.executable, '-I', '-m', 'navlog.daemon', 'up', '--foreground'])"
        )
        daemon = subprocess.Popen(
            [sys.executable, "-c", script, str(passed.fileno())], pass_fds=[passed.fileno()],
            env={**environ, "LISTEN_FDS": "1", "NOTIFY_SOCKET": str(told), "WATCHDOG_USEC": "200000"},
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert systemd.recv(100).startswith(b"READY=1\n")
        assert [systemd.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        assert installation.status().activated
        assert "systemctl --user stop navlog.socket" in installation.run("down").stdout
        assert daemon.wait(20) == 0
        assert installation.home.socket.exists()
        while (last := systemd.recv(100)) == b"WATCHDOG=1":
            pass
        assert last == b"STOPPING=1"


@pytest.mark.root
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_is_refused_even_where_the_folders_let_him_in(installation: Installation) -> None:
    start(installation.home, installation.environ)
    for folder in (installation.home.socket, *installation.home.socket.parents):
        if folder != Path("/tmp"):
            folder.chmod(0o777)
    script = (
        "import os, socket, sys; os.setgid(65534); os.setuid(65534); s = socket.socket(socket.AF_UNIX); "
        "s.settimeout(10); s.connect(sys.argv[1]); "
        'data = b""\n'
        'try:\n    s.sendall(b\'{"verb": "status"}\\n\'); data = s.recv(100)\n'
        "except ConnectionError: pass\n"
        "print(data)"
    )
    other = subprocess.run(
        [sys.executable, "-c", script, str(installation.home.socket)],
        capture_output=True, text=True, check=False, timeout=20,
    )  # fmt: skip
    assert (other.stdout, other.stderr) == ("b''\n", "")
    assert installation.status().pid
    assert {"peer_refused"} <= {str(line["event"]) for line in lines(installation)}


def test_a_held_log_folder_refuses_the_start_before_anything_is_written(installation: Installation) -> None:
    installation.home.log.mkdir(parents=True, mode=0o700)
    installation.home.data.chmod(0o700)
    holder = os.open(installation.home.log, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        with pytest.raises(StartRefused):
            start(installation.home, installation.environ)
    finally:
        os.close(holder)
    assert not installation.home.daemon_log.exists()


def _until_it_answers(installation: Installation) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with contextlib.suppress(DaemonAway):
            installation.status()
            return
        time.sleep(0.02)
    raise AssertionError("the daemon does not answer")
