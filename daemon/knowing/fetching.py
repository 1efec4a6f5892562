"""Issues from where they are kept: a tracker's REST interface with ETag, or a command that prints an export.

Asked for only what changed: a page that is still the one the log knows costs the tracker nothing, and the log
nothing. Refuses to guess the tracker: it is the one that the repository's `origin` names.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from navlog.daemon import programs
from navlog.daemon.knowing.endpoint import Away, exchange, read_key
from navlog.daemon.knowing.trackers import read_comments, read_export
from navlog.daemon.listener.process import git
from navlog.schemas.errors import GitFailed, UsageError
from navlog.schemas.knowledge import CommentRecorded, IssueRecorded, IssuesFetched
from navlog.schemas.settings import Knowledge

TIMEOUT_S = 20.0
COMMAND_S = 60.0
PER_PAGE = 100
NOTED = 10  # GitLab gives comments issue by issue: those of so many are asked for
_REMOTE = re.compile(
    r"(?:https?://(?:[^@/\s]+@)?|ssh://(?:[^@/\s]+@)?|[^@/\s]+@)([^/:\s]+)(?::\d+/|[/:])(.+?)(?:\.git)?/?\s*$"
)

Etag = Callable[[str, str], str]  # (tracker, page) -> what the log knows


class Tracker(NamedTuple):
    """``name`` is host/owner/project, ``path`` what stands behind the host."""

    name: str
    path: str


class Fetched(NamedTuple):
    """What is new, and the pages it came from."""

    said: list[IssueRecorded | CommentRecorded]
    pages: list[IssuesFetched]


def tracker_of(root: Path) -> Tracker | None:
    """The tracker that ``origin`` names; None without one."""
    try:
        url = git(root, "config", "--get", "remote.origin.url").decode(errors="replace")
    except GitFailed:
        return None
    hit = _REMOTE.match(url.strip())
    return Tracker(f"{hit[1]}/{hit[2]}", hit[2]) if hit else None


def fetch(tracker: Tracker, settings: Knowledge, etag: Etag) -> Fetched:
    """The issues and comments changed last; raises `Away`, and `UsageError` for a key file that is gone."""
    api = settings.issues_api.rstrip("/")
    key = read_key(settings.issues_token_file)
    found = Fetched([], [])
    gitlab = api.endswith("/api/v4")
    for page, url in _gitlab(api, tracker) if gitlab else _github(api, tracker):
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        if known := etag(tracker.name, page):
            headers["If-None-Match"] = known
        answer = exchange(url, TIMEOUT_S, headers)
        if answer.status == 200:
            _keep(found, tracker.name, page, answer.body, answer.etag)
            if gitlab:
                _keep_notes(found, api, tracker, headers)
    return found


def run(command: Sequence[str], root: Path, tracker: str) -> Fetched:
    """What the command printed, run in the project's folder without a shell; raises `Away`."""
    try:
        said = programs.run(command, COMMAND_S, folder=root)
    except programs.ProgramFailed as fault:
        raise Away(f"The command for issues failed. {fault.message}") from fault
    found = Fetched([], [])
    _keep(found, tracker, "", said, "")
    return found


def _github(api: str, tracker: Tracker) -> Iterator[tuple[str, str]]:
    place = f"{api}/repos/{quote(tracker.path)}/issues"
    newest = f"sort=updated&direction=desc&per_page={PER_PAGE}"
    yield "issues", f"{place}?state=all&{newest}"
    yield "comments", f"{place}/comments?{newest}"


def _gitlab(api: str, tracker: Tracker) -> Iterator[tuple[str, str]]:
    place = f"{api}/projects/{quote(tracker.path, safe='')}/issues"
    yield "issues", f"{place}?order_by=updated_at&sort=desc&per_page={PER_PAGE}"


def _keep_notes(found: Fetched, api: str, tracker: Tracker, headers: dict[str, str]) -> None:
    """The comments of the issues that changed last, which GitLab keeps apart."""
    plain = {name: value for name, value in headers.items() if name != "If-None-Match"}
    for issue in [one for one in found.said if isinstance(one, IssueRecorded)][:NOTED]:
        place = f"{api}/projects/{quote(tracker.path, safe='')}/issues/{quote(issue.issue)}/notes"
        answer = exchange(f"{place}?sort=desc&per_page={PER_PAGE}", TIMEOUT_S, plain)
        try:
            found.said.extend(read_comments(answer.body, tracker.name, issue.issue))
        except UsageError as fault:
            raise _unread(fault) from fault


def _keep(found: Fetched, tracker: str, page: str, body: bytes, etag: str) -> None:
    found.said.extend(_read(body, tracker))
    if etag:
        found.pages.append(IssuesFetched(tracker=tracker, page=page, etag=etag))


def _read(body: bytes, tracker: str) -> Iterator[IssueRecorded | CommentRecorded]:
    try:
        yield from (one.event for one in read_export(body, tracker) if one.event)
    except UsageError as fault:
        raise _unread(fault) from fault


def _unread(fault: UsageError) -> Away:
    return Away(f"The tracker's answer cannot be read: {fault.message}")
