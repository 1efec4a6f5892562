"""Where the logic of a document starts: ONE file or definition of the project's, and only one that is there.

What the document names itself counts most: paths and names in backticks, links, what its first example
imports and calls. Where it names nothing, its own folder and the ranker of `context` say where its words lie.
Refuses tests, examples and other documents as long as anything else is left.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navlog.projections.knowledge.prose import Block, mentioned
from navlog.projections.ranking import parse, rank
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import Symbol

COMMON = 3  # a name that is defined in more files than this names none of them
LONGEST = 200  # characters of a name
MENTIONS = 200  # of one document, the first ones
CANDIDATES = 12  # of the ranker
ASKED_CHARS = 1500  # of the document, for the ranker

# What a mention is worth by how it is made; in a decision's own section it is worth `DECIDED` times as much.
WORTH = {"code": 3.0, "link": 2.5, "path": 2.5, "import": 2.0, "call": 1.2, "ranked": 1.0, "start": 1.0}
DECIDED = 2.0
WHOLE = 0.6  # for a whole file beside a definition of it: the narrower place says more
PLAIN = 0.4  # for a plain word: `git` may be the program, and not the function that is called like it
_PROSE = frozenset({"document", "example", "vendored", "generated"})
NEAR = 4.0  # for a file in the folder that a nested README is about
NAMESAKE = 2.0  # for a file or definition that is called like the project
WITHIN = 1.5  # for a file in a folder that is
_FRONT = frozenset({"init", "main", "index", "mod", "lib"})  # names of files that stand for their folders
STARTS = ("main", "app", "index", "lib", "cli", "__init__", "__main__", "core", "server", "mod", "api")

_LINE = re.compile(r"(?::\d+(?:[:-]\d+)?|#.*)$")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|/|->|#)[A-Za-z_$][\w$]*)*(?=\s*\(|\b)")
_IMPORT = re.compile(
    r"^\s*(?:>>> )?(?:import|from|use|using|require|include|const .*require|#include)\b(.*)$", re.MULTILINE
)
_WORD = re.compile(r"[A-Za-z_]\w+")
_DECISION = re.compile(r"decision|决定|决策|结论|決定", re.IGNORECASE)


class Candidate(NamedTuple):
    """A place and what speaks for it; ``symbol`` is "" for the whole file."""

    path: str
    symbol: str
    worth: float


class Places:
    """What is in the graph, by name. Holds the view's lock for each question, no longer."""

    def __init__(self, view: ProjectView) -> None:
        self._view = view

    def exists(self, pointer: str) -> bool:
        """Whether a path, or path:symbol, is in the graph."""
        path, _, symbol = pointer.partition(":")
        with self._view.lock:
            file = self._view.files.get(path)
            return bool(file and (not symbol or _find(file, symbol)))

    def section(self, path: str, title: str) -> int:
        """The line of the heading above the part ``title`` ("Code / Style") of a document; 0 if unknown."""
        with self._view.lock:
            file = self._view.files.get(path)
            named = [one for one in file.symbols if one.kind == "heading"] if file else []
            last = title.rpartition(" / ")[2]
            return next((one.line for one in named if one.name == last), 0)

    def named(self, name: str, near: str = "") -> list[tuple[str, str]]:
        """(path, symbol) of what a text calls ``name``; [] for nothing, or for too much."""
        bare = _LINE.sub("", name.strip().removeprefix("./")).strip("()/ ")
        if not bare or len(bare) > LONGEST:
            return []
        with self._view.lock:
            path, colon, symbol = bare.partition(":")
            if colon and not symbol.startswith(":"):
                return [
                    (file, symbol)
                    for file, _ in self._file(path, near)
                    if _find(self._view.files[file], symbol)
                ]
            symbols = self._symbols(bare)
            own = [place for place in symbols if kind_of(place[0]) == "source"]
            found = self._file(bare, near) or own or self._module(bare) or symbols
            return found if len(found) <= COMMON else []

    def around(self, folder: str) -> list[str]:
        """The files below ``folder``."""
        with self._view.lock:
            return [path for path in self._view.files if path.startswith(folder)]

    def ranked(self, task: str) -> list[tuple[str, float]]:
        """Files in the ranker's order with their scores."""
        with self._view.lock:
            return [(hit.path, hit.score) for hit in rank(self._view, parse(task), CANDIDATES)]

    def used(self, path: str) -> int:
        """How many files point at this one."""
        with self._view.lock:
            return sum(1 for edge in self._view.neighbours(path) if edge.incoming)

    def _file(self, bare: str, near: str) -> list[tuple[str, str]]:
        if near and f"{near}{bare}" in self._view.files:
            return [(f"{near}{bare}", "")]
        if bare in self._view.files:
            return [(bare, "")]
        if "." not in bare.rpartition("/")[2]:
            return []
        return [(self._view.index.paths[slot], "") for slot in self._view.index.ending(bare)]

    def _symbols(self, bare: str) -> list[tuple[str, str]]:
        *owners, last = re.split(r"\.|::|->|#", bare)
        paths = (self._view.index.paths[slot] for slot in self._view.index.defining(last.casefold()))
        exact = ((path, _exact(self._view.files[path], last, owners)) for path in paths)
        return [
            (path, f"{owners[-1]}.{last}" if owners and symbol.parent >= 0 else last)
            for path, symbol in exact
            if symbol
        ]

    def _module(self, bare: str) -> list[tuple[str, str]]:
        """A dotted name is the longest beginning of it that is a module; ``semantic-overlays.jsonl`` is what
        semantic_overlays.py writes."""
        name = bare.rpartition("/")[2].partition(".")[0].replace("-", "_") if "-" in bare else bare
        parts = re.split(r"\.|::", name) if "/" not in name else [name]
        for depth in range(len(parts), 0, -1):
            slots = self._view.index.module("/".join(parts[:depth]))
            if found := [
                (path, "") for slot in slots if kind_of(path := self._view.index.paths[slot]) == "source"
            ]:
                return found
        return []


