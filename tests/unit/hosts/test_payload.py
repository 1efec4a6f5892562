"""Payloads as they come: of any size, broken, or half a text."""

import json

import pytest

from navlog.daemon.hosts.payload import read_payload
from navlog.schemas.errors import RequestRefused


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b'"x"', b"\x00", b"{'a': 1}", b"[" * 100_000])
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(RequestRefused):
        read_payload(raw)


def test_half_a_surrogate_pair_becomes_a_mark() -> None:
    assert read_payload(b'{"prompt": "a\\ud83d b", "x": ["\\udc00"]}').text("prompt") == "a\ufffd b"


def test_bytes_that_are_no_text_become_marks() -> None:
    assert read_payload(b'{"prompt": "caf\xe9"}').text("prompt") == "caf\ufffd"


def test_of_a_payload_that_was_too_long_the_fields_of_its_beginning_are_known() -> None:
    call = {"session_id": "s", "cwd": "/p", "hook_event_name": "PostToolUse", "x": {"cwd": "/other"}}
    head = json.dumps({**call, "tool_response": "very long"})[:-8]
    payload = read_payload(json.dumps({"navlog_head": head}).encode())
    assert payload.text("cwd") == "/p"
    assert payload.text("hook_event_name") == "PostToolUse"
    assert payload.text("tool_response") == ""


def test_numbers_are_counts() -> None:
    payload = read_payload(b'{"a": 3.7, "b": -1, "c": true, "d": 1e300}')
    assert [payload.number(name) for name in "abcde"] == [3, 0, 0, 0, 0]
