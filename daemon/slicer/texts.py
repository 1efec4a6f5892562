"""The text of a content: from the worktree while it stands there, from memory, from git; without its secrets.

What is read is checked against the content's id, so a text is never another one's. Nothing is written down.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from navlog.daemon.extract import decode
from navlog.daemon.listener.paths import blob_id, read_inside
from navlog.daemon.listener.process import git
from navlog.schemas.errors import GitFailed
from navlog.schemas.slices import Basis

KEPT_BYTES = 8 * 1024 * 1024  # of texts that stay in memory, those used last
# What CPython 3.11 to 3.13 takes for a text of no lines, and for each line beside its characters, about.
TEXT_BYTES, LINE_BYTES = 400, 57
GIT_S = 2.0

Lines = Sequence[str]


class Texts:
    """Thread-safe. ``redact`` takes secrets out, line for line; no file over ``limit`` bytes is read."""

    def __init__(self, redact: Callable[[str], str], limit: int) -> None:
        self._redact = redact
        self._limit = limit
        self._kept: OrderedDict[str, tuple[int, Lines]] = OrderedDict()
        self._bytes = 0
        self._turn = Lock()

    def now(self, root: Path, path: str, content: str) -> Lines | None:
        """The lines of ``path`` while it still has that content."""
        if (kept := self._recall(content)) is not None:
            return kept
        data = read_inside(root, path, self._limit).data
        return self._keep(content, data) if data is not None and blob_id(data) == content else None

    def before(self, root: Path, content: str, *, in_git: bool) -> tuple[Lines | None, Basis]:
        """The lines of a content that stands nowhere any more, and what is known of it instead."""
        if (kept := self._recall(content)) is not None:
            return kept, "memory"
        if not in_git:
            return None, "outline"
        try:
            data = git(root, "cat-file", "blob", content, timeout=GIT_S)
        except GitFailed:
            return None, "outline"
        lines = self._keep(content, data) if len(data) <= self._limit and blob_id(data) == content else None
        return lines, "outline" if lines is None else "git"

    def _recall(self, content: str) -> Lines | None:
        with self._turn:
            if content not in self._kept:
                return None
            self._kept.move_to_end(content)
            return self._kept[content][1]

    def _keep(self, content: str, data: bytes) -> Lines | None:
        decoded = decode(data)
        if decoded is None:
            return None
        lines = self._redact(decoded.text).split("\n")
        size = len(data) + TEXT_BYTES + LINE_BYTES * len(lines)
        with self._turn:
            self._bytes += size - self._kept.pop(content, (0, ()))[0]
            self._kept[content] = size, lines
            while self._bytes > KEPT_BYTES and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1][0]
        return lines
