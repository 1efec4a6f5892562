"""A task's text taken apart: what was said, what was pasted, what names a place in the code.

An issue is mostly noise: the template it was written in, a checklist, the versions of everything, a log. This
module keeps the first line apart from the rest and prose apart from code, and takes paths, frames of
tracebacks, modules and names out of all of it. It reads no file and knows no repository.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

T = TypeVar("T")

# The text of an issue is read to here; what comes later is a log.
LONGEST = 20_000

_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_TICKED = re.compile(r"`([^`\n]{1,120})`")
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>\n]*)?/?>", re.IGNORECASE)
_URL = re.compile(r"\b(?:https?|file)://[^\s)>\]\"'`]+")
_BLOB = re.compile(r"/(?:blob|tree|src|raw)/[^/\s]+/([^\s#?)]+)(?:#L(\d+))?")
_MASK = re.compile(r"(?:\w+:)?<file>(?:#L\d+(?:-L\d+)?)?")
_CHECK = re.compile(r"^\s*[-*]\s*\[[ xX]\].*$", re.MULTILINE)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+(.*?)#*|\*\*([^*\n]{1,80})\*\*:?)\s*$")
# Sections of templates whose content is about the reporter's machine, not about the code.
_MACHINE = re.compile(
    r"\b(environment|versions?|platform|system|os|checklist|browser|your project|screenshots?|installed|"
    r"additional context|contribut\w*|code of conduct|crates?|reproduction link|link to minimal)\b"
    r"|环境|版本|截图",
    re.IGNORECASE,
)
_MACHINE_LINE = re.compile(
    r"^\s*(?:[-*]\s*)?(?:INSTALLED VERSIONS|Linux \S+ \d|python(?: version)?\s*[:=]|"
    r"node\b.{0,12}[:=v]\s*v?\d|"
    r"(?:os|platform|browser|version|commit)\s*[:=]|[\w.-]+\s*(?:==|:)\s*v?\d+\.\d[\w.+-]*\s*$|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d).*$",
    re.IGNORECASE | re.MULTILINE,
)

_CODE = (
    "py|pyx|pyi|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|lua|"
    "sh|sql|toml|cfg|ini|json|yaml|yml|conf|html|css|scss|less|md|rst|txt|tcl|proto|graphql|ex|exs|dart|zig"
)
_PATH = re.compile(
    rf"(?<![\w/.@-])((?:[\w.@+-]+[/\\])*[\w.@+-]*\w\.(?:{_CODE}))(?![\w-]|\.\w)"
    r"(?::(\d+)|\"?, line (\d+)|\((\d+))?",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"File \"(?P<py>[^\"\n]+)\", line (?P<py_line>\d+), in (?P<py_name>[\w<>]+)"
    r"|(?<!\w)in (?P<cell>[A-Za-z_]\w*)\((?=[^\n]*\)\s*$)"
    r"|^\s*at (?P<js>[\w$.<>]+) \((?P<js_path>[^()\s]+?):(?P<js_line>\d+)"
    r"|^\s*at (?P<java>[\w$.]+)\((?P<java_path>\w+\.java):(?P<java_line>\d+)\)",
    re.MULTILINE,
)
_MODULE = re.compile(
    r"\bfrom\s+([A-Za-z_][\w.]*)\s+import\b|^\s*import\s+([A-Za-z_][\w.]+)|\b([a-z_]\w*(?:\.[A-Za-z_]\w*){2,})\b"
    r"|\b([a-z_]\w*(?:::[A-Za-z_]\w*)+)",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
_SHAPED = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^_+[a-z]|[A-Z]{2,}[a-z]|::|\w\.\w")
_CALLED = re.compile(r"([A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)!?\(")


class Place(NamedTuple):
    """A path as the task wrote it, with ``/``; ``line`` 0 where none was given."""

    path: str
    line: int


class Reading(NamedTuple):
    """The parts of a task; names are identifiers that are quoted, called or shaped like one."""

    title: str
    prose: str
    code: str
    places: tuple[Place, ...]
    frames: tuple[str, ...]
    modules: tuple[str, ...]
    title_names: tuple[str, ...]
    prose_names: tuple[str, ...]
    code_names: tuple[str, ...]


def read(task: str) -> Reading:
    """The parts of ``task``; any text is one."""
    text = _COMMENT.sub("\n", task[:LONGEST].replace("\r", "")).strip()
    title, _, body = text.partition("\n")
    fenced = [match[2] for match in _FENCE.finditer(body)]
    prose = _prose(_FENCE.sub("\n", body))
    code = _MASK.sub(" ", _URL.sub(" ", "\n".join(fenced)))
    title = _TAG.sub(" ", _MASK.sub(" ", title))
    return Reading(
        title=title,
        prose=prose,
        code=_MACHINE_LINE.sub("", code),
        places=_distinct(_places(text)),
        frames=_distinct(_frames(text)),
        modules=_distinct(_modules(text)),
        title_names=_distinct(_names(title)),
        prose_names=_distinct(_names(prose)),
        code_names=_distinct(match[1] for match in _CALLED.finditer(code)),
    )


def _prose(text: str) -> str:
    """Without tags, links, checklists, headings of templates and sections about the reporter's machine."""
    text = _MASK.sub(" ", _URL.sub(" ", _CHECK.sub("", text)))
    kept: list[str] = []
    skipping = False
    for line in _MACHINE_LINE.sub("", _TAG.sub(" ", text)).split("\n"):
        heading = _HEADING.match(line)
        if heading:
            skipping = bool(_MACHINE.search(heading[1] or heading[2]))
        elif not skipping:
            kept.append(line)
    return "\n".join(kept).strip()


def _places(text: str) -> Iterator[Place]:
    for url in _URL.findall(text):
        if blob := _BLOB.search(url):
            yield Place(blob[1], int(blob[2] or 0))
    for match in _PATH.finditer(_URL.sub(" ", text)):
        line = next((group for group in match.groups()[1:] if group), "0")
        yield Place(match[1].replace("\\", "/").removeprefix("./"), int(line[:9]))


def _frames(text: str) -> Iterator[str]:
    """Functions named by tracebacks, the innermost first."""
    for match in reversed(list(_FRAME.finditer(text))):
        name = match["py_name"] or match["cell"] or match["js"] or match["java"]
        yield re.split(r"[.$]", name)[-1]


def _modules(text: str) -> Iterator[str]:
    for match in _MODULE.finditer(_URL.sub(" ", text)):
        yield next(group for group in match.groups() if group).replace("::", ".")


def _names(text: str) -> Iterator[str]:
    for ticked in _TICKED.findall(text):
        yield from _NAME.findall(ticked)
    yield from _CALLED.findall(text)
    for name in _NAME.findall(_TICKED.sub(" ", text)):
        if _SHAPED.search(name):
            yield name


def _distinct(items: Iterator[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(items))
