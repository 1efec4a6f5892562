"""What a manifest says about where names lead, as `Import`s; what they are good for is the graph's business.

Told by contents, not by the file's name: the same bytes are the same facts wherever they lie. The forms:

- ``package``: what it calls its own package, module or crate;
- ``entry``: the file that importing the package, or the part of it in ``names``, gives;
- ``alias``: names that begin like ``alias`` lie at ``module`` (``*``, where it is written, is the rest);
- ``base``: a folder that absolute imports start from;
- ``extends``: a manifest whose rules hold here too.

Members of a workspace are no facts: each has a manifest that says its name. What cannot be read gives
nothing.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

from navlog.daemon.extract.source import Source
from navlog.schemas.events import Import

MANIFEST_BYTES = 128 * 1024  # of a file that may be one: locks and data are larger
ENTRIES = 300  # of one package
JSON_MARKS = (b'"name"', b'"compilerOptions"', b'"extends"', b'"psr-4"', b'"psr-0"')
TOML_MARK = re.compile(rb"^\[(?:package|lib|workspace|project|tool)\b", re.MULTILINE)
# Strings first: what looks like a comment inside of one is none.
JSON_NOISE = re.compile(
    r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*|,(?=\s*(?:(?:/\*.*?\*/|//[^\n]*)\s*)*[}\]])', re.DOTALL
)
NPM_KEYS = frozenset({
    "version", "main", "module", "exports", "types", "scripts", "dependencies", "devDependencies", "private",
    "workspaces", "type", "peerDependencies",
})  # fmt: skip
CARGO_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")
GO_MODULE = re.compile(r"^module\s+\"?([^\s\"/][^\s\"]*)", re.MULTILINE)
GO_REPLACE = re.compile(
    r"^(?:replace\s+|\s+)([^\s=]+)(?:\s+v\S+)?\s+=>\s+(\.{1,2}/\S*|\.{1,2})(?=\s|$)", re.MULTILINE
)
SETUP_CFG = re.compile(r"^(?:package_dir\s*=\s*(?:\n[ \t]+)?=|where\s*=)[ \t]*([\w./-]+)", re.MULTILINE)
SCRIPT = re.compile(r"([\w.]+)(?::(\w+))?")

Fact = tuple[str, str, str, list[str]]  # module, form, alias, names


def declared(language: str, source: Source) -> list[Import]:
    """The facts of a text in one of the languages that manifests are written in, in no order of lines."""
    read = _READERS.get(language)
    if read is None or len(source.data) > MANIFEST_BYTES:
        return []
    return [
        Import(module, form, _line(source, module), names=[(name, "") for name in names], alias=alias)
        for module, form, alias, names in read(source)
        if module
    ]


def _line(source: Source, module: str) -> int:
    at = source.data.find(module.encode("utf-8", "replace"))
    return source.line_of(at) if at >= 0 else 1


def _json(source: Source) -> Iterator[Fact]:
    if not any(mark in source.data for mark in JSON_MARKS):
        return
    try:
        read = json.loads(JSON_NOISE.sub(r"\1", source.text))
    except (ValueError, RecursionError):
        return
    if isinstance(read, dict):
        yield from _npm(read)
        yield from _composer(read)
        yield from _tsconfig(read)


def _npm(read: dict[str, Any]) -> Iterator[Fact]:
    if not isinstance(name := read.get("name"), str) or not NPM_KEYS & read.keys():
        return
    yield name, "package", "", []
    for target, names in list(_entries(read).items())[:ENTRIES]:
        yield target, "entry", "", list(names)
    for part, value in _table(read, "imports").items():
        yield from ((target, "alias", part, []) for target in _leaves(value) if target.startswith("."))


def _entries(read: dict[str, Any]) -> dict[str, dict[str, None]]:
    """The parts of the package by the file that each gives; "." is the package itself."""
    entries: dict[str, dict[str, None]] = {}
    for key in ("source", "types", "typings", "module", "main"):
        for target in _leaves(read.get(key)):
            entries.setdefault(target, {})["."] = None
    exports = read.get("exports")
    parts = exports if _is_map(exports) else {".": exports}
    for part, value in parts.items():
        for target in _leaves(value):
            if part not in (target, "./package.json"):
                entries.setdefault(target, {})[part] = None
    return entries


def _is_map(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a value maps parts of the package, not conditions."""
    return isinstance(value, dict) and any(key.startswith(".") for key in value)


