"""How the command calls itself and writes paths, so that what it prints can be typed."""

import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from navlog.daemon.cli.frame import off_the_path, tilde, typed
from navlog.daemon.cli.lifecycle import show_places
from navlog.daemon.home import Home


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation whose command is not on the PATH."""
    command = tmp_path / "a venv" / "bin" / "navlog"
    command.parent.mkdir(parents=True)
    command.touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(command.with_name("python")))
    monkeypatch.setenv("PATH", "/nowhere")
    return command


def test_a_command_on_the_path_is_called_by_its_name(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(own.parent))
    assert (typed(), off_the_path()) == ("navlog", None)


def test_another_installation_on_the_path_is_not_ours(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "navlog").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert off_the_path() == own


def test_what_is_to_be_typed_leads_to_this_installation(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/usr")
    monkeypatch.setenv("HOME", "/nobody")
    assert shlex.split(typed()) == [str(own)]
    monkeypatch.setenv("HOME", str(tmp_path))
    assert typed() == "~/'a venv/bin/navlog'"
    monkeypatch.chdir(own.parents[1])
    assert typed() == "bin/navlog"


def test_home_itself_is_not_shortened_and_others_are_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert tilde(Path("/home/ada")) == "/home/ada"
    assert tilde(Path("/home/ada/src/x y")) == "~/'src/x y'"
    assert tilde(Path("/home/adam; rm")) == "'/home/adam; rm'"


def test_the_command_that_gives_a_name_makes_its_folder_and_stands_in_line(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("navlog.daemon.cli.lifecycle.ask", lambda *_args: SimpleNamespace(logs=[]))
    show_places(Home(own.parent, own, own))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith(f"mkdir -p ~/.local/bin && ln -s {tilde(own)} ~/.local/bin/")
    assert len({line.index(". ") for line in lines}) == 1
