"""Which project a question is about that names none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from navlog.daemon.cli.main import navlog
from navlog.schemas.control import ProjectInfo, ProjectList
from navlog.schemas.errors import UnknownProject
from navlog.schemas.queue import MsuTailReply
from navlog.schemas.tasks import HistoryReply

Run = Callable[..., Result]
FLASK = ProjectInfo(id="flask-0a1b2c3d", name="flask", root="/src/flask")
DJANGO = ProjectInfo(id="django-0a1b2c3d", name="django", root="/src/django")
REPLIES = {"history": HistoryReply(position=1, project=FLASK.id, tasks=[])}


class Daemon:
    """Knows ``projects``; the folder of the shell is in none of them."""

    def __init__(self, *projects: ProjectInfo) -> None:
        self.projects = list(projects)
        self.asked: list[tuple[str, str]] = []

    def ask(self, _home: object, verb: str, _kind: type, args: Any = None, **_how: Any) -> Any:
        if verb == "project-list":
            return ProjectList(projects=self.projects)
        self.asked.append((verb, args.project))
        if args.project not in {one.id for one in self.projects}:
            raise UnknownProject("No registered project is here.", hint="Take it up:  navlog up .")
        if verb == "msu-tail" and len(self.asked) > 3:
            raise KeyboardInterrupt
        return MsuTailReply(after=1, msus=[]) if verb == "msu-tail" else REPLIES[verb]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("NAVLOG_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def command(daemon: Daemon, *words: str) -> Result:
        monkeypatch.setattr("navlog.daemon.cli.here.ask", daemon.ask)
        return CliRunner().invoke(navlog, list(words))

    return command


def test_a_question_outside_of_every_project_is_about_the_only_one_and_says_so(run: Run) -> None:
    shown = run(Daemon(FLASK), "history")
    assert shown.exit_code == 0
    assert shown.stderr == "No project is around this folder: this is about flask, the only one.\n"


def test_with_several_projects_none_is_guessed(run: Run) -> None:
    shown = run(Daemon(FLASK, DJANGO), "history")
    assert (shown.exit_code, shown.stdout) == (2, "")


def test_what_follows_says_it_once(run: Run) -> None:
    daemon = Daemon(FLASK)
    shown = run(daemon, "msu", "tail")
    assert [project for _, project in daemon.asked].count(FLASK.id) == 2
    assert shown.stderr.count("the only one") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("task", "start", "Move"), ("task", "note", "x"), ("task", "close"), ("overlay", "accept", "x"),
        ("overlay", "create", "x"), ("knowledge", "pin", "x"), ("knowledge", "rollback", "4"),
        ("knowledge", "promote"), ("concept", "propose"), ("embed", "calibrate"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_nothing_is_written_down_for_a_project_that_nobody_named(run: Run, words: tuple[str, ...]) -> None:
    daemon = Daemon(FLASK)
    assert run(daemon, *words).exit_code == 2
    assert FLASK.id not in {project for _, project in daemon.asked}
