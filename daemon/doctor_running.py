"""The checks that only a running daemon can answer: itself, its projects, what it does not read.

Asks over the socket and changes nothing.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from navlog.daemon.build import VERSION, newer
from navlog.daemon.check import Check, fail, ok, warn
from navlog.daemon.client import ask
from navlog.daemon.home import Home
from navlog.schemas.control import SqlArgs, SqlReply, StatusReply
from navlog.schemas.counting import counted
from navlog.schemas.errors import DaemonAway, NavlogError, SocketForbidden

ANSWER_S = 5.0
# (name, what it says, counts by project and reason, where the files are named)
SKIPPED = (
    "skipped",
    "known by name, not read",
    "SELECT name, reason, count(*) FROM skipped JOIN projects USING (project) GROUP BY ALL ORDER BY ALL",
    "SELECT path, reason, detail FROM skipped",
)
PARTIAL = (
    "partial",
    "read in part",
    """SELECT name, partial, count(*) FROM outlines JOIN projects USING (project) WHERE partial <> ''
       GROUP BY ALL ORDER BY ALL""",
    "SELECT path, partial FROM outlines WHERE partial <> ''",
)


def examine_running(home: Home) -> Iterator[Check]:
    """The daemon first; nothing more when it does not answer."""
    try:
        now = ask(home, "status", StatusReply, silence_s=ANSWER_S)
    except SocketForbidden as error:
        yield warn("sandbox", f"{error.message} {_snapshots(home)}", error.hint)
    except DaemonAway as error:
        yield warn("daemon", error.message, error.hint)
    except NavlogError as error:
        yield fail("daemon", error.message, error.hint)
    else:
        yield _daemon(now)
        yield from _projects(now)
        yield from _lists(home)


def _snapshots(home: Home) -> str:
    """What is answered without a socket."""
    count = len(list(home.data.glob("snapshots/*.json")))
    kept = counted(count, "project") if count else "no project"
    return f"`navlog context` and the MCP server answer from the snapshots of {kept}, names alone"


def _daemon(now: StatusReply) -> Check:
    if newer(VERSION, now.version):
        return warn("daemon", f"pid {now.pid} is the older build {now.version}", "navlog up")
    if now.degraded:
        first = now.degraded[0]
        return warn("daemon", f"pid {now.pid}, degraded: {first.reason}", first.hint)
    return ok("daemon", f"pid {now.pid}, {now.version}")


def _projects(now: StatusReply) -> Iterator[Check]:
    """One for each project that is not known whole: the note's first line says why, its last what to do."""
    names = {project.id: project.name for project in now.projects}
    for watch in now.watches:
        if watch.note:
            what, *rest = watch.note.splitlines()
            moved = f"navlog project move {watch.project} PATH    or    navlog project remove {watch.project}"
            hint = rest[-1] if rest else "" if watch.folders else moved
            yield warn("project", f"{names.get(watch.project, watch.project)}: {what}", hint)


def _lists(home: Home) -> Iterator[Check]:
    """What lies in the projects and cannot answer from its text."""
    for name, says, counts, named in (SKIPPED, PARTIAL):
        with suppress(NavlogError):
            rows = ask(home, "sql", SqlReply, SqlArgs(query=counts), silence_s=ANSWER_S).rows
            if rows:
                yield ok(name, f"{says}: {_told(rows)}", f'navlog sql "{named}"')


def _told(rows: list[list[Any]]) -> str:
    by_project: dict[str, list[str]] = {}
    for project, reason, count in rows:
        by_project.setdefault(project, []).append(f"{count:,} {reason}")
    return "; ".join(f"{project} {', '.join(parts)}" for project, parts in by_project.items())
