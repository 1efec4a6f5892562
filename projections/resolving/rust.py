"""Rust's modules and crates as keys: ``mod a;``, ``use crate::a::b``, ``use super::a``, ``use other::a``.

A path names modules first and what is in them last: the deepest module that is a file is meant. Refuses
``#[path]`` and what macros make.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navlog.projections.resolving.manifests import Manifests
from navlog.schemas.events import Import, Symbol

# Each file of these folders is the root of a crate of its own.
_ROOTS = {"tests", "examples", "benches", "bin"}


class Here(NamedTuple):
    """Where an import stands: the file, and the folder below which its module's own modules lie."""

    path: str
    folder: str


def asks(
    path: str, one: Import, manifests: Manifests, symbols: Sequence[Symbol]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(name, alias, keys) per imported name."""
    if one.form == "package":
        return
    inner = [symbol.name for symbol in symbols if _is_around(symbol, one.line)]
    here = Here(path, "/".join(filter(None, [_own_folder(path), *inner])))
    for name, alias in one.names or [("", one.alias)]:
        parts = [part for part in [*one.module.split("::"), name] if part and part != "*"]
        keys = _declared(here, one.module) if one.form == "mod" else tuple(_used(here, parts, manifests))
        yield name, alias, _before_itself(path, keys)


def _is_around(symbol: Symbol, line: int) -> bool:
    """Whether the symbol is a module that is written out around the line."""
    return symbol.kind == "module" and symbol.line <= line <= symbol.end_line


def _before_itself(path: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    """What means the file itself means no other: ``super`` in the tests at its end."""
    own = "=" + path
    return keys[: keys.index(own)] if own in keys else keys


def _declared(here: Here, name: str) -> tuple[str, ...]:
    beside = here.path.rpartition("/")[0]
    folders = dict.fromkeys([here.folder, beside] if _is_root(here.path) else [here.folder])
    return tuple(key for folder in folders for key in _module(_join(folder, name)))


def _used(here: Here, parts: list[str], manifests: Manifests) -> Iterator[str]:
    first = parts[0] if parts else ""
    if first == "crate":
        yield from _below(_crate(here.path), parts[1:])
    elif first in ("self", "super"):
        folder = here.folder
        while parts and parts[0] in ("self", "super"):
            folder = folder.rpartition("/")[0] if parts[0] == "super" else folder
            parts = parts[1:]
        yield from _below(folder, parts)
    elif first:
        yield from _inner(here.folder, parts)
        yield "via:crate:" + first.replace("-", "_")
        for base, root in manifests.crates(here.path, first.replace("-", "_")):
            yield from _inner(base, parts[1:])
            yield from (f"={root}",) if root else _roots(base)
        yield from (f"tail:{name}/src/lib.rs" for name in dict.fromkeys((first.replace("_", "-"), first)))


def _below(folder: str, parts: Sequence[str]) -> Iterator[str]:
    """The modules along the path, the deepest first, at last the one that the folder belongs to."""
    yield from _inner(folder, parts)
    yield from _module(folder) if folder else ()
    yield from _roots(folder)


def _inner(folder: str, parts: Sequence[str]) -> Iterator[str]:
    for end in range(len(parts), 0, -1):
        yield from _module(_join(folder, "/".join(parts[:end])))


def _roots(folder: str) -> Iterator[str]:
    yield from ("=" + _join(folder, root) for root in ("lib.rs", "main.rs"))


def _module(place: str) -> tuple[str, str]:
    return f"={place}.rs", f"={place}/mod.rs"


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _own_folder(path: str) -> str:
    """Where the modules below the one at ``path`` lie: a/b for a/b.rs, a for a/mod.rs."""
    stem = path.removesuffix(".rs")
    folder, _, name = stem.rpartition("/")
    return folder if name in ("mod", "lib", "main", "build") or _is_root(path) else stem


def _is_root(path: str) -> bool:
    return path.split("/")[-2:-1] != [] and path.split("/")[-2] in _ROOTS


def _crate(path: str) -> str:
    """The folder of the crate's root module: the last ``src`` above, else the file's own."""
    folders = path.split("/")[:-1]
    if "src" in folders and not _is_root(path):
        return "/".join(folders[: len(folders) - folders[::-1].index("src")])
    return "/".join(folders)
