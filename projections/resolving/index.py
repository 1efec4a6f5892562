"""Who answers and who asks, kept while files come and go.

`Index.update` says which keys have other answers than before; `Index.askers` who has to be looked at again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from sys import intern

from navlog.projections.resolving import Need, documents, folders, javascript, python, tails, testing
from navlog.projections.resolving.multimap import Multimap


class Index:
    """One project's files by the keys they answer to, and by the keys they ask with."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._packages: dict[str, int] = {}  # folder -> how many marks it has
        self._answers: Multimap[str, str] = Multimap()
        self._askers: Multimap[str, str] = Multimap()
        self._asked: dict[str, tuple[str, ...]] = {}

    def update(self, added: Collection[str], removed: Collection[str]) -> set[str]:
        """Files came and went; returns the keys whose answers may have changed."""
        changed: set[str] = set()
        for path in removed:
            self._files.discard(path)
            for key in self._names(path):
                self._answers.discard(key, path)
                changed.add(key)
        changed |= self._reroot(added, removed)
        for path in added:
            self._files.add(path)
            for key in self._names(path):
                self._answers.add(key, path)
                changed.add(key)
        return changed

    def ask(self, path: str, asked: Iterable[Need]) -> None:
        """Keeps what ``path`` asks for, in the place of what it asked for before."""
        self.forget(path)
        asked = list(asked)
        # Many files ask with the same keys.
        keys = tuple(dict.fromkeys(intern(tails.answering(key)) for need in asked for key in need.keys))
        if asked:
            self._asked[path] = keys
        for key in keys:
            self._askers.add(key, path)

    def forget(self, path: str) -> None:
        """``path`` asks for nothing any more."""
        for key in self._asked.pop(path, ()):
            self._askers.discard(key, path)

    def asks(self, path: str) -> bool:
        """Whether ``path`` asks for anything, be it something that no file can answer."""
        return path in self._asked

    def askers(self, keys: Iterable[str]) -> set[str]:
        """The files to which answers to ``keys`` matter."""
        return {path for key in keys for path in self._askers.get(key)}

    def find(self, path: str, need: Need) -> str | None:
        """The file that ``need`` of the file at ``path`` means."""
        for key in need.keys:
            if (target := self._choose(path, key)) is not None:
                return target
        return None

    def _choose(self, path: str, key: str) -> str | None:
        if key.startswith("="):
            return key[1:] if key[1:] in self._files and key[1:] != path else None
        found = self._answers.get(tails.answering(key))
        return _CHOOSE[key.partition(":")[0]](path, key, found) if found else None

    def _names(self, path: str) -> Iterator[str]:
        yield "=" + path
        yield from tails.answers(path)
        yield from documents.answers(path)
        yield from testing.answers(path)
        if python.is_module(path):
            yield from python.answers(path, self._packages)
        elif javascript.is_module(path):
            yield from javascript.answers(path)
        elif folders.is_part(path):
            yield from folders.answers(path)

    def _reroot(self, added: Iterable[str], removed: Iterable[str]) -> set[str]:
        """Folders that became packages, or ceased to be: the modules below answer to other keys."""
        before = set(self._packages)
        for step, paths in ((1, added), (-1, removed)):
            for path in filter(python.is_package_mark, paths):
                folder = path.rpartition("/")[0]
                self._packages[folder] = self._packages.get(folder, 0) + step
        self._packages = {folder: marks for folder, marks in self._packages.items() if marks}
        toggled = before ^ set(self._packages)
        return set(self._toggle(toggled)) if toggled else set()

    def _toggle(self, folders: set[str]) -> Iterator[str]:
        for path in filter(python.is_module, self._files):
            for folder in folders.intersection(_above(path)):
                if key := python.answer_below(path, folder):
                    change = self._answers.discard if folder in self._packages else self._answers.add
                    change(key, path)
                    yield key


_CHOOSE: dict[str, Callable[[str, str, Collection[str]], str | None]] = {
    "py": python.choose,
    "mod": python.choose,
    "js": lambda path, _, found: javascript.choose(path, found),
    "test": lambda path, _, found: testing.choose(path, found),
    "dir": folders.choose,
    "only": tails.choose,
    "folder": folders.choose,
    "wiki": lambda path, _, found: tails.nearest(path, [other for other in found if other != path]),
    "tail": tails.choose,
    "stem": tails.choose,
}


def _above(path: str) -> Iterator[str]:
    end = path.find("/")
    while end >= 0:
        yield path[:end]
        end = path.find("/", end + 1)
