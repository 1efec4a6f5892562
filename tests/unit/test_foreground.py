"""The process that becomes the daemon loads what it needs."""

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import os, sys
from navlog.daemon.cli.foreground import be_the_daemon
from navlog.daemon.home import find_home
from navlog.schemas.errors import NavlogError
try:
    be_the_daemon(find_home(os.environ), None)
except NavlogError:
    print(*({"structlog", "rich", "pygments"} & sys.modules.keys()))
import navlog.daemon.opening
print(*({"rich", "pygments"} & sys.modules.keys()))
import rich
"""


def test_the_daemon_does_not_load_what_draws_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the data should be\n")
    environ = {**os.environ, "NAVLOG_HOME": str(tmp_path / "home"), "XDG_RUNTIME_DIR": str(tmp_path)}
    command = [sys.executable, "-I", "-c", CODE]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split("\n") == ["structlog", "", ""]
