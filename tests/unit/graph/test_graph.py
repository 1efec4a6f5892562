"""A file's life in the graph: what events make of the tables and the views."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from navlog.schemas.events import (
    BranchSeen,
    CommitFile,
    CommitRecorded,
    FileMoved,
    FileRemoved,
    FileSkipped,
    HeadMoved,
    ProjectMoved,
    ProjectRegistered,
    ProjectRemoved,
    ScanCompleted,
)
from support.graph import REGISTERED, World, content, observed, outlined

APP = "import util\ndef main\nhelp()"
UTIL = "def help"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    made.log.add(REGISTERED)
    yield made
    made.store.close()


def two_files(world: World) -> None:
    world.log.add(observed("app.py", APP), observed("util.py", UTIL), outlined(APP), outlined(UTIL))
    world.run()


def imports(world: World) -> list[tuple[object, ...]]:
    return world.ask("SELECT path, module, target FROM imports ORDER BY ALL")


def test_a_file_brings_its_symbols_imports_usages_chunks_and_words(world: World) -> None:
    two_files(world)
    assert world.ask("SELECT path, size, content, changed_at FROM files ORDER BY path")[1] == (
        "util.py", len(UTIL), content(UTIL), "2026-01-01T00:00:03Z",
    )  # fmt: skip
    assert world.ask("SELECT path, name, kind, line, signature, deprecated FROM symbols ORDER BY path") == [
        ("app.py", "main", "function", 2, "def main", False),
        ("util.py", "help", "function", 1, "def help", False),
    ]
    assert imports(world) == [("app.py", "util", "util.py")]
    assert world.ask("SELECT path, name, kind, lines FROM usages") == [("app.py", "help", "call", [3])]
    assert world.ask("SELECT line, end_line, tokens, symbol FROM chunks WHERE path = 'app.py'") == [
        (1, 3, 5, -1)
    ]
    assert world.ask("SELECT word, count FROM words WHERE path = 'util.py' ORDER BY 1") == [
        ("def", 1),
        ("help", 1),
    ]
    assert world.ask("SELECT language, lines FROM outlines WHERE path = 'app.py'") == [("python", 3)]


def test_the_view_shows_what_the_tables_say(world: World) -> None:
    two_files(world)
    view = world.graph.views["p"]
    assert [symbol.name for symbol in view.files["app.py"].symbols] == ["main"]
    assert view.files["app.py"].changed_at == 1767225602.0
    assert [(edge.kind, edge.path, edge.incoming) for edge in view.neighbours("util.py")] == [
        ("import", "app.py", True)
    ]


def test_an_outline_may_come_before_or_after_its_file(world: World) -> None:
    world.log.add(observed("app.py", APP))
    world.run()
    assert world.graph.views["p"].files["app.py"].symbols == []
    assert world.ask("SELECT * FROM symbols") == []
    world.log.add(outlined(UTIL), outlined(APP))
    world.run(size=1)
    world.log.add(observed("util.py", UTIL))
    world.run(size=1)
    assert imports(world) == [("app.py", "util", "util.py")]
    assert [symbol.name for symbol in world.graph.views["p"].files["util.py"].symbols] == ["help"]


def test_a_deleted_files_symbols_are_gone_in_the_same_batch(world: World) -> None:
    two_files(world)
    world.log.add(FileRemoved(path="util.py"))
    world.run()
    assert world.ask("SELECT path FROM symbols") == [("app.py",)]
    assert imports(world) == [("app.py", "util", None)]
    assert set(world.graph.views["p"].files) == {"app.py"}
    assert world.graph.views["p"].neighbours("app.py") == []


def test_a_revert_brings_the_outline_back_without_a_new_one(world: World) -> None:
    two_files(world)
    world.log.add(observed("app.py", "other"), outlined("other"))
    world.run()
    assert world.ask("SELECT name FROM symbols") == [("help",)]
    world.restart()
    world.log.add(observed("app.py", APP))
    world.run()
    assert world.ask("SELECT name FROM symbols ORDER BY 1") == [("help",), ("main",)]
    assert imports(world) == [("app.py", "util", "util.py")]


def test_a_moved_file_keeps_its_history_and_its_importers_follow(world: World) -> None:
    two_files(world)
    world.log.add(FileMoved(previous="util.py", path="src/util.py"))
    world.run()
    assert imports(world) == [("app.py", "util", "src/util.py")]
    assert world.ask("SELECT path, changed_at FROM files ORDER BY 1")[1] == (
        "src/util.py",
        "2026-01-01T00:00:03Z",
    )
    assert world.ask("SELECT path FROM symbols ORDER BY 1") == [("app.py",), ("src/util.py",)]
    assert set(world.graph.views["p"].files) == {"app.py", "src/util.py"}


def test_a_move_onto_itself_or_from_nowhere_changes_nothing(world: World) -> None:
    two_files(world)
    world.log.add(FileMoved(previous="util.py", path="util.py"), FileMoved(previous="absent", path="app.py"))
    world.run()
    assert world.ask("SELECT path FROM files ORDER BY 1") == [("app.py",), ("util.py",)]


def test_a_move_over_another_file_replaces_it(world: World) -> None:
    two_files(world)
    world.log.add(FileMoved(previous="util.py", path="app.py"))
    world.run()
    assert world.ask("SELECT path, name FROM symbols") == [("app.py", "help")]
    assert imports(world) == []


def test_a_touch_changes_the_time_but_not_when_the_content_came(world: World) -> None:
    two_files(world)
    world.log.add(observed("util.py", UTIL, mtime_ns=7))
    world.run()
    assert world.ask("SELECT mtime_ns, changed_at FROM files WHERE path = 'util.py'") == [
        (7, "2026-01-01T00:00:03Z")
    ]
    assert world.graph.views["p"].files["util.py"].mtime_ns == 7
    assert [symbol.name for symbol in world.graph.views["p"].files["util.py"].symbols] == ["help"]


def test_a_newer_extractor_replaces_the_outline(world: World) -> None:
    two_files(world)
    world.log.add(outlined(UTIL, language="text", extractor="t2"))
    world.run()
    assert world.ask("SELECT extractor, language FROM outlines WHERE path = 'util.py'") == [("t2", "text")]
    assert world.ask("SELECT count(*) FROM contents") == [(2,)]


def test_two_projects_share_an_outline_and_nothing_else(world: World) -> None:
    two_files(world)
    world.log.add(ProjectRegistered(root="/b", name="b", kind="folder"), observed("app.py", APP), project="b")
    world.run()
    assert world.ask("SELECT project, path, target FROM imports ORDER BY ALL") == [
        ("b", "app.py", None),
        ("p", "app.py", "util.py"),
    ]
    world.log.add(ProjectRemoved(), project="b")
    world.run()
    assert world.ask("SELECT DISTINCT project FROM symbols") == [("p",)]


def test_a_removed_project_leaves_no_row_and_can_come_back(world: World) -> None:
    two_files(world)
    world.log.add(
        CommitRecorded(
            commit="c1", parents=[], committed_at="x", author="a", subject="s", files=[CommitFile("a", "A")]
        ),
        FileSkipped(path="pipe", reason="fifo"),
        BranchSeen(ref="refs/heads/main", commit="c1"),
        ProjectRemoved(),
        observed("late.py", APP),
    )
    world.run()
    for table in ("projects", "files", "skipped", "imports", "links", "commits", "commit_files", "branches"):
        assert world.ask(f"SELECT * FROM {table}") == []  # noqa: S608 - names of the test's own
    assert world.graph.views == {}
    world.log.add(REGISTERED, observed("app.py", APP))
    world.run()
    assert world.ask("SELECT path, name FROM symbols") == [("app.py", "main")]


def test_the_registry_follows_moves_and_heads(world: World) -> None:
    world.log.add(
        HeadMoved(previous=None, commit="c1", branch="main"), ProjectMoved(previous="/home/a/p", root="/new")
    )
    world.log.add(REGISTERED)
    world.run()
    assert world.ask("SELECT project, root, name, kind, common_dir, head, branch FROM projects") == [
        ("p", "/home/a/p", "p", "git", None, "c1", "main")
    ]
    assert world.graph.projects["p"].head == "c1"


def test_a_skipped_path_is_listed_until_it_can_be_read(world: World) -> None:
    two_files(world)
    world.log.add(FileSkipped(path="util.py", reason="fifo", detail="a pipe"))
    world.run()
    assert world.ask("SELECT path, reason, detail FROM skipped") == [("util.py", "fifo", "a pipe")]
    assert world.ask("SELECT path FROM files") == [("app.py",)]
    world.log.add(observed("util.py", UTIL))
    world.run()
    assert world.ask("SELECT * FROM skipped") == []
    assert world.ask("SELECT count(*) FROM files") == [(2,)]


def test_commits_stand_once_in_the_order_of_the_log(world: World) -> None:
    for name in ("c2", "c1", "c2"):
        world.log.add(
            CommitRecorded(
                commit=name,
                parents=["a", "b"],
                committed_at="2026-01-01T00:00:00Z",
                author="a",
                subject=f"Fix {name}",
                files=[CommitFile("x.py", "M"), CommitFile("y.py", "R", "z.py")],
                file_count=2,
            )
        )
    world.run(size=1)
    world.restart()
    assert world.ask("SELECT commit, parents, subject FROM commits ORDER BY rowid") == [
        ("c2", "a b", "Fix c2"),
        ("c1", "a b", "Fix c1"),
    ]
    assert world.ask("SELECT path, status, previous FROM commit_files WHERE commit = 'c1' ORDER BY 1") == [
        ("x.py", "M", ""),
        ("y.py", "R", "z.py"),
    ]


def test_a_branch_that_is_gone_is_gone(world: World) -> None:
    world.log.add(BranchSeen(ref="r", commit="c1"), BranchSeen(ref="s", commit="c2"))
    world.run()
    world.log.add(BranchSeen(ref="r", commit=""), BranchSeen(ref="s", commit="c3"))
    world.run()
    assert world.ask("SELECT ref, commit FROM branches") == [("s", "c3")]


def test_what_cannot_be_understood_is_counted_and_stops_nothing(world: World) -> None:
    world.log.raw("unheard_of", b"{}")
    world.log.raw("file_observed", b'{"path": 3}')
    world.log.raw(
        "outline_recorded", b'{"content":"c","extractor":"x","language":"","size":1,"symbols":[[1]]}'
    )
    world.log.add(observed("new.py", APP), version=99)
    world.log.add(ScanCompleted(why="start", files=1))
    two_files(world)
    assert world.ask("SELECT * FROM unread ORDER BY ALL") == [
        ("file_observed", 1, 1),
        ("file_observed", 99, 1),
        ("outline_recorded", 1, 1),
        ("unheard_of", 1, 1),
    ]
    assert world.ask("SELECT count(*) FROM files") == [(2,)]
    world.restart()
    world.log.raw("unheard_of", b"{}")
    world.run()
    assert world.ask("SELECT count FROM unread WHERE type = 'unheard_of'") == [(2,)]


def test_names_that_are_not_text_survive(world: World) -> None:
    path = "\x00a\\xff'\n.py"
    world.log.add(observed(path, APP), outlined(APP))
    world.run()
    world.restart()
    assert world.ask("SELECT path, name FROM symbols") == [(path, "main")]
    world.log.add(FileRemoved(path=path))
    world.run()
    assert world.ask("SELECT * FROM files") == []


def test_links_of_a_document_are_rows_and_edges(world: World) -> None:
    text = "[x](src/app.py)\n[y](gone.py)"
    world.log.add(
        observed("README.md", text), outlined(text, language="markdown"), observed("src/app.py", APP)
    )
    world.run()
    assert world.ask("SELECT path, line, kind, written, target FROM links ORDER BY line") == [
        ("README.md", 1, "link", "src/app.py", "src/app.py"),
        ("README.md", 2, "link", "gone.py", None),
    ]
    assert [edge.path for edge in world.graph.views["p"].neighbours("README.md")] == ["src/app.py"]


def test_a_test_is_listed_with_the_sources_it_is_about(world: World) -> None:
    world.log.add(observed("app.py", APP), outlined(APP), observed("util.py", UTIL), outlined(UTIL))
    for path, text in (
        ("tests/test_app.py", "import util\n"),
        ("tests/helpers.py", "import app"),
        ("b.py", "import app\n"),
    ):
        world.log.add(observed(path, text), outlined(text))
    world.run()
    assert world.ask("SELECT path, target, reason FROM tests ORDER BY ALL") == [
        ("tests/helpers.py", "app.py", "import"),
        ("tests/test_app.py", "app.py", "name"),
        ("tests/test_app.py", "util.py", "import"),
    ]
    world.log.add(FileRemoved(path="tests/test_app.py"), FileRemoved(path="app.py"))
    world.run()
    assert world.ask("SELECT * FROM tests") == []


def test_renamed_imports_are_written_with_their_alias(world: World) -> None:
    text = "from util import help as h, other"
    world.log.add(observed("util.py", UTIL), observed("x.py", text), outlined(text))
    world.run()
    assert world.ask("SELECT names, target FROM imports") == [("help as h, other", "util.py")]
