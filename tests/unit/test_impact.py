"""Who uses a definition: by import, rename, re-export, module, owner; and by name alone, less surely."""

import pytest

from navlog.projections.impact import find_targets, impact
from navlog.projections.impact.facts import Hit, Pointer, Target, Text
from navlog.projections.impact.uses import BY_NAME
from navlog.schemas.events import Reference, Symbol
from support.impact import RUN, SAVE, Project, app, call, models, used


def test_a_caller_in_the_same_file_is_named_by_its_definition() -> None:
    project = Project().file("app.py", "run", "main", uses=[call("run", 7), call("run", 99), call("run", 2)])
    assert used(project, RUN) == [
        ("app.py", "main", 0.95, "calls it (in its own file)"),
        ("app.py", "", 0.95, "calls it (in its own file)"),
    ]


@pytest.mark.parametrize(
    ("names", "reference", "confidence", "how"),
    [
        (["run"], call("run"), 0.95, "imported"),
        (["run as go"], call("go"), 0.95, "imported"),
        (["*"], call("run"), 0.7, "imported"),
        (["app"], call("run", receiver="app"), 0.9, "through its module"),
        (["app as a"], call("run", receiver="a"), 0.9, "through its module"),
        (["* as ns"], call("run", receiver="ns"), 0.9, "through its module"),
        (["default as run"], call("run"), 0.95, "imported"),
        (["default as other"], call("other"), 0.5, "imported"),
        ([" as alias"], call("run", receiver="alias"), 0.9, "through its module"),
    ],
)
def test_what_is_imported_is_known(
    names: list[str], reference: Reference, confidence: float, how: str
) -> None:
    project = app().file("x.py", "f", uses=[reference]).imported("x.py", "app.py", *names)
    assert used(project, RUN) == [("x.py", "f", confidence, f"calls it ({how})")]


@pytest.mark.parametrize(
    ("module", "form", "reference", "path"),
    [
        ("pkg.app", "import", call("run", receiver="pkg.app"), "x.py"),
        ("pkg.app", "import", call("run", receiver="app"), "x.py"),
        ("com.acme.run", "import", call("run"), "X.java"),
        ("run.h", "include", call("run"), "x.c"),
    ],
)
def test_an_import_without_names(module: str, form: str, reference: Reference, path: str) -> None:
    project = app().file(path, "f", uses=[reference]).imported(path, "app.py", form=form, module=module)
    assert [use[:2] for use in used(project, RUN)] == [(path, "f")]


def test_a_plain_name_that_is_not_imported_means_something_else() -> None:
    project = app().file("x.py", "f", uses=[call("run")]).imported("x.py", "app.py", "other")
    assert used(project, RUN) == []


def test_a_plain_name_counts_where_nothing_has_to_be_imported() -> None:
    project = app().file("x.go", "f", uses=[call("run")])
    assert used(project, RUN) == [("x.go", "f", BY_NAME, "calls it (by name)")]
    project.file("x.go", "f", "run", uses=[call("run")])
    assert used(project, RUN) == []


@pytest.mark.parametrize("form", ["from", "export"])
def test_re_exports_are_followed_with_their_renames(form: str) -> None:
    page = "pkg/__init__.py" if form == "from" else "pkg/index.ts"
    project = (
        app()
        .imported(page, "app.py", "run as start", form=form)
        .imported("top/__init__.py", page, "*")
        .file("x.py", "f", uses=[call("start")])
        .imported("x.py", "top/__init__.py", "start")
    )
    assert used(project, RUN) == [("x.py", "f", 0.95, "calls it (imported)")]


def test_a_script_that_only_imports_passes_nothing_on() -> None:
    project = app().imported("mid.ts", "app.py", "run").file("x.ts", "f", uses=[call("run")])
    assert used(project.imported("x.ts", "mid.ts", "run"), RUN) == []


