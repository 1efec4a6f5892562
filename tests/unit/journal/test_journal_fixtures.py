"""Logs that were written once are read for good: replay-fixtures/.

``UPDATE_GOLDEN=1`` writes them anew. After a release a folder is never written again: a changed event gets
a version, an upcast and a folder of its own.
"""

import hashlib
import os
from pathlib import Path

import msgspec
import pytest

from navlog.daemon.journal.verify import verify
from navlog.schemas import payloads
from navlog.schemas.envelope import Record, unseal
from navlog.schemas.events import EVENTS, FileRemoved
from navlog.schemas.overlays import OVERLAYS
from navlog.schemas.payloads import Unknown, decode_payload
from support.journal import FOLDER, Process, files_of, gone
from support.samples import example, from_the_future, line, loaded, row, samples, sealed

FIXTURES = Path(__file__).parents[3] / "replay-fixtures"
LOGS: dict[str, set[str]] = {"events": set(EVENTS), "overlays": set(OVERLAYS)}


def golden(log: str) -> bytes:
    """Every type of a log with every field filled, then two as one batch."""
    rows = [row(draft) for draft in samples(log)]
    rows += [
        row(draft) | {"id": f"{draft.id}:again", "batch": (k, 2)}
        for k, draft in enumerate(samples(log)[:2], 1)
    ]
    return sealed(rows, log)


@pytest.fixture(scope="module", autouse=True)
def _written_anew() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        for log in LOGS:
            (FIXTURES / "v1" / f"{log}-00000001.jsonl").write_bytes(golden(log))
        future = from_the_future()
        (FIXTURES / "v99" / "events-00000001.jsonl").write_bytes(sealed(future))
        critical = [*future, line("law_passed", version=3, critical=True)]
        (FIXTURES / "v99-critical" / "events-00000001.jsonl").write_bytes(sealed(critical))


def records(folder: str, log: str = "events") -> list[Record]:
    return unsealed((FIXTURES / folder / f"{log}-00000001.jsonl").read_bytes())


def unsealed(segment: bytes) -> list[Record]:
    return [unseal(row) for row in segment.splitlines(keepends=True)[1:]]


@pytest.mark.parametrize("log", LOGS)
def test_every_type_has_its_golden_line(log: str) -> None:
    assert {record.type for record in records("v1", log)} >= LOGS[log], "see above"


@pytest.mark.parametrize("log", LOGS)
def test_every_golden_line_still_says_the_same(log: str) -> None:
    for record in records("v1", log):
        event = decode_payload(record)
        assert not isinstance(event, Unknown), record.type
        if record.version == event.VERSION:
            assert msgspec.json.encode(event) == bytes(record.data)


@pytest.mark.parametrize("folder", ["v1", "v99", "v99-critical"])
def test_a_fixture_is_a_sound_log_and_opening_it_changes_no_line(folder: str) -> None:
    storage = loaded(FIXTURES / folder)
    before = files_of(storage)
    assert verify(FOLDER, storage=storage).ok
    process = Process(storage)
    assert process.ids == [record.id for record in records(folder)]
    assert files_of(storage) == before


def test_what_is_not_known_is_kept_told_apart_and_written_behind() -> None:
    storage = loaded(FIXTURES / "v99")
    process = Process(storage)
    kinds = [decode_payload(record) for record in process.catalog.read()]
    assert kinds[:2] == [
        Unknown(type="dream_recorded", version=1, why="type"),
        Unknown(type="file_observed", version=99, why="version"),
    ]
    assert kinds[2:] == [FileRemoved(path="a"), FileRemoved(path="b")]
    whole = storage.read(FOLDER / "events-00000001.jsonl")
    process.commit([gone("new")])
    assert process.ids[-1] == "id-new"
    assert storage.read(FOLDER / "events-00000001.jsonl") == whole


def test_an_unknown_critical_event_stops_writes_and_not_reads() -> None:
    process = Process(loaded(FIXTURES / "v99-critical"))
    assert process.read_only == "the critical event law_passed 3 at position 5 is not known here"
    assert len(process.ids) == 5


def test_a_release_that_knows_the_critical_event_writes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class LawPassed(FileRemoved, frozen=True, kw_only=True):
        VERSION = 3

    monkeypatch.setitem(payloads.PAYLOADS, "law_passed", LawPassed)
    assert not Process(loaded(FIXTURES / "v99-critical")).read_only


def test_a_payload_of_another_shape_is_unknown_and_no_fault() -> None:
    (record,) = [
        unseal(row + b"\n") for row in sealed([line("file_moved", data={"path": []})]).splitlines()[1:]
    ]
    assert decode_payload(record) == Unknown(type="file_moved", version=1, why="shape")


def test_an_old_payload_is_read_as_today_s(monkeypatch: pytest.MonkeyPatch) -> None:
    class FileGone(FileRemoved, frozen=True, kw_only=True):
        VERSION = 3
        why: str

    steps = {
        ("file_gone", 1): lambda old: {"path": old["name"]},
        ("file_gone", 2): lambda old: old | {"why": "unsaid"},
    }
    monkeypatch.setitem(payloads.PAYLOADS, "file_gone", FileGone)
    monkeypatch.setattr("navlog.schemas.upcasts.UPCASTS", steps)
    rows = sealed(
        [line("file_gone", data={"name": "x"}), line("file_gone", id="2", version=2, data={"path": "y"})]
    )
    old = [decode_payload(unseal(row + b"\n")) for row in rows.splitlines()[1:]]
    assert old == [FileGone(path="x", why="unsaid"), FileGone(path="y", why="unsaid")]


def test_no_name_is_both_an_event_and_an_overlay() -> None:
    assert not EVENTS.keys() & OVERLAYS.keys()


@pytest.mark.parametrize("name", [*EVENTS, *OVERLAYS])
def test_every_payload_survives_the_round_trip(name: str) -> None:
    shape = EVENTS.get(name) or OVERLAYS[name]
    filled = example(shape)
    assert msgspec.json.decode(msgspec.json.encode(filled), type=shape) == filled


def test_the_fixtures_are_the_bytes_that_were_released() -> None:
    """Stored bytes are never rewritten; the sums stand beside the fixtures."""
    rows = [row.split("  ") for row in (FIXTURES / "SHA256SUMS").read_text().splitlines()]
    listed = {name: sha256 for sha256, name in rows}
    found = {
        str(path.relative_to(FIXTURES)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(FIXTURES.rglob("*.jsonl"))
    }
    if os.environ.get("UPDATE_GOLDEN"):
        (FIXTURES / "SHA256SUMS").write_text("".join(f"{found[name]}  {name}\n" for name in sorted(found)))
    else:
        assert listed == found
