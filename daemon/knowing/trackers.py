"""What issue trackers say, as events: GitHub's and GitLab's REST JSON, and `gh issue list --json`.

An export is read one issue at a time, so one with 50,000 of them takes no more memory than its text. What is
no issue is counted and passed over; a pull request is none. Refuses a text that is not JSON at all.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from navlog.projections.knowledge.issues import BODY_CHARS
from navlog.schemas.errors import UsageError
from navlog.schemas.knowledge import CommentRecorded, IssueRecorded

LABELS = 20
Json = dict[str, Any]
_PLACE = re.compile(r"https?://(?:api\.)?([^/]+)/(?:repos/)?(.+?)(?:/-)?/(?:issues|work_items)/\d+")
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ISSUE = msgspec.json.Decoder(Json)


class Found(NamedTuple):
    """An event of an export, or None for something that is no issue."""

    event: IssueRecorded | CommentRecorded | None


def read_export(data: bytes, tracker: str = "") -> Iterator[Found]:
    """Every issue and comment of an export; raises `UsageError` where it is no list of JSON objects.

    ``tracker`` names where the issues are from where their addresses do not say so.
    """
    for raw in _items(data):
        try:
            one = _ISSUE.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            yield Found(None)
            continue
        yield from _read(one, tracker)


def read_comments(data: bytes, tracker: str, issue: str) -> Iterator[CommentRecorded]:
    """The comments of one issue; raises as `read_export`."""
    for raw in _items(data):
        one = _ISSUE.decode(raw)
        if said := _comment(one, tracker, issue):
            yield said


def event_id(project: str, event: IssueRecorded | CommentRecorded) -> str:
    """Names what was said, so the same thing read twice is one event."""
    said = hashlib.sha256(msgspec.json.encode(event)).hexdigest()[:24]
    return f"{event.TYPE}:{project}:{event.issue}:{said}"


def _items(data: bytes) -> list[msgspec.Raw]:
    """The objects of a list, of ``{"items": [...]}``, of a single one, or of JSON lines."""
    try:
        return _listed(data.strip())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        try:  # half a surrogate pair is no reason to refuse the other issues
            return _listed(json.dumps(json.loads(data), ensure_ascii=False).encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            raise UsageError(f"The export is not JSON: {fault}", hint=_HOW) from fault


def _listed(text: bytes) -> list[msgspec.Raw]:
    if text.startswith(b"["):
        return _flat(_LIST.decode(text))
    if text.startswith(b"{") and b"\n{" not in text:
        one = _OBJECT.decode(text)
        inside = next((one[name] for name in ("items", "issues") if name in one), None)
        return _LIST.decode(inside) if inside is not None else [msgspec.Raw(text)]
    if text.startswith(b"{"):
        return [msgspec.Raw(line) for line in text.splitlines() if line.strip()]
    raise UsageError("The export is no list of issues.", hint=_HOW)


_HOW = (
    "Make one:  gh issue list --state all --limit 1000"
    " --json number,title,body,state,labels,comments,url,updatedAt"
)


def _flat(found: list[msgspec.Raw]) -> list[msgspec.Raw]:
    """`gh api --paginate --slurp` gives pages: lists in a list."""
    if found and bytes(found[0]).lstrip().startswith(b"["):
        return [one for page in found for one in _LIST.decode(page)]
    return found


def _read(one: Json, tracker: str) -> Iterator[Found]:
    if "pull_request" in one:
        yield Found(None)
        return
    number = one.get("iid") or one.get("number")
    if not isinstance(number, int | str) or not isinstance(one.get("title"), str):
        comment = _comment(one, _tracker(one, tracker), "")
        yield Found(comment if comment and comment.issue else None)
        return
    place = _tracker(one, tracker)
    yield Found(_issue(one, place, str(number)))
    for inside in ("comments", "notes"):
        listed = one.get(inside)
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, dict) and (said := _comment(each, place, str(number))):
                yield Found(said)


def _issue(one: Json, tracker: str, number: str) -> IssueRecorded:
    body = _text(one, "body", "description")
    labels = one.get("labels")
    return IssueRecorded(
        tracker=tracker,
        issue=number[:20],
        title=_text(one, "title")[:500],
        state=_text(one, "state").lower()[:20] or "open",
        body=body[:BODY_CHARS],
        size=len(body),
        author=_author(one),
        labels=[_label(label) for label in (labels if isinstance(labels, list) else [])[:LABELS]],
        created_at=_text(one, "created_at", "createdAt")[:40],
        updated_at=_text(one, "updated_at", "updatedAt", "created_at", "createdAt")[:40],
        url=_text(one, "html_url", "web_url", "url")[:500],
    )


def _comment(one: Json, tracker: str, number: str) -> CommentRecorded | None:
    """A comment; without ``number`` its address says of which issue. None for one of a pull request."""
    body = _text(one, "body", "note")
    address = " ".join(_text(one, name) for name in ("html_url", "issue_url", "url"))
    hit = re.search(r"/issues/(\d+)", address)
    if not body or one.get("system") is True or "/pull/" in address:
        return None
    return CommentRecorded(
        tracker=tracker,
        issue=(number or (hit[1] if hit else ""))[:20],
        comment=str(one.get("id") or hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()[:16])[:60],
        body=body[:BODY_CHARS],
        size=len(body),
        author=_author(one),
        created_at=_text(one, "created_at", "createdAt")[:40],
        updated_at=_text(one, "updated_at", "updatedAt", "created_at", "createdAt")[:40],
    )


def _tracker(one: Json, given: str) -> str:
    hit = _PLACE.match(_text(one, "html_url", "web_url", "url", "issue_url"))
    return given or (f"{hit[1]}/{hit[2]}"[:200] if hit else "")


def _author(one: Json) -> str:
    who = one.get("user") or one.get("author")
    return _text(who, "login", "username", "name")[:100] if isinstance(who, dict) else ""


def _label(label: object) -> str:
    return (_text(label, "name") if isinstance(label, dict) else str(label))[:100]


def _text(one: Json, *names: str) -> str:
    """The first of the fields that is a text, without what JSON lines cannot carry."""
    for name in names:
        if isinstance(value := one.get(name), str) and value:
            return value.encode("utf-8", "replace").decode()
    return ""
