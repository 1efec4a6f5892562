"""What happens in a project while a daemon listens, as `navlog sql` and answers show it.

Named after what users of other tools complained of: docs/complaints.md.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service.conftest import Installation, running

from navlog.daemon.launch import start
from navlog.schemas.errors import UnknownProject
from navlog.schemas.wire import ContextReply
from support.listening import commit, make_repository, run_git, write

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]

TRIES = 50


class Project:
    """A repository that the daemon listens to, and what its tables say of it."""

    def __init__(self, daemon: Installation, root: Path) -> None:
        self.daemon = daemon
        self.root = root
        self.id = daemon.index(root).id

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        """``:p`` stands for the project's id."""
        done = self.daemon.run("sql", query.replace(":p", f"'{self.id}'"), "--json")
        assert done.returncode == 0, done.stdout
        return [tuple(row.values()) for row in json.loads(done.stdout)]

    def ask(self, task: str = "anything at all") -> ContextReply:
        """An answer that shows all that was written before."""
        for _ in range(TRIES):
            reply = self.daemon.context(task, self.root)
            if not reply.stale:
                return reply
        raise AssertionError(reply.stale)

    def types_since(self, position: int) -> list[str]:
        return [str(record["type"]) for record in self.since(position)]

    def since(self, position: int) -> list[dict[str, Any]]:
        """What was observed in the project after ``position``, from the log itself."""
        logs = sorted(self.daemon.home.log.glob("events-*.jsonl"))
        records = [json.loads(line) for log in logs for line in log.read_bytes().splitlines()]
        mine = [record for record in records if record.get("project") == self.id and observed(record)]
        return [record for record in mine if record["position"] > position]


def observed(record: dict[str, Any]) -> bool:
    """The reactors say what they made of it, whenever they come to it."""
    return record["source"] not in ("slicer", "concepts")


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory) as one:
        start(one.home, one.environ)
        yield one


def module(name: str) -> str:
    return f'def {name}() -> None:\n    """What {name} does."""\n'


def test_a_renamed_or_moved_file_keeps_its_history_and_a_copy_is_a_copy(
    daemon: Installation, tmp_path: Path
) -> None:
    root = make_repository(
        tmp_path, {"old.py": module("kept"), "d/e/one.py": module("one"), "d/two.py": module("two")}
    )
    project = Project(daemon, root)
    since = dict(project.sql("SELECT path, changed_at FROM files WHERE project = :p"))
    (root / "old.py").rename(root / "new.py")
    project.ask()
    (root / "d").rename(root / "moved")
    before = project.ask().position
    write(root, {"copy.py": module("kept")})
    project.ask()
    now = dict(project.sql("SELECT path, changed_at FROM files WHERE project = :p"))
    assert {path: at for path, at in now.items() if path != "copy.py"} == {
        "new.py": since["old.py"],
        "moved/e/one.py": since["d/e/one.py"],
        "moved/two.py": since["d/two.py"],
    }
    assert now["copy.py"] > since["old.py"]
    moved = project.sql(
        "SELECT data->>'previous', data->>'path' FROM events WHERE project = :p AND type = 'file_moved'"
        " ORDER BY position"
    )
    assert moved == [
        ("old.py", "new.py"), ("d/e/one.py", "moved/e/one.py"), ("d/two.py", "moved/two.py"),
    ]  # fmt: skip
    assert project.types_since(before) == ["file_observed"]
    names = project.sql("SELECT path, name FROM symbols WHERE project = :p ORDER BY path")
    assert names == [
        ("copy.py", "kept"), ("moved/e/one.py", "one"), ("moved/two.py", "two"), ("new.py", "kept"),
    ]  # fmt: skip


def test_edit_wait_revert_is_exactly_one_event_per_distinct_content(
    daemon: Installation, tmp_path: Path
) -> None:
    root = make_repository(tmp_path, {"a.py": module("sparrow")})
    project = Project(daemon, root)
    for name in ("eagle", "eagle", "sparrow"):
        write(root, {"a.py": module(name)})
        assert [(item.symbol, item.state) for item in project.ask(name).items] == [(name, "FRESH")]
    told = project.sql(
        "SELECT data->>'content' FROM events WHERE project = :p AND type = 'file_observed' ORDER BY position"
    )
    assert len(told) == 3
    assert told[0] == told[2] != told[1]
    assert project.sql("SELECT name FROM symbols WHERE project = :p") == [("sparrow",)]


