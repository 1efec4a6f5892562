"""A disk that fails ends the daemon with 75, after everybody who waited has heard."""

import subprocess
import sys

import pytest
from service.conftest import Installation

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(60)]
SCRIPT = """
import os, sys
from navlog.daemon import service
from navlog.daemon.home import find_home
from navlog.daemon.house import House
from navlog.schemas.errors import NavlogError

service.HEARTBEAT_S = 0.05
failing = iter(["", "", "EIO: Input/output error"])
house = House(fatal=lambda: next(failing, "EIO: Input/output error"))
try:
    service.serve(find_home(os.environ), os.environ, lambda *_: house, target="stderr", announce=lambda: None)
except NavlogError as error:
    print(error)
    sys.exit(error.exit_code)
"""


def test_a_failed_disk_ends_the_daemon_with_75(installation: Installation) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=installation.environ, capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert done.returncode == 75, done.stderr
    assert "EIO" in done.stdout
    assert "navlog up" in done.stdout
    assert "daemon_gives_up" in done.stderr
    assert not installation.home.socket.exists()