def test_what_a_module_of_python_imports_can_be_imported_from_it() -> None:
    project = app().imported("compat.py", "app.py", "run").file("x.py", "f", uses=[call("run")])
    assert used(project.imported("x.py", "compat.py", "run"), RUN) == [
        ("x.py", "f", 0.95, "calls it (imported)")
    ]


def test_re_exports_in_a_circle_end() -> None:
    project = (
        app().imported("a/__init__.py", "app.py", "run").imported("a/__init__.py", "b/__init__.py", "run")
    )
    project.imported("b/__init__.py", "a/__init__.py", "run").imported("app.py", "a/__init__.py", "run")
    assert used(project, RUN) == []


def test_methods_are_known_by_self_by_their_owner_and_by_the_owner_being_known() -> None:
    project = Project().file(
        "app.py",
        "Model",
        "Model.save",
        "Model.store",
        uses=[call("save", 12, "self"), call("save", 30, "Model")],
    )
    project.file("x.py", "f", "g", uses=[call("save", 1, "Model"), call("save", 6, "row")])
    project.imported("x.py", "app.py", "Model")
    project.file("y.py", "h", uses=[call("save", 1, "thing")])
    assert used(project, SAVE) == [
        ("app.py", "store", 0.9, "calls it (in its own class)"),
        ("app.py", "", 0.9, "calls it (in its own file)"),
        ("x.py", "f", 0.9, "calls it (imported)"),
        ("x.py", "g", 0.6, "calls it (by name, where its owner is known)"),
        ("y.py", "h", 0.4, "calls it (by name)"),
    ]


def test_a_common_name_says_the_less_the_more_there_are_of_it() -> None:
    project = models().file("y.py", "h", uses=[call("save", 1, "thing")])
    for number in range(3):
        project.file(f"other{number}.py", "Other", "Other.save")
    assert used(project, SAVE) == [("y.py", "h", 0.1, "calls it (by name)")]
    for number in range(9):
        project.file(f"more{number}.py", "Other", "Other.save")
    assert used(project, SAVE) == []


def test_the_likeliest_use_of_a_definition_stands_for_it() -> None:
    project = app().file(
        "x.py", "f", uses=[call("run", 1, "thing"), call("run", 2), call("run", 3, kind="type")]
    )
    assert used(project.imported("x.py", "app.py", "run"), RUN) == [
        ("x.py", "f", 0.95, "calls it (imported)")
    ]


# --- namespaces -----------------------------------------------------------------------------------------

# namespace db { class Store { Open }; Store* make() }
IN_A_NAMESPACE = [
    Symbol("db", "namespace", 1, 20), Symbol("Store", "class", 2, 9, 0), Symbol("Open", "method", 3, 4, 1),
    Symbol("make", "function", 12, 19, 0),
]  # fmt: skip


def in_a_namespace(header: str, user: str) -> Project:
    project = Project().file(user, "f", uses=[call("make"), call("Open", 2, "store")])
    project.written[header] = Text(IN_A_NAMESPACE, [])
    return project.imported(user, header, form="include", module=header)


@pytest.mark.parametrize(("header", "user"), [("db.h", "x.cc"), ("db.hpp", "x.cpp")])
def test_what_stands_in_a_namespace_of_cpp_is_used_by_its_own_name(header: str, user: str) -> None:
    project = in_a_namespace(header, user)
    (make,) = find_targets({header: IN_A_NAMESPACE}, "make")
    assert used(project, make) == [(user, "f", 0.7, "calls it (imported)")]
    (opening,) = find_targets({header: IN_A_NAMESPACE}, "Store::Open")
    assert (opening.root, opening.symbol) == ("Store", "Open")
    assert used(project, opening) == [(user, "f", 0.6, "calls it (by name, where its owner is known)")]
    project.imported("y.cc", user, form="include", module=user)  # by way of the first
    assert impact(project, [Target(header)], 1, 10) == [
        Hit(user, 1, "", 1, 1.0, "imports it"),
        Hit("y.cc", 1, "", 1, 0.9, "imports Store, make of it"),
    ]


