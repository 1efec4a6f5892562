"""Imports and links find the files that are meant, and only them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.resolving import Need, needs
from navlog.projections.resolving.index import Index
from navlog.projections.resolving.multimap import Multimap
from navlog.schemas.events import Import, Link


def index(*paths: str) -> Index:
    made = Index()
    made.update(paths, ())
    return made


def meant(paths: tuple[str, ...], path: str, need: list[Need]) -> list[str | None]:
    found = index(*paths, path)
    return [found.find(path, one) for one in need]


def python(paths: tuple[str, ...], path: str, module: str, *names: str, level: int = 0) -> list[str | None]:
    one = Import(module, "from" if names else "import", 1, level, [(name, "") for name in names])
    return meant(paths, path, needs(path, "python", [one], []))


def script(paths: tuple[str, ...], path: str, module: str) -> str | None:
    return meant(paths, path, needs(path, "typescript", [Import(module, "import", 1)], []))[0]


def link(paths: tuple[str, ...], path: str, target: str, kind: str = "link") -> str | None:
    return meant(paths, path, needs(path, "markdown", [], [Link(target, kind, 1)]))[0]


FLASK = ("src/flask/__init__.py", "src/flask/app.py", "src/flask/json/__init__.py", "src/flask/json/tag.py")


def test_a_package_in_a_src_folder_is_found_from_the_tests() -> None:
    assert python(FLASK, "tests/test_app.py", "flask.app", "Flask") == ["src/flask/app.py"]
    assert python(FLASK, "tests/test_app.py", "flask", "json", "Flask") == [
        "src/flask/json/__init__.py",
        "src/flask/__init__.py",
    ]


def test_a_module_inside_a_package_is_not_the_top_level_one_of_its_name() -> None:
    assert python(FLASK, "src/flask/app.py", "json") == [None]
    assert python(FLASK, "src/flask/app.py", "app") == [None]


@pytest.mark.parametrize(
    ("level", "module", "names", "target"),
    [
        (1, "", ("app",), "src/flask/app.py"),
        (1, "app", ("Flask",), "src/flask/app.py"),
        (1, "json.tag", ("x",), "src/flask/json/tag.py"),
        (1, "", ("json",), "src/flask/json/__init__.py"),
        (1, "", ("name",), "src/flask/__init__.py"),
        (2, "flask", ("app",), "src/flask/app.py"),
        (9, "flask", ("app",), None),
    ],
)
def test_relative_imports(level: int, module: str, names: tuple[str, ...], target: str | None) -> None:
    assert python(FLASK, "src/flask/cli.py", module, *names, level=level) == [target]


def test_everything_from_a_package_means_the_package() -> None:
    assert python(FLASK, "src/flask/cli.py", "flask", "*") == ["src/flask/__init__.py"]


def test_a_script_beside_the_importer_is_found_and_a_far_one_is_not() -> None:
    paths = ("tools/helper.py", "tools/run.py")
    assert python(paths, "tools/run.py", "helper") == ["tools/helper.py"]
    assert python(paths, "web/run.py", "helper") == [None]


def test_the_nearer_of_two_packages_of_one_name_is_meant() -> None:
    paths = ("a/lib/__init__.py", "b/lib/__init__.py")
    assert python(paths, "b/main.py", "lib") == ["b/lib/__init__.py"]


def test_source_comes_before_its_stub_and_a_package_before_a_module() -> None:
    assert python(("m.pyi", "m.py"), "x.py", "m") == ["m.py"]
    assert python(("m.py", "m/__init__.py"), "x.py", "m") == ["m/__init__.py"]


def test_a_file_never_means_itself() -> None:
    assert python((), "json.py", "json") == [None]


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("./b", "web/b.ts"),
        ("./b.js", "web/b.ts"),
        ("../lib", "lib/index.tsx"),
        ("./types", "web/types.d.ts"),
        ("./style.css", "web/style.css"),
        ("../../out", None),
        ("react", None),
        ("./absent", None),
    ],
)
def test_relative_imports_of_scripts(module: str, target: str | None) -> None:
    paths = ("web/b.ts", "web/b.test.ts", "lib/index.tsx", "web/types.d.ts", "web/style.css")
    assert script(paths, "web/a.ts", module) == target


def test_a_module_comes_before_a_folder_of_its_name() -> None:
    assert script(("web/b/index.ts", "web/b.js"), "web/a.ts", "./b") == "web/b.js"


@pytest.mark.parametrize(
    ("target", "kind", "meaning"),
    [
        ("../src/app.py", "link", "src/app.py"),
        ("/src/app.py#L3", "link", "src/app.py"),
        ("guide", "link", "docs/guide.md"),
        ("my%20notes.md?plain=1", "link", "docs/my notes.md"),
        ("./api/", "link", "docs/api/README.md"),
        ("https://example.org/app.py", "link", None),
        ("mailto:a@example.org", "link", None),
        ("#here", "link", None),
        ("../../etc/passwd", "link", None),
        ("Guide|the guide", "wiki", "docs/guide.md"),
        ("src/app.py:12", "code", "src/app.py"),
        ("pkg/app.py", "code", "src/pkg/app.py"),
        ("lonely.py", "code", "src/lonely.py"),
        ("app.py", "code", None),
        ("some words", "code", None),
        ("word", "code", None),
    ],
)
def test_links_of_documents(target: str, kind: str, meaning: str | None) -> None:
    paths = (
        "src/app.py",
        "src/pkg/app.py",
        "src/lonely.py",
        "docs/guide.md",
        "docs/my notes.md",
        "docs/api/README.md",
    )
    assert link(paths, "docs/index.md", target, kind) == meaning


def test_exactly_those_who_asked_are_looked_at_again() -> None:
    made = index("a.py", "b.py", "c.md")
    made.ask("a.py", needs("a.py", "python", [Import("pkg.mod", "import", 1)], []))
    made.ask("b.py", needs("b.py", "python", [Import("other", "import", 1)], []))
    made.ask("c.md", needs("c.md", "markdown", [], [Link("pkg/mod.py", "code", 1)]))
    assert made.askers(made.update(["pkg/mod.py"], ())) == {"a.py", "c.md"}
    assert made.askers(made.update((), ["pkg/mod.py"])) == {"a.py", "c.md"}
    made.forget("a.py")
    assert made.askers(made.update(["pkg/mod.py"], ())) == {"c.md"}


def test_a_folder_that_becomes_a_package_changes_what_its_modules_answer_to() -> None:
    made = index("main.py", "d/json.py", "d/use.py")
    need = needs("d/use.py", "python", [Import("json", "import", 1)], [])
    made.ask("d/use.py", need)
    assert made.find("d/use.py", need[0]) == "d/json.py"
    assert "d/use.py" in made.askers(made.update(["d/__init__.py"], ()))
    assert made.find("d/use.py", need[0]) is None
    assert "d/use.py" in made.askers(made.update((), ["d/__init__.py"]))
    assert made.find("d/use.py", need[0]) == "d/json.py"


PATHS = st.sampled_from(
    ["a.py", "b.py", "__init__.py", "p/__init__.py", "p/a.py", "p/q/__init__.py", "p/q/b.py", "src/a.py",
     "src/p/b.py", "w/x.ts", "w/x/index.js", "w/y.js", "w/d.md", "d.md"]
)  # fmt: skip
ASKED = [
    *(Import(module, "from", 1, 0, [("a", ""), ("b", "")]) for module in ("a", "p", "p.q", "q")),
    *(Import(module, "from", 1, 1, [("a", ""), ("q", "")]) for module in ("", "q")),
    *(Import(module, "import", 1) for module in ("a", "p.q.b", "./x", "./x.js", "../w/y")),
]
LINKED = [
    Link("a.py", "code", 1),
    Link("q/b.py", "code", 1),
    Link("d", "wiki", 1),
    Link("../p/a.py", "link", 1),
]


def all_needs(path: str) -> list[Need]:
    return [*needs(path, "python", ASKED, LINKED), *needs(path, "typescript", ASKED, [])]


@given(st.lists(st.sets(PATHS), min_size=1, max_size=8))
def test_looking_again_at_those_who_care_equals_looking_at_everything(steps: list[set[str]]) -> None:
    """Each step is the whole set of files; the index only hears of the difference."""
    kept = Index()
    files: set[str] = set()
    meant: dict[str, list[str | None]] = {}
    for step in steps:
        for gone in files - step:
            kept.forget(gone)
            del meant[gone]
        again = kept.askers(kept.update(step - files, files - step)) | (step - files)
        for path in again:
            asked = all_needs(path)
            kept.ask(path, asked)
            meant[path] = [kept.find(path, need) for need in asked]
        files = step
        clean = index(*sorted(step))
        assert meant == {path: [clean.find(path, need) for need in all_needs(path)] for path in step}


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("ab"), st.sampled_from("xyz"))))
def test_a_multimap_is_a_dict_of_sets(steps: list[tuple[bool, str, str]]) -> None:
    plain: dict[str, set[str]] = {"a": set(), "b": set()}
    made: Multimap[str, str] = Multimap()
    for adds, key, value in steps:
        (made.add if adds else made.discard)(key, value)
        (plain[key].add if adds else plain[key].discard)(value)
        assert {key: set(made.get(key)) for key in plain} == plain
        assert len(made) == sum(bool(values) for values in plain.values())
