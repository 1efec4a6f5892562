"""Imports of the languages whose modules are files or classes, as keys.

What needs a manifest (Go's module path, names of npm workspaces, tsconfig's paths) is not resolved: the
manifests' values are not among the facts.
"""

from collections.abc import Callable, Iterator

from navlog.projections.resolving.places import inside
from navlog.schemas.events import Import

Asked = Iterator[tuple[str, str, tuple[str, ...]]]  # (name, alias, keys)
Asks = Callable[[str, Import], Asked]


def by_path(*suffixes: str, dots: str = "/") -> Asks:
    """A module is a path, perhaps without its suffix; ``dots`` is what stands for the folder separator."""

    def asks(path: str, one: Import) -> Asked:
        module = one.module.strip("<>").replace(dots, "/")
        yield "", one.alias, tuple(_paths(path, module, one, suffixes))

    return asks


def by_class(separator: str) -> Asks:
    """A module is a class in a file of its name, below folders named like its packages."""

    def asks(path: str, one: Import) -> Asked:  # noqa: ARG001 - the place of the importer does not matter
        parts = one.module.strip(separator).split(separator)
        if one.form != "package" and len(parts) > 1:
            for name, alias in one.names or [("", one.alias)]:
                inner = [*parts, name] if name not in ("", "*") else parts
                yield (
                    name,
                    alias,
                    tuple(dict.fromkeys(("stem:" + "/".join(inner), "stem:" + "/".join(parts)))),
                )

    return asks


def php(path: str, one: Import) -> Asked:
    """``use`` names a class, whose first parts the autoloader maps; the rest includes files."""
    if one.form != "use":
        yield from by_path(".php")(path, one)
        return
    parts = one.module.split("\\")
    for name, alias in one.names or [("", one.alias)]:
        whole = [*parts, name] if name else parts
        yield name, alias, ("stem:" + "/".join(whole[-2:]),) if len(whole) > 1 else ()


def include(path: str, one: Import) -> Asked:
    """``#include "a/b.h"`` beside the file or anywhere; ``<a/b.h>`` where it names a folder."""
    target = one.module.strip("<>")
    system = target != one.module
    near = None if system else inside(path, target)
    found = ("tail:" + target,) if not system or "/" in target else ()
    yield "", "", (*(("=" + near,) if near else ()), *found)


def rust(path: str, one: Import) -> Asked:
    """``mod a;``, ``use crate::a::b``, ``use super::a``; another crate by the name of its folder."""
    if one.form == "mod":
        yield "", "", _module(f"{_own_folder(path)}/{one.module}".strip("/"))
        return
    for name, alias in one.names or [("", one.alias)]:
        parts = [part for part in [*one.module.split("::"), name] if part and part != "*"]
        yield name, alias, tuple(_rust_paths(path, parts))


def _rust_paths(path: str, parts: list[str]) -> Iterator[str]:
    base, rest = _rust_base(path, parts)
    if base is None:
        yield f"tail:{parts[0].replace('_', '-')}/src/lib.rs"
        yield f"tail:{parts[0]}/src/lib.rs"
        return
    for end in range(len(rest), 0, -1):
        yield from _module("/".join(filter(None, [base, *rest[:end]])))
    yield from (f"={base}/{root}".replace("=/", "=") for root in ("lib.rs", "main.rs", "mod.rs"))


def _rust_base(path: str, parts: list[str]) -> tuple[str | None, list[str]]:
    """The folder that a path starts from, and what remains; None for another crate."""
    folder = _own_folder(path)
    if parts and parts[0] == "crate":
        return _crate(path), parts[1:]
    if not parts or parts[0] not in ("self", "super"):
        return None, parts
    while parts and parts[0] in ("self", "super"):
        folder = folder.rpartition("/")[0] if parts[0] == "super" else folder
        parts = parts[1:]
    return folder, parts


def _own_folder(path: str) -> str:
    """Where the modules below the one at ``path`` lie: a/b for a/b.rs, a for a/mod.rs."""
    stem = path.removesuffix(".rs")
    folder, _, name = stem.rpartition("/")
    return folder if name in ("mod", "lib", "main") else stem


def _crate(path: str) -> str:
    """The folder of the crate's root module: the last ``src`` above, else the file's own."""
    folders = path.split("/")[:-1]
    if "src" in folders:
        return "/".join(folders[: len(folders) - folders[::-1].index("src")])
    return "/".join(folders)


def _module(place: str) -> tuple[str, ...]:
    return (f"={place}.rs", f"={place}/mod.rs")


def _paths(path: str, module: str, one: Import, suffixes: tuple[str, ...]) -> Iterator[str]:
    near = inside(path, module)
    endings = ("",) if module.endswith(suffixes) else suffixes
    for ending in endings:
        if near:
            yield f"={near}{ending}"
    if not one.level and not module.startswith("."):
        for ending in endings:
            yield f"={module.lstrip('/')}{ending}"
            yield f"tail:{module.lstrip('/')}{ending}"
