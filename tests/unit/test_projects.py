"""The registry: the nearest boundary wins, and an error names the next step."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from navlog.daemon.projects import Projects
from navlog.schemas.envelope import Draft
from navlog.schemas.errors import Degraded, ProjectRefused, UnknownProject, UsageError


class Log:
    """Events folded at once into what the graph would know."""

    def __init__(self) -> None:
        self.known: dict[str, SimpleNamespace] = {}
        self.drafts: list[Draft] = []

    def append(self, drafts: Sequence[Draft]) -> None:
        self.drafts.extend(drafts)
        for draft in drafts:
            data = msgspec.json.decode(draft.data)
            if draft.type == "project_registered":
                self.known[draft.project] = SimpleNamespace(**data)
            elif draft.type == "project_moved":
                self.known[draft.project].root = data["root"]
            else:
                del self.known[draft.project]


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def projects(log: Log, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Projects:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Projects(lambda: log.known, log.append, lambda: "id")


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def repository(path: Path) -> Path:
    for part in ("objects", "refs"):
        folder(path / ".git" / part)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return path


class Rebuilding:
    """A graph that comes to know the projects while somebody waits for it, or does not in time."""

    def __init__(self, log: Log, *, comes: bool) -> None:
        self.log, self.comes, self.is_ready = log, comes, False
        self.known, log.known = log.known, {}

    def ready(self, seconds: float) -> bool:
        if seconds and self.comes and not self.is_ready:
            self.is_ready, self.log.known = True, self.known
        return self.is_ready


def test_while_derived_files_come_back_nothing_is_registered_twice_and_nobody_is_unknown(
    projects: Projects, log: Log, tmp_path: Path
) -> None:
    root = folder(tmp_path / "a")
    known = projects.register(str(root))
    graph = Rebuilding(log, comes=True)
    again = Projects(lambda: log.known, log.append, lambda: "id", graph.ready)
    assert again.register(str(root)) == known
    assert len(log.drafts) == 1
    graph.is_ready, log.known = False, {}
    assert again.find(str(root)) == known
    with pytest.raises(UnknownProject):
        again.find("no such project")


def test_a_registry_that_does_not_come_in_time_is_a_passing_state(
    projects: Projects, log: Log, tmp_path: Path
) -> None:
    root = folder(tmp_path / "a")
    projects.register(str(root))
    late = Projects(lambda: log.known, log.append, lambda: "id", Rebuilding(log, comes=False).ready)
    for ask in (late.find, late.register):
        with pytest.raises(Degraded, match="still being read"):
            ask(str(root))
    assert len(log.drafts) == 1


def test_registering_twice_is_one_event(projects: Projects, log: Log, tmp_path: Path) -> None:
    root = folder(tmp_path / "a")
    assert projects.register(str(root)) == projects.register(str(root))
    assert len(log.drafts) == 1


def test_a_path_inside_finds_its_project_and_an_id_does_too(projects: Projects, tmp_path: Path) -> None:
    project = projects.register(str(folder(tmp_path / "a")))
    inside = folder(tmp_path / "a" / "deep" / "er")
    assert projects.find(str(inside)) == project == projects.find(project.id) == projects.find(None)


def test_a_name_finds_its_project_unless_several_have_it(projects: Projects, tmp_path: Path) -> None:
    flask = projects.register(str(folder(tmp_path / "flask")))
    assert projects.find("flask") == flask
    fork = projects.register(str(folder(tmp_path / "fork" / "flask")))
    with pytest.raises(UnknownProject, match="2 projects are called 'flask'") as error:
        projects.find("flask")
    assert flask.id in error.value.hint
    assert fork.id in error.value.hint
    assert projects.find(fork.id) == fork


def test_a_nested_repository_is_not_answered_for_by_its_parent(projects: Projects, tmp_path: Path) -> None:
    projects.register(str(folder(tmp_path / "a")))
    nested = repository(tmp_path / "a" / "nested")
    with pytest.raises(UnknownProject) as error:
        projects.find(str(nested))
    assert f"navlog up {nested}" in error.value.hint


def test_without_a_name_there_must_be_exactly_one(projects: Projects, tmp_path: Path) -> None:
    with pytest.raises(UnknownProject) as none:
        projects.find(None)
    assert "navlog up" in none.value.hint
    names = [projects.register(str(folder(tmp_path / name))).id for name in "ab"]
    with pytest.raises(UnknownProject) as many:
        projects.find(None)
    assert all(name in many.value.hint for name in names)


def test_home_and_the_root_are_refused(projects: Projects, log: Log, tmp_path: Path) -> None:
    folder(tmp_path / "home")
    for path in ("/", str(tmp_path / "home")):
        with pytest.raises(ProjectRefused):
            projects.register(path)
    assert log.drafts == []


@pytest.mark.parametrize("where", ["/", "home", "gone"])
def test_where_no_project_can_be_none_is_and_the_others_are_named(
    projects: Projects, tmp_path: Path, where: str
) -> None:
    """A question that was asked in $HOME may then be about the only project there is."""
    folder(tmp_path / "home")
    known = projects.register(str(folder(tmp_path / "known")))
    with pytest.raises(UnknownProject) as none:
        projects.find(str(tmp_path / where))
    assert known.id in none.value.hint


def test_a_relative_path_is_nobodys(projects: Projects) -> None:
    with pytest.raises(UsageError):
        projects.register("src")


def test_a_moved_project_keeps_its_id_and_a_taken_place_is_refused(
    projects: Projects, tmp_path: Path
) -> None:
    project = projects.register(str(folder(tmp_path / "a")))
    moved = projects.move(project.id, str(folder(tmp_path / "b")))
    assert (moved.id, moved.root) == (project.id, tmp_path / "b")
    other = projects.register(str(folder(tmp_path / "c")))
    with pytest.raises(UsageError) as error:
        projects.move(project.id, str(other.root))
    assert other.id in error.value.hint


def test_a_project_whose_folder_is_gone_can_still_be_named_by_its_path(
    projects: Projects, tmp_path: Path
) -> None:
    project = projects.register(str(folder(tmp_path / "a")))
    (tmp_path / "a").rename(tmp_path / "b")
    assert projects.find(str(tmp_path / "a")) == project
    assert projects.move(str(tmp_path / "a"), str(tmp_path / "b")).root == tmp_path / "b"


def test_a_new_folder_where_a_project_was_is_another_project(projects: Projects, tmp_path: Path) -> None:
    moved = projects.register(str(folder(tmp_path / "a")))
    (tmp_path / "a").rename(tmp_path / "b")
    projects.move(moved.id, str(tmp_path / "b"))
    new = projects.register(str(folder(tmp_path / "a")))
    assert new.id != moved.id
    assert projects.find(str(tmp_path / "a")) == new
    assert projects.find(str(tmp_path / "b")).id == moved.id


def test_the_innermost_of_nested_folders_answers(projects: Projects, tmp_path: Path) -> None:
    projects.register(str(folder(tmp_path / "a")))
    inner = projects.register(str(folder(tmp_path / "a" / "z")))
    assert projects.find(str(folder(tmp_path / "a" / "z" / "sub"))) == inner


def test_a_removed_project_is_unknown(projects: Projects, tmp_path: Path) -> None:
    project = projects.register(str(folder(tmp_path / "a")))
    projects.remove(project.id)
    with pytest.raises(UnknownProject):
        projects.find(project.id)


@pytest.mark.parametrize("asked", ["register", "move"])
@pytest.mark.parametrize(("home", "named"), [("", "it's/notes"), ("elsewhere", "")])
def test_a_file_outside_of_git_does_not_make_its_folder_a_project(
    projects: Projects, tmp_path: Path, asked: str, home: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / home))
    projects.register(str(folder(tmp_path / "known")))
    (file := folder(tmp_path / "it's" / "notes") / "a.txt").touch()
    with pytest.raises(ProjectRefused, match="is a file, and in no repository") as refused:
        projects.register(str(file)) if asked == "register" else projects.move("known", str(file))
    hinted = shlex.quote(str(tmp_path / named)) if named else "FOLDER"  # a folder of the machine's is not
    assert refused.value.hint == f"Name the project's folder:  navlog up {hinted}"


def test_a_file_in_a_repository_names_it(projects: Projects, tmp_path: Path) -> None:
    (file := repository(tmp_path / "shop") / "a.py").touch()
    assert projects.register(str(file)).root == tmp_path / "shop"
