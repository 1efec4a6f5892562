"""Who uses a definition: by import, rename, re-export, module, owner; and by name alone, less surely."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from navlog.projections.impact import find_settings, find_targets, impact
from navlog.projections.impact.facts import Companion, Hit, ImportRow, Pointer, Target, Text
from navlog.projections.impact.uses import BY_NAME, uses
from navlog.schemas.events import Link, Reference, Symbol


@dataclass
class Project:
    """Facts in lists. ``define`` and ``use`` fill ``texts``; a definition covers five lines."""

    imports: list[ImportRow] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)
    together: dict[str, list[Companion]] = field(default_factory=dict)
    written: dict[str, Text] = field(default_factory=dict)

    def imports_of(self, targets: Collection[str]) -> Sequence[ImportRow]:
        return [row for row in self.imports if row.target in targets]

    def pointers_to(self, targets: Collection[str]) -> Sequence[Pointer]:
        return [pointer for pointer in self.pointers if pointer.target in targets]

    def texts(self, paths: Collection[str]) -> Mapping[str, Text]:
        return {path: self.written[path] for path in paths if path in self.written}

    def mentioning(self, name: str) -> Collection[str]:
        return [path for path, text in self.written.items() if any(r.name == name for r in text.references)]

    def deriving(self, names: Collection[str]) -> Collection[str]:
        return [
            path
            for path, text in self.written.items()
            if any(r.kind == "base" and r.name in names for r in text.references)
        ]

    def documenting(self, name: str) -> Collection[str]:
        return [path for path, text in self.written.items() if any(name in one.target for one in text.links)]

    def through(self, names: Collection[str], receivers: Collection[str]) -> Collection[str]:
        return [
            path
            for path, text in self.written.items()
            if any(r.name in names and r.receiver in receivers for r in text.references)
        ]

    def mates(self, path: str) -> Collection[str]:
        folder = path.rpartition("/")[0]
        return [
            other
            for other in self.written
            if other.endswith(".go") and path.endswith(".go") and other.rpartition("/")[0] == folder
        ]

    def companions(self, path: str) -> Sequence[Companion]:
        return self.together.get(path, [])

    def defining(self, name: str) -> int:
        return sum(symbol.name == name for text in self.written.values() for symbol in text.symbols)

    def file(self, path: str, *symbols: str, uses: Sequence[Reference] = ()) -> "Project":
        """``symbols`` like ``Class.method`` stand one after another from line 1, methods in their class.

        A class is what begins with a capital letter, a constant what has no other.
        """
        found: list[Symbol] = []
        for number, name in enumerate(symbols):
            owner, _, own = name.rpartition(".")
            parent = next((n for n, one in enumerate(found) if one.name == owner), -1)
            kind = "method" if owner else "constant" if own.isupper() else "class" if own[0].isupper() else ""
            last = max(n for n, other in enumerate(symbols) if n == number or other.startswith(f"{name}."))
            found.append(Symbol(own, kind or "function", number * 5 + 1, last * 5 + 5, parent))
        self.written[path] = Text(found, list(uses))
        return self

    def imported(
        self, path: str, target: str, *names: str, form: str = "from", module: str = ""
    ) -> "Project":
        pairs = (name.partition(" as ") for name in names)
        self.imports.append(ImportRow(path, 1, form, module, tuple((n, a) for n, _, a in pairs), target))
        return self


def call(name: str, line: int = 1, receiver: str = "", kind: str = "call") -> Reference:
    return Reference(name, kind, [line], receiver)


def used(project: Project, target: Target) -> list[tuple[str, str, float, str]]:
    return [
        (use.user.path, use.user.symbol, round(use.confidence, 2), use.reason)
        for use in uses(project, target)
    ]


RUN = Target("app.py", "run", "run", 1, "function")
SAVE = Target("app.py", "save", "Model", 6, "method")


def app() -> Project:
    return Project().file("app.py", "run")


def models() -> Project:
    return Project().file("app.py", "Model", "Model.save")


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


# --- heirs ----------------------------------------------------------------------------------------------


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
