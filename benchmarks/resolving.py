"""How many imports that mean something of the project are found to mean a file of it.

    python -m benchmarks.resolving TREE…

What is internal is judged here from the tree itself, apart from the resolver: relative forms, and names whose
beginning a manifest, a package statement or a folder of sources in the tree claims. Prints the share for each
language and tree, and with ``-v`` before the trees the modules that were missed most.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from benchmarks.extraction import files
from navlog.daemon.extract import outline
from navlog.projections.resolving import needs
from navlog.projections.resolving.index import Index
from navlog.projections.resolving.manifests import Manifests, is_manifest
from navlog.schemas.events import Import, OutlineRecorded
from navlog.schemas.settings import Extract

GO_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
CRATE = re.compile(r"^\[(?:package|lib)\][^\[]*?^name\s*=\s*\"([^\"]+)\"", re.MULTILINE | re.DOTALL)
ALIAS = re.compile(r"\"([^\"\s]+)\"\s*:\s*\[\s*\"")
NAMES = {"tsx": "typescript", "svelte": "vue", "cpp": "c", "kotlin": "java"}
LISTED = 12


@dataclass
class Claims:
    """What the tree says is its own, by language."""

    python: set[str] = field(default_factory=set)
    npm: set[str] = field(default_factory=set)
    go: set[str] = field(default_factory=set)
    rust: set[str] = field(default_factory=set)
    packages: set[str] = field(default_factory=set)  # Java's, and PHP's namespaces
    ruby: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)


def main() -> None:
    """Print the share for each tree and language."""
    verbose = "-v" in sys.argv
    for tree in (Path(one) for one in sys.argv[1:] if one != "-v"):
        report(tree, verbose=verbose)


def report(tree: Path, *, verbose: bool) -> None:
    outlines = {str(path.relative_to(tree)): read(path, tree) for path in files(tree)}
    claims = claimed(tree, outlines)
    counted: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    missed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path, one, found in resolved(outlines):
        language = NAMES.get(outlines[path].language, outlines[path].language)
        if (
            language in INTERNAL
            and INTERNAL[language](path, one, claims)
            and (found or not of_itself(path, one, outlines[path]))
        ):
            counted[language][found] += 1
            if not found:
                missed[language]["." * one.level + one.module] += 1
    for language, count in sorted(counted.items()):
        print(f"{tree.name:<16}{language:<12}{count[True] / count.total():>7.1%} of {count.total()}")
        for module, times in missed[language].most_common(LISTED) if verbose else ():
            print(f"    {times:>5} {module}")


def read(path: Path, tree: Path) -> OutlineRecorded:
    return outline(str(path.relative_to(tree)), path.read_bytes(), Extract(parse_s=10.0))


def resolved(outlines: dict[str, OutlineRecorded]) -> Iterator[tuple[str, Import, bool]]:
    """Each import with whether one of its names is found."""
    index, manifests = Index(), Manifests()
    index.update(outlines, ())
    for path, one in outlines.items():
        if is_manifest(path):
            manifests.put(path, one)
    for path, one in outlines.items():
        for entry in one.imports:
            alone = msgspec.structs.replace(one, imports=[entry], links=[])
            asked = [need for need in needs(path, alone, manifests) if need.kind == "import"]
            yield path, entry, any(index.find(path, need) for need in asked)


def claimed(tree: Path, outlines: dict[str, OutlineRecorded]) -> Claims:
    claims = Claims(paths=set(outlines))
    for path, one in outlines.items():
        parts = path.split("/")
        if parts[-1] == "__init__.py" and len(parts) > 1:
            above = "/".join([*parts[:-2], "__init__.py"])
            if above not in outlines:
                claims.python.add(parts[-2])
        elif one.language == "python" and len(parts) == 1:
            claims.python.add(parts[0].removesuffix(".py"))
        elif one.language == "ruby" and "lib" in parts[:-1]:
            claims.ruby.add(parts[parts.index("lib") + 1].removesuffix(".rb"))
        for entry in one.imports:
            if entry.form == "package" and one.language in ("java", "kotlin", "php"):
                claims.packages.add(entry.module)
        from_manifest(tree / path, parts[-1], claims)
    return claims


def from_manifest(path: Path, name: str, claims: Claims) -> None:
    if name == "go.mod":
        claims.go.update(GO_MODULE.findall(path.read_text()))
    elif name == "Cargo.toml":
        claims.rust.update(one.replace("-", "_") for one in CRATE.findall(path.read_text()))
    elif name == "package.json":
        try:
            claims.npm.add(json.loads(path.read_text()).get("name", ""))
        except ValueError:
            return
    elif name.startswith(("tsconfig", "jsconfig")):
        claims.npm.update(one.removesuffix("/*") for one in ALIAS.findall(path.read_text()))


def of_itself(path: str, one: Import, read: OutlineRecorded) -> bool:
    """Whether Rust's import means the very file: modules that are written out in it."""
    inner = any(s.kind in ("module", "function") and s.line < one.line <= s.end_line for s in read.symbols)
    place = path.removesuffix(".rs").rpartition("src/")[2].removesuffix("/mod").replace("/", "::")
    own = ("self", "crate") if place in ("lib", "main") else ("self", f"crate::{place}")
    return read.language == "rust" and ((inner and one.module == "super") or one.module.startswith(own))


def script(path: str, one: Import, claims: Claims) -> bool:  # noqa: ARG001 - the shape of INTERNAL
    parts = one.module.split("/")
    package = "/".join(parts[: 2 if one.module.startswith("@") else 1])
    return parts[0] in (".", "..", "@", "~", "src") or bool({package, parts[0], one.module} & claims.npm)


def rust(path: str, one: Import, claims: Claims) -> bool:  # noqa: ARG001 - the shape of INTERNAL
    first = one.module.split("::")[0]
    return one.form == "mod" or first in ("crate", "self", "super") or first in claims.rust


def java(path: str, one: Import, claims: Claims) -> bool:  # noqa: ARG001 - the shape of INTERNAL
    whole = "/".join(one.module.split("."))
    package = whole.rpartition("/")[0].replace("/", ".")
    return one.form != "package" and (package in claims.packages or one.module in claims.packages)


def included(path: str, one: Import, claims: Claims) -> bool:  # noqa: ARG001 - the shape of INTERNAL
    """What stands in quotes, and what stands in brackets with a folder that is in the tree."""
    end = "/" + one.module.strip("<>")
    quoted = not one.module.startswith("<")
    inside = "/" in end[1:] and any(("/" + other).endswith(end) for other in claims.paths)
    return one.form == "include" and (quoted or inside)


def php(path: str, one: Import, claims: Claims) -> bool:  # noqa: ARG001 - the shape of INTERNAL
    if one.form == "include":
        return one.module.startswith(".")
    return one.form == "use" and one.module.rpartition("\\")[0] in claims.packages


INTERNAL: dict[str, Callable[[str, Import, Claims], bool]] = {
    "python": lambda _, one, claims: one.level > 0 or one.module.split(".")[0] in claims.python,
    "javascript": script, "typescript": script, "vue": script,
    "go": lambda _, one, claims: any((one.module + "/").startswith(known + "/") for known in claims.go),
    "rust": rust, "java": java, "c": included, "php": php,
    "ruby": lambda _, one, claims: bool(one.level) or one.module.split("/")[0] in claims.ruby,
}  # fmt: skip


if __name__ == "__main__":
    main()
