"""What the log says of a project, read from the graph's tables: where the recorder goes on after a start."""

from datetime import datetime

from navlog.daemon.listener.git import Head
from navlog.daemon.recorder.plan import Known
from navlog.daemon.recorder.worktree import Said
from navlog.projections.store import Connection
from navlog.schemas.events import BranchSeen, FileSkipped

_FILES = "SELECT path, content, size, mtime_ns, executable, changed_at FROM files WHERE project = ?"
_SKIPPED = "SELECT path, reason, detail, size FROM skipped WHERE project = ?"
_HEAD = "SELECT head, branch FROM projects WHERE project = ? AND head IS NOT NULL"
_TIPS = "SELECT ref, commit, worktree FROM branches WHERE project = ?"
_OUTLINED = (
    "SELECT content, language FROM contents WHERE extractor = ?"
    " AND content IN (SELECT content FROM files WHERE project = ?)"
)
_LANGUAGE = "SELECT language FROM contents WHERE content = ? AND extractor = ?"


def said_of(db: Connection, project: str, extractor: str) -> Said:
    """Everything the recorder compares a worktree with; outlines count if ``extractor`` made them."""
    files: dict[str, Known | FileSkipped] = {
        path: Known(content, size, mtime_ns, executable, _nanoseconds(changed_at))
        for path, content, size, mtime_ns, executable, changed_at in _rows(db, _FILES, project)
    }
    for path, reason, detail, size in _rows(db, _SKIPPED, project):
        files[path] = FileSkipped(path=path, reason=reason, detail=detail, size=size)
    heads = [Head(commit, branch) for commit, branch in _rows(db, _HEAD, project)]
    tips = [
        BranchSeen(ref=ref, commit=commit, worktree=tree) for ref, commit, tree in _rows(db, _TIPS, project)
    ]
    outlined = dict(_rows(db, _OUTLINED, extractor, project))
    return Said(files, heads[0] if heads else None, tips, outlined)


def outlined_as(db: Connection, content: str, extractor: str) -> str:
    """The language of the outline of ``content`` that counts, "" where ``extractor`` made none."""
    found = db.execute(_LANGUAGE, (content, extractor)).fetchone()
    return str(found[0]) if found else ""


def _rows(db: Connection, query: str, *arguments: str) -> list[tuple]:  # type: ignore[type-arg]
    return db.execute(query, arguments).fetchall()


def _nanoseconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp() * 1e9)
