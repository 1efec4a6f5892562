"""The systemd units: what is written, and that it is taken away exactly."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from navlog.daemon.units import (
    SANDBOX,
    UNITS,
    install_units,
    is_current,
    sandboxed,
    shipped,
    uninstall_units,
    unit_text,
    units_folder,
)
from navlog.schemas.errors import UsageError

needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"<folder>"
        for path in folder.rglob("*")
    }


def test_the_service_runs_this_interpreter_with_the_homes_of_this_shell() -> None:
    text = unit_text("navlog.service", {"NAVLOG_HOME": '/a b/%"$', "XDG_DATA_HOME": ""})
    assert f"ExecStart={sys.executable} -I -m navlog.daemon up --foreground\n" in text
    assert 'Environment="NAVLOG_HOME=/a b/%%\\"$$"\n' in text
    assert "XDG_DATA_HOME" not in text
    assert "/usr/bin/env" not in text


@pytest.mark.parametrize("before", [[], ["systemd"], ["systemd/user", "systemd/user/other.service"]])
def test_installing_twice_changes_nothing_and_uninstalling_undoes_it_exactly(
    tmp_path: Path, before: list[str]
) -> None:
    for name in before:
        path = tmp_path / name
        path.write_text("x") if name.endswith(".service") else path.mkdir(parents=True)
    environ, untouched = {"XDG_CONFIG_HOME": str(tmp_path)}, tree(tmp_path)
    assert [path.name for path in install_units(environ)] == list(UNITS)
    once = tree(tmp_path)
    assert install_units(environ) == []
    assert tree(tmp_path) == once
    assert len(uninstall_units(environ)) == 2
    assert tree(tmp_path) == untouched
    assert uninstall_units(environ) == []


@pytest.mark.parametrize("before", [[], ["systemd/user/navlog.service.d"]])
def test_the_sandbox_comes_and_goes_without_a_trace(tmp_path: Path, before: list[str]) -> None:
    for name in before:
        (tmp_path / name).mkdir(parents=True)
    environ, untouched = {"XDG_CONFIG_HOME": str(tmp_path), "NAVLOG_HOME": "/a b"}, tree(tmp_path)
    install_units(environ)
    plain = tree(tmp_path)
    assert [path.name for path in install_units(environ, sandbox=True)] == ["navlog-sandbox.conf"]
    assert sandboxed(environ)
    assert is_current(environ)
    assert 'ReadWritePaths="-/a b"\n' in (units_folder(environ) / SANDBOX).read_text()
    assert install_units(environ, sandbox=True) == []
    assert [path.name for path in install_units(environ)] == ["navlog-sandbox.conf"]
    assert tree(tmp_path) == plain
    install_units(environ, sandbox=True)
    assert len(uninstall_units(environ)) == 3
    assert tree(tmp_path) == untouched


def test_a_newer_build_rewrites_the_units_and_still_undoes_them(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    install_units(environ)
    assert len(install_units({**environ, "NAVLOG_HOME": "/elsewhere"})) == 1
    uninstall_units(environ)
    assert tree(tmp_path) == {}


def test_a_unit_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    theirs = units_folder(environ) / "navlog.socket"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("[Socket]\n")
    for change in (install_units, uninstall_units):
        with pytest.raises(UsageError, match="not written by navlog"):
            change(environ)
    assert tree(tmp_path)["systemd/user/navlog.socket"] == b"[Socket]\n"
    assert not (theirs.parent / "navlog.service").exists()


@needs_systemd
@pytest.mark.parametrize("sandbox", [False, True])
def test_systemd_accepts_the_units(tmp_path: Path, sandbox: bool) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    install_units(environ, sandbox=sandbox)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *(str(units_folder(environ) / unit) for unit in UNITS)],
        capture_output=True, text=True, check=False, env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_the_service_is_closed_as_far_as_a_user_unit_can_be(tmp_path: Path) -> None:
    units = Path(__file__).parents[2] / "systemd"
    done = subprocess.run(
        ["systemd-analyze", "--user", "security", "--offline=true", "--threshold=67",
         str(units / "navlog.service")],
        capture_output=True, text=True, check=False,
        env={**os.environ, "SYSTEMD_COLORS": "0", "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-400:]
    for rule in ("NoNewPrivileges=", "MemoryDenyWriteExecute=", "RestrictNamespaces=~user", "UMask="):
        assert any(line.startswith("✓") and rule in line for line in done.stdout.splitlines()), rule


def test_the_service_ends_for_good_where_a_person_is_needed() -> None:
    text = shipped("navlog.service")
    for line in ("Type=notify", "RestartPreventExitStatus=2 78", "WatchdogSec=60", "MemoryMax=2G"):
        assert f"\n{line}\n" in text
    assert "SocketMode=0600\nDirectoryMode=0700\n" in shipped("navlog.socket")
