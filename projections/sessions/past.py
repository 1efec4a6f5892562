"""What is known of sessions and tasks, in memory for readers: kept by the projection, read by any thread.

What it hands out is a copy that nobody changes any more. `related` is what a task is answered with: tasks
that used its rarer words in whatever form, worked on the files of its answer, or affected its concepts.
"""

import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log1p
from typing import NamedTuple

import msgspec

from navlog.projections.sessions.roots import is_between, root
from navlog.projections.sessions.state import Session, State, Task, Touched
from navlog.projections.terms import IS_CJK, terms

LEAST = 0.34  # of a question's worth: a task with less in common is no answer
FILES = 0.5  # what the files say, against 1 for the words
CONCEPTS = 0.2  # what the concepts say: they are wider than files
SAID = 0.5  # a word that weighs less is only another form of one that was said
COMMON = 0.25  # a word in more of the tasks says nothing
FEW = 8  # as long as there are so few tasks, no word is common


class Related(NamedTuple):
    """A past task; ``words`` and ``paths`` are what it has in common with the question."""

    task: Task
    worth: float
    words: list[str]
    paths: list[str]


class Known(msgspec.Struct, frozen=True):
    """By project, then by id; ``words``: the tasks that used a word, by its root."""

    sessions: dict[str, dict[str, Session]] = {}
    tasks: dict[str, dict[str, Task]] = {}
    words: dict[str, dict[str, set[str]]] = {}


class Past:
    """One for all projects."""

    def __init__(self, state: State | None = None) -> None:
        self._lock = threading.Lock()
        self._known = Known()
        if state:
            self.put(state.sessions.values(), state.tasks.values())

    def put(self, sessions: Iterable[Session], tasks: Iterable[Task]) -> None:
        """These are as they are now."""
        with self._lock:
            for session in sessions:
                self._known.sessions.setdefault(session.project, {})[session.session] = (
                    msgspec.structs.replace(session)
                )
            for task in tasks:
                self._known.tasks.setdefault(task.project, {})[task.task] = copied(task)
                index = self._known.words.setdefault(task.project, {})
                for word in words_of(task):
                    index.setdefault(word, set()).add(task.task)

    @property
    def known(self) -> Known:
        """What a `replace` takes over; for nobody else, since it changes."""
        return self._known

    def replace(self, other: "Past") -> None:
        """From now on what ``other`` knows."""
        with self._lock:
            self._known = other.known

    def session(self, project: str, session: str) -> Session | None:
        """One session."""
        with self._lock:
            return self._known.sessions.get(project, {}).get(session)

    def sessions(self) -> list[Session]:
        """All of them, the latest first."""
        with self._lock:
            found = [one for project in self._known.sessions.values() for one in project.values()]
        return sorted(found, key=lambda one: one.last_at, reverse=True)

    def task(self, project: str, task: str) -> Task | None:
        """One task."""
        with self._lock:
            return self._known.tasks.get(project, {}).get(task)

    def tasks(self, project: str, path: str = "") -> list[Task]:
        """The project's, the latest first; with ``path``, those that did something with it or below it."""
        with self._lock:
            found = list(self._known.tasks.get(project, {}).values())
        if path:
            found = [task for task in found if _worked_on(task, path)]
        return sorted(found, key=lambda task: (task.last_at, task.task), reverse=True)

    def related(
        self,
        project: str,
        words: Mapping[str, float],
        paths: Sequence[str] = (),
        *,
        concepts: Sequence[str] = (),
        limit: int = 3,
        but: str = "",
    ) -> list[Related]:
        """At most ``limit`` tasks, the best first. ``words``: a question's terms and their weights.

        ``paths`` and ``concepts``: those of the answer, the best first. ``but``: a session whose own tasks
        are left out.
        """
        with self._lock:
            tasks, index = self._known.tasks.get(project, {}), self._known.words.get(project, {})
            if not tasks:
                return []
            asked = _asked(index, tasks, words)
            total = sum(one.worth for one in asked) or 1.0
            worth: dict[str, float] = defaultdict(float)
            shared: dict[str, list[str]] = {}
            for word in asked:
                for name in word.tasks:
                    worth[name] += word.worth / total
                    shared.setdefault(name, []).append(word.said)
            found = [
                _related(tasks[name], value, shared[name], paths, concepts)
                for name, value in worth.items()
                if not (but and but in tasks[name].sessions)
            ]
        good = [one for one in found if one.worth >= LEAST]
        return sorted(good, key=lambda one: (-one.worth, one.task.task))[:limit]