def _leaves(value: object) -> Iterator[str]:
    """The paths below conditions and alternatives, in their order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)


def _composer(read: dict[str, Any]) -> Iterator[Fact]:
    """PSR-0 keeps the whole namespace as folders below its own, PSR-4 only what follows the prefix."""
    for key in ("autoload", "autoload-dev"):
        for prefix, folders in _table(read, key, "psr-4").items():
            yield from ((folder, "alias", prefix, []) for folder in _leaves(folders))
        for prefix, folders in _table(read, key, "psr-0").items():
            inner = prefix.replace("\\", "/").replace("_", "/")
            yield from ((f"{folder.rstrip('/')}/{inner}", "alias", prefix, []) for folder in _leaves(folders))


def _tsconfig(read: dict[str, Any]) -> Iterator[Fact]:
    options = _table(read, "compilerOptions")
    if isinstance(base := options.get("baseUrl"), str):
        yield base, "base", "", []
    for pattern, targets in _table(options, "paths").items():
        yield from ((target, "alias", pattern, []) for target in _leaves(targets))
    if options or {"include", "files", "references"} & read.keys():
        yield from ((target, "extends", "", []) for target in _leaves(read.get("extends")))


def _table(read: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """The table at ``keys``; an empty one where anything else stands."""
    found: Any = read
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _toml(source: Source) -> Iterator[Fact]:
    if not TOML_MARK.search(source.data):
        return
    try:
        read = tomllib.loads(source.text)
    except (ValueError, RecursionError):
        return
    yield from _cargo(read)
    yield from _pyproject(read)


def _cargo(read: dict[str, Any]) -> Iterator[Fact]:
    library = _table(read, "lib")
    names = [table.get("name") for table in (_table(read, "package"), library)]
    yield from ((name, "package", "", []) for name in dict.fromkeys(names) if isinstance(name, str))
    yield from ((path, "entry", "", ["."]) for path in _leaves(library.get("path")))
    targets = [one for one in _table(read, "target").values() if isinstance(one, dict)]
    for table in (read, _table(read, "workspace"), *targets):
        for kind in CARGO_TABLES:
            for name, wanted in _table(table, kind).items():
                if isinstance(wanted, dict) and isinstance(path := wanted.get("path"), str):
                    yield path, "alias", name, []


def _pyproject(read: dict[str, Any]) -> Iterator[Fact]:
    tool = _table(read, "tool")
    for package, folder in _table(tool, "setuptools", "package-dir").items():
        if isinstance(folder, str):
            yield (folder, "alias", package, []) if package else (folder, "base", "", [])
    where = [_table(tool, "setuptools", "packages", "find").get("where")]
    where.append(_table(tool, "pytest", "ini_options").get("pythonpath"))
    where += [one.get("from") for one in _tables(_table(tool, "poetry").get("packages"))]
    yield from ((folder, "base", "", []) for value in where for folder in _leaves(value))
    for package in _leaves(_table(tool, "hatch", "build", "targets", "wheel").get("packages")):
        yield package.rpartition("/")[0], "base", "", []
    for table in (_table(read, "project", "scripts"), _table(tool, "poetry", "scripts")):
        for target in map(SCRIPT.fullmatch, _leaves(list(table.values()))):
            if target:
                yield target[1], "dynamic", "", [target[2]] if target[2] else []


def _tables(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _go(source: Source) -> Iterator[Fact]:
    yield from ((name, "package", "", []) for name in GO_MODULE.findall(source.text))
    yield from ((path, "alias", name, []) for name, path in GO_REPLACE.findall(source.text))


def _ini(source: Source) -> Iterator[Fact]:
    if b"[options" in source.data:
        yield from ((folder, "base", "", []) for folder in SETUP_CFG.findall(source.text))


_READERS: dict[str, Callable[[Source], Iterator[Fact]]] = {
    "json": _json, "toml": _toml, "gomod": _go, "ini": _ini,
}  # fmt: skip
