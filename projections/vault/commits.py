"""A project's commits for its pages: the newest first, with the names their files have now."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from navlog.projections.pages.model import Commit
from navlog.projections.store import Connection
from navlog.schemas.times import utc

OF_A_FILE = 8  # the newest ones that its page names


def read_commits(db: Connection, project: str) -> list[Commit]:
    """Every recorded commit but merges, which say nothing of their own."""
    rows = db.execute(
        "SELECT commit, committed_at, author, subject FROM commits"
        " WHERE project = ? AND NOT contains(parents, ' ') ORDER BY rowid",
        [project],
    ).fetchall()
    paths = _paths(db, project)
    found = [Commit(id_, utc(at), author, subject, paths.get(id_, ())) for id_, at, author, subject in rows]
    return sorted(found, key=lambda one: (one.at, one.id), reverse=True)


def by_path(commits: Sequence[Commit], moves: Mapping[str, str]) -> Mapping[str, tuple[Commit, ...]]:
    """The newest `OF_A_FILE` commits of each path; ``moves``: former -> present, where no commit says so."""
    found: dict[str, list[Commit]] = defaultdict(list)
    for commit in commits:
        for path in commit.paths:
            some = found[moves.get(path, path)]
            if len(some) < OF_A_FILE:
                some.append(commit)
    return {path: tuple(some) for path, some in found.items()}


def _paths(db: Connection, project: str) -> dict[str, tuple[str, ...]]:
    rows = db.execute(
        "SELECT commit, path, status, previous FROM commit_files WHERE project = ? ORDER BY rowid", [project]
    ).fetchall()
    now: dict[str, str] = {}  # a name that was given up -> the one that took its place
    for _, path, status, previous in rows:
        now.pop(path, None)
        if status == "R":
            now[previous] = path
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for commit, path, _, _ in rows:
        found[commit][_latest(now, path)] = None
    return {commit: tuple(paths) for commit, paths in found.items()}


def _latest(now: Mapping[str, str], path: str) -> str:
    seen = {path}
    while (later := now.get(path)) is not None and later not in seen:
        seen.add(later)
        path = later
    return path
