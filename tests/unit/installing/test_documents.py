"""What is put into a file can be taken out byte for byte, and nothing else moves."""

import json
import tomllib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.hosts.installing.changes import Change, remember, undone
from navlog.daemon.hosts.installing.documents import Document, Hook, Hooks, OwnFile, Server, TomlServer
from navlog.daemon.hosts.installing.jsonc import NotJson, parse
from navlog.schemas.errors import UsageError

OURS = "python -I -S /x/daemon/hosts/hook.py claude-code"
HANDLER = {"type": "command", "command": OURS, "timeout": 1}
HOOKS = Hooks([Hook("SessionStart", HANDLER), Hook("Stop", HANDLER, "x")], lambda command: command == OURS)
SERVER = Server("mcpServers", {"command": "python", "args": ["-I"]})
TOML = TomlServer("python", ["-I"], {"A": "b"})

FILES = [
    "", "{}", "{ }", "{\n}\n", '{"a": 1}', '{\n\t"a": 1,\n}\n',
    '// mine\n{\n    "hooks": {\n        "Stop": [\n            {"hooks": []} // last\n        ],\n    },\n}',
    '{"hooks": {"Stop": []}, "mcpServers": {"other": {"command": "x"}}}',
    '{\r\n  "hooks": {}\r\n}\r\n', '\ufeff{"a": "\\u00e9 {[\\""}',
]  # fmt: skip


def plain(text: str) -> Any:
    return parse(text).plain()


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("document", [HOOKS, SERVER], ids=["hooks", "server"])
def test_what_was_put_in_is_undone_byte_for_byte(document: Document, text: str) -> None:
    after, insertions = document.put(text)
    assert document.has(after)
    assert document.is_current(after)
    known = remember(Change(None, text, after), insertions, [])  # type: ignore[arg-type]
    assert undone(after, known) == text
    assert undone(after + " ", known) is None


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("document", [HOOKS, SERVER], ids=["hooks", "server"])
def test_what_others_changed_since_stays(document: Document, text: str) -> None:
    after, _ = document.put(text)
    changed = "// a word of mine\n" + after
    cut = document.cut(changed)
    assert not document.has(cut)
    assert cut.startswith("// a word of mine\n")
    assert {**plain(cut), "hooks": 0, "mcpServers": 0} == {**plain(text), "hooks": 0, "mcpServers": 0}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), json_values, max_size=4), st.sampled_from([None, 1, 2, "\t"]))
def test_any_settings_keep_what_they_hold(settings: dict[str, Any], indent: Any) -> None:
    settings.pop("mcpServers", None)
    text = json.dumps(settings, indent=indent, ensure_ascii=False)
    after, insertions = SERVER.put(text)
    assert json.loads(after) == {**settings, "mcpServers": {"navlog": {"command": "python", "args": ["-I"]}}}
    known = remember(Change(None, text, after), insertions, [])  # type: ignore[arg-type]
    assert undone(after, known) == text
    assert plain(SERVER.cut(after)) == settings


def test_hooks_of_others_stay_where_they_were() -> None:
    text = '{"hooks": {"Stop": [{"matcher": "a", "hooks": [{"type": "command", "command": "fmt"}]}]}}'
    after, _ = HOOKS.put(text)
    found = json.loads(after)["hooks"]
    assert found["Stop"][0] == {"matcher": "a", "hooks": [{"type": "command", "command": "fmt"}]}
    assert found["Stop"][1] == {"matcher": "x", "hooks": [HANDLER]}
    assert json.loads(HOOKS.cut(after)) == json.loads(text)


def test_a_hook_of_ours_in_somebodys_group_leaves_the_group() -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [HANDLER, {"type": "command", "command": "fmt"}]}]}})
    assert json.loads(HOOKS.cut(text)) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "fmt"}]}]}
    }


@pytest.mark.parametrize(
    "text", ['{"hooks": []}', '{"hooks": {"Stop": {}}}', "[]", '"x"', '{"mcpServers": 3}']
)
def test_a_file_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        (SERVER if "mcp" in text else HOOKS).put(text)


@pytest.mark.parametrize(
    "text", ["{", '{"a" 1}', "{'a': 1}", '{"a": 1} x', "nul", '{"a": "\x01"}', "[" * 500]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        parse(text)


TOMLS = ["", "a = 1 # mine", "a = 1\n", '[mcp_servers.other]\ncommand = "x"\n', "[features]\nx = true\n\n\n"]


@pytest.mark.parametrize("text", TOMLS)
def test_a_table_of_toml_is_undone_byte_for_byte(text: str) -> None:
    after, insertions = TOML.put(text)
    assert tomllib.loads(after)["mcp_servers"]["navlog"] == {
        "command": "python",
        "args": ["-I"],
        "env": {"A": "b"},
    }
    assert TOML.is_current(after)
    known = remember(Change(None, text, after), insertions, [])  # type: ignore[arg-type]
    assert undone(after, known) == text


@pytest.mark.parametrize("text", TOMLS)
def test_a_table_of_toml_is_cut_from_a_file_that_went_on(text: str) -> None:
    after, _ = TOML.put(text)
    more = after + '\n[later]\nwords = "[mcp_servers.navlog]"\n'
    cut = TOML.cut(more)
    assert tomllib.loads(cut) == {**tomllib.loads(text), "later": {"words": "[mcp_servers.navlog]"}}


@pytest.mark.parametrize("text", ["mcp_servers = { a = 1 }\n", "mcp_servers = 3\n", "a = \n"])
def test_a_table_that_cannot_be_added_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        TOML.put(text)


def test_a_file_of_somebody_elses_is_refused() -> None:
    with pytest.raises(UsageError, match="not ours"):
        OwnFile("// Written by: navlog install pi\n").put("console.log(1)\n")


@pytest.mark.parametrize(
    "hooks", ['"x"', "null", "[]", '{"Stop": "x"}', '{"Stop": ["x"]}', '{"Stop": [{"hooks": "x"}]}',
              '{"Stop": [{"hooks": ["x", null, {"command": 3}]}]}', '{"Stop": [[[]]]}'],
)  # fmt: skip
def test_hooks_of_a_shape_nobody_expects_are_somebody_elses(hooks: str) -> None:
    text = f'{{"hooks": {hooks}}}'
    assert not HOOKS.is_current(text)
    assert not HOOKS.has(text)
    assert HOOKS.cut(text) == text
    with suppress(UsageError):  # either says which part is not as it should be, or leaves it as it is
        after, _ = HOOKS.put(text)
        assert HOOKS.is_current(after)
