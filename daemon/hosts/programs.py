"""The programs agents call: what each means, and which of its words are files.

A table (`program_tables`), and a few that need a look: sed, git, package managers, interpreters.
"""

import posixpath
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from navlog.daemon.hosts import program_tables as tables
from navlog.daemon.hosts.program_tables import Row
from navlog.schemas.sessions import ToolKind


class Program(NamedTuple):
    """What it does, and the words that are its files."""

    kind: ToolKind
    files: list[str]


def find_program(words: Sequence[str]) -> Program:
    """The meaning of one simple command; ``words`` is not empty."""
    name, rest = posixpath.basename(words[0]), list(words[1:])
    if name in _LOOKED_AT:
        return _LOOKED_AT[name](rest)
    if name in tables.TESTERS:
        return Program("tested", _operands(rest, tables.TEST_VALUED))
    if row := tables.TABLE.get(name):
        return Program(row.kind, _files(row, rest))
    return Program("ran", [])


def unwrapped(words: Sequence[str]) -> tuple[list[str], str]:
    """The command without what runs it (env, sudo, timeout, uv run …); and the text behind ``sh -c``."""
    left = list(words)
    while left:
        name = posixpath.basename(left[0])
        if left[0] in tables.KEYWORDS or tables.ASSIGNMENT.match(left[0]) or name in tables.PREFIXES:
            left = left[1:]
            while (
                left
                and (left[0].startswith("-") or tables.DURATION.fullmatch(left[0]))
                and name in tables.PREFIXES
            ):
                left = left[1:]
        elif len(left) > 2 and (name, left[1]) in tables.RUNNERS:
            left = left[2:]
        else:
            break
    return left, _inner(left)


def _inner(words: list[str]) -> str:
    for option, value in pairwise(words[1:]):
        if re.fullmatch(r"-[a-z]*c", option):
            return value
        if not option.startswith("-"):
            return ""
    return words[1] if len(words) == 2 and words[0] == "eval" else ""


def _files(row: Row, words: list[str]) -> list[str]:
    given = any(word in row.script or word.split("=")[0] in row.script for word in words)
    operands = _operands(words, row.valued | row.script)
    return operands if given else operands[row.skip :]


def _operands(words: Sequence[str], valued: frozenset[str] = frozenset()) -> list[str]:
    """The words that are no options and no values of ``valued`` ones; all of them after ``--``."""
    found: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            return [*found, *left]
        if word in valued:
            next(left, None)
        elif not word.startswith("-") or word == "-":
            found.append(word)
    return found


# --- those that need a look -----------------------------------------------------------------------------


def _sed(words: list[str]) -> Program:
    inplace = any(re.match(r"-[nErsuz]*i", word) or word.startswith("--in-place") for word in words)
    row = Row("read", 1, script=frozenset({"-e", "-f", "--expression", "--file"}))
    return Program("modified" if inplace else "read", _files(row, words))


def _perl(words: list[str]) -> Program:
    inplace = any(re.match(r"-[a-zA-Z0-9]*i", word) for word in words)
    files = [word for word in _operands(words) if "." in word and not re.search(r"[\s;$]", word)]
    return Program("modified" if inplace else "ran", files)


def _git(words: list[str]) -> Program:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-C", "-c", "--git-dir", "--work-tree") else words[1:]
    if not words:
        return Program("ran", [])
    kind, rest = tables.GIT.get(words[0], "ran"), words[1:]
    if words[0] in ("checkout", "reset", "diff", "log", "show", "blame", "stash"):
        files = rest[rest.index("--") + 1 :] if "--" in rest else list(filter(_has_end, _operands(rest)))
        kind = kind if files or kind != "modified" else "ran"
        return Program(kind, [re.sub(r"\A[^:\s]*:(?=.)", "", file) for file in files])
    if words[0] == "grep":
        return Program(kind, _files(tables.TABLE["grep"], rest))
    return Program(kind, _operands(rest) if kind != "ran" else [])


def _has_end(word: str) -> bool:
    """``a/b.py`` or ``HEAD:a/b.py``, but neither a branch nor a range of commits."""
    return bool(re.search(r"\.\w{1,8}\Z", word)) and ".." not in word


def _python(words: list[str]) -> Program:
    for place, word in enumerate(words):
        if word == "-m":
            return _module(words[place + 1 :])
        if word == "-c":
            return Program("ran", [])
        if not word.startswith("-"):
            return _script(word, words[place + 1 :])
    return Program("ran", [])


def _module(words: list[str]) -> Program:
    if words and words[0] in ("pytest", "unittest", "nose2", "tox", "nox", "doctest"):
        return Program("tested", _operands(words[1:], tables.TEST_VALUED))
    if words[:4] and words[0] == "coverage" and "-m" in words:
        return _module(words[words.index("-m") + 1 :])
    return (
        find_program(words) if words and words[0] in (*tables.TESTERS, *tables.TABLE) else Program("ran", [])
    )


def _script(script: str, words: list[str]) -> Program:
    name = posixpath.basename(script)
    if name in ("manage.py", "setup.py"):
        return Program("tested", _operands(words[1:])) if words[:1] == ["test"] else Program("ran", [])
    if tables.TEST_SCRIPT.match(name):
        return Program("tested", [script, *_operands(words)])
    return Program("ran", [script])


def _packages(words: list[str]) -> Program:
    """npm, pnpm, yarn, bun, deno, cargo, go, make, mvn, gradle, dotnet, mix, swift: a word says "test"."""
    operands = _operands(words, frozenset({"-C", "--prefix", "-F", "--filter", "-p", "--package"}))
    if operands[:1] in (["run"], ["exec"], ["x"]):
        operands = operands[1:]
    if not operands:
        return Program("ran", [])
    if tables.TEST_WORD.fullmatch(operands[0]):
        return Program("tested", operands[1:])
    return find_program(operands) if operands[0] in tables.TESTERS else Program("ran", [])


def _builds(words: list[str]) -> Program:
    tested = any(tables.TEST_WORD.fullmatch(word.rpartition(":")[2]) for word in _operands(words))
    return Program("tested" if tested else "ran", [])


def _copy(words: list[str]) -> Program:
    return Program("modified", _operands(words)[-1:])


def _formatter(words: list[str]) -> Program:
    writes = {"--write", "--fix", "-w", "-i", "format", "--in-place"} & set(words)
    files = [word for word in _operands(words) if word not in ("format", "check")]
    return Program("modified" if writes else "ran", files)


def _find(words: list[str]) -> Program:
    """The folders before the first test."""
    folders: list[str] = []
    for word in words:
        if word.startswith(("-", "(", "!")):
            break
        folders.append(word)
    return Program("searched", folders)


_LOOKED_AT: dict[str, Callable[[list[str]], Program]] = {
    **dict.fromkeys(("sed", "gsed"), _sed),
    "perl": _perl,
    "git": _git,
    "find": _find,
    **dict.fromkeys(("python", "python3", "python2", "py", "pypy3"), _python),
    **dict.fromkeys(tables.PACKAGES, _packages),
    **dict.fromkeys(tables.BUILDS, _builds),
    **dict.fromkeys(("cp", "mv", "install", "ln"), _copy),
    **dict.fromkeys(("prettier", "ruff", "eslint", "clang-format", "biome"), _formatter),
}
