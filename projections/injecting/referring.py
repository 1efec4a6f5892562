"""What a reply says of the code: the files and definitions it refers to, and whether it cannot see them.

Pure; what there is comes as `Code`. A reference counts only where a reader would take it for one: a path, or
a name in backticks that looks like an identifier. Sentences about what is to be made, or is gone, refer to
nothing; neither do blocks of code, names of somebody else's libraries, and names that stand for any name.
Refuses to guess: what may be right is right.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple, Protocol

TOLD = 120  # characters of a phrase that are kept
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCES = re.compile(r"(?<=[.!?:;])\s+|[。！？；\n]+")
_TICKED = re.compile(r"`([^`\n]+)`")
_PLACE = re.compile(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$")
_PATH = re.compile(r"(?<![\w./:@~$*{}<>-])[\w.@-]+(?:/[\w.@-]+)+(?![\w/*{<])")
_FILE = re.compile(r"[\w.@-]*\w\.\w+")
_NAME = re.compile(r"((?:[A-Za-z_]\w*(?:\.|::|#|->))*)([A-Za-z_]\w*)(\([^()]*\))?")
_SPLIT = re.compile(r"\.|::|#|->")
_COMPOUND = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z][A-Z]")


class Code(Protocol):
    """What there is in a project. Names as they are written."""

    def has_file(self, path: str) -> bool:
        """Whether some file's path is this or ends like this."""
        ...

    def is_kind(self, suffix: str) -> bool:
        """Whether some file's name ends like this (``.py``)."""
        ...

    def defines(self, name: str) -> bool: ...

    def says(self, name: str) -> bool:
        """Whether the name stands in any file."""
        ...


class Referred(NamedTuple):
    """``total`` different references, and those of them that lead nowhere, in order."""

    total: int
    missing: list[str]


def blind(reply: str) -> str:
    """The words by which a reply says that it cannot see the code as it is now; "" for none."""
    plain = _FENCED.sub("", reply)
    hits = (pattern.search(plain) for pattern in _phrases("blind"))
    first = min(filter(None, hits), key=lambda hit: hit.start(), default=None)
    return first[0][:TOLD] if first else ""


def referred(reply: str, code: Code) -> Referred:
    """The references of a reply, each once."""
    found: dict[str, bool] = {}
    for sentence in _SENTENCES.split(_FENCED.sub("", reply)):
        if sentence and not any(pattern.search(sentence) for pattern in _phrases("making")):
            for name, is_there in _in_sentence(sentence, code):
                found.setdefault(name, is_there)
    return Referred(len(found), [name for name, is_there in found.items() if not is_there])


def _in_sentence(sentence: str, code: Code) -> Iterator[tuple[str, bool]]:
    for ticked in map(str.strip, _TICKED.findall(sentence)):
        yield from _ticked(_PLACE.sub("", ticked), code)
    for path in _PATH.findall(_TICKED.sub(" ", sentence)):
        yield from _path(path.rstrip("."), code)


def _ticked(said: str, code: Code) -> Iterator[tuple[str, bool]]:
    if _PATH.fullmatch(said) or (_FILE.fullmatch(said) and code.is_kind(_suffix(said))):
        yield from _path(said, code)
    elif hit := _NAME.fullmatch(said):
        yield from _name(hit[1], hit[2], called=bool(hit[3]), code=code)


def _path(path: str, code: Code) -> Iterator[tuple[str, bool]]:
    path = path.removeprefix("./")
    suffix = _suffix(path)
    if suffix and code.is_kind(suffix) and not _is_anything(path):
        yield path, code.has_file(path)


def _name(owners: str, name: str, *, called: bool, code: Code) -> Iterator[tuple[str, bool]]:
    """An owner that is not the project's own makes the name somebody else's."""
    if _is_anything(name):
        return
    if code.defines(name):
        yield f"{owners}{name}", True
    elif owners:
        first = _SPLIT.split(owners)[0]
        if code.defines(first):
            yield f"{owners}{name}", code.says(name)
    elif _COMPOUND.search(name) and (called or not name.isupper()):
        yield name, code.says(name)


def _suffix(path: str) -> str:
    _, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return f".{suffix}" if dot else ""


def _is_anything(name: str) -> bool:
    lowered = name.lower()
    return any(one in lowered for one in _table()["anything"])


@cache
def _phrases(which: str) -> Sequence[re.Pattern[str]]:
    return [re.compile(one, re.IGNORECASE) for one in _table()[which]]


@cache
def _table() -> dict[str, list[str]]:
    text = (files("navlog.projections.injecting") / "phrases.toml").read_text("utf-8")
    return {name: list(found) for name, found in tomllib.loads(text).items()}