def words_of(task: Task) -> set[str]:
    """What the task can be found by: the roots of its words."""
    said = [task.title, task.summary, *task.asked, *(note.text for note in task.notes)]
    said += [label for _, label in task.concepts]
    text = "\n".join([*said, *(commit.subject for commit in task.commits)])
    return {root(term) for term in terms(text)}


class _Word(NamedTuple):
    """A word of a question, as it was said; ``tasks`` used it in some form."""

    said: str
    worth: float
    tasks: Collection[str]


def _asked(
    index: Mapping[str, Collection[str]], tasks: Collection[str], words: Mapping[str, float]
) -> list[_Word]:
    """Each root once, by the word that weighs most; without what says nothing, known or missing."""
    best: dict[str, tuple[float, str]] = {}
    for word, weight in words.items():
        best[root(word)] = max(best.get(root(word), (0.0, "")), (weight, word))
    known = [base for base in best if index.get(base)]
    chinese = any(IS_CJK.match(base) for base in best)
    missing = {
        base: _missed(base, weight, known, chinese=chinese)
        for base, (weight, _) in best.items()
        if not index.get(base)
    }
    return [
        _Word(word, missing.get(base, weight) * _rarity(index, tasks, base), index.get(base, ()))
        for base, (weight, word) in best.items()
        if not _is_common(index, tasks, base)
    ]


def _missed(base: str, weight: float, known: Collection[str], *, chinese: bool) -> float:
    """What it counts that no task used a word.

    Of a Chinese run every second pair is none, and a light English word in it may be navlog's translation.
    """
    if IS_CJK.match(base):
        return 0.0 if is_between(base, known) else weight / 2
    said = weight > SAID if chinese else weight >= SAID
    return weight if said else 0.0


def _related(
    task: Task, worth: float, words: list[str], paths: Sequence[str], concepts: Sequence[str]
) -> Related:
    """A file that stands first in the answer and that the task modified says most."""
    touched = [path for path in paths if (file := task.files.get(path)) and _weight(file)]
    said = sum(_weight(task.files[path]) / (1 + paths.index(path)) for path in touched)
    affected = {id_ for id_, _ in task.concepts}
    near = max((1 / (1 + place) for place, id_ in enumerate(concepts) if id_ in affected), default=0.0)
    whole = worth + FILES * min(1.0, said) + CONCEPTS * near
    return Related(task, round(whole, 4), sorted(words), touched)


def _weight(file: Touched) -> float:
    return 1.0 if file.modified else 0.3 if file.read or file.tested else 0.0


def _rarity(index: Mapping[str, Collection[str]], tasks: Collection[str], word: str) -> float:
    return log1p(len(tasks) / (1 + len(index.get(word, ()))))


def _is_common(index: Mapping[str, Collection[str]], tasks: Collection[str], word: str) -> bool:
    return len(index.get(word, ())) > max(FEW, COMMON * len(tasks))


def _worked_on(task: Task, path: str) -> bool:
    return path in task.files or any(one.startswith(path.rstrip("/") + "/") for one in task.files)


def copied(task: Task) -> Task:
    """A copy that shares only what never changes."""
    files = {path: msgspec.structs.replace(file) for path, file in task.files.items()}
    lists = {name: list(getattr(task, name)) for name in _LISTS}
    return msgspec.structs.replace(task, files=files, **lists)


_LISTS = ("sessions", "asked", "runs", "notes", "commits", "concepts")
