"""`shred` takes one known secret out of a log, in every dress, and leaves a chain that verifies."""

import base64
import json
from hashlib import blake2b
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.daemon.redact.shred import MARK, Secret, Shredded, relink, shred
from navlog.schemas.envelope import GENESIS, Record, seal, seal_of, unseal
from navlog.schemas.errors import UsageError

PASSWORD = 'tr0ub4dor/&3 "ü" and more'  # noqa: S105 - needs every kind of escape
SECRET = Secret(PASSWORD)


def digest(body: bytes) -> str:
    return blake2b(body, digest_size=8).hexdigest()


def log(*payloads: object, **fields: Any) -> list[bytes]:
    lines: list[bytes] = []
    for position, payload in enumerate(payloads, 1):
        record = Record(
            position=position,
            id=f"i{position}",
            at="2026-01-01T00:00:00Z",
            project="p",
            source="test",
            type="tool_used",
            version=1,
            data=msgspec.Raw(msgspec.json.encode(payload)),
            prev=seal_of(lines[-1]) if lines else GENESIS,
            **fields,
        )
        lines.append(seal(record))
    return lines


def shredded(lines: list[bytes]) -> list[Shredded]:
    return list(shred(lines, SECRET, GENESIS, digest))


def assert_chained(lines: list[bytes]) -> None:
    prev = GENESIS
    for line in lines:
        assert unseal(line).prev == prev
        prev = seal_of(line)


DRESSES = {
    "plain": PASSWORD,
    "lowered": PASSWORD.lower(),
    "in a sentence": f"the password is {PASSWORD}, don't tell",
    "json": json.dumps({"password": PASSWORD}),
    "json, ascii off, slashes escaped": json.dumps({"p": PASSWORD}, ensure_ascii=False).replace("/", "\\/"),
    "json in json": json.dumps(json.dumps([PASSWORD])),
    "url": f"https://example.org/?p={quote(PASSWORD, safe='')}",
    "base64": base64.b64encode(PASSWORD.encode()).decode(),
    "base64, inside": base64.b64encode(f"xy{PASSWORD} and so on".encode()).decode(),
    "base64, wrapped": base64.encodebytes(b"padding " * 8 + PASSWORD.encode()).decode(),
    "base64, url alphabet": base64.urlsafe_b64encode(b"a" + PASSWORD.encode()).decode(),
    "hexadecimal": PASSWORD.encode().hex(),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_the_secret_goes_in_every_dress_and_the_chain_holds(dress: str) -> None:
    before = log({"a": 1}, {"text": DRESSES[dress], "n": 7}, {"b": [2]})
    after = shredded(before)
    assert [one.taken for one in after] == [False, True, False]
    assert after[0].line == before[0]
    payload = json.loads(after[1].line)["data"]
    assert payload["n"] == 7
    assert MARK in payload["text"]
    assert DRESSES[dress] not in payload["text"]
    assert json.loads(after[2].line)["data"] == {"b": [2]}
    assert_chained([one.line for one in after])
    assert [one.seal for one in after] == [json.loads(one.line)["h"] for one in after]


def test_a_log_without_the_secret_comes_back_byte_for_byte() -> None:
    lines = log({"text": "nothing \\ here"}, {"n": 1.0, "b": "a\\/b"})
    assert [one.line for one in shredded(lines)] == lines


def test_shredding_twice_changes_nothing() -> None:
    once = [one.line for one in shredded(log({"text": PASSWORD}, {"x": 1}))]
    assert [one.line for one in shredded(once)] == once


def test_tags_and_ids_are_shredded_and_ids_stay_apart() -> None:
    lines = log({}, tags=(f"k:{PASSWORD}",), trace=PASSWORD)
    line = json.loads(shredded([relink(lines[0], digest, later={"field": PASSWORD})])[0].line)
    assert line["tags"] == [f"k:{MARK}"]
    assert line["trace"].startswith("redacted-")
    assert line["later"] == {"field": MARK}
    assert PASSWORD not in json.dumps(line, ensure_ascii=False)


def test_the_payload_of_a_line_that_only_follows_stays_verbatim() -> None:
    lines = [line.replace(b'"n":1', b'"n":1.0e0') for line in log({"t": PASSWORD})]
    follower = relink(log({"n": 1})[0].replace(b'"n":1', b'"n":1.0e0'), digest)
    assert b'"n":1.0e0' in shredded([lines[0], follower])[1].line


def test_an_outlines_words_no_longer_say_it_piece_by_piece() -> None:
    secret = Secret("hunter2-zebra-4711")
    words = {"1": "4711 hunter hunter2 key zebra", "2": "cookie"}
    whole = {"content": "c", "signature": 'KEY = "hunter2-zebra-4711"', "words": words}
    pieces = {"content": "d", "words": words}
    innocent = {"content": "e", "words": {"1": "hunter zebra", "3": "4711"}}
    done = list(shred(log(whole, pieces, innocent), secret, GENESIS, digest))
    assert [line.taken for line in done] == [True, True, False]
    data = [msgspec.json.decode(bytes(unseal(line.line).data)) for line in done]
    assert data[0]["words"] == data[1]["words"] == {"1": "key", "2": "cookie"}
    assert data[2] == innocent


def test_a_header_can_be_given_its_new_length() -> None:
    header = log({})[0]
    line = relink(header, digest, previous_bytes=77)
    assert json.loads(line)["previous_bytes"] == 77
    assert_chained([line])


def test_bytes_that_are_no_line_are_cleaned_where_the_secret_stands() -> None:
    torn = b'{"position":9,"data":{"t":"' + json.dumps(PASSWORD)[1:-1].encode() + b" and then \xff"
    assert SECRET.without_bytes(torn) == b'{"position":9,"data":{"t":"' + MARK.encode() + b" and then \xff"
    assert SECRET.without_bytes(b"\xff nothing") == b"\xff nothing"


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(UsageError, match="7 characters"):
        Secret("1234567")


@settings(deadline=None)
@given(st.text(min_size=8), st.text(max_size=5), st.text(max_size=5))
def test_any_secret_is_found_wherever_it_stands(text: str, before: str, after: str) -> None:
    secret = Secret(text)
    for dress in (text, json.dumps(text), quote(text, safe="")):
        line = json.dumps({"data": {"t": before + dress + after}}).encode()
        assert secret.within(line)
        assert not secret.within(secret.without_bytes(line))
