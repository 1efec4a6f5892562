"""What git knows of a project: HEAD, commits, branches, the difference between two commits.

Refuses nothing of its own; where git cannot answer, `GitFailed` says why. Everything is asked of git itself:
its refs may be packed, its HEAD may be in a linked worktree.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec

from navlog.daemon.listener.process import TIMEOUT_S, git, git_fields, git_with_warnings
from navlog.daemon.listener.repository import Repository, repository_at
from navlog.schemas.errors import GitFailed
from navlog.schemas.events import BranchSeen, CommitFile, CommitRecorded
from navlog.schemas.names import name_to_text, text_to_name

_BODY_CHARS = 1000
_FORMAT = "--format=%H%x00%P%x00%ct%x00%aN%x00%s%x00%b"
_RAW = ("-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv")
_RENAMES = "-M"
_SAME = "-M100%"  # renames of an unchanged content: found by its id, where a partial clone lacks the texts
_REF_FORMAT = "--format=%(refname)%00%(objectname)%00%(symref)"
_BRANCH = "refs/heads/"
_LITERAL = ("--literal-pathspecs",)


class Head(msgspec.Struct, frozen=True):
    """The commit of HEAD; ``branch`` is "" when detached."""

    commit: str
    branch: str = ""


class Git:
    """Questions to the repository at ``root``; each is one bounded process, more or less."""

    def __init__(self, root: Path, timeout: float = TIMEOUT_S) -> None:
        self.root = root
        self._timeout = timeout

    @property
    def repository(self) -> Repository | None:
        """Where git keeps it; None where there is none (any more)."""
        return repository_at(self.root)

    def head(self) -> Head | None:
        """None before the first commit; raises `GitFailed`."""
        try:
            said = self._ask("rev-parse", "HEAD", "--symbolic-full-name", "HEAD").decode(errors="replace")
        except GitFailed as fault:
            if fault.dubious or self._ask("rev-parse", "--is-inside-work-tree") != b"true\n":
                raise
            return None
        commit, _, ref = said.rstrip("\n").partition("\n")
        return Head(commit, ref.removeprefix(_BRANCH) if ref.startswith(_BRANCH) else "")

    def changes(self, before: str, after: str, paths: Sequence[str] = ()) -> list[CommitFile]:
        """The paths (of ``paths``, if any) in which two commits differ, renames found; raises `GitFailed`."""
        span = (before, after, "--", *_names(paths))

        def told(renames: str) -> list[CommitFile]:
            return list(_files(_Fields(self._fields(*_LITERAL, "diff-tree", "-r", *_RAW, renames, *span))))

        try:
            return told(_RENAMES)
        except GitFailed:
            return told(_SAME)

    def fork(self, commit: str) -> str:
        """The commit at which ``commit`` and HEAD parted; raises `GitFailed`, also where there is none."""
        return self._ask("merge-base", "HEAD", commit).decode().strip()

    def changed_at(self, commit: str, path: str) -> int:
        """When ``path`` was last changed in the history of ``commit``, in epoch seconds; 0: never."""
        said = self._ask(*_LITERAL, "log", "-1", "--format=%ct", commit, "--", *_names([path]))
        return int(said or 0)

    def grep(self, commit: str, word: str, paths: Sequence[str] = ()) -> list[tuple[str, int, str]]:
        """(path, line, text) of each line of ``commit``'s text files with the word; raises `GitFailed`."""
        command = (*_LITERAL, "grep", "-nwFIz", "-e", word, commit, "--", *_names(paths))
        said, _ = git_with_warnings(self.root, *command, fine=(0, 1), timeout=self._timeout)
        rows = (line.split(b"\0") for line in said.splitlines() if line.count(b"\0") == 2)
        return [
            (name_to_text(path.partition(b":")[2]), int(line), text.decode(errors="replace"))
            for path, line, text in rows
        ]

    def commits(
        self, since: str | None, depth: int, *, files: int, until: str = "HEAD"
    ) -> Iterator[CommitRecorded]:
        """The newest ``depth`` commits that ``until`` has and ``since`` lacks, oldest first.

        Each carries at most ``files`` paths. A ``since`` that git no longer has counts as none. A merge has
        no files of its own, nor has a commit where a shallow clone ends: git would say it added everything.
        """
        lacked = [f"^{since}"] if since and self.has(since) else []
        span = (f"-n{depth}", until, *lacked, "--")
        count = 0
        try:
            for commit in self._log(_RENAMES, span, files):
                count += 1
                yield commit
        except GitFailed:
            yield from islice(self._log(_SAME, span, files), count, None)

    def _log(self, renames: str, span: Sequence[str], files: int) -> Iterator[CommitRecorded]:
        ends = self._shallow_ends()
        fields = _Fields(self._fields("log", *_RAW, renames, "--encoding=UTF-8", "--reverse", _FORMAT, *span))
        while (commit := fields.next()) is not None:
            yield _commit(commit.decode(), fields, 0 if commit in ends else files, cut=commit in ends)

    def has(self, commit: str) -> bool:
        """Whether git (still) has ``commit``."""
        try:
            self._ask("cat-file", "-e", f"{commit}^{{commit}}")
        except GitFailed:
            return False
        return True

    def tips(self, limit: int) -> list[BranchSeen]:
        """The ``limit`` branches (local and remote) changed last, and the sibling worktrees' HEADs."""
        said = self._ask("for-each-ref", "--sort=-committerdate", f"--count={limit}", _REF_FORMAT,
                         "refs/heads", "refs/remotes")  # fmt: skip
        rows = (line.split("\0") for line in said.decode(errors="replace").splitlines())
        worktrees = {tip.ref: tip for tip in self._worktrees()}
        branches = [
            worktrees.pop(ref, BranchSeen(ref=ref, commit=commit))
            for ref, commit, symref in rows
            if not symref
        ]
        return [*branches, *worktrees.values()]

    def _worktrees(self) -> Iterator[BranchSeen]:
        """Sibling worktrees; a detached one has ``HEAD`` as its ref, marked by its path."""
        own = os.fsencode(self.root.resolve())
        for worktree in self._worktree_list().split(b"\0\0"):
            facts = dict(line.partition(b" ")[::2] for line in worktree.split(b"\0"))
            path, commit = facts.get(b"worktree", b""), facts.get(b"HEAD", b"").decode()
            if commit.strip("0") and path != own and b"prunable" not in facts:
                where = name_to_text(path)
                yield BranchSeen(
                    ref=facts.get(b"branch", b"").decode() or f"HEAD {where}", commit=commit, worktree=where
                )

    def _worktree_list(self) -> bytes:
        try:
            return self._ask("worktree", "list", "--porcelain", "-z")
        except GitFailed:  # -z came with git 2.36
            return self._ask("worktree", "list", "--porcelain").replace(b"\n", b"\0")

    def _shallow_ends(self) -> frozenset[bytes]:
        repository = self.repository
        try:
            return (
                frozenset((repository.common_dir / "shallow").read_bytes().split())
                if repository
                else frozenset()
            )
        except OSError:
            return frozenset()

    def _ask(self, *args: str) -> bytes:
        return git(self.root, *args, timeout=self._timeout)

    def _fields(self, *args: str) -> Iterator[bytes]:
        return git_fields(self.root, *args, timeout=self._timeout)


