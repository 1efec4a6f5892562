"""What navlog puts into each kind of file: hooks, a server in a list, a file of its own.

A document knows how to put ours in, and how to find and cut it again where others changed the file since.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from navlog.daemon.hosts.installing import jsonc, toml_text
from navlog.daemon.hosts.installing.jsonc import Insertion, Node
from navlog.schemas.errors import UsageError

SERVER = "navlog"
MARK = "Written by: navlog install"


class Document(Protocol):
    """One file's part."""

    def put(self, text: str) -> tuple[str, list[Insertion]]:
        """The text with ours, which it does not have yet; raises `UsageError`."""
        ...

    def cut(self, text: str) -> str:
        """The text without ours, whatever else was changed; raises `UsageError`."""
        ...

    def has(self, text: str) -> bool:
        """Whether ours is in it, of this version or another."""
        ...

    def is_current(self, text: str) -> bool:
        """Whether exactly what `put` puts in is in it."""
        ...


class Hook(NamedTuple):
    """One hook of ours; ``matcher`` is left out where it is ""."""

    event: str
    handler: Mapping[str, Any]
    matcher: str = ""


class Hooks:
    """Hooks in the shape of Claude Code, which Codex has too: ``hooks.EVENT[].hooks[]``.

    ``is_ours``: whether a handler's command is one of ours.
    """

    def __init__(self, hooks: Sequence[Hook], is_ours: Callable[[str], bool]) -> None:
        self._hooks = hooks
        self._is_ours = is_ours

    def put(self, text: str) -> tuple[str, list[Insertion]]:
        """Each event's list gets one group more."""
        done: list[Insertion] = []
        for hook in self._hooks:
            one = self._insertion(text, hook)
            done.append(one)
            text = jsonc.insert(text, one)
        return text, done

    def cut(self, text: str) -> str:
        """Our groups, and lists and objects that are empty without them."""
        while place := next(self._ours(jsonc.parse(text)), None):
            parent, key = place
            text = jsonc.cut(text, parent, key)
        return text

    def has(self, text: str) -> bool:
        """See `Document`."""
        return next(self._ours(jsonc.parse(text)), None) is not None

    def is_current(self, text: str) -> bool:
        """See `Document`."""
        found = [
            Hook(place.event, place.handler.plain(), str(place.matcher))
            for place in self._handlers(jsonc.parse(text))
        ]
        return sorted(found, key=repr) == sorted(self._hooks, key=repr)

    def _insertion(self, text: str, hook: Hook) -> Insertion:
        root = jsonc.parse(text)
        group = ({"matcher": hook.matcher} if hook.matcher else {}) | {"hooks": [dict(hook.handler)]}
        _must_be(root, "{", "the document")
        hooks = root.get("hooks")
        if hooks is None:
            return jsonc.add_member(text, root, "hooks", {hook.event: [group]})
        _must_be(hooks, "{", "hooks")
        groups = hooks.get(hook.event)
        if groups is None:
            return jsonc.add_member(text, hooks, hook.event, [group])
        _must_be(groups, "[", f"hooks.{hook.event}")
        return jsonc.add_item(text, groups, group)

    def _ours(self, root: Node) -> Iterator[tuple[Node, str | int]]:
        """(holder, key) of what is to be cut next, the outermost that holds nothing but ours."""
        for place in self._handlers(root):
            yield _outermost(place.path)

    def _handlers(self, root: Node) -> Iterator["_Place"]:
        """Those that are ours; what has another shape than a hook is somebody else's."""
        for event, groups in _items(root.get("hooks")):
            for number, group in _items(groups):
                matcher = group.get("matcher")
                for place, handler in _items(group.get("hooks")):
                    command = handler.get("command")
                    if command is not None and self._is_ours(str(command.value)):
                        holders = (root, root.get("hooks"), groups, group.get("hooks"))
                        keys = ("hooks", event, number, place)
                        path = [(holder, key) for holder, key in zip(holders, keys, strict=True) if holder]
                        yield _Place(str(event), handler, matcher.plain() if matcher else "", path)


