"""Imports and links find the files that are meant, and only them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.resolving import Need, needs
from navlog.projections.resolving.index import Index
from navlog.projections.resolving.manifests import Manifests
from navlog.projections.resolving.multimap import Multimap
from navlog.projections.resolving.testing import is_test
from navlog.schemas.events import Import, Link, OutlineRecorded


def index(*paths: str) -> Index:
    made = Index()
    made.update(paths, ())
    return made


def meant(paths: tuple[str, ...], path: str, need: list[Need]) -> list[str | None]:
    found = index(*paths, path)
    return [found.find(path, one) for one in need]


def asked(path: str, language: str, imports: Sequence[Import] = (), links: Sequence[Link] = ()) -> list[Need]:
    outline = OutlineRecorded(
        content="c", extractor="x", language=language, size=1, imports=list(imports), links=list(links)
    )
    return [need for need in needs(path, outline, Manifests()) if need.kind != "test"]


def python(paths: tuple[str, ...], path: str, module: str, *names: str, level: int = 0) -> list[str | None]:
    one = Import(module, "from" if names else "import", 1, level, [(name, "") for name in names])
    return meant(paths, path, asked(path, "python", [one]))


def any_of(language: str, paths: tuple[str, ...], path: str, one: Import) -> str | None:
    return meant(paths, path, asked(path, language, [one]))[0]


def script(paths: tuple[str, ...], path: str, module: str) -> str | None:
    return any_of("typescript", paths, path, Import(module, "import", 1))


def link(paths: tuple[str, ...], path: str, target: str, kind: str = "link") -> str | None:
    return meant(paths, path, asked(path, "markdown", links=[Link(target, kind, 1)]))[0]


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
        ("@/b", None),
        ("@/deep/c", "app/src/deep/c.ts"),
        ("src/deep/c.js", "app/src/deep/c.ts"),
        ("react", None),
        ("./absent", None),
    ],
)
def test_relative_imports_of_scripts(module: str, target: str | None) -> None:
    paths = (
        "web/b.ts",
        "web/b.test.ts",
        "lib/index.tsx",
        "web/types.d.ts",
        "web/style.css",
        "app/src/deep/c.ts",
    )
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


def test_what_is_no_path_in_backticks_asks_for_nothing() -> None:
    spans = [Link(text, "code", 1) for text in ("os.path", "Model.save", "a b", "--flag", "absent.py")]
    assert [need.written for need in asked("README.md", "markdown", links=spans)] == ["absent.py"]


RUST = ("src/lib.rs", "src/net/mod.rs", "src/net/http.rs", "src/io.rs", "crates/my-util/src/lib.rs")
JAVA = ("app/src/main/java/com/acme/Shop.java", "lib/src/main/java/com/acme/pay/Card.java")
C = ("src/net/http.h", "include/lib/core.h", "src/util.h", "tools/util.h")


@pytest.mark.parametrize(
    ("path", "one", "target"),
    [
        ("src/lib.rs", Import("net", "mod", 1), "src/net/mod.rs"),
        ("src/net/mod.rs", Import("http", "mod", 1), "src/net/http.rs"),
        ("src/net/http.rs", Import("crate::io", "use", 1, names=[("Read", "")]), "src/io.rs"),
        ("src/net/http.rs", Import("super", "use", 1, names=[("open", "")]), "src/net/mod.rs"),
        ("src/net/mod.rs", Import("self::http", "use", 1, names=[("*", "")]), "src/net/http.rs"),
        ("src/io.rs", Import("crate", "use", 1, names=[("Root", "")]), "src/lib.rs"),
        ("src/io.rs", Import("my_util::text", "use", 1, names=[("trim", "")]), "crates/my-util/src/lib.rs"),
        ("src/io.rs", Import("std::fmt", "use", 1, names=[("Debug", "")]), None),
    ],
)
def test_modules_and_crates_of_rust(path: str, one: Import, target: str | None) -> None:
    assert any_of("rust", RUST, path, one) == target


@pytest.mark.parametrize(
    ("one", "target"),
    [
        (Import("com.acme.pay.Card", "import", 1), JAVA[1]),
        (Import("com.acme.pay.Card", "import", 1, names=[("valid", "")]), JAVA[1]),
        (Import("com.acme.pay", "import", 1, names=[("*", "")]), JAVA[1]),
        (Import("com.acme.other", "import", 1, names=[("*", "")]), None),
        (Import("com.other.Card", "import", 1), None),
        (Import("com.acme.pay", "package", 1), None),
    ],
)
def test_classes_of_java(one: Import, target: str | None) -> None:
    found = meant(JAVA, JAVA[0], asked(JAVA[0], "java", [one]))
    assert found == ([target] if one.form == "import" else [])


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("http.h", "src/net/http.h"),
        ("net/http.h", "src/net/http.h"),
        ("<lib/core.h>", "include/lib/core.h"),
        ("util.h", "src/util.h"),
        ("<util.h>", None),
        ("absent.h", None),
    ],
)
def test_includes_of_c(module: str, target: str | None) -> None:
    assert any_of("c", C, "src/main.c", Import(module, "include", 1)) == target


@pytest.mark.parametrize(
    ("language", "path", "one", "target"),
    [
        ("ruby", "lib/a.rb", Import("b", "require", 1, level=1), "lib/b.rb"),
        ("ruby", "bin/run.rb", Import("lib/b", "require", 1), "lib/b.rb"),
        ("lua", "x.lua", Import("game.map", "require", 1), "src/game/map.lua"),
        ("bash", "bin/run.sh", Import("./common.sh", "include", 1), "bin/common.sh"),
        ("php", "web/index.php", Import("App\\Models\\User", "use", 1), "app/Models/User.php"),
        ("php", "web/index.php", Import("../app/boot.php", "include", 1), "app/boot.php"),
        ("html", "t/page.html", Import("admin/base.html", "include", 1), "site/templates/admin/base.html"),
        ("css", "web/a.css", Import("b", "import", 1), "web/b.css"),
        ("make", "Makefile", Import("rules.mk", "include", 1), "rules.mk"),
        ("cobol", "a.cbl", Import("b.cbl", "include", 1), None),
    ],
)
def test_modules_that_are_paths(language: str, path: str, one: Import, target: str | None) -> None:
    paths = (
        "lib/b.rb", "src/game/map.lua", "bin/common.sh", "app/Models/User.php", "app/boot.php",
        "site/templates/admin/base.html", "web/b.css", "rules.mk", "b.cbl",
    )  # fmt: skip
    assert any_of(language, paths, path, one) == target


@pytest.mark.parametrize(
    ("test", "target"),
    [
        ("tests/test_app.py", "src/flask/app.py"),
        ("tests/json/test_tag.py", "src/flask/json/tag.py"),
        ("tests/test_flask.py", "src/flask/__init__.py"),
        ("web/map.test.ts", "web/map.ts"),
        ("web/__tests__/map.spec.js", "web/map.ts"),
        ("java/CardTest.java", "java/Card.java"),
        ("go/parse_test.go", "go/parse.go"),
        ("tests/test_twice.py", None),
        ("tests/test_notes.md", None),
        ("src/flask/app.py", None),
        ("src/latest.py", None),
    ],
)
def test_a_test_is_named_after_its_source(test: str, target: str | None) -> None:
    sources = (*FLASK, "web/map.ts", "java/Card.java", "go/parse.go", "a/twice.py", "b/twice.py", "src/la.py")
    found = index(*sources, test)
    outline = OutlineRecorded(content="c", extractor="x", language="", size=1)
    assert [found.find(test, need) for need in needs(test, outline, Manifests())] == (
        [target] if target or "twice" in test else []
    )


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("tests/helpers.py", True),
        ("a/Test/x.c", True),
        ("b.spec.ts", True),
        ("src/contest.py", False),
        ("IT.java", False),
    ],
)
def test_what_lies_among_tests_is_one(path: str, tests: bool) -> None:
    assert is_test(path) == tests


def test_exactly_those_who_asked_are_looked_at_again() -> None:
    made = index("a.py", "b.py", "c.md")
    made.ask("a.py", asked("a.py", "python", [Import("pkg.mod", "import", 1)]))
    made.ask("b.py", asked("b.py", "python", [Import("other", "import", 1)]))
    made.ask("c.md", asked("c.md", "markdown", links=[Link("pkg/mod.py", "code", 1)]))
    assert made.askers(made.update(["pkg/mod.py"], ())) == {"a.py", "c.md"}
    assert made.askers(made.update((), ["pkg/mod.py"])) == {"a.py", "c.md"}
    made.forget("a.py")
    assert made.askers(made.update(["pkg/mod.py"], ())) == {"c.md"}


def test_a_folder_that_becomes_a_package_changes_what_its_modules_answer_to() -> None:
    made = index("main.py", "d/json.py", "d/use.py")
    need = asked("d/use.py", "python", [Import("json", "import", 1)])
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
INCLUDED = [Import("q/b.py", "include", 1), Import("a.py", "include", 1)]
LINKED = [
    Link("a.py", "code", 1),
    Link("q/b.py", "code", 1),
    Link("d", "wiki", 1),
    Link("../p/a.py", "link", 1),
]


def all_needs(path: str) -> list[Need]:
    return [
        *asked(path, "python", ASKED, LINKED),
        *asked(path, "typescript", ASKED),
        *asked(path, "c", INCLUDED),
        Need("test", 1, "name", "a", "", "", ("test:a",)),
    ]


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
