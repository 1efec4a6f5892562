"""JSON with comments and trailing commas, as text: where values stand, how to add to them, how to cut.

Nothing but the added or cut part changes. Raises `NotJson` for a text that is no such document.
"""

import json
import re
from typing import Any, NamedTuple

from navlog.schemas.errors import UsageError

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
DEPTH = 100
INDENT = "  "


class NotJson(UsageError):
    """The text is no JSON, with or without comments."""


class Insertion(NamedTuple):
    """``text`` comes in at ``at``, an offset in the text as it is."""

    at: int
    text: str


class Node:
    """A value: its place and what it holds. ``children`` are (key, where the key begins, value)."""

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind  # "{", "[" or ""
        self.start = start
        self.end = start
        self.value: Any = None
        self.children: list[tuple[str | int, int, Node]] = []

    def get(self, *keys: str | int) -> "Node | None":
        """The value below, by keys and indexes."""
        node: Node | None = self
        for key in keys:
            node = next((child for name, _, child in node.children if name == key), None) if node else None
        return node

    def plain(self) -> Any:
        """The value as Python has it."""
        if self.kind == "{":
            return {key: child.plain() for key, _, child in self.children}
        return [child.plain() for _, _, child in self.children] if self.kind == "[" else self.value


def parse(text: str) -> Node:
    """The document; an empty one is an empty object. Raises `NotJson`."""
    if not text.strip():
        return Node("{", 0)
    reader = _Reader(text)
    node = reader.value(reader.space(0), 0)
    if reader.space(node.end) != len(text):
        raise NotJson(f"something stands behind the end, at character {node.end}")
    return node


def add_member(text: str, parent: Node, key: str, value: Any) -> Insertion:
    """``value`` as the last member of an object."""
    return _add(text, parent, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def add_item(text: str, parent: Node, value: Any) -> Insertion:
    """``value`` as the last item of a list."""
    return _add(text, parent, "", value)


def insert(text: str, one: Insertion) -> str:
    """The text with it."""
    return text[: one.at] + one.text + text[one.at :]


def cut(text: str, parent: Node, key: str | int) -> str:
    """The text without a member or an item, and without the comma that went with it."""
    places = [place for name, place, _ in parent.children]
    number = next(n for n, (name, _, _) in enumerate(parent.children) if name == key)
    end = parent.children[number][2].end
    if number > 0:  # from the end of the one before: the inverse of `_add`
        return text[: parent.children[number - 1][2].end] + text[end:]
    if number + 1 < len(places):
        return text[: places[0]] + text[places[1] :]
    return text[: parent.start + 1] + text[parent.end - 1 :]


class _Reader:
    """A recursive descent over the text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def space(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Node:
        if depth > DEPTH:
            raise NotJson("it nests too deep")
        if self.text[at : at + 1] in ("{", "["):
            return self._holder(at, depth)
        node = Node("", at)
        found = _STRING.match(self.text, at) or _SCALAR.match(self.text, at)
        if not found:
            raise NotJson(f"no value at character {at}")
        node.end = found.end()
        node.value = self._loads(found[0], at)
        return node

    def _holder(self, at: int, depth: int) -> Node:
        node = Node(self.text[at], at)
        closing = "}" if node.kind == "{" else "]"
        at = self.space(at + 1)
        while self.text[at : at + 1] != closing:
            place, key = at, len(node.children)
            name: str | int = key
            if node.kind == "{":
                name, at = self._key(at)
            child = self.value(at, depth + 1)
            node.children.append((name, place, child))
            at = self.space(child.end)
            if self.text[at : at + 1] == ",":
                at = self.space(at + 1)
            elif self.text[at : at + 1] != closing:
                raise NotJson(f"neither a comma nor an end at character {at}")
        node.end = at + 1
        return node

    def _key(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        after = self.space(found.end()) if found else at
        if not found or self.text[after : after + 1] != ":":
            raise NotJson(f"no name at character {at}")
        return str(self._loads(found[0], at)), self.space(after + 1)

    @staticmethod
    def _loads(text: str, at: int) -> Any:
        try:
            return json.loads(text)
        except ValueError as fault:
            raise NotJson(f"no value at character {at}: {fault}") from None


def _add(text: str, parent: Node, name: str, value: Any) -> Insertion:
    if not text.strip():
        return Insertion(0, f"{{\n{INDENT}{name}{_dump(value, INDENT, INDENT)}\n}}\n")
    step = _step(text)
    outer = _indent(text, parent.start)
    indent = outer + step
    if not parent.children:
        body = f"\n{indent}{name}{_dump(value, step, indent)}\n{outer}"
        return Insertion(parent.start + 1, body)
    last = parent.children[-1]
    if "\n" not in text[parent.start : last[1]]:  # all in one line: it stays one
        return Insertion(last[2].end, f", {name}{json.dumps(value, ensure_ascii=False)}")
    indent = _indent(text, last[1])
    return Insertion(last[2].end, f",\n{indent}{name}{_dump(value, step, indent)}")


def _dump(value: Any, step: str, indent: str) -> str:
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent(text: str, at: int) -> str:
    """The white space the line of ``at`` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """How deep the document indents: what its first indented line begins with."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else INDENT