@pytest.mark.parametrize(
    ("wanted", "path", "symbol"),
    [
        ("Store::Open", "db.h", "Open"),
        ("db::Store::Open", "db.h", "Open"),
        ("db.h:Store.Open", "db.h", "Open"),
        ("db.h::Store::Open", "db.h", "Open"),
        ("test_x.py::TestY::test_z", "test_x.py", "test_z"),
    ],
)
def test_two_colons_part_names_and_after_a_path_they_part_it_from_them(
    wanted: str, path: str, symbol: str
) -> None:
    tests = [Symbol("TestY", "class", 1, 9), Symbol("test_z", "method", 2, 3, 0)]
    found = find_targets({"db.h": IN_A_NAMESPACE, "test_x.py": tests}, wanted)
    assert [(one.path, one.symbol) for one in found] == [(path, symbol)]


# --- step by step ---------------------------------------------------------------------------------------


def test_a_file_touches_importers_documents_and_the_test_of_its_name() -> None:
    project = app().imported("x.py", "app.py", "run").imported("y.py", "x.py", "f")
    project.pointers = [
        Pointer("README.md", 3, "link", "app.py"),
        Pointer("tests/test_app.py", 1, "test", "app.py"),
    ]
    assert impact(project, [Target("app.py")], 2, 10) == [
        Hit("x.py", 1, "", 1, 1.0, "imports it"),
        Hit("README.md", 3, "", 1, 0.9, "documents it"),
        Hit("tests/test_app.py", 1, "", 1, 0.8, "is the test named after it"),
        Hit("y.py", 1, "", 2, 0.5, "imports x.py"),
    ]


def test_users_of_users_are_two_steps_away_and_less_sure() -> None:
    project = app().file("x.py", "f", uses=[call("run")]).imported("x.py", "app.py", "run")
    project.file("y.py", "g", uses=[call("f")]).imported("y.py", "x.py", "f")
    assert [(hit.symbol, hit.distance, hit.confidence) for hit in impact(project, [RUN], 2, 10)] == [
        ("f", 1, 0.95),
        ("g", 2, 0.902),
    ]
    assert [hit.symbol for hit in impact(project, [RUN], 1, 10)] == ["f"]
    assert [hit.symbol for hit in impact(project, [RUN], 2, 1)] == ["f"]


def test_what_calls_itself_in_a_circle_is_named_once() -> None:
    project = Project().file("app.py", "run", "walk", uses=[call("walk", 1), call("run", 6)])
    assert [hit.symbol for hit in impact(project, [RUN], 4, 10)] == ["walk"]


def test_sources_come_before_tests_of_the_same_confidence() -> None:
    project = app()
    for path in ("a/test_x.py", "z.py"):
        project.file(path, "f", uses=[call("run")]).imported(path, "app.py", "run")
    assert [hit.path for hit in impact(project, [RUN], 1, 10)] == ["z.py", "a/test_x.py"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("app.py", [Target("app.py")]),
        ("save", [SAVE, Target("b.py", "save", "save", 1, "function")]),
        ("Model.save", [SAVE]),
        ("app.py:save", [SAVE]),
        ("app.py::Model.save", [SAVE]),
        ("app.py:absent", []),
        ("Child.save", [SAVE, Target("b.py", "save", "save", 1, "function")]),
        ("absent.py:save", []),
        ("Model.", []),
        ("absent.py", []),
    ],
)
def test_what_a_person_means(wanted: str, found: list[Target]) -> None:
    project = models().file("b.py", "save")
    assert find_targets({path: text.symbols for path, text in project.written.items()}, wanted) == found


def test_among_equals_sources_come_before_tests_and_those_before_the_rest() -> None:
    project = app()
    for path in ("docs/a.py", "examples/a.py", "tests/test_a.py", "z.py"):
        project.file(path, "f", uses=[call("run")]).imported(path, "app.py", "run")
    paths = [hit.path for hit in impact(project, [RUN], 1, 10)]
    assert paths == ["z.py", "tests/test_a.py", "docs/a.py", "examples/a.py"]
