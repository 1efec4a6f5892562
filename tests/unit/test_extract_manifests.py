"""Manifests say where names lead, by contents alone; what is damaged says nothing."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.extract import outline
from navlog.daemon.extract.macros import without_macros
from navlog.schemas.settings import Extract

PATIENT = Extract(parse_s=10.0)
Fact = tuple[str, str, str, Sequence[str]]


def facts(path: str, text: str) -> list[Fact]:
    read = outline(path, text.encode(), PATIENT)
    return [(one.form, one.alias, one.module, [name for name, _ in one.names]) for one in read.imports]


def test_a_package_of_npm() -> None:
    text = """{"name": "@a/b", "main": "./dist/b.js", "types": "src/b.d.ts", "exports": {
      ".": {"types": "./src/b.d.ts", "import": ["./dist/b.mjs"]}, "./sub/*": "./src/sub/*.ts", "./x": "./x",
      "./package.json": "./package.json"}, "imports": {"#in": "./src/in.ts", "#out": "lib"}}"""
    assert facts("package.json", text) == [
        ("package", "", "@a/b", []),
        ("entry", "", "src/b.d.ts", ["."]),
        ("entry", "", "./dist/b.js", ["."]),
        ("entry", "", "./src/b.d.ts", ["."]),
        ("entry", "", "./dist/b.mjs", ["."]),
        ("entry", "", "./src/sub/*.ts", ["./sub/*"]),
        ("alias", "#in", "./src/in.ts", []),
    ]


def test_tsconfig_with_comments_and_trailing_commas() -> None:
    text = """// comment
    {"extends": "./base.json", /* "paths": */ "compilerOptions": {"baseUrl": ".",
      "paths": {"@/*": ["src/*", "gen/*",], "x//y": ["./z"]}, // the end
    },}"""
    assert facts("tsconfig.json", text) == [
        ("base", "", ".", []),
        ("alias", "@/*", "src/*", []),
        ("alias", "@/*", "gen/*", []),
        ("alias", "x//y", "./z", []),
        ("extends", "", "./base.json", []),
    ]


def test_a_crate_and_its_neighbours() -> None:
    text = """[package]
name = "my-crate"
[lib]
name = "mine"
path = "code/lib.rs"
[dependencies]
serde = "1"
other = { path = "../other" }
[target.'cfg(unix)'.dev-dependencies]
late = { path = "late" }
"""
    assert facts("Cargo.toml", text) == [
        ("package", "", "my-crate", []),
        ("package", "", "mine", []),
        ("entry", "", "code/lib.rs", ["."]),
        ("alias", "other", "../other", []),
        ("alias", "late", "late", []),
    ]


def test_a_project_of_python() -> None:
    text = """[project.scripts]
