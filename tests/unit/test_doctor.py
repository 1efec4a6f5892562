"""The checks of `navlog doctor`, on places made for it."""

import os
from pathlib import Path

import pytest

from navlog.daemon.check import Check
from navlog.daemon.doctor import clock, examine, inotify
from navlog.daemon.home import Home, prepare
from navlog.daemon.units import install_units, units_folder


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data", tmp_path / "run" / "navlog.sock", tmp_path / "config.toml")


def checked(home: Home, tmp_path: Path) -> dict[str, Check]:
    return {check.name: check for check in examine(home, {"XDG_CONFIG_HOME": str(tmp_path / "config")})}


def test_a_fresh_machine_has_nothing_that_fails_and_nothing_is_made(home: Home, tmp_path: Path) -> None:
    found = checked(home, tmp_path)
    assert not [check for check in found.values() if check.state == "fail"]
    assert found["daemon"].hint == "Start it:  navlog up"
    assert list(tmp_path.iterdir()) == []


def test_what_makes_a_start_fail_fails_here_with_the_command_that_mends_it(
    home: Home, tmp_path: Path
) -> None:
    prepare(home)
    home.data.chmod(0o755)
    home.socket.parent.chmod(0o755)
    home.settings.write_text("[answer]\nfilse = 1\n")
    found = checked(home, tmp_path)
    assert found["data home"].state == found["socket"].state == found["settings"].state == "fail"
    assert found["data home"].hint == f"Close it:  chmod 700 {home.data}"


def test_small_inotify_limits_are_a_warning_with_a_command(tmp_path: Path) -> None:
    (tmp_path / "max_user_watches").write_text("8192\n")
    (tmp_path / "max_user_instances").write_text("128\n")
    found = inotify(tmp_path)
    assert found.state == "warn"
    assert "fs.inotify.max_user_watches=" in found.hint
    (tmp_path / "max_user_watches").write_text("524288\n")
    assert inotify(tmp_path).state == "ok"
    assert inotify(tmp_path / "absent").state == "warn"


def test_a_clock_that_went_back_or_was_never_set_is_named(home: Home) -> None:
    prepare(home)
    (home.log / "events-1.jsonl").write_text("")
    os.utime(home.log / "events-1.jsonl", (2_000_000_000, 2_000_000_000))
    assert clock(home, 2_000_000_001).state == "ok"
    assert clock(home, 1_999_990_000).state == "warn"
    assert clock(home, 5.0).state == "fail"


def test_units_of_another_installation_are_a_warning(home: Home, tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    install_units(environ)
    assert checked(home, tmp_path)["service"].state == "ok"
    unit = units_folder(environ) / "navlog.service"
    unit.write_text(unit.read_text().replace("ExecStart=", "ExecStart=/old"))
    assert checked(home, tmp_path)["service"].hint == "navlog install service"
