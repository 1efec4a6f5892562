"""Lines and payloads: what is sealed comes back, what is hostile is refused with a typed error."""

from hashlib import blake2b

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.schemas.envelope import (
    NESTING,
    Anchor,
    Draft,
    Header,
    Record,
    draft,
    is_sealed,
    seal,
    seal_of,
    unseal,
    unseal_as,
)
from navlog.schemas.errors import LineDamaged, NavlogError, StartRefused, UsageError
from navlog.schemas.events import FileRemoved
from navlog.schemas.payloads import Unknown, check_payload, decode_payload

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def record(**fields: object) -> Record:
    given_ = {
        "position": 1, "id": "i", "at": "2026-01-01T00:00:00Z", "project": "p", "source": "s", "type": "t",
        "version": 1, "data": msgspec.Raw(b"{}"), "prev": "0" * 16,
    }  # fmt: skip
    return Record(**(given_ | fields))  # type: ignore[arg-type]


RECORDS = st.builds(
    record,
    position=st.integers(1, 2**60),
    id=TEXT,
    source=TEXT,
    tags=st.lists(TEXT, max_size=3).map(tuple),
    data=JSON.map(lambda value: msgspec.Raw(msgspec.json.encode(value))),
    trace=st.none() | TEXT,
    batch=st.none() | st.just((1, 2)),
    critical=st.booleans(),
)


@given(RECORDS)
def test_what_is_sealed_comes_back(sent: Record) -> None:
    line = seal(sent)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    found = unseal(line)
    assert found == msgspec.structs.replace(sent, h=seal_of(line))
    assert bytes(found.data) == bytes(sent.data)
    assert seal(found) == line


@given(st.binary())
def test_any_bytes_are_a_record_or_a_typed_error(data: bytes) -> None:
    for line in (data, data + b"\n", seal(record())[:-25] + data):
        with pytest.raises(LineDamaged):
            unseal(line)


@given(RECORDS, st.data())
def test_a_changed_byte_never_passes(sent: Record, drawn: st.DataObject) -> None:
    line = seal(sent)
    at = drawn.draw(st.integers(0, len(line) - 1))
    byte = drawn.draw(st.integers(0, 255).filter(lambda b: b != line[at]))
    assert not is_sealed(line[:at] + bytes([byte]) + line[at + 1 :])


def test_of_all_cuts_of_a_line_none_passes_not_even_without_its_newline() -> None:
    line = seal(record())
    assert not any(is_sealed(line[:end]) for end in range(len(line)))
    assert is_sealed(line)


def test_a_payload_may_contain_a_seal_s_characters() -> None:
    trap = b'{"a":"\\",\\"h\\":\\"0123456789abcdef\\"}","h":"0123456789abcdef"}'
    assert bytes(unseal(seal(record(data=msgspec.Raw(trap)))).data) == trap


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"position":1', b'{"position":"x"', b"[" * 5000, b'"\xff"'])
def test_a_sealed_line_that_is_no_record_is_a_typed_error(body: bytes) -> None:

    line = body + b',"h":"' + blake2b(body, digest_size=8).hexdigest().encode() + b'"}\n'
    assert is_sealed(line)
    with pytest.raises(LineDamaged, match="seal holds"):
        unseal(line)


def test_headers_and_anchors_are_sealed_alike() -> None:
    header = Header(segment=1, log="events", format=1, first=1, at="t", previous_bytes=0, prev="0" * 16)
    anchor = Anchor(anchor="events", position=1, segment=1, bytes=9, at="t", closed=True, tail="0" * 16)
    assert msgspec.structs.replace(unseal_as(Header, seal(header)), h="") == header
    assert msgspec.structs.replace(unseal_as(Anchor, seal(anchor)), h="") == anchor
    with pytest.raises(LineDamaged):
        unseal_as(Header, seal(anchor))
    with pytest.raises(LineDamaged):
        unseal_as(Anchor, seal(anchor)[:-1])
    with pytest.raises(StartRefused):
        unseal_as(Header, seal(msgspec.structs.replace(header, format=2)))


# --- payloads -----------------------------------------------------------------------------------------------


@given(JSON)
def test_every_json_value_on_one_line_is_a_payload(value: object) -> None:
    check_payload(msgspec.json.encode(value))


@given(st.binary())
def test_what_passes_as_a_payload_can_be_sealed_and_read(data: bytes) -> None:
    try:
        check_payload(data)
    except UsageError:
        return
    assert bytes(unseal(seal(record(data=msgspec.Raw(data)))).data).strip() == data.strip()


@pytest.mark.parametrize("deep", [b"[", b'{"a":'])
def test_nesting_has_a_limit_and_no_recursion(deep: bytes) -> None:
    def nested(levels: int) -> bytes:
        return deep * levels + b"1" + (b"]" if deep == b"[" else b"}") * levels

    check_payload(nested(NESTING))
    for levels in (NESTING + 1, 100_000):
        with pytest.raises(UsageError):
            check_payload(nested(levels))


def test_brackets_in_strings_do_not_nest() -> None:
    check_payload(msgspec.json.encode({"a": "[{" * 500, 'b"]\\': ['\\"[' * 500] * 3}))


def test_many_brackets_side_by_side_do_not_nest() -> None:
    check_payload(msgspec.json.encode([[1, {"a": [2]}]] * 1000))


@pytest.mark.parametrize("text", ["\u2028\u2029\x85", "\ufeffBOM", "\x00\x01", "\r\n\t", '"\\', "𝄞缓存"])
def test_odd_text_stays_one_line_and_comes_back(text: str) -> None:
    made = draft(FileRemoved(path=text), project=text, source=text, id=text, tags=(text,))
    check_payload(made.data)
    line = seal(record(id=made.id, tags=made.tags, data=msgspec.Raw(made.data), type="file_removed"))
    assert line.count(b"\n") == 1
    assert decode_payload(unseal(line)) == FileRemoved(path=text)


def test_text_that_is_not_unicode_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        draft(FileRemoved(path="\ud800"), project="p", source="s", id="i")


def test_a_draft_carries_the_event_s_own_type_and_version() -> None:
    made = draft(FileRemoved(path="a"), project="p", source="s", id="i", trace="t", critical=True)
    assert made == Draft(
        id="i", project="p", source="s", type="file_removed", data=b'{"path":"a"}', trace="t", critical=True
    )


@given(JSON, TEXT, st.integers(-1, 3))
def test_no_payload_of_any_type_makes_the_decoder_raise(value: object, type_: str, version: int) -> None:
    data = msgspec.Raw(msgspec.json.encode(value))
    for name in (type_, "file_observed", "outline_recorded", "concept_split"):
        try:
            found = decode_payload(record(type=name, version=version, data=data))
        except NavlogError as fault:
            pytest.fail(str(fault))
        if isinstance(found, Unknown):
            assert found.type == name