def test_deleted_files_symbols_are_gone_in_one_batch(daemon: Installation, tmp_path: Path) -> None:
    root = make_repository(tmp_path, {f"d/m{n}.py": module(f"animal{n}") for n in range(9)})
    project = Project(daemon, root)
    before = project.ask().position
    run_git(root, "rm", "-rq", "d")
    assert project.ask("animal3").items == []
    assert project.sql("SELECT name FROM symbols WHERE project = :p") == []
    assert project.types_since(before) == ["file_removed"] * 9
    assert [record["batch"] for record in project.since(before)] == [[k, 9] for k in range(1, 10)]


def test_writes_into_the_watched_tree_do_not_trigger_itself(daemon: Installation, tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": module("first")})
    project = Project(daemon, root)
    write(root, {"a.py": module("second")})
    settled = project.ask("second").position
    present = sorted(str(path) for path in root.rglob("*") if ".git" not in path.parts)
    for _ in range(5):
        project.ask("second")
    assert project.types_since(settled) == []
    assert sorted(str(path) for path in root.rglob("*") if ".git" not in path.parts) == present
    assert run_git(root, "status", "--porcelain") == b" M a.py\n"


def test_submodules_are_reported_as_excluded_and_are_projects_of_their_own(
    daemon: Installation, tmp_path: Path
) -> None:
    inner = make_repository(tmp_path / "inner", {"deep.py": module("deep")})
    root = make_repository(tmp_path / "outer", {"a.py": module("shallow")})
    run_git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "lib")
    commit(root, "with a submodule")
    outer = Project(daemon, root)
    assert outer.sql("SELECT path, reason FROM skipped WHERE project = :p") == [("lib", "repository")]
    assert outer.ask("deep").items == []
    own = Project(daemon, root / "lib")
    assert own.id != outer.id
    assert [item.path for item in own.ask("deep").items] == ["deep.py"]