class _Place(NamedTuple):
    """A handler of ours and the (holder, key) that lead to it, the outermost first."""

    event: str
    handler: Node
    matcher: object
    path: list[tuple[Node, str | int]]


def _items(node: Node | None) -> list[tuple[str | int, Node]]:
    return [(key, child) for key, _, child in node.children] if node else []


class Server:
    """An MCP server in JSON, at ``path``."""

    def __init__(self, path: str, entry: Mapping[str, Any]) -> None:
        self._path = path
        self._entry = entry

    def put(self, text: str) -> tuple[str, list[Insertion]]:
        """See `Document`."""
        root = jsonc.parse(text)
        _must_be(root, "{", "the document")
        servers = root.get(self._path)
        if servers is None:
            one = jsonc.add_member(text, root, self._path, {SERVER: dict(self._entry)})
        else:
            _must_be(servers, "{", self._path)
            one = jsonc.add_member(text, servers, SERVER, dict(self._entry))
        return jsonc.insert(text, one), [one]

    def cut(self, text: str) -> str:
        """See `Document`."""
        root = jsonc.parse(text)
        servers = root.get(self._path)
        if servers is None or servers.get(SERVER) is None:
            return text
        holder, key = _outermost([(root, self._path), (servers, SERVER)])
        return jsonc.cut(text, holder, key)

    def has(self, text: str) -> bool:
        """See `Document`."""
        return jsonc.parse(text).get(self._path, SERVER) is not None

    def is_current(self, text: str) -> bool:
        """See `Document`."""
        found = jsonc.parse(text).get(self._path, SERVER)
        return found is not None and found.plain() == self._entry


class TomlServer:
    """An MCP server in Codex's TOML."""

    NAME = ("mcp_servers", SERVER)

    def __init__(self, command: str, arguments: Sequence[str], environ: Mapping[str, str]) -> None:
        lines = [f"command = {json.dumps(command)}", f"args = {json.dumps(list(arguments))}"]
        if environ:
            pairs = ", ".join(f"{key} = {json.dumps(value)}" for key, value in environ.items())
            lines.append(f"env = {{ {pairs} }}")
        self._lines = "\n".join(lines) + "\n"

    def put(self, text: str) -> tuple[str, list[Insertion]]:
        """See `Document`."""
        one = toml_text.add_table(text, self.NAME, self._lines)
        return jsonc.insert(text, one), [one]

    def cut(self, text: str) -> str:
        """See `Document`."""
        return toml_text.cut_table(text, self.NAME) if self.has(text) else text

    def has(self, text: str) -> bool:
        """See `Document`."""
        return SERVER in toml_text.loads(text).get("mcp_servers", {})

    def is_current(self, text: str) -> bool:
        """See `Document`."""
        return bool(toml_text.loads(text).get("mcp_servers", {}).get(SERVER) == toml_text.loads(self._lines))


class OwnFile:
    """A file that is ours from its first line; one of somebody else's is refused."""

    def __init__(self, text: str) -> None:
        self._text = text

    def put(self, text: str) -> tuple[str, list[Insertion]]:
        """See `Document`."""
        if text.strip():
            raise UsageError("a file of that name is there, and it is not ours")
        return self._text, [Insertion(0, self._text)]

    def cut(self, text: str) -> str:
        """See `Document`."""
        return "" if self.has(text) else text

    def has(self, text: str) -> bool:
        """See `Document`."""
        return MARK in text.partition("\n")[0]

    def is_current(self, text: str) -> bool:
        """See `Document`."""
        return text == self._text


def _outermost(path: Sequence[tuple[Node, str | int]]) -> tuple[Node, str | int]:
    """The place to cut at: as far out as every holder below holds this one alone."""
    best = len(path) - 1
    while best > 0 and len(path[best][0].children) == 1:
        best -= 1
    return path[best]


def _must_be(node: Node, kind: str, name: str) -> None:
    if node.kind != kind:
        raise UsageError(f"{name} is not {'an object' if kind == '{' else 'a list'}")