run = "pkg.cli:main"
[tool.setuptools]
package-dir = {"" = "src", "a.b" = "ab"}
[tool.pytest.ini_options]
pythonpath = ["tests"]
[tool.hatch.build.targets.wheel]
packages = ["lib/pkg"]
"""
    assert facts("pyproject.toml", text) == [
        ("base", "", "src", []),
        ("alias", "a.b", "ab", []),
        ("base", "", "tests", []),
        ("base", "", "lib", []),
        ("dynamic", "", "pkg.cli", ["main"]),
    ]
    assert facts(
        "setup.cfg", "[options]\npackage_dir =\n    = src\n[options.packages.find]\nwhere = lib\n"
    ) == [
        ("base", "", "src", []),
        ("base", "", "lib", []),
    ]


def test_a_module_of_go() -> None:
    text = (
        "module example.org/app // here\n\nreplace a.org/x => ./x\n\nreplace (\n"
        "\tb.org/y v1.0 => ../y\n\tc.org/z => d.org/z v2\n)\n"
    )
    assert facts("go.mod", text) == [
        ("package", "", "example.org/app", []),
        ("alias", "a.org/x", "./x", []),
        ("alias", "b.org/y", "../y", []),
    ]


def test_an_autoloader_of_php() -> None:
    text = """{"autoload": {"psr-4": {"App\\\\": ["src/", "gen/"]}, "psr-0": {"Old_Part": "lib/"}},
      "autoload-dev": {"psr-4": {"Test\\\\": "tests"}}}"""
    assert facts("composer.json", text) == [
        ("alias", "App\\", "src/", []),
        ("alias", "App\\", "gen/", []),
        ("alias", "Old_Part", "lib/Old/Part", []),
        ("alias", "Test\\", "tests", []),
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", '{"name": "x", '),
        ("package.json", '{"name": 7, "main": "x"}'),
        ("data.json", '{"name": "Ada", "age": 36}'),
        ("tsconfig.json", '{"compilerOptions": [], "extends": {"a": null}}'),
        ("package.json", '[{"name": "x", "main": "y"}]'),
        ("package.json", '{"name":' + "[" * 5000),
        ("Cargo.toml", "[package]\nname = "),
        ("Cargo.toml", "package = 1\n[lib]\npath = [[]]\n[tool]\nsetuptools = 3"),
        ("poetry.lock", '[[package]]\nname = "x"\n'),
    ],
)
def test_what_is_damaged_or_something_else_says_nothing(path: str, text: str) -> None:
    assert facts(path, text) == []


KEYS = [
    "name",
    "main",
    "exports",
    "imports",
    "compilerOptions",
    "paths",
    "autoload",
    "psr-4",
    "extends",
    ".",
    "./a",
]
VALUES = st.recursive(
    st.none() | st.text(max_size=3) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=9,
)


@given(VALUES)
def test_no_shape_of_json_is_too_odd(value: object) -> None:
    for one in outline("package.json", json.dumps(value).encode(), PATIENT).imports:
        assert one.module


PYTHON = """import os
os.environ["HOME_URL"]
'''os.environ["NOT"]'''
# getenv("NOT")
os.getenv("B")
settings.DEBUG
app.config["KEY"]
config.get("low")
x["NO"]
"""
GO = """package a
var x = os.Getenv("A_B")
type C struct {
\tP int `yaml:"db-port" env:"DB_PORT"`
}
"""
SCRIPT = """process.env.PORT
const s = `${process.env["HOST"]}`
// process.env.NOT
"""
JAVA = """class A { String a = System.getenv("A_B");
@Value("${x.y}") int b; }
"""
READINGS = {
    "a.py": (PYTHON, ["env HOME_URL 2", "env B 5", "key DEBUG 6", "key KEY 7", "key low 8"]),
    "a.ts": (SCRIPT, ["env PORT 1", "env HOST 2"]),
    "a.go": (GO, ["env A_B 2", "env DB_PORT 4", "key db-port 4"]),
    "a.rs": ('fn f() { std::env::var("A_B"); }\n', ["env A_B 1"]),
    "A.java": (JAVA, ["env A_B 1", "key x.y 2"]),
    "a.rb": ('ENV["A_B"]\nENV.fetch("C")\n', ["env A_B 1", "env C 2"]),
    "a.php": ('<?php getenv("A_B"); config("app.name");\n', ["env A_B 1", "key app.name 1"]),
    "a.c": ('int f(void) { return getenv("A_B") != 0; }\n', ["env A_B 1"]),
    "a.sh": ('echo "${A_B:-x}" $NOT\n', ["env A_B 1"]),
    "a.yml": ("env:\n  A_B: 1\n  # C_D: 2\nlist:\n  - E_F=3\n", ["env A_B 2", "env E_F 5"]),
}


@pytest.mark.parametrize("path", READINGS)
def test_readers_of_settings(path: str) -> None:
    text, expected = READINGS[path]
    read = outline(path, text.encode(), PATIENT)
    found = [
        f"{one.kind} {one.name} {line}"
        for one in read.references
        for line in one.lines
        if one.kind in ("env", "key")
    ]
    assert sorted(found) == sorted(expected)


def test_sections_and_keys_of_ini_files() -> None:
    read = outline("a.ini", b"top = 1\n\n[server]\n# note\nport = 80\n  more\nhost: x\n\n[empty]\n", PATIENT)
    assert [(s.kind, s.name, s.line, s.end_line, s.parent) for s in read.symbols] == [
        ("key", "top", 1, 2, -1),
        ("table", "server", 3, 8, -1),
        ("key", "port", 5, 6, 1),
        ("key", "host", 7, 8, 1),
        ("table", "empty", 9, 9, -1),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("class EXPORT Cache {", "class        Cache {"),
        ("struct S x;", "struct S x;"),
        ("struct FOO bar;", "struct FOO bar;"),
        ("int f() const LOCKED(mu) {", "int f() const            {"),
        ("EXPORT static int f();", "       static int f();"),
        ("struct s {\n  FIELDS\n};", "struct s {\n        \n};"),
        ("f(a,\n  LIMIT\n);", "f(a,\n  LIMIT\n);"),
        ("TEST(open) {", "int  open(){"),
        ("TEST_F(Suite, Open) {", "int           Open(){"),
        ("return (int) LIMIT;", "return (int) LIMIT;"),
    ],
)
def test_macros_that_only_the_preprocessor_knows(before: str, after: str) -> None:
    assert without_macros(before.encode()).decode() == after


@given(st.text(st.sampled_from("ABC_x (){};\n,#"), max_size=60))
def test_offsets_and_lines_hold(text: str) -> None:
    data = text.encode()
    read = without_macros(data)
    assert [len(row) for row in read.split(b"\n")] == [len(row) for row in data.split(b"\n")]
