"""AgentNavi's logs: what they mean here, beside what AgentNavi itself makes of them."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from navlog.daemon.importing.agentnavi import Mapped, Refused, Tracker, read_entry
from navlog.daemon.importing.judgements import Corrections
from navlog.daemon.importing.lines import read_objects
from navlog.projections.sessions.fold import fold
from navlog.projections.sessions.state import State
from navlog.schemas.envelope import Record
from navlog.schemas.overlays import AliasAdded, ConceptCreated
from navlog.schemas.sessions import TaskClosed, TaskJoined, TaskOpened, ToolUsed

ROOT = "/home/me/shop"
SOURCE = os.environ.get("NAVLOG_AGENTNAVI", "")  # the folder `src` of a checkout of AgentNavi
REPLAY = """
import json, sqlite3, sys
from agentnavi.config import Settings
from agentnavi.database import ensure_database
from agentnavi.eventlog import replay_event_log
database = ensure_database(Settings.load(sys.argv[1]))
report = replay_event_log(database, path=sys.argv[2], reset=True)
with database.connect() as db:
    rows = lambda sql: [list(row) for row in db.execute(sql)]
    print(json.dumps({
        "invalid": report.invalid,
        "tasks": rows("SELECT id, title, status, summary FROM tasks ORDER BY id"),
        "sessions": rows("SELECT external_session_id, ended_at IS NOT NULL FROM sessions ORDER BY 1"),
        "paths": rows("SELECT task_id, event_type, path, count(*) FROM events WHERE path IS NOT NULL"
                      " AND task_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"),
    }))
