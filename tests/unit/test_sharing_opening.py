"""What all machines call a project, and the settings that open a shared queue."""

import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from navlog.daemon.projects import Projects
from navlog.daemon.sharing.naming import plain_address, shared_name
from navlog.daemon.sharing.opening import machine_of, open_sharing
from navlog.projections.msu.queue import Queue as MsuQueue
from navlog.schemas.errors import UsageError
from navlog.schemas.settings import Queue
from support.listening import make_repository, run_git


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/pallets/flask",
        "https://user:token@GitHub.com/pallets/flask.git",
        "git@github.com:pallets/flask.git",
        "ssh://git@github.com:22/pallets/flask/",
        "git://github.com/pallets/flask.git/",
    ],
)
def test_one_repository_has_one_address(url: str) -> None:
    assert plain_address(url) == "github.com/pallets/flask"


@pytest.mark.parametrize("url", ["/srv/git/flask.git", "../flask", "file:///srv/git/flask"])
def test_a_path_is_no_address(url: str) -> None:
    assert plain_address(url) == ""


def test_clones_have_one_name_whatever_they_are_called_and_wherever_they_lie(tmp_path: Path) -> None:
    one = make_repository(tmp_path / "one", {"a": "1"})
    run_git(tmp_path, "clone", "-q", str(one), "two")
    name = shared_name(one)
    assert name
    assert shared_name(tmp_path / "two") == name
    run_git(one, "remote", "add", "origin", "git@host:team/shop.git")
    assert shared_name(one) != name
    run_git(tmp_path / "two", "remote", "set-url", "origin", "https://me:secret@host/team/shop")
    assert shared_name(tmp_path / "two") == shared_name(one)
    assert "secret" not in shared_name(one)


def test_a_folder_and_a_repository_without_commits_have_none(tmp_path: Path) -> None:
    assert shared_name(tmp_path) == ""
    (tmp_path / "new").mkdir()
    run_git(tmp_path / "new", "init", "-q")
    assert shared_name(tmp_path / "new") == ""


def test_without_the_extra_the_settings_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    for name in ("redis_queue", "shared"):
        monkeypatch.delitem(sys.modules, f"navlog.daemon.sharing.{name}", raising=False)
    with ExitStack() as stack, pytest.raises(UsageError) as refused:
        open_here(Queue(url="redis://127.0.0.1:1/0"), tmp_path, stack)
    assert "navlog[redis]" in refused.value.hint


def test_without_an_address_nothing_of_it_runs(tmp_path: Path) -> None:
    with ExitStack() as stack:
        assert open_here(Queue(), tmp_path, stack) is None


def test_two_data_homes_on_one_machine_are_two() -> None:
    assert machine_of(Path("/a")) != machine_of(Path("/b"))
    assert machine_of(Path("/a")) == machine_of(Path("/a"))


def open_here(settings: Queue, data: Path, stack: ExitStack) -> object:
    projects = Projects(dict, lambda _drafts: None, str)
    opened, _ = open_sharing(settings, {}, data, projects, MsuQueue, lambda _: {}, str, stack)
    return opened