def test_in_a_nested_worktree_the_nearest_git_boundary_wins(daemon: Installation, tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a.py": module("parent")})
    write(root, {".gitignore": ".trees/\n"})
    commit(root, "ignore")
    run_git(root, "worktree", "add", "-q", "-b", "side", ".trees/side")
    outer, inner = Project(daemon, root), Project(daemon, root / ".trees/side")
    write(root / ".trees/side", {"a.py": module("child")})
    assert [item.symbol for item in inner.ask("child").items] == ["child"]
    assert outer.ask("child").items == []
    assert inner.id != outer.id


def test_a_link_out_of_the_root_is_never_followed(daemon: Installation, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, {"secret.py": module("outsider")})
    root = make_repository(tmp_path / "root", {"a.py": module("insider")})
    (root / "file.py").symlink_to(outside / "secret.py")
    (root / "folder").symlink_to(outside)
    project = Project(daemon, root)
    assert project.ask("outsider").items == []
    skipped = project.sql("SELECT path, reason FROM skipped WHERE project = :p ORDER BY path")
    assert skipped == [("file.py", "link"), ("folder", "link")]


def test_nested_gitignore_is_honoured_while_listening(daemon: Installation, tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a/.gitignore": "made/\n*.gen.py\n!kept.gen.py\n"})
    project = Project(daemon, root)
    paths = ("a/made/x.py", "a/x.gen.py", "a/kept.gen.py", "x.gen.py")
    write(root, {path: module("something") for path in paths})
    project.ask()
    known = {path for (path,) in project.sql("SELECT path FROM files WHERE project = :p")}
    listed = run_git(root, "ls-files", "-co", "--exclude-standard", "-z").decode().split("\0")
    assert known == {path for path in listed if path}


def test_indexed_with_nothing_in_it_is_said_and_reads_create_nothing(
    daemon: Installation, tmp_path: Path
) -> None:
    root = make_repository(tmp_path / "empty")
    (root / "sparse.py").touch()
    os.truncate(root / "sparse.py", 1 << 30)
    (root / "bundle.js").write_text("function a(b){return b+1};" * 20_000)
    project = Project(daemon, root)
    assert project.sql("SELECT path, reason FROM skipped WHERE project = :p") == [("sparse.py", "too_large")]
    assert project.sql("SELECT path, partial FROM outlines WHERE project = :p") == [("bundle.js", "minified")]
    stranger = make_repository(tmp_path / "stranger", {"a.py": module("unseen")})
    with pytest.raises(UnknownProject):
        daemon.context("unseen", stranger)
    assert str(stranger) not in daemon.run("project", "list", "--json").stdout


def test_a_newer_api_on_another_branch_or_in_a_linked_worktree_is_found(
    daemon: Installation, tmp_path: Path
) -> None:
    root = make_repository(tmp_path / "main", {"api.py": module("order"), "other.py": module("other")})
    tree = tmp_path / "linked"
    run_git(root, "worktree", "add", "-q", "-b", "in-a-tree", str(tree))
    write(tree, {"api.py": module("order") + "\n\ndef refund(order): ...\n"})
    commit(tree, "refunds")
    run_git(root, "branch", "behind")
    run_git(root, "checkout", "-qb", "newer")
    write(root, {"api.py": '"""Newer."""\n\n\ndef order(customer): ...\n'})
    commit(root, "with a customer")
    run_git(root, "checkout", "-q", "main")
    write(root, {"other.py": module("another")})
    commit(root, "main goes on")
    project = Project(daemon, root)
    project.ask()

    def asked(target: str) -> list[tuple[str, str, int]]:
        done = daemon.run("elsewhere", target, "--project", str(root), "--json")
        assert done.returncode == 0, done.stdout
        return sorted((hit["ref"], hit["path"], hit["line"]) for hit in json.loads(done.stdout)["hits"])

    assert asked("api.py") == [("in-a-tree", "api.py", 0), ("newer", "api.py", 0)]
    assert asked("order") == [("in-a-tree", "api.py", 1), ("newer", "api.py", 4)]
    assert asked("refund") == [("in-a-tree", "api.py", 5)]
    assert asked("other.py") == asked("nowhere_at_all") == []
    shown = daemon.run("elsewhere", "api.py:order", "--project", str(root)).stdout
    assert "on newer, " in shown
    assert "api.py:4 changed\n    def order(customer): ...\n" in shown
    assert f"on in-a-tree (in {tree}), " in shown
    assert daemon.run("elsewhere", " ", "--project", str(root)).returncode == 2


def test_a_branch_switched_while_down_is_compared_before_the_first_answer(
    installation: Installation, tmp_path: Path
) -> None:
    root = make_repository(tmp_path, {"a.py": module("mainland")})
    run_git(root, "checkout", "-qb", "side")
    write(root, {"a.py": module("island"), "b.py": module("lagoon")})
    commit(root, "side")
    start(installation.home, installation.environ)
    project = Project(installation, root)
    assert [item.symbol for item in project.ask("lagoon").items][:1] == ["lagoon"]
    assert installation.run("down").returncode == 0
    run_git(root, "checkout", "-q", "main")
    start(installation.home, installation.environ)
    first = installation.context("island lagoon mainland", root)
    assert first.stale or [(i.symbol, i.state) for i in first.items] == [("mainland", "FRESH")]
    assert [item.symbol for item in project.ask("island lagoon mainland").items] == ["mainland"]
    assert project.sql("SELECT branch FROM projects WHERE project = :p") == [("main",)]


def test_bytes_under_two_suffixes_have_the_same_outline_after_a_replay(
    daemon: Installation, tmp_path: Path
) -> None:
    root = make_repository(tmp_path, {"a.txt": module("twice")})
    project = Project(daemon, root)
    write(root, {"b.py": module("twice")})
    project.ask()
    symbols = "SELECT path, name FROM symbols WHERE project = :p ORDER BY path"
    before = project.sql(symbols)
    assert before == [("a.txt", "twice"), ("b.py", "twice")]
    assert daemon.run("replay", "--from", "0").returncode == 0
    assert project.sql(symbols) == before
