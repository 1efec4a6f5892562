"""Objects out of damaged files."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.daemon.importing.lines import Cutter, read_objects


def found(path: Path, data: bytes, limit: int = 10_000) -> tuple[list[object], list[tuple[int, str]]]:
    path.write_bytes(data)
    read = list(read_objects(path, limit))
    return [one.value for one in read if one.value is not None], [
        (one.line, one.wrong) for one in read if one.value is None
    ]


def test_two_objects_on_a_line_are_two(tmp_path: Path) -> None:
    assert found(tmp_path / "f", b'{"a":1}{"b":2}\n') == ([{"a": 1}, {"b": 2}], [])


def test_an_object_glued_to_a_torn_one_comes_out_alone(tmp_path: Path) -> None:
    values, wrong = found(tmp_path / "f", b'{"a":1,"te{"b":2}\n{"c":3}\n')
    assert values == [{"b": 2}, {"c": 3}]
    assert wrong == [(1, "a torn object at character 0")]


def test_a_run_of_nul_is_named_and_passed_over(tmp_path: Path) -> None:
    values, wrong = found(tmp_path / "f", b'{"a":1}\n' + b"\x00" * 4096 + b'{"b":2}\n')
    assert values == [{"a": 1}, {"b": 2}]
    assert wrong == [(2, "4,096 bytes are NUL")]


def test_of_a_line_over_the_limit_the_beginnings_of_its_texts_are_read(tmp_path: Path) -> None:
    line = b'{"a":"' + b"x" * 3_000_000 + b'","id":"t1"}\n{"b":2}'
    values, wrong = found(tmp_path / "f", line, limit=1000)
    assert values == [{"a": "x" * 125 + "… 2,999,875 bytes left out", "id": "t1"}, {"b": 2}]
    assert wrong == [(1, "the line has 3,000,018 bytes, over 1,000: of its texts the beginnings were read")]


def test_a_line_that_is_long_without_long_texts_is_named_and_the_next_one_read(tmp_path: Path) -> None:
    values, wrong = found(tmp_path / "f", b'{"a":[' + b"1," * 3_000_000 + b'1]}\n{"b":2}', limit=1000)
    assert values == [{"b": 2}]
    assert wrong == [(1, "the line has 6,000,009 bytes, over 1,000: it is passed over")]


@pytest.mark.timeout(60)
def test_a_line_of_100_megabytes_is_read_in_a_fraction_of_its_size(tmp_path: Path) -> None:
    path = tmp_path / "f"
    with path.open("wb") as file:
        file.write(b'{"output":"')
        for _ in range(100):
            file.write(b"a line of output\\n" * 58_254)
        file.write(b'","call":"c1"}\n{"b":2}\n')
    assert path.stat().st_size > 100_000_000
    tracemalloc.start()
    try:
        read = [one.value for one in read_objects(path, 16 * 1024 * 1024) if one.value]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [one.get("call", one.get("b")) for one in read] == ["c1", 2]
    assert read[0]["output"].startswith("a line of output\na line")
    assert peak < 64 * 1024 * 1024


@settings(max_examples=50, deadline=None)
@given(st.recursive(st.text(max_size=40), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_is_cut_is_json_with_the_beginnings_of_its_texts(value: object) -> None:
    data = json.dumps(value).encode()
    for size in (1, 3, len(data)):
        cutter = Cutter(10)
        out = b"".join(cutter.feed(data[at : at + size]) for at in range(0, len(data), size))
        assert_begins(json.loads(out), value)
    whole = Cutter(10_000)
    assert whole.feed(data) == data


def assert_begins(cut: object, value: object) -> None:
    if isinstance(value, str):
        assert isinstance(cut, str)
        kept = cut.partition("… ")[0].rstrip("".join(map(chr, range(0xD800, 0xDC00))))  # half a pair
        assert value.startswith(kept) or cut == value
    elif isinstance(value, list):
        assert isinstance(cut, list)
        for one, other in zip(cut, value, strict=True):
            assert_begins(one, other)


def test_bytes_that_are_no_utf8_cost_their_characters_alone(tmp_path: Path) -> None:
    values, wrong = found(tmp_path / "f", b'{"a":"\xff"}\n')
    assert values == [{"a": "\ufffd"}]
    assert wrong == [(1, "byte 6 is not UTF-8")]


def test_lines_keep_their_numbers_over_chunks(tmp_path: Path) -> None:
    lines = b"".join(b'{"n":%d,"x":"%s"}\n' % (n, b"y" * 700) for n in range(4000))
    values, wrong = found(tmp_path / "f", lines + b"oops {\n")
    assert [one["n"] for one in values if isinstance(one, dict)] == list(range(4000))
    assert [line for line, _ in wrong] == [4001]


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3), max_size=6),
    st.binary(max_size=40),
)
def test_whole_lines_come_out_whatever_stands_between(
    tmp_path_factory: object, objects: list[dict[str, str]], noise: bytes
) -> None:
    path = tmp_path_factory.mktemp("lines") / "f"  # type: ignore[attr-defined]
    between = b"\n" + noise.replace(b"\n", b"").replace(b"{", b"") + b"\n"
    values, _ = found(path, between.join(json.dumps(one).encode() for one in objects))
    assert values == objects
