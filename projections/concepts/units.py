"""Candidates for concepts: the packages and modules of a project whose names say something.

A package is a folder with several sources, a module one source. A folder that only orders others (``src``,
``lib``, one that holds nearly everything, one named like the project) gives no name: what is in it is looked
at for itself. Names that say how and not what (``utils``, ``base``) are nobody's concept.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from navlog.projections.concepts.facts import Facts, Page
from navlog.projections.concepts.naming import compact, is_generic, is_structural, stems
from navlog.schemas.concept import Kind

WHOLE = 0.6  # a folder with more of the sources is the project itself
PACKAGE = 2  # sources that make a folder a package


class Unit(NamedTuple):
    """``name`` as the folder or the file has it; ``place``: the folder, or the module's path.

    ``depth`` counts the folders above that are no mere order, ``shelved`` whether one of them has a name that
    says nothing (``utils``); ``files`` are its sources.
    """

    kind: Kind
    name: str
    place: str
    depth: int
    shelved: bool
    files: tuple[str, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """What units of one meaning share."""
        return stems(self.name)


def units_of(facts: Facts) -> list[Unit]:
    """Packages and modules in the order of their places."""
    code = [page for page in facts.pages.values() if page.is_code]
    below = _below(code)
    whole = {
        folder
        for folder, files in below.items()
        if len(files) > WHOLE * len(code) or compact(folder.rpartition("/")[2]) == compact(facts.name)
    }
    found = [*_packages(below, whole), *_modules(code, whole, facts.name)]
    return sorted(found, key=lambda unit: unit.place)


def _below(code: Sequence[Page]) -> dict[str, list[str]]:
    """Folder -> the sources anywhere in it."""
    below: dict[str, list[str]] = defaultdict(list)
    for page in code:
        for folder in above(page.path):
            below[folder].append(page.path)
    return below


def _packages(below: Mapping[str, list[str]], whole: set[str]) -> Iterator[Unit]:
    for folder, files in below.items():
        name = folder.rpartition("/")[2]
        if folder in whole or len(files) < PACKAGE or is_structural(name) or is_generic(name):
            continue
        if stems(name):
            yield Unit("package", name, folder, *_above(folder, whole), tuple(sorted(files)))


def _modules(code: Sequence[Page], whole: set[str], project: str) -> Iterator[Unit]:
    for page in code:
        if not is_generic(page.stem) and stems(page.stem) and compact(page.stem) != compact(project):
            yield Unit("module", page.stem, page.path, *_above(page.path, whole), (page.path,))


def above(path: str) -> Iterator[str]:
    """The folders a path lies in, the nearest first, without the project's own."""
    while path := path.rpartition("/")[0]:
        yield path


def _above(place: str, whole: set[str]) -> tuple[int, bool]:
    """Depth, and whether it stands on a shelf."""
    names = [folder.rpartition("/")[2] for folder in above(place) if folder not in whole]
    telling = [name for name in names if not is_structural(name)]
    return len(telling), any(is_generic(name) for name in telling)
