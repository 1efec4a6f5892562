"""Python's imports as keys.

``mod:a/b`` is the module at exactly that place below the project's root; relative imports ask for it.
``py:a/b`` is the module ``a.b`` seen from some folder that can stand on ``sys.path``: one that is not itself
a package. So ``src`` layouts and several packages in one repository need no configuration, and a module deep
inside a package is not taken for the top-level one of the same name.
"""

from collections.abc import Collection, Iterator

from navlog.projections.resolving.manifests import Manifests
from navlog.projections.resolving.tails import shared
from navlog.schemas.events import Import

SUFFIXES = (".py", ".pyi")
# Folders whose plain modules are importable from elsewhere although they are not above the importer.
SOURCE_FOLDERS = {"", "src", "lib", "python"}


def is_module(path: str) -> bool:
    """Whether an import can mean the file."""
    return path.endswith(SUFFIXES)


def is_package_mark(path: str) -> bool:
    """Whether the file makes its folder a package."""
    return path.rpartition("/")[2] in ("__init__.py", "__init__.pyi")


def module_path(path: str) -> str:
    """``a/b`` for a/b.py and a/b/__init__.py alike; "" for an __init__ in the root."""
    if is_package_mark(path):
        return path.rpartition("/")[0]
    return path.rpartition(".")[0]


def answers(path: str, packages: Collection[str]) -> Iterator[str]:
    """The keys of the module at ``path``, when ``packages`` are the folders with an ``__init__``."""
    whole = module_path(path)
    if not whole:
        return
    yield "mod:" + whole
    yield "py:" + whole
    for end, letter in enumerate(whole):
        if letter == "/" and whole[:end] not in packages:
            yield "py:" + whole[end + 1 :]


def answer_below(path: str, folder: str) -> str:
    """The key that ``path`` has for importers to whom ``folder`` is on the path; "" if there is none."""
    tail = module_path(path)[len(folder) + 1 :]
    return tail and "py:" + tail


def asks(path: str, one: Import, manifests: Manifests) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(name, alias, keys) per imported name; the module itself is the last resort of each."""
    base = _base(path, one)
    module = _keys(path, base, manifests) if base else ()
    if base is None or not one.names:
        yield "", one.alias, module
        return
    for name, alias in one.names:
        inner = () if name == "*" else _keys(path, _join(base, name), manifests)
        yield name, alias, inner + module


def _keys(path: str, base: str, manifests: Manifests) -> tuple[str, ...]:
    """The module at ``base``, and where manifests place it."""
    if base.endswith(":"):
        return ()
    return (base, *manifests.python(path, base[3:])) if base.startswith("py:") else (base,)


def choose(path: str, key: str, found: Collection[str]) -> str | None:
    """The module meant by ``path``, among those that answer: the nearest, source before stub."""
    fitting = [other for other in found if other != path and _in_reach(path, key, other)]
    return min(fitting, key=lambda other: _rank(path, other), default=None)


def _base(path: str, one: Import) -> str | None:
    module = one.module.replace(".", "/")
    if not one.level:
        return "py:" + module
    folders = path.split("/")[:-1]
    if one.level - 1 > len(folders):
        return None
    above = folders[: len(folders) - (one.level - 1)]
    return "mod:" + "/".join([*above, module] if module else above)


def _join(base: str, name: str) -> str:
    return base + name if base.endswith(":") else f"{base}/{name}"


def _in_reach(path: str, key: str, other: str) -> bool:
    """A lone plain module counts only from its own folder downwards, or from a folder made for sources."""
    if key.startswith("mod:") or "/" in key or is_package_mark(other):
        return True
    folder = other.rpartition("/")[0]
    return folder.rpartition("/")[2] in SOURCE_FOLDERS or path.startswith(folder + "/")


def _rank(path: str, other: str) -> tuple[int, bool, bool, int, str]:
    return -shared(path, other), other.endswith(".pyi"), not is_package_mark(other), other.count("/"), other
