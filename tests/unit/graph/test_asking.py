"""The graph's tables answer an impact's questions; the daemon's verb puts them together."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from navlog.daemon.impacts import Impacts
from navlog.daemon.projects import Project, Projects
from navlog.projections.graph.asking import GraphFacts, read_names
from navlog.projections.impact.facts import Companion, ImportRow, Pointer
from navlog.projections.views import ProjectView
from navlog.schemas.concept import Claim, Concept, FileRelation, Status
from navlog.schemas.errors import UsageError
from navlog.schemas.events import (
    CommitFile,
    CommitRecorded,
    FileObserved,
    Import,
    Link,
    OutlineRecorded,
    ProjectRegistered,
    Reference,
)
from navlog.schemas.wire import ImpactArgs
from support.graph import REGISTERED, World, observed, outlined

FILES = {
    "app.py": "def run\ndef stop",
    "pkg/__init__.py": "from ..app import run",
    "use.py": "from pkg import run\ndef main\nrun()",
    "tests/test_app.py": "def test\nrun()",
    "README.md": "[app](app.py)",
}


def concept(label: str, files: dict[str, FileRelation], status: Status = "found") -> Concept:
    claims = [Claim(path, relation, path, "rules", 0.9) for path, relation in files.items()]
    key = label.lower().replace(" ", "-")
    return Concept(
        id=f"concept:{key}", key=key, label=label, aliases=(), kind="module", status=status, source="rules",
        confidence=0.9, files=tuple(claims),
    )  # fmt: skip


CONCEPTS = [
    concept("Running", {"app.py": "implemented_by", "pkg/__init__.py": "contains"}),
    concept("Guide", {"README.md": "documented_by"}),
    concept("Rejected one", {"use.py": "implemented_by"}, "rejected"),
]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    made.log.add(REGISTERED)
    made.log.add(ProjectRegistered(root="/q", name="q", kind="git"), project="q")
    for path, text in FILES.items():
        made.log.add(observed(path, text), outlined(text, "markdown" if path.endswith("md") else "python"))
        made.log.add(observed(path, text), project="q")
    made.run()
    yield made
    made.store.close()


def test_each_question_is_about_one_project(world: World) -> None:
    symbols = {path: file.symbols for path, file in world.graph.views["p"].files.items()}
    facts = GraphFacts(world.store.cursor(), "p", symbols)
    assert facts.imports_of(["app.py", "pkg/__init__.py"]) == [
        ImportRow("pkg/__init__.py", 1, "from", "..app", (("run", ""),), "app.py"),
        ImportRow("use.py", 1, "from", "pkg", (("run", ""),), "pkg/__init__.py"),
    ]
    assert facts.pointers_to(["app.py"]) == [
        Pointer("README.md", 1, "link", "app.py"),
        Pointer("tests/test_app.py", 1, "test", "app.py"),
    ]
    assert sorted(facts.mentioning("run")) == ["tests/test_app.py", "use.py"]
    assert facts.mentioning("ru") == []
    assert (facts.defining("run"), facts.defining("ru")) == (1, 0)
    assert [symbol.name for symbol in facts.texts(["app.py", "absent"])["app.py"].symbols] == ["run", "stop"]


def test_names_with_aliases_are_read_back() -> None:
    assert read_names("a, b as c, *, as d") == (("a", ""), ("b", "c"), ("*", ""), ("", "d"))
    assert read_names("") == ()


@pytest.fixture
def impacts(world: World) -> Impacts:
    project = Project("p", Path("/home/a/p"), "p", "git")

    class OnlyOne:
        def find(self, where: str | None) -> Project:  # noqa: ARG002 - there is but one
            return project

    def view(asked: Project) -> ProjectView:
        return world.graph.views[asked.id]

    return Impacts(
        cast("Projects", OnlyOne()), view, lambda _: "", world.store, lambda: 7, lambda _: CONCEPTS
    )


def test_the_verb_follows_a_re_export_and_says_why(impacts: Impacts) -> None:
    reply = impacts.ask(ImpactArgs(target="app.py:run", depth=1))
    assert [(one.path, one.line, one.symbol) for one in reply.targets] == [("app.py", 1, "run")]
    assert [(hit.path, hit.line, hit.reason) for hit in reply.hits] == [("use.py", 3, "calls it (imported)")]
    assert (reply.position, reply.project, reply.stale) == (7, "p", "")


def test_a_limit_says_how_many_it_cut(impacts: Impacts) -> None:
    whole = impacts.ask(ImpactArgs(target="app.py", depth=1))
    cut = impacts.ask(ImpactArgs(target="app.py", depth=1, limit=1))
    assert (len(cut.hits), cut.found) == (1, len(whole.hits))
    assert cut.found == whole.found > 1


def test_an_absolute_path_inside_the_project_is_understood(impacts: Impacts) -> None:
    short = impacts.ask(ImpactArgs(target="app.py:run"))
    assert impacts.ask(ImpactArgs(target="/home/a/p/pkg/../app.py:run")) == short
    with pytest.raises(UsageError):
        impacts.ask(ImpactArgs(target="/home/a/other/app.py:run"))


def test_a_concepts_own_files_change_and_the_others_are_touched(impacts: Impacts) -> None:
    reply = impacts.ask(ImpactArgs(target="concept:running", depth=2))
    assert [one.path for one in reply.targets] == ["app.py", "pkg/__init__.py"]
    assert {hit.path for hit in reply.hits} == {"use.py", "README.md", "tests/test_app.py"}
    assert impacts.ask(ImpactArgs(target="Running", depth=2)) == reply


def test_a_concept_that_is_not_there_or_has_no_code_is_told_so(impacts: Impacts) -> None:
    with pytest.raises(UsageError, match="Near: running"):
        impacts.ask(ImpactArgs(target="concept:runing"))
    with pytest.raises(UsageError, match="No file implements 'Guide'"):
        impacts.ask(ImpactArgs(target="concept:guide"))
    with pytest.raises(UsageError, match="There is no concept"):
        impacts.ask(ImpactArgs(target="concept:rejected-one"))


def test_what_nobody_is_called_is_told_with_what_is_near(impacts: Impacts) -> None:
    with pytest.raises(UsageError, match=r"Did you mean app\.py\?"):
        impacts.ask(ImpactArgs(target="src/APP.py"))
    with pytest.raises(UsageError, match="Did you mean stop"):
        impacts.ask(ImpactArgs(target="stopp"))
    with pytest.raises(UsageError, match="Name a path"):
        impacts.ask(ImpactArgs(target="nothing"))


def test_files_of_a_go_package_share_its_importers_and_see_each_other(tmp_path: Path) -> None:
    world = World(tmp_path)
    files = {
        "go.mod": OutlineRecorded(
            content="m", extractor="t", language="gomod", size=1, imports=[Import("e.org/a", "package", 1)]
        ),
        "net/http.go": OutlineRecorded(content="h", extractor="t", language="go", size=1),
        "net/tcp.go": OutlineRecorded(content="t", extractor="t", language="go", size=1),
        "main.go": OutlineRecorded(
            content="g", extractor="t", language="go", size=1, imports=[Import("e.org/a/net", "import", 3)]
        ),
    }
    world.log.add(REGISTERED)
    for path, outline in files.items():
        world.log.add(FileObserved(path=path, content=outline.content, size=1, mtime_ns=1), outline)
    world.run()
    symbols = {path: file.symbols for path, file in world.graph.views["p"].files.items()}
    facts = GraphFacts(world.store.cursor(), "p", symbols)
    for path in ("net/http.go", "net/tcp.go"):
        assert facts.imports_of([path]) == [ImportRow("main.go", 3, "import", "e.org/a/net", (), path)]
    assert facts.mates("net/tcp.go") == ["net/http.go"]
    assert facts.mates("main.go") == []
    world.store.close()


def test_heirs_receivers_and_documents_are_found_by_name(tmp_path: Path) -> None:
    world = World(tmp_path)
    code = OutlineRecorded(
        content="c", extractor="t", language="python", size=1,
        references=[
            Reference("Model", "base", [1], "models"),
            Reference("Base", "base", [2]),
            Reference("Bas", "call", [3]),
        ],
    )  # fmt: skip
    page = OutlineRecorded(
        content="d", extractor="t", language="markdown", size=1,
        links=[Link("Model.save()", "code", 2), Link("saved", "code", 3)],
    )  # fmt: skip
    world.log.add(REGISTERED)
    for path, outline in (("a.py", code), ("d.md", page)):
        world.log.add(FileObserved(path=path, content=outline.content, size=1, mtime_ns=1), outline)
    world.run()
    facts = GraphFacts(world.store.cursor(), "p", {})
    assert facts.deriving({"Base", "Other"}, {"a.py", "b.py"}) == ["a.py"]
    assert facts.deriving({"Base", "Other"}, {"b.py"}) == []
    assert facts.deriving({"Bas", "x"}, {"a.py"}) == facts.deriving(set(), {"a.py"}) == []
    assert facts.through({"Model"}, {"models", "m"}) == ["a.py"]
    assert facts.through({"Model"}, {"model"}) == facts.through({"Model"}, set()) == []
    assert facts.documenting("save") == ["d.md"]
    assert facts.documenting("ave") == []
    world.store.close()


def test_companions_are_those_of_small_commits_that_are_still_there(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.log.add(REGISTERED, observed("a.py", "a"), observed("b.py", "b"), observed("c.py", "c"))
    for number, paths in enumerate(["ab", "ab", "abx", "ac", "a"]):
        files = [CommitFile(f"{name}.py", "M") for name in paths]
        world.log.add(commit(f"{number}", files, len(files)))
    world.log.add(commit("broad", [CommitFile("a.py", "M"), CommitFile("c.py", "M")], 99))
    world.run()
    facts = GraphFacts(world.store.cursor(), "p", {})
    assert facts.companions("a.py") == [Companion("b.py", 3, 5)]
    assert facts.companions("c.py") == []
    world.store.close()


def commit(name: str, files: list[CommitFile], count: int) -> CommitRecorded:
    return CommitRecorded(
        commit=name * 40, parents=[], committed_at="2024-01-01T00:00:00Z", author="a", subject="s",
        files=files, file_count=count,
    )  # fmt: skip
