"""A draft loses its secrets before the append, and nothing else."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.daemon.redact import Redactor
from navlog.schemas.envelope import Draft
from navlog.schemas.settings import Security

GITHUB = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "q8Zt4Vw1" + "Xk"
REDACTOR = Redactor(Security())


def draft(data: bytes, **values: Any) -> Draft:
    return msgspec.structs.replace(
        Draft(id="i1", project="p", source="test", type="tool_used", data=data), **values
    )


def redacted(payload: object) -> Any:
    return json.loads(REDACTOR.draft(draft(json.dumps(payload).encode())).data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"path":"a.py","size":1e3}',
        b'{ "password" : "" }',
        b'{"a":"\\u00e9\\/"}',
        b"not json",
        b"\xff\xfe",
        b"",
    ],
)
def test_a_draft_without_secrets_is_the_very_same_object(data: bytes) -> None:
    one = draft(data)
    assert REDACTOR.draft(one) is one


def test_every_string_is_looked_at_and_numbers_stay() -> None:
    before = {"a": [1, 2.5, None, True, GITHUB], GITHUB: {"deep": [[f"x {GITHUB}"]]}}
    mark = "[redacted:github-token]"
    assert redacted(before) == {"a": [1, 2.5, None, True, mark], mark: {"deep": [[f"x {mark}"]]}}


def test_a_fields_name_says_what_its_value_is() -> None:
    assert redacted({"env": {"API_KEY": PASSWORD, "PATH": PASSWORD}}) == {
        "env": {"API_KEY": "[redacted:assignment]", "PATH": PASSWORD}
    }


def test_an_option_says_what_the_next_argument_is() -> None:
    assert redacted(["mysql", "--password", PASSWORD, "shop"]) == [
        "mysql",
        "--password",
        "[redacted:assignment]",
        "shop",
    ]


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":"' + GITHUB.replace("g", "\\u0067", 1).encode() + b'"}',
        b'{"a":"postgres:\\/\\/web:' + PASSWORD.encode() + b'@db\\/x"}',
        json.dumps({"out": json.dumps({"password": PASSWORD})}).encode(),
    ],
    ids=["escaped letter", "escaped slash", "json in json"],
)
def test_escapes_do_not_hide_a_secret(data: bytes) -> None:
    clean = REDACTOR.draft(draft(data)).data
    assert b"[redacted:" in clean
    assert PASSWORD.encode() not in clean
    json.loads(clean)


def test_data_that_are_not_json_lose_their_secrets_too() -> None:
    assert REDACTOR.draft(draft(b"\xff key " + GITHUB.encode())).data == b"\xff key [redacted:github-token]"
    nested = b"[" * 100_000 + b'"' + GITHUB.encode() + b'"' + b"]" * 100_000
    assert GITHUB.encode() not in REDACTOR.draft(draft(nested)).data


def test_tags_lose_their_secrets_and_ids_stay_apart() -> None:
    other = GITHUB[:-1] + "Z"
    one, two = (
        REDACTOR.draft(draft(b"{}", id=secret, tags=(f"key:{secret}", "session:1"), trace=secret))
        for secret in (GITHUB, other)
    )
    assert one.tags == ("key:[redacted:github-token]", "session:1")
    assert GITHUB not in one.id
    assert one.id != two.id
    assert one.id == one.trace


def test_an_outline_keeps_its_lines() -> None:
    outline = {
        "symbols": [["KEY", "constant", 3, 4, -1, f"KEY = '{GITHUB}'"]],
        "words": {"1": f"key {GITHUB}"},
    }
    clean = redacted(outline)
    assert clean["symbols"][0][:5] == ["KEY", "constant", 3, 4, -1]
    assert GITHUB not in json.dumps(clean)


def test_switched_off_it_changes_nothing() -> None:
    one = draft(json.dumps([GITHUB]).encode())
    assert Redactor(Security(redact=False)).draft(one) is one


def test_totals_count_by_rule() -> None:
    redactor = Redactor(Security())
    redactor.draft(draft(json.dumps([GITHUB, {"password": PASSWORD}]).encode()))
    redactor.text(GITHUB)
    assert redactor.totals == {"github-token": 2, "assignment": 1}


STRINGS = st.text(max_size=8) | st.sampled_from(
    [GITHUB, PASSWORD, "password", "--token", "-", "secret:", "[redacted:x]"]
)
VALUES = st.recursive(
    STRINGS | st.integers(-(2**53), 2**53) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=12,
)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [shape(item) for item in value.values()]
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "text" if isinstance(value, str) else value


@settings(deadline=None)
@given(VALUES)
def test_any_payload_redacted_twice_is_redacted_once_and_keeps_its_shape(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    once = REDACTOR.draft(draft(data))
    assert REDACTOR.draft(once) is once
    assert GITHUB.encode() not in once.data
    if data.count(GITHUB.encode()) <= 1:  # two names that were secrets may have become one
        assert shape(json.loads(once.data)) == shape(json.loads(data))
