"""The units under a real user manager, in namespaces of its own: started by who asks, restarted, confined."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HARNESS = Path(__file__).with_name("user_manager.sh")
REPOSITORY = HARNESS.parents[2]
NAMESPACES = ("unshare", "-n", "-m", "-p", "-C", "--fork", "--kill-child", "--mount-proc")
TOOLS = ("unshare", "setpriv", "systemctl", "git", "/lib/systemd/systemd")
LIFE = """
navlog() { timeout 40 "$PYTHON" -I -m navlog.daemon "$@"; }
say() { echo "$1=$(echo "${@:2}")"; }
of_service() { systemctl --user show navlog.service --value -p "$1"; }
git init -q project
printf 'def cookie_age(jar):\\n    return jar.age\\n' > project/jar.py

navlog install service > /dev/null
say socket $(systemctl --user is-active navlog.socket)
say before $(of_service ActiveState)
navlog status > /dev/null
say after $(of_service ActiveState)

first=$(of_service MainPID)
kill -9 $first
navlog status > /dev/null
say killed $(test $(of_service MainPID) != $first && echo "another one")

navlog install service --sandbox > /dev/null
navlog up project > /dev/null
say path $(navlog context --json 'cookie age' --project project | grep -o '"path": "[^"]*"')
say root $(awk '$5 == "/" { print substr($6, 1, 2) }' /proc/$(of_service MainPID)/mountinfo | tail -1)
say status $(navlog status --json)
say git $(git -C project status --porcelain --ignored)

navlog install export out > /dev/null
say timer $(systemctl --user is-active navlog-export.timer)
systemctl --user start navlog-export.service
say exported $(ls out)
navlog uninstall export > /dev/null
say gone $(systemctl --user is-active navlog-export.timer)

navlog down > /dev/null
navlog uninstall service > /dev/null
say left $(find .config -mindepth 1) $(systemctl --user is-active navlog.socket)

navlog install service > /dev/null
chmod 755 .local/share/navlog
navlog status > /dev/null 2>&1 || say refused $? $(of_service ExecMainStatus) $(of_service NRestarts)
say doctor $(navlog doctor | grep -A1 ' service ')
"""


def missing() -> str:
    if os.geteuid() != 0:
        return "only root can make the namespaces"
    if lacking := [tool for tool in TOOLS if not shutil.which(tool)]:
        return f"not here: {', '.join(lacking)}"
    tried = subprocess.run([*NAMESPACES, "true"], capture_output=True, text=True, check=False)
    return f"no namespaces: {tried.stderr.strip()}" if tried.returncode else ""


@pytest.mark.root
@pytest.mark.slow_start
@pytest.mark.timeout(90)
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_user_manager_starts_restarts_and_confines_it() -> None:
    said = under_a_manager(LIFE)
    status = json.loads(said.pop("status"))
    assert status["activated"]
    assert status["degraded"] == []
    assert said == {
        "socket": "active",
        "before": "inactive",
        "after": "active",
        "killed": "another one",
        "path": '"path": "jar.py"',
        "root": "ro",
        "git": "?? jar.py",
        "timer": "active",
        "exported": "navlog-export.json",
        "gone": "inactive",
        "left": "inactive",
        "refused": "75 78 0",
        "doctor": "warn service systemd gave the socket up after failed starts "
        "systemctl --user reset-failed navlog.service navlog.socket && systemctl --user start navlog.socket",
    }


def under_a_manager(script: str) -> dict[str, str]:
    """What ``script`` said, by name."""
    done = subprocess.run(
        [*NAMESPACES, "bash", HARNESS, f"PYTHON={sys.executable}\n{script}",
         sys.base_prefix, sys.prefix, REPOSITORY],
        capture_output=True, text=True, check=False, timeout=80,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(line.split("=", 1) for line in done.stdout.splitlines())
