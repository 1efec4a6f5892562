"""One project's worktree as the log knows it, and a look at what is there now.

Reads files and git; appends nothing. What was seen becomes known only when `accept` says that it is durable.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from navlog.daemon.listener.git import Git, Head
from navlog.daemon.listener.paths import Read, blob_id, read_inside
from navlog.daemon.listener.scan import Scan, Seen
from navlog.daemon.recorder.plan import Known, Look, worth_reading
from navlog.schemas.control import DegradedReason
from navlog.schemas.errors import GitFailed, NavlogError
from navlog.schemas.events import BranchSeen, CommitRecorded, FileSkipped, HeadMoved
from navlog.schemas.settings import Settings


def reason_of(fault: BaseException) -> DegradedReason:
    """A fault as `status` shows it, with the step that mends it."""
    if isinstance(fault, NavlogError):
        return DegradedReason(reason=fault.message, hint=fault.hint or "navlog doctor")
    return DegradedReason(reason=f"{type(fault).__name__}: {fault}", hint="navlog doctor")


class Said(msgspec.Struct, frozen=True):
    """What the log says of a project: its files by path, where HEAD is, the tips of its branches.

    ``outlined``: content -> language of the outline by the present extractor that is in the log.
    """

    files: Mapping[str, Known | FileSkipped] = {}
    head: Head | None = None
    tips: Sequence[BranchSeen] = ()
    outlined: Mapping[str, str] = {}


class Worktree:
    """``known`` holds every path the log speaks of; ``head`` the commit it last said HEAD is at,
    ``fault`` why it is not known whole, ``failures`` how many looks in a row went wrong."""

    def __init__(
        self,
        project: str,
        root: Path,
        said: Said,
        settings: Settings,
        now_ns: Callable[[], int],
    ) -> None:
        self.project = project
        self.root = root
        self.known = dict(said.files)
        self.head = said.head
        self.fault: DegradedReason | None = None
        self.failures = 0
        self._tips = {tip.ref: tip for tip in said.tips}
        self._git = Git(root)
        self._settings = settings
        self._now_ns = now_ns

    def look(self, path: str) -> Look:
        """What is at ``path`` now."""
        at = self._now_ns()
        return self._judge(path, read_inside(self.root, path, self._settings.extract.file_bytes), at)

    def look_everywhere(self, scan: Scan, changed: Container[str] = ()) -> Iterator[Look]:
        """What differs from what is known, by stats where a path is not among ``changed``.

        A vanished path only where the scan saw it all.
        """
        seen: set[str] = set()
        for file in scan:
            seen.add(file.path)
            if look := self.look(file.path) if file.path in changed else self._compare(file):
                yield look
        if scan.whole:
            yield from (Look(path) for path in sorted(self.known.keys() - seen))

    def accept(self, looks: Iterable[Look]) -> None:
        """These looks are in the log now, or said nothing new."""
        for look in looks:
            found = look.skipped or look.known
            if found is None:
                self.known.pop(look.path, None)
            else:
                self.known[look.path] = found

    def read(self, path: str, content: str) -> bytes | None:
        """The bytes of ``path`` if they are still ``content``."""
        data = read_inside(self.root, path, self._settings.extract.file_bytes).data
        return data if data is not None and blob_id(data) == content else None

    def head_now(self) -> Head | None:
        """Where HEAD is; None before the first commit and outside git; as before when git cannot say."""
        if self._git.repository is None:
            return None
        try:
            return self._git.head()
        except GitFailed as fault:
            self.fault = reason_of(fault)
            return self.head

    def head_moved(self, head: Head | None) -> HeadMoved | None:
        """The event, if HEAD is not where the log says."""
        if head is None or head == self.head:
            return None
        return HeadMoved(
            previous=self.head.commit if self.head else None, commit=head.commit, branch=head.branch
        )

    def commits(self, since: str | None) -> Iterator[CommitRecorded]:
        """What HEAD has and ``since`` lacks, oldest first, to the set depth; raises `GitFailed`."""
        listen = self._settings.listen
        return self._git.commits(since, listen.commit_depth, files=listen.commit_files)

    def tips(self) -> list[BranchSeen]:
        """Branches and sibling worktrees whose tip is not where it was at the last look."""
        if self._git.repository is None:
            return []
        try:
            now = {tip.ref: tip for tip in self._git.tips(self._settings.listen.branches)}
        except GitFailed as fault:
            self.fault = reason_of(fault)
            return []
        changed = [tip for ref, tip in now.items() if self._tips.get(ref) != tip]
        gone = [BranchSeen(ref=ref, commit="") for ref in self._tips.keys() - now.keys()]
        self._tips = now
        return [*changed, *gone]

    def _compare(self, file: Seen) -> Look | None:
        if file.skip:
            skipped = FileSkipped(path=file.path, reason=file.skip, detail=file.detail)
            return None if self.known.get(file.path) == skipped else Look(file.path, skipped=skipped)
        old = self.known.get(file.path)
        if isinstance(old, FileSkipped):
            unchanged = old.reason == "too_large" and old.size == file.size
            return None if unchanged else self.look(file.path)
        return self.look(file.path) if worth_reading(old, file.size, file.mtime_ns, file.executable) else None

    def _judge(self, path: str, read: Read, at: int) -> Look:
        if read.skip:
            return Look(
                path, skipped=FileSkipped(path=path, reason=read.skip, detail=read.detail, size=read.size)
            )
        if read.data is None:
            return Look(path)
        return Look(path, Known(blob_id(read.data), read.size, read.mtime_ns, read.executable, at))
