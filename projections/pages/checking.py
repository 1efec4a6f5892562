"""A vault judged by Obsidian's rules: do links lead somewhere, are names and properties sound, is it inert?

Reads the texts anew and knows nothing of how they were made. It judges our pages alone; what a person wrote
beside them is only asked whether it is there. It refuses to mend anything.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from navlog.projections.pages import yaml
from navlog.projections.pages.names import fold

# Obsidian's own list, and what Windows and Android add.
_FORBIDDEN = re.compile(r'[#|^:%\[\]*"\\/<>?\x00-\x1f]|^[. ]|[. ]$')
_LINK = re.compile(r"!?\[\[([^\[\]]*?)\]\]")
_SPAN = re.compile(r"(?<![\\`])`([^`]+)`(?!`)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*(.*)")
_HTML = re.compile(r"<[A-Za-z/!?]")
_IMAGE = re.compile(r"(?<!\\)!\[")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_LISTS = ("tags", "aliases")


class Fault(NamedTuple):
    """Something wrong with the page at ``path``; ``line`` counts from 1, 0 for the page as a whole."""

    path: str
    line: int
    says: str


class _Files:
    """What a link may lead to, as Obsidian finds it: by the whole path, else by its end, ignoring case."""

    def __init__(self, paths: Mapping[str, object], prefix: str) -> None:
        self._exact = {prefix + path for path in paths}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in self._exact:
            self._by_name[fold(_shown(path).rpartition("/")[2])].append(path)

    def fault(self, target: str) -> str:
        """Why a vault-root link to ``target`` is wrong, "" when it is right."""
        if target in self._exact and not target.endswith(".md"):
            return ""
        if f"{target}.md" in self._exact:
            return ""
        near = self._by_name.get(fold(target.rpartition("/")[2]), [])
        return f"is not the whole path of {near[0]}" if near else "leads nowhere"

    def twice(self) -> Iterator[tuple[str, list[str]]]:
        """Names that more than one file has."""
        yield from ((name, sorted(some)) for name, some in self._by_name.items() if len(some) > 1)


def check(ours: Mapping[str, str], others: Mapping[str, object], prefix: str = "") -> list[Fault]:
    """Every fault of our pages (path -> text), the files of ``others`` beside them, by path and line.

    ``prefix``: from the root that Obsidian opens to our folder, "" or ending in ``/``.
    """
    files = _Files({**others, **ours}, prefix)
    faults = [fault for path, text in ours.items() for fault in _page(path, text, files)]
    faults += [Fault(path, 0, f"is called like {some[0]}") for path, some in _doubles(ours, files, prefix)]
    return sorted([*faults, *_types(ours)])


def _page(path: str, text: str, files: _Files) -> Iterator[Fault]:
    name = path.rpartition("/")[2]
    if any(_FORBIDDEN.search(part) for part in _shown(path).split("/")) or _FORBIDDEN.search(name):
        yield Fault(path, 0, "has a name that Obsidian or a file system refuses")
    if "<%" in text:
        yield Fault(path, text[: text.index("<%")].count("\n") + 1, "holds <%, which Templater runs")
    reader = {".md": _note, ".base": _base, ".canvas": _canvas}["." + name.rpartition(".")[2]]
    yield from reader(path, text, files)


def _note(path: str, text: str, files: _Files) -> Iterator[Fault]:
    lines = text.split("\n")
    end = lines.index("---", 1) if lines[0] == "---" and "---" in lines[1:] else -1
    if end < 0:
        yield Fault(path, 1, "has no properties")
    for number, line in enumerate(lines[1 : max(end, 0)], 2):
        for link in _LINK.findall(line):
            yield from _link(path, number, link, files)
    yield from _body(path, end + 2, lines[end + 1 :], files)


def _body(path: str, first: int, lines: Sequence[str], files: _Files) -> Iterator[Fault]:
    fence = ""
    for number, line in enumerate(lines, first):
        found = _FENCE.match(line)
        if fence:
            fence = "" if found and found[1].startswith(fence) and not found[2] else fence
        elif found:
            fence = found[1]
            if found[2] != "text":
                yield Fault(path, number, f"has a fence of {found[2] or 'no language'}")
        else:
            yield from _line(path, number, line, files)
    if fence:
        yield Fault(path, 0, "has a fence that does not end")


def _line(path: str, number: int, line: str, files: _Files) -> Iterator[Fault]:
    for span in _SPAN.findall(line):
        if span.lstrip().startswith(("=", "$=")):
            yield Fault(path, number, "has a code span that Dataview runs")
    prose = _SPAN.sub("", line)
    for link in _LINK.findall(prose):
        yield from _link(path, number, link.replace("\\|", "|"), files)
    bare = _LINK.sub("", prose)
    if prose.lstrip(" >|-").startswith("="):
        yield Fault(path, number, "begins with =")
    for pattern, says in ((_HTML, "holds HTML"), (_IMAGE, "shows an image")):
        if pattern.search(bare):
            yield Fault(path, number, says)
    if "::" in bare or re.search(r"(?<!\\)%%", bare):
        yield Fault(path, number, "holds an inline field or a comment")


def _link(path: str, number: int, link: str, files: _Files) -> Iterator[Fault]:
    target, bar, label = link.partition("|")
    if not bar or not label.strip():
        yield Fault(path, number, f"has a link without a label: {target}")
    if why := files.fault(target):
        yield Fault(path, number, f"has a link that {why}: {target}")


def _base(path: str, text: str, _: _Files) -> Iterator[Fault]:
    try:
        table = yaml.read([line for line in text.rstrip("\n").split("\n") if not line.startswith("#")])
    except yaml.NotOurs as fault:
        yield Fault(path, 0, f"is no table: {fault}")
        return
    views = table.get("views")
    if not isinstance(views, list) or not all(isinstance(view, dict) and view.get("order") for view in views):
        yield Fault(path, 0, "has no view with columns")
    if not isinstance(table.get("filters"), dict):
        yield Fault(path, 0, "shows the whole vault: it has no filters")


class _Node(msgspec.Struct):
    id: str
    type: str
    x: int
    y: int
    width: int
    height: int
    text: str = ""


class _Edge(msgspec.Struct, rename="camel"):
    id: str
    from_node: str
    to_node: str


class _Canvas(msgspec.Struct):
    nodes: list[_Node]
    edges: list[_Edge]


def _canvas(path: str, text: str, files: _Files) -> Iterator[Fault]:
    try:
        canvas = msgspec.json.decode(text, type=_Canvas)
    except msgspec.MsgspecError as fault:
        yield Fault(path, 0, f"is no canvas: {fault}")
        return
    ids = Counter([node.id for node in canvas.nodes] + [edge.id for edge in canvas.edges])
    yield from (Fault(path, 0, f"has the id {id_} {count} times") for id_, count in ids.items() if count > 1)
    known = {node.id for node in canvas.nodes}
    for edge in canvas.edges:
        if not {edge.from_node, edge.to_node} <= known:
            yield Fault(path, 0, f"has an arrow from or to nothing: {edge.id}")
    for node in canvas.nodes:
        for line in node.text.split("\n"):
            yield from _line(path, 0, line, files)
    corners = Counter((node.x, node.y) for node in canvas.nodes)
    yield from (Fault(path, 0, f"has boxes on one another at {at}") for at, n in corners.items() if n > 1)


def _doubles(ours: Mapping[str, str], files: _Files, prefix: str) -> Iterator[tuple[str, list[str]]]:
    for _, some in files.twice():
        for path in some:
            if path.removeprefix(prefix) in ours:
                yield path.removeprefix(prefix), [one for one in some if one != path]


def _types(ours: Mapping[str, str]) -> Iterator[Fault]:
    """Properties are flat, `tags` and `aliases` are lists, and a name means one type in the whole vault."""
    seen: dict[str, tuple[str, str]] = {}
    for path, text in sorted(ours.items()):
        if not path.endswith(".md") or not text.startswith("---\n"):
            continue
        lines = text.split("\n")
        try:
            properties = yaml.read(lines[1 : lines.index("---", 1)])
        except (yaml.NotOurs, ValueError) as fault:
            yield Fault(path, 0, f"has properties that cannot be read: {fault}")
            continue
        yield from (Fault(path, 0, f"has no list of {name}") for name in _LISTS if name not in properties)
        for name, value in properties.items():
            kind = _type(value)
            first, where = seen.setdefault(name, (kind, path))
            if kind == "nested" or first != kind or (name in _LISTS) != (kind == "list"):
                yield Fault(path, 0, f"has {name} as {kind}; in {where} it is {first}")


def _type(value: yaml.Value) -> str:
    if isinstance(value, list):
        return "nested" if any(isinstance(one, dict | list) for one in value) else "list"
    if isinstance(value, bool):
        return "checkbox"
    if isinstance(value, int):
        return "number"
    if isinstance(value, str):
        return "time" if _TIME.fullmatch(value) else "text"
    return "nested"


def _shown(path: str) -> str:
    """As Obsidian shows it: a note without its ending."""
    return path.removesuffix(".md")
