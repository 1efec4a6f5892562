"""Beyond imports: heirs, settings, packages, documents, and what changed together."""

from collections.abc import Sequence

import pytest

from navlog.projections.impact import find_settings, find_targets, impact
from navlog.projections.impact.facts import Companion, Hit, Target, Text
from navlog.schemas.events import Link, Reference, Symbol
from support.impact import RUN, SAVE, Project, app, call, models, used


def heirs(*methods: str, uses: Sequence[Reference] = ()) -> Project:
    """Child, in a file of its own and with these methods, is derived from Model."""
    project = models().file("child.py", "Child", *methods, uses=[call("Model", 1, kind="base"), *uses])
    return project.imported("child.py", "app.py", "Model")


def test_a_call_on_self_in_an_heir_means_the_inherited_method() -> None:
    project = heirs("Child.store", uses=[call("save", 7, "self")])
    assert used(project, SAVE) == [("child.py", "store", 0.9, "calls it (inherited by Child)")]


def test_an_heir_that_overrides_is_touched_and_its_calls_on_self_mean_its_own() -> None:
    project = heirs("Child.save", "Child.store", uses=[call("save", 12, "self"), call("save", 7, "super()")])
    assert used(project, SAVE) == [("child.py", "save", 0.9, "overrides it")]
    project = heirs("Child.save", "Child.store", uses=[call("save", 12, "super()")])
    assert used(project, SAVE)[1] == ("child.py", "store", 0.9, "calls it (inherited by Child)")


def test_heirs_of_heirs_and_the_files_that_know_only_them() -> None:
    project = heirs().file("grand.py", "Grand", uses=[call("Child", 1, kind="base")])
    project.imported("grand.py", "child.py", "Child").file("x.py", "f", uses=[call("save", 1, "row")])
    project.imported("x.py", "grand.py", "Grand")
    assert used(project, SAVE) == [("x.py", "f", 0.6, "calls it (by name, where its owner is known)")]


def test_a_base_of_the_same_name_from_elsewhere_makes_no_heir() -> None:
    project = models().file("child.py", "Child", "Child.store", uses=[call("Model", 1, kind="base")])
    project.file("child.py", "Child", "Child.store", uses=[call("save", 7, "self")])
    assert used(project, SAVE) == [("child.py", "store", 0.4, "calls it (by name)")]


def test_classes_that_extend_each_other_end() -> None:
    project = heirs().file("app.py", "Model", "Model.save", uses=[call("Child", 1, kind="base")])
    project.imported("app.py", "child.py", "Child")
    assert used(project, SAVE) == []


# --- settings, packages, documents, companions ----------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind", "reason"),
    [
        ("x.py", "key", "reads the setting"),
        ("x.py", "env", "reads the environment variable"),
        ("deploy/Dockerfile", "env", "sets it"),
    ],
)
def test_a_setting_is_read_by_its_name(path: str, kind: str, reason: str) -> None:
    project = Project().file("settings.py", "DEBUG").file(path, "f", uses=[call("DEBUG", kind=kind)])
    (target,) = find_targets({path: text.symbols for path, text in project.written.items()}, "DEBUG")
    assert used(project, target) == [(path, "f", 0.8, reason)]


def test_a_variable_that_is_only_read_can_be_asked_for() -> None:
    project = Project().file("x.py", "f", uses=[call("HOME_URL", kind="env")])
    (target,) = find_settings(project, "HOME_URL")
    assert target == Target("", "HOME_URL", "HOME_URL", 1, "env")
    assert used(project, target) == [("x.py", "f", 0.8, "reads the environment variable")]
    assert find_settings(project, "f") == []


def test_a_function_is_not_read_as_a_setting() -> None:
    project = app().file("x.py", "f", uses=[call("run", kind="key")])
    assert used(project, RUN) == []


def test_files_of_a_package_see_each_other_without_an_import() -> None:
    project = Project().file("p/a.go", "run").file("p/b.go", "f", uses=[call("run")])
    assert used(project, Target("p/a.go", "run", "run", 1, "function")) == [
        ("p/b.go", "f", 0.95, "calls it (in its own package)")
    ]


def test_documents_that_write_the_name_as_code() -> None:
    project = models()
    project.written["docs/a.md"] = Text(
        [Symbol("Saving", "heading", 1, 9)], [], [Link("Model.save()", "code", 3), Link("save", "link", 4)]
    )
    project.written["docs/b.md"] = Text([], [], [Link("other.save", "code", 1)])
    assert used(project.file("b.py", "save"), SAVE) == [("docs/a.md", "Saving", 0.5, "documents it")]
    assert [hit.path for hit in impact(project, [SAVE], 3, 10)] == ["docs/a.md"]


def test_companions_and_those_who_import_a_name_by_way_of_a_front_page() -> None:
    project = app().imported("pkg/__init__.py", "app.py", "run").imported("x.py", "pkg/__init__.py", "run")
    project.imported("y.py", "pkg/__init__.py", "other").file("m.py", "f", uses=[call("run", 1, "pkg")])
    project.imported("m.py", "pkg/__init__.py", module="pkg", form="import")
    project.together["app.py"] = [Companion("z.py", 9, 10), Companion("seldom.py", 3, 10)]
    assert impact(project, [Target("app.py")], 2, 10) == [
        Hit("pkg/__init__.py", 1, "", 1, 1.0, "imports it"),
        Hit("m.py", 1, "", 1, 0.9, "uses it through another module"),
        Hit("x.py", 1, "", 1, 0.9, "imports run of it"),
        Hit("z.py", 1, "", 1, 0.72, "changed with it in 9 of 10 commits"),
    ]


def test_headings_are_meant_only_where_nothing_else_has_the_name() -> None:
    files = {"README.md": [Symbol("Flask", "heading", 1, 2)], "tests/t.py": [Symbol("Flask", "class", 1, 2)]}
    assert [one.path for one in find_targets(files, "Flask")] == ["tests/t.py"]
    assert [one.path for one in find_targets({"README.md": files["README.md"]}, "Flask")] == ["README.md"]


def test_methods_of_one_name_in_two_classes_of_a_file_are_two() -> None:
    project = Project().file(
        "app.py", "Model", "Model.save", "Child", "Child.save", uses=[call("Model", 11, kind="base")]
    )
    assert impact(project, [SAVE], 1, 10) == [
        Hit("app.py", 16, "save", 1, 0.9, "overrides it", "Child"),
    ]


def test_methods_of_go_are_known_by_the_type_they_stand_beside() -> None:
    signatures = ["type Engine struct", "func (e *Engine) Run(addr string)", "func (Other) Run()"]
    kinds = ["struct", "method", "method"]
    symbols = [
        Symbol(name, kind, line, line, -1, signature)
        for line, (name, kind, signature) in enumerate(
            zip(["Engine", "Run", "Run"], kinds, signatures, strict=True), 1
        )
    ]
    assert find_targets({"e.go": symbols}, "Engine.Run") == [Target("e.go", "Run", "Engine", 2, "method")]
    assert [one.root for one in find_targets({"e.go": symbols}, "Run")] == ["Engine", "Other"]