"""


def envelope(number: int, type_: str, **payload: Any) -> dict[str, Any]:
    return {
        "schema_version": 1, "event_id": f"log_{number:04d}", "event_type": type_,
        "created_at": f"2026-11-01T10:00:{number:02d}+00:00",
        "project": {"id": "shop", "name": "shop", "root": ROOT, "kind": "python", "created_at": ""},
        "payload": payload,
    }  # fmt: skip


def work() -> list[dict[str, Any]]:
    who = {"agent": "codex", "external_session_id": "s1"}
    alone = {"agent": "manual", "external_session_id": None}
    return [
        envelope(1, "session_upsert", **who),
        envelope(2, "task_created", **who, task_id="t1", title="Fix the login", prompt="Fix the login"),
        envelope(3, "task_event", **who, event_type="read", task_id=None, tool_name="Read",
                 paths=["a.py", "b.py"], data={}),
        envelope(4, "task_event", **who, event_type="modify", task_id=None, tool_name="Edit",
                 paths=["a.py"], data={}),
        envelope(5, "task_event", **who, event_type="test", task_id=None, tool_name="Bash",
                 paths=["test_a.py"], data={"command": "pytest test_a.py"}),
        envelope(6, "task_created", **alone, task_id="t2", title="Write docs", prompt=""),
        envelope(7, "task_event", **alone, event_type="write", task_id="t2", tool_name=None,
                 paths=["d.md"], data={}),
        envelope(8, "task_closed", task_id="t2", status="completed", summary="done",
                 affected_concepts=[{"key": "docs", "label": "Docs"}]),
        envelope(9, "task_event", **who, event_type="search", task_id="t1", tool_name="Grep",
                 paths=["c.py"], data={"pattern": "login"}),
        envelope(10, "session_end", **who, active_task_id="t1", active_summary="half", affected_concepts=[]),
    ]  # fmt: skip


def mapped(entries: list[dict[str, Any]]) -> list[Mapped]:
    tracker = Tracker()
    return [one for entry in entries for one in tracker.map(read_entry(entry))]


def folded(events: list[Mapped]) -> State:
    state = State()
    records = [
        Record(
            position=number, id=one.id, at=one.at, project="p", source="import:agentnavi",
            type=one.event.TYPE, version=1, tags=one.tags, data=encoded(one), prev="0" * 16,
        )
        for number, one in enumerate(events, 1)
    ]  # fmt: skip
    fold(state, records)
    return state


def encoded(one: Mapped) -> Any:
    import msgspec

    return msgspec.Raw(msgspec.json.encode(one.event))


def test_a_task_without_a_session_gets_one_of_its_own() -> None:
    opened = [one.event for one in mapped(work()) if isinstance(one.event, TaskOpened)]
    assert [(one.task, one.session) for one in opened] == [("t1", "s1"), ("t2", "agentnavi:t2")]


def test_what_was_done_without_a_task_belongs_to_the_sessions_open_one() -> None:
    task = folded(mapped(work())).tasks["p", "t1"]
    counts = {path: (one.read, one.modified, one.tested, one.searched) for path, one in task.files.items()}
    assert counts == {
        "a.py": (1, 1, 0, 0),
        "b.py": (1, 0, 0, 0),
        "test_a.py": (0, 0, 1, 0),
        "c.py": (0, 0, 0, 1),
    }
    assert (task.status, task.summary) == ("interrupted", "half")


def test_an_event_of_another_task_joins_it() -> None:
    who = {"agent": "codex", "external_session_id": "s1"}
    more = envelope(
        11, "task_event", **who, event_type="read", task_id="t2", tool_name="Read", paths=["e"], data={}
    )
    assert [type(one.event) for one in mapped([*work()[:7], more])[-2:]] == [TaskJoined, ToolUsed]


def test_concepts_are_kept_as_they_were_called() -> None:
    closed = [one.event for one in mapped(work()) if isinstance(one.event, TaskClosed)]
    assert closed[0].concepts == [("docs", "Docs")]


def test_ids_are_the_sources_own_and_an_entry_counts_once() -> None:
    twice = mapped([*work(), *work()])
    assert [one.id for one in twice] == [one.id for one in mapped(work())]
    assert len({one.id for one in twice}) == len(twice)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"schema_version": "1"}, "schema_version"),
        ({"schema_version": True}, "schema_version"),
        ({"payload": []}, "no object"),
        ({"event_id": ""}, "missing"),
        ({"created_at": "2026-02-30T10:00:00"}, "no time"),
        ({"event_type": "task_eaten"}, "nobody knows"),
        (
            {
                "payload": {"agent": "x", "status": "completed", "task_id": "never"},
                "event_type": "task_closed",
            },
            "opened",
        ),
    ],
)
def test_what_means_nothing_is_refused_with_its_reason(change: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        Tracker().map(read_entry({**work()[0], **change}))


def test_the_same_id_with_another_payload_is_refused() -> None:
    tracker = Tracker()
    tracker.map(read_entry(work()[0]))
    with pytest.raises(Refused, match="another payload"):
        tracker.map(read_entry({**work()[0], "payload": {"agent": "pi", "external_session_id": "s9"}}))


def correction(number: int, type_: str, **payload: Any) -> dict[str, Any]:
    return {**envelope(number, type_, **payload), "event_id": f"overlaylog_{number}"}


def test_of_a_correction_the_last_word_counts_and_a_removed_one_is_not_made() -> None:
    corrections = Corrections(7)
    made = {"action": "create_concept", "subject_key": "auth", "note": "we say so"}
    for one in (
        correction(1, "correction_upsert", correction_id="c1", **made, value={"label": "Auth"}),
        correction(2, "correction_upsert", correction_id="c1", **made, value={"label": "Login"}),
        correction(3, "correction_upsert", correction_id="c2", action="add_alias", subject_key="auth",
                   value={"alias": "登录"}),
        correction(4, "correction_upsert", correction_id="c3", **made, value={"label": "No"}),
        correction(5, "correction_remove", correction_id="c3"),
    ):  # fmt: skip
        corrections.add(read_entry(one))
    said = [one.overlay for one in corrections.made()]
    shared = {"after_event": 7, "who": "agentnavi"}
    assert said == [
        ConceptCreated(concept="concept:auth", label="Login", why="we say so", **shared),  # type: ignore[arg-type]
        AliasAdded(concept="concept:auth", alias="登录", **shared),  # type: ignore[arg-type]
    ]
    assert len(corrections.removed) == 1


@pytest.mark.skipif(not SOURCE, reason="NAVLOG_AGENTNAVI names no checkout of AgentNavi")
def test_the_same_file_means_the_same_to_agentnavi(tmp_path: Path) -> None:
    lines = [json.dumps(one, sort_keys=True, ensure_ascii=False) for one in work()]
    lines[4:4] = ["not JSON at all", json.dumps({**work()[0], "schema_version": 2, "event_id": "log_x"})]
    log = tmp_path / "events.jsonl"
    log.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", REPLAY, str(tmp_path / "home"), str(log)],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": SOURCE},
    )  # fmt: skip
    theirs = json.loads(done.stdout)
    tracker, ours, refused = Tracker(), list[Mapped](), 0
    for found in read_objects(log):
        try:
            ours += tracker.map(read_entry(found.value or {}))
        except Refused:
            refused += 1
    state = folded(ours)
    assert [[t.task, t.title, t.status, t.summary] for _, t in sorted(state.tasks.items())] == theirs["tasks"]
    named = {one[0]: bool(one[1]) for one in theirs["sessions"]}
    assert {key[1]: bool(one.ended_at) for key, one in state.sessions.items() if key[1] in named} == named
    kinds = {
        "read": "read",
        "modify": "modified",
        "write": "modified",
        "test": "tested",
        "search": "searched",
    }
    want: Counter[tuple[str, str, str]] = Counter()
    for task, kind, path, count in theirs["paths"]:
        want[task, kinds[kind], path] += count
    have = {
        (task.task, kind, path): times
        for task in state.tasks.values()
        for path, one in task.files.items()
        for kind in kinds.values()
        if (times := getattr(one, kind))
    }
    assert have == dict(want)
    assert theirs["invalid"] == 2 == refused + 1  # the line that is no JSON is no object here
