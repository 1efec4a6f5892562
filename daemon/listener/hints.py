"""What the listener says, and how what happens in a short while becomes one thing said.

Pure. Paths are as in events. A hint is never a fact: whoever gets it looks at the paths again.
"""

from typing import Literal

import msgspec

Why = Literal["", "overflow", "periodic", "rules"]
MANY = 50_000  # paths; beyond, one whole look is cheaper than as many single ones


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """Look again: at ``changed`` paths, or (``rescan``, with its ``why``) at everything.

    With ``rescan``, what is in ``changed`` may have left the project; if it has not, its content may be
    another one even where its stats are the same.
    ``head``: HEAD or another ref moved. ``moved``: pairs (previous, path), all at once, so a swap is two
    pairs; both paths are in ``changed`` too. A pair is a claim about names: the content may have changed.
    """

    project: str
    changed: frozenset[str] = frozenset()
    rescan: bool = False
    head: bool = False
    moved: tuple[tuple[str, str], ...] = ()
    why: Why = ""


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """How a project is listened to: folders, how many the kernel watches, how many are polled, and why."""

    folders: int
    watched: int
    polled: int
    why: str = ""


class Pending:
    """What one project's next hint will say."""

    def __init__(self) -> None:
        self._changed: set[str] = set()
        self._born: set[str] = set()
        self._source_of: dict[str, str] = {}  # where it is now -> where it was
        self._path_of: dict[str, str] = {}  # the inverse
        self._other: set[str] = set()  # paths whose file is not the one that was there before
        self._head = False
        self._why: Why = ""
        self._delicate = False

    def __bool__(self) -> bool:
        return bool(self._changed or self._why or self._head)

    @property
    def paths(self) -> int:
        """How many paths will be said."""
        return len(self._changed)

    def created(self, path: str) -> None:
        """A new file: if it is gone again before anything is said, nothing is said of it."""
        if path not in self._changed:
            self._born.add(path)
        self._put(path, None)

    def arrived(self, path: str) -> None:
        """A file came from outside, perhaps over another one."""
        self._put(path, None)

    @property
    def delicate(self) -> bool:
        """Names come and go: an editor or git may not be done with them. A plain save is not."""
        return self._delicate

    def touched(self, path: str) -> None:
        """Content or mode may differ."""
        self._changed.add(path)

    def removed(self, path: str) -> None:
        """Nothing is there any more."""
        self._take_away(path)

    def moved(self, previous: str, path: str) -> None:
        """``previous`` was renamed to ``path``. Of a file just written that is a save, not a move."""
        self._put(path, self._take_away(previous))

    def look_at_all(self, why: Why) -> None:
        """Single paths no longer suffice; lost events outrank other reasons."""
        if self._why != "overflow":
            self._why = why

    def head_moved(self) -> None:
        """HEAD or a ref is another one."""
        self._head = True

    def take(self, project: str) -> Hint:
        """The hint; what is pending is empty afterwards."""
        many = len(self._changed) > MANY
        if many:
            self.look_at_all("overflow")
        hint = Hint(
            project=project,
            changed=frozenset() if many else frozenset(self._changed),
            rescan=bool(self._why),
            head=self._head,
            moved=tuple((source, path) for path, source in self._source_of.items()),
            why=self._why,
        )
        for known in (self._changed, self._born, self._other, self._source_of, self._path_of):
            known.clear()
        self._head, self._why, self._delicate = False, "", False
        return hint

    def _take_away(self, path: str) -> str | None:
        """Nothing is at ``path``; returns where its file was before, None for a new file."""
        self._delicate = True
        if path in self._born:
            self._born.discard(path)
            self._changed.discard(path)
        else:
            self._changed.add(path)
        return self._unlink(path)

    def _put(self, path: str, source: str | None) -> None:
        """The file that was at ``source`` is now at ``path``.

        A new one (None) where a file was moved away from, to a backup, is that file still.
        """
        self._delicate = True
        self._unlink(path)
        self._changed.add(path)
        self._other.add(path)
        if source is None and path in self._path_of:
            del self._source_of[self._path_of.pop(path)]
        elif source not in (None, path):
            self._source_of[path], self._path_of[source] = source, path

    def _unlink(self, path: str) -> str | None:
        source = self._source_of.pop(path, None)
        if source is not None:
            del self._path_of[source]
        elif path not in self._other:
            source = path
        self._other.discard(path)
        return source
