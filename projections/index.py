"""The search index over a project's files: BM25 in the fields path, symbols and body, each on its own, and
look-ups by exact symbol, path ending and module.

Files are put, replaced and dropped one by one; a query sees every change made before it. Scores are the same
whatever the order in which the files came. Decides nothing about rank: that is `navlog.projections.ranking`.
"""

from collections.abc import Iterable, Mapping
from itertools import compress, islice

import numpy as np
from numpy.typing import NDArray

from navlog.projections.postings import Floats, Ints, Matches, Postings
from navlog.projections.terms import count_terms
from navlog.projections.vocabulary import Vocabulary

FIELDS = ("path", "symbols", "body", "names")
# Numbers are never used twice, so they are drawn anew once more than half of them (and this many) are dead.
SPARE = 1024
STANDS_FOR_FOLDER = frozenset({"__init__", "index", "mod", "lib", "main"})


class SearchIndex:
    """``paths[slot]`` is the file with that number, "" where none is any more; ``slots`` the way back."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.slots: dict[str, int] = {}
        self._vocabulary = Vocabulary()
        self._fields = {field: Postings() for field in FIELDS}
        self._alive = np.zeros(64, np.bool_)
        self._bare: set[int] = set()  # slots of files of which nothing but the path is known yet
        self._tails: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self.slots)

    def put(self, path: str, names: Iterable[str], words: Mapping[str, str]) -> None:
        """``names`` are the symbols' names; ``words`` are the body's terms by count, as in an outline."""
        defined = {name: name.casefold() for name in names}
        slot = self.slots.get(path, -1)
        if slot not in self._bare:
            self.drop(path)
            slot = self._take(path)
        if not defined and not words:
            self._bare.add(slot)
            return
        self._bare.discard(slot)
        numbers = self._vocabulary.numbers
        self._fields["symbols"].add(slot, self._vocabulary.grouped(count_terms(" ".join(defined))))
        self._fields["names"].add(slot, {1: numbers({*defined.values()})})
        self._fields["body"].add(slot, {int(n): numbers(group.split()) for n, group in words.items()})

    def drop(self, path: str) -> None:
        """The file is no longer found; a path nobody put is ignored."""
        slot = self.slots.pop(path, None)
        if slot is None:
            return
        self.paths[slot] = ""
        self._bare.discard(slot)
        for tail in _tails(path):
            self._tails[tail].remove(path)
        self._alive[slot] = False
        for field in self._fields.values():
            field.forget(slot)
        if len(self.paths) > 2 * len(self.slots) + SPARE:
            self._compact()

    def settle(self) -> None:
        """What was put last is sorted in, as the next look-up would do."""
        for field in self._fields.values():
            field.settle(self.alive)

    def matches(self, field: str, query: Mapping[str, float]) -> tuple[list[str], Matches]:
        """(terms of the query that are known, their matches by index into that list)."""
        find = self._vocabulary.find
        numbers = {word: number for word in sorted(query) if (number := find(word)) is not None}
        asked = [(number, query[word]) for word, number in numbers.items()]
        return [*numbers], self._fields[field].matches(asked, self.alive)

    def scores(self, field: str, query: Mapping[str, float]) -> Floats:
        """BM25 of each slot; ``query`` weighs terms."""
        _, found = self.matches(field, query)
        return np.bincount(found.doc, found.worth, minlength=len(self.paths)).astype(np.float64)

    def defining(self, name: str) -> list[int]:
        """The files that define a symbol of exactly this name, given in lower case."""
        number = self._vocabulary.find(name)
        return [] if number is None else self._fields["names"].holding(number, self.alive).tolist()

    def holding(self, word: str) -> list[int]:
        """The files in whose text the word stands, given in lower case."""
        number = self._vocabulary.find(word)
        return [] if number is None else self._fields["body"].holding(number, self.alive).tolist()

    def ending(self, tail: str) -> list[int]:
        """The files whose path is ``tail`` or ends in ``/tail``."""
        last = tail.rpartition("/")[2]
        return [
            self.slots[path]
            for path in sorted(self._tails.get(last, ()))
            if path == tail or path.endswith("/" + tail)
        ]

    def module(self, tail: str) -> list[int]:
        """The files that are the module ``a/b``: a/b.py, src/a/b/index.ts, …"""
        last = tail.rpartition("/")[2]
        return [
            self.slots[path]
            for path in sorted(self._tails.get(last, ()))
            if (module := module_of(path)) == tail or module.endswith("/" + tail)
        ]

    def named(self, name: str, most: int) -> set[int]:
        """The files of the modules called ``name``, in any folder; of more than ``most`` some one more."""
        found = (self.slots[path] for path in self._tails.get(name, ()) if _is_called(path, name))
        return set(islice(found, most + 1))

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which slots are files now."""
        return self._alive[: len(self.paths)]

    def _take(self, path: str) -> int:
        """A slot for ``path``, which is found by its path from now on."""
        slot = len(self.paths)
        self.paths.append(path)
        self.slots[path] = slot
        if slot >= len(self._alive):
            self._alive = np.concatenate([self._alive, np.zeros(len(self._alive), np.bool_)])
        self._alive[slot] = True
        self._fields["path"].add(slot, self._vocabulary.grouped(count_terms(path)))
        for tail in _tails(path):
            self._tails.setdefault(tail, []).append(path)
        return slot

    def _compact(self) -> None:
        alive = self.alive
        used = np.zeros(len(self._vocabulary), np.bool_)
        for field in self._fields.values():
            used |= field.used(len(used), alive)
        terms_now, slots_now = _renumbered(used), _renumbered(alive)
        for field in self._fields.values():
            field.compact(slots_now, terms_now)
        self._vocabulary = Vocabulary(compress(self._vocabulary, used))
        self.paths = [path for path in self.paths if path]
        self.slots = {path: slot for slot, path in enumerate(self.paths)}
        self._alive = np.ones(max(64, len(self.paths)), np.bool_)
        self._alive[len(self.paths) :] = False
        self._bare = {int(slots_now[slot]) for slot in self._bare}


def module_of(path: str) -> str:
    """The path without its ending; of a file that stands for its folder, the folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0] or name
    return folder if stem in STANDS_FOR_FOLDER and folder else f"{folder}/{stem}".lstrip("/")


def _is_called(path: str, name: str) -> bool:
    return module_of(path).rpartition("/")[2] == name


def _tails(path: str) -> set[str]:
    """The last parts by which a path is looked up: its name, and its module's."""
    return {path.rpartition("/")[2], module_of(path).rpartition("/")[2]}


def _renumbered(kept: NDArray[np.bool_]) -> Ints:
    """New numbers in the old order, -1 for what is not kept."""
    return np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
