"""What a shell command means for the project: which files it read, modified, tested or searched.

By the program and its words, the way agents write them (``sed -n 1,40p a.py``, ``cd x && pytest a.py::b``,
``cat > new.py <<'EOF'``). Runs and expands nothing; a program nobody here knows "ran". A guess costs more
than a gap: only words that stand where that program takes files are paths.
"""

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from navlog.daemon.hosts.programs import Program, find_program, unwrapped
from navlog.daemon.hosts.words import Simple, simple_commands
from navlog.schemas.sessions import ToolKind

ORDER: tuple[ToolKind, ...] = ("other", "ran", "searched", "read", "modified", "tested")
DEEP = 3  # bash -c "bash -c …"
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "eval"})
_TEST_ID = re.compile(r"::.*|\[.*", re.DOTALL)
_ELSEWHERE = ("/dev/", "/proc/")


class Act(NamedTuple):
    """One kind of thing that was done, and the paths as written, seen from the command's first folder."""

    kind: ToolKind
    paths: list[str]


def acts(command: str) -> list[Act]:
    """One `Act` a kind, what matters most last; "ran" only where nothing else is known of the command."""
    found: dict[ToolKind, dict[str, None]] = {}
    for kind, paths in _acts(command, "", 0):
        found.setdefault(kind, {}).update(dict.fromkeys(paths))
    if len(found) > 1:
        found.pop("ran", None)
    return [Act(kind, list(found[kind])) for kind in ORDER if kind in found]


def _acts(command: str, within: str, depth: int) -> Iterator[Act]:
    for simple in simple_commands(command):
        words, inner = unwrapped(simple.words)
        if words and words[0] in ("cd", "pushd"):
            within = posixpath.join(within, words[1]) if len(words) > 1 else "~"
        elif words and posixpath.basename(words[0]) in _SHELLS and inner:
            if depth < DEEP:
                yield from _acts(inner, within, depth + 1)
        else:
            yield from (act._replace(paths=_from(within, act.paths)) for act in _of(simple, words))


def _of(simple: Simple, words: list[str]) -> Iterator[Act]:
    """A simple command's own act, and what its redirections say."""
    if written := _real(simple.into):
        yield Act("modified", written)
    if not words:
        return
    program = find_program(words)
    kind, paths = program.kind, _real(_paths(program))
    if simple.source and not paths:
        paths = _real(simple.source)
    if kind == "read" and not paths:
        kind = "ran"  # a filter
    if kind in ("ran", "searched") and simple.piped and not paths:
        return
    if not (kind == "ran" and simple.into):
        yield Act(kind, paths)


def _paths(program: Program) -> list[str]:
    words = [word for word in program.files if word]
    if program.kind == "tested":
        return [path for word in words if _is_path(path := _TEST_ID.sub("", word).removesuffix("/..."))]
    return words


def _is_path(word: str) -> bool:
    """Of a test run's words: a file or a folder, not a label."""
    return "/" in word or bool(re.search(r"\.\w{1,5}\Z", word)) or word in ("tests", "test", "spec")


def _real(paths: list[str]) -> list[str]:
    return [path for path in paths if path != "-" and not path.startswith(_ELSEWHERE)]


def _from(within: str, paths: list[str]) -> list[str]:
    return [posixpath.join(within, path) for path in paths] if within else paths
