"""Objects out of damaged files."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.importing.lines import read_objects


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


def test_a_line_over_the_limit_is_named_and_the_next_one_read(tmp_path: Path) -> None:
    values, wrong = found(tmp_path / "f", b'{"a":"' + b"x" * 3_000_000 + b'"}\n{"b":2}', limit=1000)
    assert values == [{"b": 2}]
    assert wrong == [(1, "the line is longer than 1,000 bytes")]


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
