"""Changes of the graph as rows."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec.structs import astuple

from navlog.projections.graph import tables as t
from navlog.projections.graph.changes import Changes, Resolved
from navlog.projections.graph.outline import to_row
from navlog.projections.graph.state import Place
from navlog.projections.resolving import Need
from navlog.projections.resolving.testing import is_test
from navlog.projections.store import Connection


def write(db: Connection, changes: Changes) -> None:
    """Purges, then replaces by key what the batch touched."""
    if changes == Changes():
        return
    db.execute("DELETE FROM image")  # from now on it says what the tables said before
    for table in t.OF_PROJECT:
        t.delete(db, table, [(project,) for project in sorted(changes.purged)], key=1)
    _replace(db, t.PROJECTS, {(name,): astuple(header) for name, header in changes.projects.items()})
    files = {place: file and astuple(file) for place, file in changes.files.items()}
    _replace(db, t.FILES, files, new=changes.added)
    _replace(db, t.SKIPPED, {place: skip and astuple(skip)[1:] for place, skip in changes.skipped.items()})
    _replace(db, t.CONTENTS, {(name,): to_row(outline)[1:] for name, outline in changes.outlines.items()})
    _replace(db, t.BRANCHES, {key: tip and (tip.commit,) for key, tip in changes.branches.items()})
    _replace(db, t.UNREAD, {key: (count,) for key, count in changes.unread.items()})
    _write_resolved(db, changes)
    _write_commits(db, changes)


def _replace(db: Connection, table: t.Table, rows: Mapping[Any, Any], new: Collection[Any] = ()) -> None:
    """``rows``: key -> the rest of the row, or None where there is none; ``new`` keys have no row yet."""
    t.delete(db, table, [key for key in rows if key not in new])
    t.insert(db, table, [key + row for key, row in rows.items() if row is not None])


def _write_resolved(db: Connection, changes: Changes) -> None:
    gone = [place for place, file in changes.files.items() if file is None]
    places = [place for place in (*gone, *changes.resolved) if place not in changes.unresolved]
    for table, rows in ((t.IMPORTS, _import_rows), (t.LINKS, _link_rows), (t.TESTS, _test_rows)):
        t.delete(db, table, places)
        t.insert(
            db, table, [row for place, resolved in changes.resolved.items() for row in rows(place, resolved)]
        )


def _import_rows(place: Place, resolved: Resolved) -> Iterator[t.Row]:
    """One row per import and target: names that mean the same file stand together."""
    groups: dict[tuple[int, str, str, str | None], list[str]] = {}
    for need, target in resolved:
        if need.kind == "import":
            groups.setdefault((need.line, need.form, need.written, target), []).append(_named(need))
    for (line, form, module, target), names in groups.items():
        yield (*place, line, form, module, ", ".join(filter(None, names)), target)


def _named(need: Need) -> str:
    return f"{need.name} as {need.alias}".strip() if need.alias else need.name


def _test_rows(place: Place, resolved: Resolved) -> Iterator[t.Row]:
    """The sources that a test is named after or imports."""
    if not is_test(place[1]):
        return
    reasons: dict[str, set[str]] = {}
    for need, target in resolved:
        if target is not None and need.kind != "link" and not is_test(target):
            reasons.setdefault(target, set()).add("name" if need.kind == "test" else "import")
    for target, kinds in reasons.items():
        for reason in sorted(kinds):
            yield (*place, target, reason)


def _link_rows(place: Place, resolved: Resolved) -> Iterator[t.Row]:
    for need, target in resolved:
        if need.kind == "link":
            yield (*place, need.line, need.form, need.written, target)


def _write_commits(db: Connection, changes: Changes) -> None:
    commits = changes.commits.items()
    t.insert(
        db,
        t.COMMITS,
        [
            (*key, " ".join(one.parents), one.committed_at, one.author, one.subject, one.body, one.file_count)
            for key, one in commits
        ],
    )
    t.insert(
        db,
        t.COMMIT_FILES,
        [(*key, file.path, file.status, file.previous) for key, one in commits for file in one.files],
    )
