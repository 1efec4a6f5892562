"""What past commits say: which of them used a task's words, and which files change together.

Kept up commit by commit. A path that was renamed votes for the name it has now. Knows nothing of the files'
contents and does not rank.
"""

import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from navlog.projections.postings import Matches, Postings
from navlog.projections.terms import count_terms
from navlog.projections.vocabulary import Vocabulary
from navlog.schemas.events import CommitRecorded

# A commit that touches more files than this is a sweep (formatting, licences): it says nothing of any of
# them.
SWEEP = 40
# So many of the best fitting commits have a vote.
VOTERS = 100
_MERGE = re.compile(r"merge (branch|pull request|remote|tag)\b", re.IGNORECASE)
_TAIL = re.compile(r"\s*(\(?#\d+\)?|\.)\s*$")


class Commit(NamedTuple):
    """What is kept of a commit; ``paths`` are numbers for `History.path`."""

    subject: str
    paths: tuple[int, ...]


class History:
    """The commits of a project, searchable by their words. A long one is mostly numbers, kept as such."""

    def __init__(self) -> None:
        self._subjects: list[str] = []
        self._touched, self._ends = array("i"), array("i")  # all commits' paths, and where each one's end
        self._vocabulary = Vocabulary()
        self._messages = Postings()
        self._unread: list[str] = []  # messages of the newest commits: taken apart once somebody asks
        self._numbers: dict[str, int] = {}
        self._paths: list[str] = []
        self._renamed: dict[int, int] = {}
        self._touching: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self._subjects)

    @property
    def commits(self) -> list[Commit]:
        """All that are kept, the oldest first."""
        return [self._commit(number) for number in range(len(self))]

    def add(self, commit: CommitRecorded) -> None:
        """A commit that was not there before; merges and sweeping commits are passed over."""
        for file in commit.files:
            if file.status == "R":
                self._rename(self._number(file.previous), self._number(file.path))
        if len(commit.parents) > 1 or _MERGE.match(commit.subject) or commit.file_count > SWEEP:
            return
        self._keep(commit)

    def votes(self, query: Mapping[str, float], *, but: str = "") -> list[tuple[Commit, float]]:
        """The `VOTERS` commits whose message fits best, with their worth; none with the subject ``but``."""
        found = self._matches(query)
        worth = np.bincount(found.doc, found.worth, minlength=len(self))
        fitting, subject = np.flatnonzero(worth > 0), plain_subject(but)
        best = fitting[np.argsort(-worth[fitting], kind="stable")]
        others = (number for number in best.tolist() if self._subjects[number] != subject)
        return [(self._commit(number), float(worth[number])) for number in islice(others, VOTERS)]

    def path(self, number: int) -> str:
        """The name a path has now."""
        return self._paths[self._now(number)]

    def changes(self, path: str) -> int:
        """How many of the kept commits touched the path."""
        return len(self._of(path))

    def together(self, path: str) -> Counter[str]:
        """How often other paths changed in a commit with this one."""
        others: Counter[str] = Counter()
        for number in self._of(path):
            others.update({self.path(other) for other in self._paths_of(number)})
        del others[path]
        return others

    def _keep(self, commit: CommitRecorded) -> None:
        number = len(self)
        paths = [self._number(file.path) for file in commit.files if file.status != "D"]
        self._subjects.append(plain_subject(commit.subject))
        self._touched.extend(paths)
        self._ends.append(len(self._touched))
        self._unread.append(f"{commit.subject}\n{commit.subject}\n{commit.body}")  # the subject counts twice
        for path in paths:
            self._touching.setdefault(self._now(path), array("i")).append(number)

    def _commit(self, number: int) -> Commit:
        return Commit(self._subjects[number], tuple(self._paths_of(number)))

    def _paths_of(self, number: int) -> Sequence[int]:
        return self._touched[self._ends[number - 1] if number else 0 : self._ends[number]]

    def _read(self) -> None:
        """The messages' words become searchable: a start with a long log does not wait for that."""
        first = len(self) - len(self._unread)
        for number, message in enumerate(self._unread, first):
            self._messages.add(number, self._vocabulary.grouped(count_terms(message)))
        self._unread.clear()

    def _matches(self, query: Mapping[str, float]) -> Matches:
        self._read()
        find = self._vocabulary.find
        asked = [(number, query[word]) for word in sorted(query) if (number := find(word)) is not None]
        return self._messages.matches(asked, np.ones(len(self), np.bool_))

    def _number(self, path: str) -> int:
        number = self._numbers.setdefault(path, len(self._paths))
        if number == len(self._paths):
            self._paths.append(path)
        return number

    def _rename(self, old: int, new: int) -> None:
        self._renamed.pop(new, None)
        if self._now(new) == old:
            return
        self._renamed[old] = new
        self._touching.setdefault(self._now(new), array("i")).extend(self._touching.pop(old, ()))

    def _now(self, number: int) -> int:
        while (later := self._renamed.get(number)) is not None:
            number = later
        return number

    def _of(self, path: str) -> Sequence[int]:
        number = self._numbers.get(path)
        return () if number is None else self._touching.get(number, ())


def plain_subject(text: str) -> str:
    """A subject as it is compared: lower-cased, without the number of its pull request and the full stop."""
    first = text.strip().partition("\n")[0].rstrip().casefold()
    # Most have no such tail, and the pattern takes long to say so.
    while (first[-1:] in (")", ".") or first[-1:].isdecimal()) and (shorter := _TAIL.sub("", first)) != first:
        first = shorter
    return " ".join(first.split())
