"""A data home whose daemon answers on another socket is told apart from one that is starting."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from navlog.daemon.holding import refuse_elsewhere
from navlog.daemon.home import Home, find_home
from navlog.schemas.errors import AlreadyRunning

HOLD = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), 2); print(flush=True); input()"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"NAVLOG_HOME": str(tmp_path / "data"), "XDG_RUNTIME_DIR": str(tmp_path / "run 1")}


@pytest.fixture
def held(environ: dict[str, str]) -> Iterator[int]:
    """Another process with these variables holds the log; its pid."""
    log = find_home(environ).log
    log.mkdir(parents=True)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(log)],
        env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.kill()


def elsewhere(environ: dict[str, str], tmp_path: Path) -> Home:
    return find_home({**environ, "XDG_RUNTIME_DIR": str(tmp_path / "run 2")})


def test_a_daemon_on_another_socket_is_named_with_the_way_to_it(
    held: int, environ: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(AlreadyRunning, match=f"pid {held}") as told:
        refuse_elsewhere(elsewhere(environ, tmp_path))
    assert told.value.hint.startswith(f"Ask it:  XDG_RUNTIME_DIR='{tmp_path}/run 1' navlog status")


def test_a_daemon_that_is_starting_on_this_socket_is_waited_for(held: int, environ: dict[str, str]) -> None:
    assert held
    refuse_elsewhere(find_home(environ))


def test_nobody_is_named_where_nobody_holds_it(environ: dict[str, str], tmp_path: Path) -> None:
    refuse_elsewhere(elsewhere(environ, tmp_path))
    find_home(environ).log.mkdir(parents=True)
    refuse_elsewhere(elsewhere(environ, tmp_path))