class _Fields:
    """git's fields with one step back: whether a commit has more files shows in the field after them."""

    def __init__(self, fields: Iterator[bytes]) -> None:
        self._fields = fields
        self._held: bytes | None = None

    def next(self) -> bytes | None:
        field, self._held = self._held, None
        return field if field is not None else next(self._fields, None)

    def back(self, field: bytes) -> None:
        self._held = field


def _commit(commit: str, fields: _Fields, limit: int, *, cut: bool) -> CommitRecorded:
    parents, at, author, subject, body = (_text(fields.next()) for _ in range(5))
    kept, count = [], 0
    for file in _files(fields):
        count += 1
        if count <= limit:
            kept.append(file)
    return CommitRecorded(
        commit=commit,
        parents=parents.split(),
        committed_at=f"{datetime.fromtimestamp(int(at), UTC):%Y-%m-%dT%H:%M:%SZ}",
        author=author,
        subject=subject,
        body=body.strip()[:_BODY_CHARS],
        files=kept,
        file_count=0 if cut else count,
    )


def _files(fields: _Fields) -> Iterator[CommitFile]:
    """``:mode mode blob blob STATUS`` NUL path NUL, and for a rename a second path."""
    while (field := fields.next()) is not None:
        if not field.lstrip(b"\n").startswith(b":"):
            fields.back(field)
            return
        status = field.rpartition(b" ")[2][:1].decode()
        path = name_to_text(fields.next() or b"")
        previous = ""
        if status in "RC":
            previous, path = path, name_to_text(fields.next() or b"")
        yield CommitFile(path, status, previous)


def _names(paths: Sequence[str]) -> list[str]:
    return [os.fsdecode(text_to_name(path)) for path in paths]


def _text(field: bytes | None) -> str:
    return (field or b"").decode(errors="replace")