def entry(path: str, project: str, read: Sequence[Block], places: Places, *, guess: bool = True) -> str:
    """The pointer of a document at ``path`` (``project``: the project's name); "" where nothing is known.

    Without ``guess`` only what the document names counts, and no other document: what a rule is about is
    spread, and a place that is only near its words would be quoted for it.
    """
    near = path.rpartition("/")[0]
    found: dict[tuple[str, str], float] = {}
    folder = f"{near}/" if near else ""
    candidates = _candidates(folder, path, read, places) if guess else _named(folder, path, read, places)
    for one in candidates:
        if not guess and kind_of(one.path) in _PROSE:
            continue
        worth = one.worth * _factor(one, near, project, path)
        found[one.path, one.symbol] = found.get((one.path, one.symbol), 0.0) + worth
    files: dict[str, float] = {}
    for (file, _), worth in found.items():
        files[file] = files.get(file, 0.0) + worth
    if not files:
        return ""
    best = max(files, key=lambda file: (_tier(file), round(files[file], 6), -file.count("/"), file))
    symbols = {symbol: worth for (file, symbol), worth in found.items() if file == best}
    symbol = max(symbols, key=lambda one: (round(symbols[one] * (1 if one else WHOLE), 6), one))
    return f"{best}:{symbol}" if symbol else best


def _candidates(near: str, path: str, read: Sequence[Block], places: Places) -> Iterator[Candidate]:
    yield from _named(near, path, read, places)
    ranked = [(file, score) for file, score in places.ranked(_task(read)) if file != path]
    top = max((score for _, score in ranked), default=0.0)
    for place, (file, score) in enumerate(ranked):
        yield Candidate(file, "", WORTH["ranked"] * max(score, 0.0) / (top or 1.0) / (1 + place / 4))
    if not any(map(_decides, read)):
        yield from _starts(near, places)


def _named(near: str, path: str, read: Sequence[Block], places: Places) -> Iterator[Candidate]:
    """What the document names itself."""
    said: set[str] = set()
    for order, block in enumerate(read):
        early = (DECIDED if _decides(block) else 1.0) / (1 + order / 20)
        for how, name in _mentions(block):
            if name in said or len(said) > MENTIONS:
                continue
            said.add(name)
            hits = [hit for hit in places.named(name, near) if hit[0] != path]
            sure = PLAIN if how != "link" and name.islower() and name.isalpha() else 1.0
            for file, symbol in hits:
                yield Candidate(file, symbol, WORTH[how] * early * sure / len(hits))


def _task(read: Sequence[Block]) -> str:
    """What the ranker is asked: the title, and the decision where there is one."""
    told = [block for block in read if _decides(block)] or [
        block for block in read[:12] if block.kind != "code"
    ]
    title = next((block.headings[0] for block in read if block.headings), "")
    return "\n".join([title, *(block.plain for block in told)])[:ASKED_CHARS]


def _decides(block: Block) -> bool:
    return bool(block.headings[1:] and _DECISION.search(block.headings[-1]))


def _tier(path: str) -> int:
    """Sources before settings and data, and those before tests, examples and documents."""
    kind = kind_of(path)
    return 2 if kind == "source" else 1 if kind in ("settings", "data", "declaration") else 0


def _starts(near: str, places: Places) -> Iterator[Candidate]:
    """Files whose names say that something begins there, below the folder that the document is about."""
    for file in places.around(near):
        stem = file.rpartition("/")[2].partition(".")[0]
        if stem in STARTS and kind_of(file) == "source":
            deep = file.count("/") - near.count("/")
            worth = WORTH["start"] * (1 - STARTS.index(stem) / 20) / (1 + deep / 3)
            yield Candidate(file, "", worth + min(places.used(file), 20) / 40)


def _mentions(block: Block) -> Iterator[tuple[str, str]]:
    if block.kind != "code":
        yield from mentioned(block)
        return
    imported = {word for line in _IMPORT.findall(block.text) for word in _NAME.findall(line)}
    for name in dict.fromkeys(_NAME.findall(block.text)):
        if len(name) > 2:
            yield ("import" if name in imported else "call"), name


def _factor(one: Candidate, near: str, project: str, path: str) -> float:
    """How much a candidate's place counts."""
    factor = 1.0
    if near and path.rpartition("/")[2].lower().startswith("readme"):
        factor = NEAR if one.path.startswith(f"{near}/") else 1 / NEAR
    *folders, file = one.path.lower().replace("-", "").replace("_", "").split("/")
    name = project.lower().replace("-", "").replace("_", "")
    stem = file.partition(".")[0]
    if name in (one.symbol.lower(), folders[-1] if stem in _FRONT and folders else stem):
        return factor * NAMESAKE
    return factor * WITHIN if name in folders else factor


def _find(file: FileView, symbol: str) -> bool:
    *owners, last = symbol.split(".")
    return _exact(file, last, owners) is not None


def _exact(file: FileView, name: str, owners: Sequence[str]) -> Symbol | None:
    """A definition of exactly this name; inside the last of ``owners`` where such a definition is there."""
    symbols = list(file.symbols)
    same = [one for one in symbols if one.name == name and one.kind != "heading"]
    inside = [one for one in same if owners and one.parent >= 0 and symbols[one.parent].name == owners[-1]]
    if inside:
        return inside[0]
    bare = [one for one in same if one.parent < 0 or not owners]
    return bare[0] if bare else None
