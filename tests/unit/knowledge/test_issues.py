"""Issues as their trackers say them, and the recent ones as one document."""

import json
import time
from typing import Any

import pytest

from navlog.daemon.knowing.trackers import event_id, read_comments, read_export
from navlog.projections.knowledge.elements import LIMITS, count_words
from navlog.projections.knowledge.issues import BODY_CHARS, Issue, source_of, summarise
from navlog.schemas.errors import UsageError
from navlog.schemas.knowledge import CommentRecorded, IssueRecorded

GITHUB = {
    "number": 7, "title": "It hangs", "state": "open", "body": "b" * 9000, "user": {"login": "ann"},
    "labels": [{"name": "bug"}], "created_at": "2025-01-01T00:00:00Z", "updated_at": "2025-01-02T00:00:00Z",
    "html_url": "https://github.com/o/n/issues/7", "comments": 2,
}  # fmt: skip
GITLAB = {
    "iid": 8, "id": 99, "title": "It leaks", "state": "opened", "description": "d",
    "author": {"username": "bob"},
    "labels": ["perf"], "updated_at": "2025-01-03T00:00:00Z",
    "web_url": "https://gitlab.example/g/s/n/-/issues/8",
    "notes": [{"id": 1, "body": "closed", "system": True}, {"id": 2, "body": "Same here."}],
}  # fmt: skip
GH = {
    "number": 9, "title": "It fails", "state": "OPEN", "body": "", "author": {"login": "cy"}, "labels": [],
    "updatedAt": "2025-01-04T00:00:00Z", "url": "https://github.com/o/n/issues/9",
    "comments": [{"id": "IC_1", "body": "We will fix it.", "author": {"login": "dee"}}],
}  # fmt: skip


def events(*items: Any, tracker: str = "") -> list[IssueRecorded | CommentRecorded | None]:
    return [one.event for one in read_export(json.dumps(list(items)).encode(), tracker)]


def test_github_says_an_issue() -> None:
    [issue] = events(GITHUB)
    assert isinstance(issue, IssueRecorded)
    assert (issue.tracker, issue.issue, issue.title, issue.author) == (
        "github.com/o/n",
        "7",
        "It hangs",
        "ann",
    )
    assert (len(issue.body), issue.size, issue.labels) == (BODY_CHARS, 9000, ["bug"])


def test_gitlab_says_an_issue_with_its_notes_but_the_systems() -> None:
    issue, note = events(GITLAB)
    assert isinstance(issue, IssueRecorded)
    assert isinstance(note, CommentRecorded)
    assert (issue.tracker, issue.issue, issue.body, issue.author) == ("gitlab.example/g/s/n", "8", "d", "bob")
    assert (note.issue, note.comment, note.body) == ("8", "2", "Same here.")


def test_gh_says_issues_with_their_comments() -> None:
    issue, comment = events(GH)
    assert isinstance(issue, IssueRecorded)
    assert isinstance(comment, CommentRecorded)
    assert (issue.state, comment.author, comment.issue) == ("open", "dee", "9")


def test_comments_of_a_whole_repository_name_their_issue() -> None:
    one = {"id": 5, "body": "x", "issue_url": "https://api.github.com/repos/o/n/issues/7"}
    of_a_pull = {
        "id": 6,
        "body": "x",
        "html_url": "https://github.com/o/n/pull/3#c",
        "issue_url": "…/issues/3",
    }
    comment, nothing = events(one, of_a_pull)
    assert isinstance(comment, CommentRecorded)
    assert (comment.tracker, comment.issue) == ("github.com/o/n", "7")
    assert nothing is None


def test_pull_requests_and_strange_things_are_passed_over() -> None:
    assert (
        events({**GITHUB, "pull_request": {}}, {"a": 1}, 7, None, [], {"number": 1, "title": None})
        == [None] * 6
    )


@pytest.mark.parametrize("shape", ["list", "items", "lines", "one", "pages"])
def test_an_export_may_have_any_of_these_shapes(shape: str) -> None:
    two = [GITHUB, {**GITHUB, "number": 8}]
    texts = {
        "list": json.dumps(two), "items": json.dumps({"items": two}), "one": json.dumps(GITHUB),
        "lines": "\n".join(map(json.dumps, two)), "pages": json.dumps([two[:1], two[1:]]),
    }  # fmt: skip
    assert len(list(read_export(texts[shape].encode()))) == (1 if shape == "one" else 2)


@pytest.mark.parametrize("data", [b"", b"no", b"[", b'{"a"', b"\xff\xfe", b"[" * 100_000, b"7"])
def test_what_is_no_export_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError):
        list(read_export(data))


def test_comments_alone_are_of_the_issue_that_was_asked_for() -> None:
    [note] = read_comments(b'[{"id": 3, "body": "hm"}, {"id": 4, "body": "c", "system": true}]', "t", "12")
    assert (note.issue, note.comment) == ("12", "3")


def test_the_same_thing_read_twice_is_one_event_and_a_changed_one_another() -> None:
    one, same, other = events(GITHUB, GITHUB, {**GITHUB, "state": "closed"})
    assert isinstance(one, IssueRecorded)
    assert isinstance(same, IssueRecorded)
    assert isinstance(other, IssueRecorded)
    assert event_id("p", one) == event_id("p", same) != event_id("p", other)


def test_fifty_thousand_issues_are_read_one_by_one() -> None:
    data = json.dumps([{**GITHUB, "number": number, "body": "short"} for number in range(50_000)]).encode()
    began = time.process_time()
    assert sum(1 for one in read_export(data) if one.event) == 50_000
    assert time.process_time() - began < 20


def test_lone_surrogates_do_not_reach_the_log() -> None:
    [issue] = [one.event for one in read_export(b'[{"number":1,"title":"a\\ud800b","url":"x"}]')]
    assert isinstance(issue, IssueRecorded)
    issue.title.encode()


# --- the document ---------------------------------------------------------------------------------------

RECENT = [
    Issue(
        "t",
        "9",
        "It fails on restart",
        "open",
        "You must not restart twice.",
        "3",
        1,
        "We decided to queue it.",
    ),
    Issue("t", "7", "It hangs", "open", "", "2", 5, "Same here."),
    Issue("t", "3", "Old thing", "closed", "", "1"),
]


def test_recent_issues_give_pain_red_line_and_the_newest_conclusion() -> None:
    found = summarise(RECENT, lambda _: "a.py")
    assert found.core_problem == "#7 It hangs; #9 It fails on restart"
    assert found.key_constraint == "#9: You must not restart twice."
    assert found.latest_decision == "#9 (open): We decided to queue it."
    assert found.entry_pointer == "a.py"


def test_without_a_conclusion_the_newest_closed_one_counts() -> None:
    assert summarise(RECENT[1:], lambda _: "").latest_decision == "#3 (closed): Old thing"


def test_long_issues_stay_within_the_limits() -> None:
    long = [
        Issue("t", str(n), "word " * 80, "open", "must " * 3000, "1", n, "fixed " * 900) for n in range(10)
    ]
    found = summarise(long, lambda _: "")
    assert all(count_words(getattr(found, name)) <= limit for name, limit in LIMITS.items())


def test_a_comment_makes_it_another_document() -> None:
    assert source_of(RECENT) != source_of([RECENT[0]._replace(comments=2), *RECENT[1:]])
