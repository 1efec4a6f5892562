"""Imports of the languages whose modules are files, classes or folders, as keys."""

from collections.abc import Callable, Iterator

from navlog.projections.resolving.manifests import Manifests
from navlog.projections.resolving.places import inside
from navlog.schemas.events import Import

Asked = Iterator[tuple[str, str, tuple[str, ...]]]  # (name, alias, keys)
Asks = Callable[[str, Import], Asked]
# These are the compiler's, although files of the same name lie in many trees.
_STANDARD = frozenset({
    "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale", "math",
    "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib",
    "stdnoreturn", "string", "strings", "tgmath", "threads", "time", "uchar", "wchar", "wctype", "unistd",
    "fcntl", "poll", "pthread", "dirent", "dlfcn", "endian",
})  # fmt: skip


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
                keys = dict.fromkeys(("stem:" + "/".join(inner), "stem:" + "/".join(parts)))
                yield name, alias, (*keys, *(("folder:" + "/".join(parts),) if name == "*" else ()))

    return asks


def php(path: str, one: Import, manifests: Manifests) -> Asked:
    """``use`` names a class, whose first parts the autoloader maps; the rest includes files."""
    if one.form != "use":
        yield from by_path(".php")(path, one)
        return
    parts = one.module.split("\\")
    for name, alias in one.names or [("", one.alias)]:
        whole = [*parts, name] if name else parts
        keys = manifests.php(path, "\\".join(whole))
        yield name, alias, (*keys, "stem:" + "/".join(whole[-2:])) if len(whole) > 1 else ()


def go(path: str, one: Import, manifests: Manifests) -> Asked:
    """A package is a folder below the place of a module; one of its files stands for it."""
    if one.form != "package":
        for name, alias in one.names or [("", one.alias)]:
            yield name, alias, manifests.go(path, one.module)


def include(path: str, one: Import) -> Asked:
    """``#include "a/b.h"`` beside the file or by the end of its path; ``<b.h>`` where it is the only one."""
    target = one.module.strip("<>")
    system = target != one.module
    near = None if system else inside(path, target)
    foreign = system and target.removesuffix(".h") in _STANDARD
    far = () if foreign else (f"{'only' if system and '/' not in target else 'tail'}:{target}",)
    yield "", "", (*(("=" + near,) if near else ()), *far)


def ruby(path: str, one: Import) -> Asked:
    """As paths; what is not beside the file lies in some gem's ``lib``."""
    file = one.module if one.module.endswith(".rb") else f"{one.module}.rb"
    gems = () if one.level or one.module.startswith(".") else ("tail:lib/" + file,)
    for name, alias, keys in by_path(".rb")(path, one):
        yield name, alias, (*gems, *keys)


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
