"""docs/log-format.md is enough: a reader and a writer made from that page and the standard library."""

import json
from hashlib import blake2b
from pathlib import Path

import pytest

from navlog.daemon.journal.scan import BLOCK, pieces
from navlog.daemon.journal.verify import verify
from navlog.schemas.envelope import LINE_BYTES, NESTING
from navlog.schemas.settings import Log
from support.journal import FOLDER, SMALL, Process, disk, written

PAGE = (Path(__file__).parents[3] / "docs" / "log-format.md").read_text()
FIXTURES = Path(__file__).parents[3] / "replay-fixtures"


def seal(body: str) -> bytes:
    """A line from an object without its closing brace."""
    raw = body.encode()
    return raw + b',"h":"' + blake2b(raw, digest_size=8).hexdigest().encode() + b'"}\n'


def read_log(segments: list[bytes]) -> list[dict[str, object]]:
    """Every record of a log, each proven; raises AssertionError at what is not as the page says."""
    prev, position, size, found = "0" * 16, 0, 0, []
    for number, segment in enumerate(segments, 1):
        for index, line in enumerate(segment.splitlines(keepends=True)):
            raw, tail = line[:-25], line[-25:]
            assert tail == b',"h":"' + blake2b(raw, digest_size=8).hexdigest().encode() + b'"}\n'
            fields = json.loads(line)
            assert fields["prev"] == prev
            prev = fields["h"]
            if index == 0:
                expected = {"segment": number, "log": "events", "format": 1, "first": position + 1}
                assert expected.items() <= fields.items()
                assert fields["previous_bytes"] == size
            else:
                position += 1
                assert fields["position"] == position
                found.append(fields)
        size = len(segment)
    return found


@pytest.mark.parametrize("folder", ["v1", "v99", "v99-critical"])
def test_a_reader_made_from_the_page_reads_the_fixtures(folder: str) -> None:
    assert read_log([(FIXTURES / folder / "events-00000001.jsonl").read_bytes()])


def test_a_reader_made_from_the_page_reads_many_segments() -> None:
    files = written(60, SMALL)
    names = sorted(name for name in files if name.endswith(".jsonl"))
    assert [record["id"] for record in read_log([files[name] for name in names])] == [
        f"id-{n}" for n in range(1, 61)
    ]
    anchor = json.loads(files["events.anchor"])
    assert (anchor["position"], anchor["segment"], anchor["closed"]) == (60, len(names), True)
    assert anchor["bytes"] == len(files[names[-1]])
    assert anchor["tail"] == json.loads(files[names[-1]].splitlines()[-1])["h"]


def test_a_log_written_from_the_page_is_opened_and_continued() -> None:
    header = '{"segment":1,"log":"events","format":1,"first":1,"at":"2026-01-01T00:00:00Z",'
    lines = [seal(header + '"previous_bytes":0,"prev":"0000000000000000"')]
    for position in (1, 2):
        lines.append(
            seal(
                f'{{"position":{position},"id":"x-{position}","at":"2026-01-01T00:00:00Z","project":"",'
                f'"source":"by hand","type":"file_removed","version":1,"data":{{"path":"ä"}},'
                f'"prev":"{lines[-1][-19:-3].decode()}"'
            )
        )
    storage = disk({"events-00000001.jsonl": b"".join(lines)})
    assert verify(FOLDER, storage=storage).ok
    assert Process(storage).ids == ["x-1", "x-2"]


def test_the_page_names_the_limits_of_the_code() -> None:
    assert f"at most {LINE_BYTES:,} bytes" in PAGE
    assert f"nested {NESTING} deep" in PAGE
    assert f"over {Log().segment_bytes // 2**20} MiB (`log.segment_bytes`)" in PAGE
    assert f"every {Log().anchor_every_s:.0f} s" in PAGE
    assert Log().line_bytes == LINE_BYTES


def test_a_line_without_an_end_is_never_held() -> None:
    size = 32 * BLOCK + 5
    longest = 0
    for _, piece in pieces(lambda _at, count: bytes(count), 0, size):
        longest = max(longest, len(piece))
        size -= len(piece)
    assert size == 0
    assert longest <= 2 * BLOCK
