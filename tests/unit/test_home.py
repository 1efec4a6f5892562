"""The places navlog uses: where they are, and what makes them unsafe."""

import os
from pathlib import Path

import pytest

from navlog.daemon.home import (
    SOCKET_PATH_BYTES,
    Home,
    check_local,
    check_private,
    check_socket_path,
    find_home,
    hold,
    load_settings,
    prepare,
)
from navlog.schemas.errors import AlreadyRunning, UnsafeHome, UsageError


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data", tmp_path / "run" / "navlog.sock", tmp_path / "config.toml")


def test_the_home_follows_the_xdg_variables() -> None:
    found = find_home({"HOME": "/h", "XDG_RUNTIME_DIR": "/r", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"})
    assert found == Home(Path("/d/navlog"), Path("/r/navlog/navlog.sock"), Path("/c/navlog/config.toml"))


def test_the_defaults_lie_below_the_users_home() -> None:
    found = find_home({"HOME": "/h"})
    assert found.data == Path("/h/.local/share/navlog")
    assert found.socket == Path("/h/.local/share/navlog/run/navlog.sock")
    assert found.settings == Path("/h/.config/navlog/config.toml")


def test_navlog_home_wins_and_empty_or_relative_variables_do_not_count() -> None:
    found = find_home({"HOME": "/h", "NAVLOG_HOME": "/n", "XDG_DATA_HOME": "/d", "XDG_RUNTIME_DIR": "rel"})
    assert found.data == Path("/n")
    assert found.socket == Path("/n/run/navlog.sock")
    assert find_home({"HOME": "/h", "NAVLOG_HOME": ""}).data == Path("/h/.local/share/navlog")


def test_prepare_makes_closed_folders_and_may_be_repeated(home: Home) -> None:
    prepare(home)
    prepare(home)
    for folder in (home.data, home.log, home.derived, home.socket.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_what_may_be_lost_lies_beside_the_socket_while_the_data_home_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Home(tmp_path / "data", tmp_path / "run" / "navlog.sock", tmp_path / "config.toml")
    prepare(place)
    monkeypatch.setattr("os.access", lambda *_: False)
    closed = Home(place.data, place.socket, place.settings)
    prepare(closed)
    assert closed.log == place.log
    for path in (closed.derived, closed.daemon_log, closed.daemon_stderr):
        assert path.parent == place.socket.parent
    assert closed.derived.is_dir()


def test_a_read_only_data_home_needs_another_folder_for_the_socket(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(home)
    monkeypatch.setattr("os.access", lambda *_: False)
    closed = Home(home.data, home.data / "run" / "navlog.sock", home.settings)
    with pytest.raises(UnsafeHome, match="read-only") as refused:
        prepare(closed)
    assert "XDG_RUNTIME_DIR" in refused.value.hint


def test_a_folder_open_to_others_is_refused_with_the_command_that_closes_it(home: Home) -> None:
    home.data.mkdir(mode=0o755)
    home.data.chmod(0o750)
    with pytest.raises(UnsafeHome, match="0750") as refused:
        prepare(home)
    assert refused.value.hint == f"Close it:  chmod 700 {home.data}"
    assert refused.value.exit_code == 78
    assert not home.log.exists()


@pytest.mark.root
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(home: Home) -> None:
    prepare(home)
    os.chown(home.data, 12345, -1)
    with pytest.raises(UnsafeHome, match="belongs to user 12345"):
        prepare(home)


def test_a_linked_socket_folder_is_refused_and_a_linked_data_home_is_not(home: Home, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    home.data.symlink_to(tmp_path / "elsewhere")
    home.socket.parent.symlink_to(tmp_path / "elsewhere")
    check_private(home.data)
    with pytest.raises(UnsafeHome, match="not a folder"):
        prepare(home)


def test_a_file_in_the_place_of_the_data_home_is_refused(home: Home) -> None:
    home.data.write_text("")
    with pytest.raises(UnsafeHome, match="cannot be made"):
        prepare(home)
    assert home.data.read_text() == ""


def test_a_network_file_system_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("navlog.daemon.home.file_system", lambda _path: "nfs4")
    with pytest.raises(UnsafeHome, match="nfs4"):
        check_local(tmp_path)


def test_the_socket_path_may_have_107_bytes_and_no_more() -> None:
    check_socket_path(Path("/" + "é" * 53))
    with pytest.raises(UnsafeHome, match=str(SOCKET_PATH_BYTES)):
        check_socket_path(Path("/" + "é" * 53 + "x"))


def test_a_folder_is_held_once(tmp_path: Path) -> None:
    first = hold(tmp_path)
    with pytest.raises(AlreadyRunning):
        hold(tmp_path)
    os.close(first)
    os.close(hold(tmp_path))


def test_settings_that_cannot_be_read_name_the_file(home: Home) -> None:
    assert load_settings(home).answer.files == 10
    home.settings.write_text("[answer]\nfiles = 3\n")
    assert load_settings(home).answer.files == 3
    home.settings.write_text("[answer]\nfilse = 3\n")
    with pytest.raises(UsageError, match=r"config\.toml.*filse"):
        load_settings(home)
