"""By which names a definition is known in other files: imported, renamed, starred, re-exported, by module.

``plain`` names mean it by themselves, ``receivers`` are modules that have it: ``app.Flask``.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from navlog.projections.impact.facts import Facts, ImportRow

IMPORTED, THROUGH_MODULE, STARRED, DEFAULT = 0.95, 0.9, 0.7, 0.5
ROUNDS = 4  # of re-exports: a package's front page, and the front pages above it
_SEPARATORS = re.compile(r"[.:/\\]+")
_PASSING = (".py", ".pyi", *(f"/index{suffix}" for suffix in (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx")))


class Bound(NamedTuple):
    """The names in one file, each with the confidence that it means the definition."""

    plain: dict[str, float]
    receivers: dict[str, float]


def bindings(facts: Facts, home: Mapping[str, Collection[str]]) -> dict[str, Bound]:
    """Per file that imports one of the names that ``home``'s files define, directly or by way of others."""
    bound: dict[str, Bound] = defaultdict(lambda: Bound({}, {}))
    exported: dict[str, set[str]] = {path: set(names) for path, names in home.items()}
    fresh = exported
    for _ in range(ROUNDS):
        following: dict[str, set[str]] = defaultdict(set)
        for row in facts.imports_of(fresh):
            if row.path in home and fresh[row.target] <= exported[row.path]:
                continue
            names = set(_bind(bound[row.path], row, fresh[row.target]))
            if passes_on(row):
                following[row.path] |= names
        fresh = {path: names - exported.get(path, set()) for path, names in following.items()}
        fresh = {path: names for path, names in fresh.items() if names}
        if not fresh:
            break
        for path, names in fresh.items():
            exported.setdefault(path, set()).update(names)
    return {path: one for path, one in bound.items() if one.plain or one.receivers}


def passes_on(row: ImportRow) -> bool:
    """Whether others can import from the importing file what it imports.

    In Python they always can; in scripts ``index`` is where it is done without saying ``export … from``.
    """
    return row.form in ("export", "include") or row.path.endswith(_PASSING)


def is_front_page(path: str) -> bool:
    """Whether the file stands for its folder, and mostly gathers what lies in it."""
    return path.rpartition("/")[2].partition(".")[0] in ("__init__", "index", "mod", "lib")


def _bind(bound: Bound, row: ImportRow, exported: set[str]) -> Iterator[str]:
    """Adds what the import binds; yields the plain names."""
    if not row.names:
        yield from _whole(bound, row, exported)
    for name, alias in row.names:
        if name in exported:
            bound.plain[alias or name] = IMPORTED
            yield alias or name
        elif name == "*" and not alias:
            for one in exported:
                bound.plain.setdefault(one, STARRED)
                yield one
        elif alias or name == module_name(row.target):
            bound.receivers[alias or name] = THROUGH_MODULE
            if name == "default":  # of a script: which of its definitions that is, is not known
                bound.plain[alias] = IMPORTED if alias in exported else DEFAULT


def _whole(bound: Bound, row: ImportRow, exported: set[str]) -> Iterator[str]:
    """An import without names: a text that is included, a class that is its own module, or a module."""
    last = _SEPARATORS.split(row.module)[-1]
    if row.form == "include":
        bound.plain.update(dict.fromkeys(exported, STARRED))
        yield from exported
    elif last in exported:
        bound.plain[last] = IMPORTED
    else:
        bound.receivers.update({row.module: THROUGH_MODULE, last: THROUGH_MODULE})


def module_name(path: str) -> str:
    """What the module at ``path`` is called: app for a/app.py, a for a/__init__.py and a/index.ts."""
    parts = path.split("/")
    stem = parts[-1].partition(".")[0]
    return parts[-2] if stem in ("__init__", "index", "mod") and len(parts) > 1 else stem
