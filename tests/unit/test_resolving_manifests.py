"""What manifests map is found, the nearest one decides, and a change of one is felt by those it serves."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.resolving import needs
from navlog.projections.resolving.index import Index
from navlog.projections.resolving.manifests import Manifests, is_manifest
from navlog.schemas.events import Import, OutlineRecorded, Symbol

Said = Mapping[str, Sequence[Import]]


def said(module: str, form: str, *names: str, alias: str = "") -> Import:
    return Import(module, form, 1, names=[(name, "") for name in names], alias=alias)


def outline(language: str, imports: Sequence[Import], symbols: Sequence[Symbol] = ()) -> OutlineRecorded:
    return OutlineRecorded(
        content="c", extractor="x", language=language, size=1, imports=list(imports), symbols=list(symbols)
    )


def manifests(facts: Said) -> Manifests:
    made = Manifests()
    for path, imports in facts.items():
        made.put(path, outline("json", imports))
    return made


def meant(
    facts: Said, paths: Sequence[str], path: str, language: str, one: Import, *symbols: Symbol
) -> str | None:
    index = Index()
    index.update({*paths, *facts, path}, ())
    asked = [
        need
        for need in needs(path, outline(language, [one], symbols), manifests(facts))
        if need.kind == "import"
    ]
    return index.find(path, asked[0]) if asked else None


GO = {"go.mod": [said("example.org/app", "package"), said("./fork", "alias", alias="example.org/dep")],
      "tools/go.mod": [said("example.org/app/tools", "package")]}  # fmt: skip
GO_FILES = ("main.go", "net/http.go", "net/net.go", "net/net_test.go", "fork/dep.go", "tools/gen/run.go")


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("example.org/app", "main.go"),
        ("example.org/app/net", "net/net.go"),
        ("example.org/app/tools/gen", "tools/gen/run.go"),
        ("example.org/dep", "fork/dep.go"),
        ("example.org/apple", None),
        ("fmt", None),
    ],
)
def test_packages_of_go_lie_below_their_module(module: str, target: str | None) -> None:
    assert meant(GO, GO_FILES, "cmd/x.go", "go", Import(module, "import", 1)) == target


NPM = {
    "package.json": [said("root", "package"), said("./main.js", "entry", ".")],
    "packages/shared/package.json": [
        said("@app/shared", "package"),
        said("dist/index.js", "entry", "."),
        said("./src/parts/*.ts", "entry", "./parts/*"),
        said("./src/inner/*.ts", "alias", alias="#inner/*"),
    ],
    "tsconfig.json": [said("src/*", "alias", alias="@/*"), said("web", "base")],
    "apps/one/tsconfig.json": [said("../../conf/base.json", "extends")],
    "conf/tsconfig.base.json": [said("./lib/*", "alias", alias="~lib/*")],
    "apps/two/tsconfig.json": [said("../../conf/tsconfig.base", "extends")],
}
NPM_FILES = (
    "main.js", "packages/shared/src/index.ts", "packages/shared/src/parts/a.ts", "packages/shared/extra.js",
    "packages/shared/src/inner/k.ts", "web/src/b.ts", "web/views/c.tsx", "conf/lib/d.ts",
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "module", "target"),
    [
        ("apps/x.ts", "@app/shared", "packages/shared/src/index.ts"),
        ("apps/x.ts", "@app/shared/parts/a", "packages/shared/src/parts/a.ts"),
        ("apps/x.ts", "@app/shared/extra", "packages/shared/extra.js"),
        ("packages/shared/src/y.ts", "#inner/k", "packages/shared/src/inner/k.ts"),
        ("apps/x.ts", "#inner/k", None),
        ("apps/x.ts", "@/b", "web/src/b.ts"),
        ("apps/x.ts", "views/c", "web/views/c.tsx"),
        ("apps/two/x.ts", "~lib/d", "conf/lib/d.ts"),
        ("apps/one/x.ts", "~lib/d", None),
        ("apps/x.ts", "../..", None),
        ("apps/one/x.ts", "../..", "main.js"),
        ("apps/x.ts", "react", None),
        ("apps/x.ts", "./b?raw", None),
    ],
)
def test_packages_entries_and_paths_of_scripts(path: str, module: str, target: str | None) -> None:
    assert meant(NPM, NPM_FILES, path, "typescript", Import(module, "import", 1)) == target


CRATES = {
    "Cargo.toml": [said("core", "alias", alias="base")],
    "core/Cargo.toml": [said("app-core", "package"), said("code/lib.rs", "entry", ".")],
    "util/Cargo.toml": [said("app-util", "package")],
}
CRATE_FILES = (
    "core/code/lib.rs", "core/code/net.rs", "util/src/lib.rs", "util/src/net/http.rs", "src/lib.rs",
    "src/net.rs", "src/net/tcp.rs", "core/src/lib.rs", "tests/common/mod.rs", "tests/all.rs",
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "module", "name", "form", "target"),
    [
        ("src/lib.rs", "app_core::net", "open", "use", "core/code/net.rs"),
        ("src/lib.rs", "app_util::net::http", "get", "use", "util/src/net/http.rs"),
        ("src/lib.rs", "app_core", "Root", "use", "core/code/lib.rs"),
        ("src/lib.rs", "base", "Root", "use", "core/src/lib.rs"),
        ("src/lib.rs", "net::tcp", "open", "use", "src/net/tcp.rs"),
        ("src/net/tcp.rs", "super", "open", "use", "src/net.rs"),
        ("tests/all.rs", "common", "", "mod", "tests/common/mod.rs"),
        ("src/lib.rs", "serde", "Serialize", "use", None),
    ],
)
def test_crates_by_their_names(path: str, module: str, name: str, form: str, target: str | None) -> None:
    one = Import(module, form, 1, names=[(name, "")] if name else [])
    assert meant(CRATES, CRATE_FILES, path, "rust", one) == target


def test_super_in_a_module_that_is_written_out_means_the_file_itself() -> None:
    inner = Symbol("tests", "module", 5, 20)
    one = Import("super", "use", 6, names=[("*", "")])
    assert meant(CRATES, CRATE_FILES, "src/net/tcp.rs", "rust", one, inner) is None


@pytest.mark.parametrize(
    ("path", "language", "one", "target"),
    [
        ("t.php", "php", said("App\\Models\\User", "use"), "src/Models/User.php"),
        ("t.php", "php", said("App\\Admin\\Page", "use"), "admin/Page.php"),
        ("t.py", "python", said("nav.core.app", "import"), "core/app.py"),
        ("t.py", "python", said("plain", "import"), "lib/deep/plain.py"),
        ("a/t.rb", "ruby", said("gem/part", "require"), "gems/gem/lib/gem/part.rb"),
        ("a/T.java", "java", said("org.acme.pay", "import", "*"), "j/org/acme/pay/Card.java"),
        ("pyproject.toml", "toml", said("core.app", "dynamic", "main"), "core/app.py"),
        ("package.json", "json", said("./x.js", "entry", "."), "x.js"),
        ("other.json", "json", said("./x.js", "entry", "."), None),
        ("Cargo.toml", "toml", said("core", "alias", alias="base"), "core/Cargo.toml"),
    ],
)
def test_autoloaders_source_folders_and_manifests_own_pointers(
    path: str, language: str, one: Import, target: str | None
) -> None:
    facts = {
        "composer.json": [said("src/", "alias", alias="App\\"), said("admin", "alias", alias="App\\Admin\\")],
        "setup.cfg": [said("core", "alias", alias="nav.core"), said("lib/deep", "base")],
        "core/Cargo.toml": [said("core", "package")],
    }
    files = (
        "src/Models/User.php", "admin/Page.php", "core/app.py", "core/__init__.py", "lib/deep/plain.py",
        "x.js", "gems/gem/lib/gem/part.rb", "gems/old/gem/part.rb", "j/org/acme/pay/Card.java",
    )  # fmt: skip
    assert meant(facts, files, path, language, one) == target


def test_a_manifest_that_says_the_same_on_other_lines_touches_nobody() -> None:
    made = manifests(NPM)
    moved = [
        Import(one.module, one.form, one.line + 9, one.level, one.names, one.alias)
        for one in NPM["package.json"]
    ]
    assert made.put("package.json", outline("json", moved)) == set()
    assert made.put("package.json", None) == {"via:npm:root", "via:npm:/"}


@given(st.lists(st.tuples(st.sampled_from(sorted(NPM)), st.booleans()), max_size=8))
def test_those_who_are_not_touched_ask_for_the_same_keys(steps: list[tuple[str, bool]]) -> None:
    """What `put` returns is all that anybody who asks by way of manifests has to look at."""
    made = Manifests()
    script = outline(
        "typescript", [Import(m, "import", 1) for m in ("@app/shared", "root", "@/b", "#inner/k", "x")]
    )
    asked = {path: list(needs(path, script, made)) for path in ("apps/two/x.ts", "packages/shared/src/y.ts")}
    for manifest, there in steps:
        vias = made.put(manifest, outline("json", NPM[manifest]) if there else None)
        for path, before in asked.items():
            asked[path] = list(needs(path, script, made))
            untouched = [need for need in before if not vias.intersection(need.keys)]
            assert [need for need in asked[path] if not vias.intersection(need.keys)] == untouched


def test_what_is_a_manifest() -> None:
    names = [
        "a/go.mod",
        "package.json",
        "tsconfig.app.json",
        "jsconfig.json",
        "x/setup.cfg",
        "package-lock.json",
        "a.toml",
    ]
    assert [is_manifest(name) for name in names] == [True] * 5 + [False] * 2
