"""The list of checks behind `navlog doctor`: each ok, warn or fail, with one line and one command.

Works without a daemon, asks a running one, and changes nothing.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from navlog.daemon.build import VERSION
from navlog.daemon.check import Check, fail, ok, warn
from navlog.daemon.doctor_hosts import examine_hosts
from navlog.daemon.doctor_running import examine_running
from navlog.daemon.home import Home, check_local, check_private, check_socket_path, load_settings
from navlog.daemon.mounts import file_system
from navlog.daemon.units import given_up, installed, is_current, sandboxed, units_folder
from navlog.schemas.counting import counted
from navlog.schemas.errors import NavlogError

FREE_BYTES = 1024**3
WATCHES = 100_000  # a large tree has some ten thousand folders; editors want theirs from the same number
INSTANCES = 128
GIT = (2, 25)
INOTIFY = Path("/proc/sys/fs/inotify")
LISTEN_AGAIN = (
    "systemctl --user reset-failed navlog.service navlog.socket && systemctl --user start navlog.socket"
)
EPOCH = 1_764_460_800  # 2025-11-30: a clock before it was never set


def examine(home: Home, environ: Mapping[str, str]) -> list[Check]:
    """All checks, in the order in which one would mend them."""
    checks: list[Callable[[], Check]] = [
        _python,
        lambda: _data_home(home),
        lambda: _space(home),
        lambda: _socket_folder(home),
        lambda: _settings(home),
        _git,
        lambda: inotify(INOTIFY),
        lambda: clock(home, time.time()),
        lambda: _service(environ),
    ]
    return [*(check() for check in checks), *examine_running(home), *examine_hosts(home, environ)]


def inotify(folder: Path) -> Check:
    """The kernel's limits; ``folder`` is /proc/sys/fs/inotify."""
    try:
        watches = int((folder / "max_user_watches").read_text(encoding="ascii"))
        instances = int((folder / "max_user_instances").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return warn("inotify", "the limits cannot be read; folders without a watch are polled")
    detail = f"{counted(watches, 'watch', 'watches')}, {counted(instances, 'instance')}"
    if watches < WATCHES or instances < INSTANCES:
        raised = f"fs.inotify.max_user_watches={WATCHES * 5} fs.inotify.max_user_instances={INSTANCES * 4}"
        return warn("inotify", f"{detail}: large trees will be polled in part", f"sudo sysctl {raised}")
    return ok("inotify", detail)


def clock(home: Home, now: float) -> Check:
    """Order never depends on the clock, ages do."""
    newest = max((entry.stat().st_mtime for entry in _entries(home.log)), default=0.0)
    if now < EPOCH:
        return fail(
            "clock", "the clock was never set: ages and dates will be wrong", "timedatectl set-ntp true"
        )
    if newest > now + 60:
        return warn(
            "clock", "the log was last written in the future: the clock went back", "timedatectl status"
        )
    return ok("clock", "after the log's last record")


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return [entry for entry in found if entry.is_file(follow_symlinks=False)]
    except OSError:
        return []


def _python() -> Check:
    return ok("python", f"{sys.version.split()[0]}, navlog {VERSION}")


def _data_home(home: Home) -> Check:
    if not home.data.exists():
        return ok("data home", f"{home.data}: not there yet", "navlog up makes it")
    try:
        check_private(home.data)
        check_local(home.data)
    except NavlogError as error:
        return fail("data home", error.message, error.hint)
    if home.read_only:
        return warn(
            "data home",
            f"{home.data} is read-only: the log answers, nothing new is written down",
            f"findmnt -T {home.data}; ls -ld {home.data}",
        )
    return ok(
        "data home", f"{home.data}, {file_system(home.data) or 'unknown file system'}, closed to others"
    )


def _space(home: Home) -> Check:
    place = next(folder for folder in (home.data, *home.data.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    detail = f"{free / 1024**3:.1f} GB free"
    if free < FREE_BYTES:
        return warn(
            "disk", f"{detail}; a full disk makes the log read-only until there is space", f"df -h {place}"
        )
    return ok("disk", detail)


def _socket_folder(home: Home) -> Check:
    try:
        check_socket_path(home.socket)
        if home.socket.parent.exists():
            check_private(home.socket.parent, link_allowed=False)
    except NavlogError as error:
        return fail("socket", error.message, error.hint)
    return ok("socket", str(home.socket))


def _settings(home: Home) -> Check:
    try:
        load_settings(home)
    except NavlogError as error:
        return fail("settings", error.message, error.hint)
    return ok("settings", str(home.settings) if home.settings.exists() else "defaults, no file")


def _git() -> Check:
    try:
        said = subprocess.run(
            ["git", "--version"], capture_output=True, text=True, timeout=5, check=True
        ).stdout
        version = tuple(int(part) for part in said.split()[2].split(".")[:2])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return warn("git", "git does not run: projects have no commits and no branches", "install git")
    if version < GIT:
        return warn("git", f"{said.strip()} is older than {GIT[0]}.{GIT[1]}", "install a newer git")
    return ok("git", said.strip())


def _service(environ: Mapping[str, str]) -> Check:
    if not installed(environ):
        return ok(
            "service", "not installed; the daemon runs until the machine stops", "navlog install service"
        )
    sandbox = sandboxed(environ)
    if not is_current(environ):
        again = f"navlog install service{' --sandbox' if sandbox else ''}"
        return warn("service", "the installed units are not this build's", again)
    if given_up():
        return warn("service", "systemd gave the socket up after failed starts", LISTEN_AGAIN)
    return ok("service", f"units in {units_folder(environ)}{', with the sandbox' if sandbox else ''}")
