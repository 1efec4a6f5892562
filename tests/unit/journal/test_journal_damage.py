"""Every flipped bit, every cut, every missing, moved, doubled or foreign record is seen, and told where."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from navlog.daemon.journal.memory import MemoryStorage
from navlog.daemon.journal.salvage import salvage
from navlog.daemon.journal.verify import Report, verify
from navlog.schemas.envelope import Header, Record, seal, unseal, unseal_as
from navlog.schemas.errors import LineDamaged, LogBehindMark, ReadOnlyLog, StartRefused
from support.journal import FOLDER, SMALL, Files, Process, disk, files_of, gone, open_journal, written

SEGMENT = "events-00000001.jsonl"
TWENTY = written(20)
LINES = TWENTY[SEGMENT].splitlines(keepends=True)  # a header, then the records 1 .. 20
FEW = written(2, closed=False)


def looked_at(files: Files) -> Report:
    """What verify says, which must not have written anything."""
    storage = disk(files)
    calls = len(storage.calls)
    report = verify(FOLDER, storage=storage)
    assert len(storage.calls) == calls
    return report


def with_lines(lines: list[bytes]) -> Files:
    return TWENTY | {SEGMENT: b"".join(lines)}


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


# --- bits ---------------------------------------------------------------------------------------------------


def test_an_undamaged_log_is_fine() -> None:
    report = looked_at(TWENTY)
    assert report.ok
    assert (report.logs[0].records, report.logs[0].position, report.logs[0].mark) == (20, 20, 20)


def test_no_flipped_bit_of_a_line_passes() -> None:
    for line in LINES[1:]:
        for at in range(len(line)):
            for bit in range(8):
                with pytest.raises(LineDamaged):
                    unseal(flipped(line, at, bit))


def test_a_flipped_bit_is_found_in_its_record() -> None:
    whole = TWENTY[SEGMENT]
    starts = [sum(map(len, LINES[:n])) for n in range(len(LINES))]
    for at in range(len(LINES[0]), len(whole), 3):
        report = looked_at(TWENTY | {SEGMENT: flipped(whole, at, at % 8)})
        position = max(n for n, start in enumerate(starts) if start <= at)
        fault = next(f for f in report.faults if f.kind != "behind")
        assert not report.ok
        assert (fault.position, fault.offset) == (position, starts[position])


def test_a_flipped_bit_of_the_header_or_the_anchor_is_found() -> None:
    for name, length in ((SEGMENT, len(LINES[0])), ("events.anchor", len(TWENTY["events.anchor"]))):
        for at in range(length):
            report = looked_at(TWENTY | {name: flipped(TWENTY[name], at, at % 8)})
            assert [fault.file for fault in report.faults][:1] == [name]


# --- cuts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fill", [b"", b"\0", b"\xff", b"\n"])
def test_every_torn_tail_is_cut_exactly_and_kept(fill: bytes) -> None:
    whole = FEW[SEGMENT]
    lines = whole.splitlines(keepends=True)
    for end in range(len(lines[0]), len(whole)):
        torn = whole[:end] + fill * 7
        storage = disk(FEW | {SEGMENT: torn})
        process = Process(storage)
        left = [line for n, line in enumerate(lines) if torn.startswith(b"".join(lines[: n + 1]))]
        assert process.ids[: len(left) - 1] == [f"id-{n}" for n in range(1, len(left))]
        assert storage.read(FOLDER / SEGMENT) == b"".join(left)
        cut = torn[len(b"".join(left)) :]
        kept = storage.listdir(FOLDER / "quarantine")
        assert [storage.read(FOLDER / "quarantine" / name) for name in kept] == ([cut] if cut else [])
        process.commit([gone("after")])
        assert verify(FOLDER, storage=storage).ok


def test_a_cut_header_is_the_making_of_a_segment_that_was_interrupted() -> None:
    header = LINES[0]
    for end in range(len(header)):
        storage = disk({SEGMENT: header[:end]})
        process = Process(storage)
        process.commit([gone("after")])
        assert process.ids[-1] == "id-after"
        assert verify(FOLDER, storage=storage).ok


def test_an_incomplete_batch_is_cut_as_a_whole() -> None:
    storage = MemoryStorage()
    process = Process(storage)
    process.commit([gone("before")])
    process.commit([gone("a"), gone("b"), gone("c")])
    files = files_of(storage)
    *lines, _ = files[SEGMENT].splitlines(keepends=True)
    for tail in (b"", b"{", b"\0\0\n"):
        storage = disk({SEGMENT: b"".join(lines) + tail})
        assert Process(storage).ids[:1] == ["id-before"]
        assert storage.read(FOLDER / SEGMENT) == b"".join(lines[:2])


def test_a_tail_of_garbage_is_taken_out_whatever_its_size() -> None:
    garbage = b"\0" * 3_000_000 + b"\n\n{}\n" * 2000
    storage = disk(FEW | {SEGMENT: FEW[SEGMENT] + garbage})
    assert Process(storage).ids[:2] == ["id-1", "id-2"]
    (name,) = storage.listdir(FOLDER / "quarantine")
    assert storage.read(FOLDER / "quarantine" / name) == garbage


@pytest.mark.parametrize("count", [1, 2, 20])
def test_missing_last_records_are_seen_by_the_anchor(count: int) -> None:
    files = with_lines(LINES[: len(LINES) - count])
    assert [fault.kind for fault in looked_at(files).faults] == ["behind"]
    storage = disk(files)
    with pytest.raises(LogBehindMark):
        Process(storage)
    assert files_of(storage) == files


def test_a_torn_tail_below_the_mark_is_no_torn_tail() -> None:
    files = with_lines([*LINES[:-1], LINES[-1][:-1]])
    with pytest.raises(LogBehindMark):
        Process(disk(files))
    assert not any(fault.mended for fault in looked_at(files).faults)


# --- records ------------------------------------------------------------------------------------------------


def foreign(line: bytes) -> bytes:
    """The same place in another log."""
    return seal(msgspec.structs.replace(unseal(line), id="foreign", h=""))


MUTATIONS: dict[str, Callable[[int], list[bytes]]] = {
    "deleted": lambda n: [*LINES[:n], *LINES[n + 1 :]],
    "swapped": lambda n: [*LINES[:n], LINES[n + 1], LINES[n], *LINES[n + 2 :]],
    "doubled": lambda n: [*LINES[: n + 1], *LINES[n:]],
    "spliced": lambda n: [*LINES[:n], foreign(LINES[n]), *LINES[n + 1 :]],
    "damaged": lambda n: [*LINES[:n], flipped(LINES[n], 40, 1), *LINES[n + 1 :]],
    "emptied": lambda n: [*LINES[:n], b"\n", *LINES[n + 1 :]],
    "zeroed": lambda n: [*LINES[:n], bytes(len(LINES[n]) - 1) + b"\n", *LINES[n + 1 :]],
    "fused": lambda n: [*LINES[:n], LINES[n][:-1], *LINES[n + 1 :]],
    "moved far": lambda n: [*LINES[:n], *LINES[n + 1 : 19], LINES[n], *LINES[19:]],
}


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("number", [1, 2, 10, 17])
def test_a_mutated_log_is_read_only_and_goes_on_answering(mutation: str, number: int) -> None:
    files = with_lines(MUTATIONS[mutation](number))
    report = looked_at(files)
    assert not report.ok
    assert not any(fault.mended for fault in report.faults)
    assert number <= min(fault.position for fault in report.faults) <= number + 1
    storage = disk(files)
    process = Process(storage)
    assert process.read_only
    assert set(process.ids) >= {f"id-{n}" for n in range(1, 21)} - {f"id-{number}", f"id-{number + 1}"}
    assert files_of(storage) == files


@pytest.mark.parametrize("mutation", [name for name in MUTATIONS if name != "spliced"])
def test_salvage_brings_every_good_record_back(mutation: str) -> None:
    files = with_lines(MUTATIONS[mutation](7))
    storage = disk(files)
    out = FOLDER.parent / "out"
    salvaged, _ = salvage(FOLDER, out, storage=storage)
    assert files_of(storage) == files
    lost = {"swapped": (), "doubled": (), "moved far": (), "fused": ((7, 8),)}.get(mutation, ((7, 7),))
    assert salvaged.lost == lost
    assert verify(out, storage=storage).ok
    new = [unseal(line + b"\n") for line in storage.read(out / SEGMENT).splitlines()[1:]]
    assert [record.position for record in new] == list(range(1, 21))
    missing = {n for first, last in lost for n in range(first, last + 1)}
    assert [n for n, record in enumerate(new, 1) if record.type == "record_lost"] == sorted(missing)
    assert all(record.id == f"id-{n}" for n, record in enumerate(new, 1) if n not in missing)
    assert payloads(new, missing) == payloads([unseal(line) for line in LINES[1:]], missing)


def payloads(records: list[Record], without: set[int]) -> list[bytes]:
    return [bytes(record.data) for record in records if record.position not in without]


def test_a_salvaged_log_is_not_behind_its_mark() -> None:
    storage = disk(with_lines(LINES[:15]))
    out = FOLDER.parent / "out"
    (salvaged, _) = salvage(FOLDER, out, storage=storage)
    assert salvaged.lost == ((15, 20),)
    assert verify(out, storage=storage).logs[0].position == 20


# --- segments -----------------------------------------------------------------------------------------------

MANY = written(60, SMALL)
NAMES = sorted(name for name in MANY if name.endswith(".jsonl"))


def test_a_log_of_many_segments_is_fine() -> None:
    assert len(NAMES) > 4
    assert looked_at(MANY).ok


@pytest.mark.parametrize("name", NAMES[:-1])
def test_a_missing_segment_is_named(name: str) -> None:
    files = {other: content for other, content in MANY.items() if other != name}
    faults = looked_at(files).faults
    assert (faults[0].file, faults[0].kind) == (name, "missing")
    process = Process(disk(files))
    assert process.read_only
    assert len(process.ids) >= 45


def test_bytes_missing_at_the_end_of_a_sealed_segment_are_damage() -> None:
    content = MANY[NAMES[1]]
    for end in (len(content) - 1, len(content) - 300, 3):
        report = looked_at(MANY | {NAMES[1]: content[:end]})
        assert (NAMES[1], "missing") in [(fault.file, fault.kind) for fault in report.faults]
        assert Process(disk(MANY | {NAMES[1]: content[:end]})).read_only


def test_void_bytes_of_a_sealed_segment_go_to_quarantine() -> None:
    void = MANY[NAMES[2]].splitlines(keepends=True)[1] + b"\0\0torn"
    storage = disk(MANY | {NAMES[1]: MANY[NAMES[1]] + void})
    assert [(f.kind, f.mended) for f in verify(FOLDER, storage=storage).faults] == [("void", True)]
    process = Process(storage)
    assert process.ids[:60] == [f"id-{n}" for n in range(1, 61)]
    assert storage.read(FOLDER / NAMES[1]) == MANY[NAMES[1]]
    (name,) = storage.listdir(FOLDER / "quarantine")
    assert storage.read(FOLDER / "quarantine" / name) == void
    assert process.ids[60:] == [f"log_repaired:quarantine/{name}"]


def test_a_damaged_header_hides_no_record() -> None:
    for name in NAMES:
        files = MANY | {name: flipped(MANY[name], 30, 2)}
        assert looked_at(files).faults[0].file == name
        process = Process(disk(files))
        assert process.read_only
        assert process.ids == [f"id-{n}" for n in range(1, 61)]


def test_two_swapped_segments_are_damage() -> None:
    files = MANY | {NAMES[1]: MANY[NAMES[2]], NAMES[2]: MANY[NAMES[1]]}
    assert not looked_at(files).ok
    assert Process(disk(files)).read_only


def test_a_damaged_anchor_is_kept_and_written_anew() -> None:
    storage = disk(TWENTY | {"events.anchor": b"garbage"})
    process = Process(storage)
    assert process.ids[:20] == [f"id-{n}" for n in range(1, 21)]
    assert not process.read_only
    (name,) = storage.listdir(FOLDER / "quarantine")
    assert name.startswith("events.anchor.0.anchor.")
    assert verify(FOLDER, storage=storage).ok


def test_another_log_in_the_place_of_this_one_is_damage() -> None:
    other = written(25)
    first, *rest = other[SEGMENT].splitlines(keepends=True)
    storage = disk(TWENTY | {SEGMENT: flipped_ids(first, rest)})
    faults = verify(FOLDER, storage=storage).faults
    assert [fault.kind for fault in faults] == ["anchor"]
    assert Process(storage).read_only


def flipped_ids(header: bytes, lines: list[bytes]) -> bytes:
    """A log that verifies by itself and has other events."""
    prev, made = header[-19:-3].decode(), [header]
    for line in lines:
        made.append(seal(msgspec.structs.replace(unseal(line), id=f"other-{len(made)}", prev=prev)))
        prev = made[-1][-19:-3].decode()
    return b"".join(made)


def test_a_log_of_a_newer_format_is_refused() -> None:
    newer = msgspec.structs.replace(unseal_as(Header, LINES[0]), format=2, h="")
    with pytest.raises(StartRefused):
        Process(disk({SEGMENT: seal(newer)}))


def test_damage_met_while_reading_makes_the_log_read_only() -> None:
    storage = disk(MANY)
    process = Process(storage, SMALL)
    process.stop()
    path = FOLDER / NAMES[0]
    stamp = storage.stamp(path)
    storage._node(path).content = flipped(MANY[NAMES[0]], 500, 3)  # without a trace in the file's time
    assert storage.stamp(path) == stamp
    process = Process(storage, SMALL)
    assert not process.read_only
    assert len(process.ids) == 59
    assert [damage.segment for damage in process.catalog.damage] == [NAMES[0]]


@pytest.mark.parametrize("place", [500, -60])
def test_an_index_of_a_segment_that_changed_since_is_not_believed(place: int) -> None:
    """Its every line is proven at the start again, so the damage is known before anybody reads."""
    storage = disk(MANY)
    Process(storage, SMALL).stop()
    node = storage._node(FOLDER / NAMES[0])
    node.content = flipped(MANY[NAMES[0]], place % len(node.content), 3)
    node.stamp += 1
    process = Process(storage, SMALL)
    assert process.read_only
    assert [damage.segment for damage in process.catalog.damage] == [NAMES[0]]


def test_an_index_that_does_not_fit_is_built_again() -> None:
    storage = disk(MANY)
    Process(storage, SMALL).stop()
    names = storage.listdir(FOLDER / "index")
    assert len(names) == len(NAMES) - 1
    for name in names:
        node = storage._node(FOLDER / "index" / name)
        node.content = flipped(node.content, len(node.content) // 2, 1)
    process = Process(storage, SMALL)
    assert all(process.catalog.find(f"id-{n}") for n in range(1, 61))
    assert not process.read_only


def test_a_read_only_log_refuses_writes_and_goes_on_answering(tmp_path: Path) -> None:
    for name, content in with_lines(MUTATIONS["deleted"](5)).items():
        (tmp_path / name).write_bytes(content)
    journal = open_journal(tmp_path)
    with pytest.raises(ReadOnlyLog, match=r"damage in events-00000001.jsonl at byte \d+"):
        journal.append([gone("new")]).result()
    assert len(list(journal.read())) == 19
    assert journal.state.damage[0].position == 6
    journal.close()
