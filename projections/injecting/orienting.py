"""What an agent has to know of a project before its first prompt: what it is, how it lies, what moves.

Facts with pointers, one line each: an agent that wants more reads the file. Rules are named, not quoted:
hosts read their own, and text of a repository never speaks as a rule.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from navlog.projections.injecting.block import Found
from navlog.projections.injecting.prose import first_prose
from navlog.projections.views import FileView

README = re.compile(r"readme(\.(md|rst|txt|adoc))?", re.IGNORECASE)
RULES = re.compile(
    r"(.*/)?(AGENTS|CLAUDE|GEMINI|CONTRIBUTING|CODING_STYLE|STYLE|CONVENTIONS)(\.(md|rst|txt|adoc))?"
    r"|\.cursorrules|\.cursor/rules/[^/]+|\.github/(copilot-instructions\.md|instructions/[^/]+)|\.windsurfrules"
)
BUILD = re.compile(
    r"Makefile|justfile|tox\.ini|noxfile\.py|pytest\.ini|package\.json|Cargo\.toml|go\.mod|pom\.xml"
    r"|build\.gradle(\.kts)?|CMakeLists\.txt|composer\.json|Gemfile|Rakefile|pyproject\.toml|setup\.py"
)
# What every commit touches says nothing of where work is going on.
CHORES = re.compile(
    r"(.*/)?(\.[^/]+/.*|\.[^/]+|[^/]*\.lock|[^/]*-lock\.(json|yaml)|go\.sum|(changes|changelog|history|news)[^/]*"
    r"|package\.json|pyproject\.toml|Cargo\.toml|go\.mod)",
    re.IGNORECASE,
)
LANGUAGES, FOLDERS, NAMES, COMMITS, HOT = 4, 8, 6, 5, 6
SHARE = 0.03  # a language with fewer of the files is not worth its words
_HOLDERS = ("src", "packages", "crates", "apps", "lib", "libs", "pkg", "cmd")


class Commit(NamedTuple):
    """One of the newest commits; ``day`` as YYYY-MM-DD."""

    day: str
    subject: str


class Facts(NamedTuple):
    """``changed``: paths that changed since the project was first looked at, the newest first.

    ``often``: (path, commits) among the last ones; ``readme`` is the beginning of the project's, as text.
    """

    branch: str
    readme: str
    commits: Sequence[Commit] = ()
    often: Sequence[tuple[str, int]] = ()
    changed: Sequence[str] = ()


def orient(files: Mapping[str, FileView], facts: Facts) -> list[Found]:
    """The pieces of an orientation, the most telling first."""
    builds = sorted(path for path in files if BUILD.fullmatch(path))
    found = [
        _note("what", readme_of(files), first_prose(facts.readme)),
        _note("layout", "", _layout(files)),
        _note("build", "", _listed("built and tested by ", builds)),
        _note("changed", "", _listed("changed since navlog first looked, newest first: ", facts.changed)),
        _note("commits", "", _commits(facts)),
        _note("often", "", _often(facts.often)),
        _rules(files),
    ]
    return [one for one in found if one]


def readme_of(files: Mapping[str, FileView]) -> str:
    """The path of the project's readme, "" without one."""
    return next((path for path in sorted(files) if README.fullmatch(path)), "")


def _layout(files: Mapping[str, FileView]) -> str:
    languages = Counter(file.language for file in files.values() if file.language not in ("", "binary"))
    told = [
        f"{name} {count:,}"
        for name, count in languages.most_common(LANGUAGES)
        if count >= SHARE * languages.total()
    ]
    places = Counter(filter(None, map(_place, files)))
    folders = [f"{name}/ {count:,}" for name, count in places.most_common(FOLDERS)]
    parts = (f"{len(files):,} files", ", ".join(told), "; ".join(folders))
    return " · ".join(filter(None, parts)) if files else ""


def _place(path: str) -> str:
    """The folder at the top; two of them where the top only holds others; "" for hidden ones."""
    parts = path.split("/")[:-1]
    if not parts or parts[0].startswith("."):
        return ""
    return "/".join(parts[: 2 if parts[0] in _HOLDERS else 1])


def _rules(files: Mapping[str, FileView]) -> Found | None:
    names = (path for path in files if RULES.fullmatch(path))
    told = _listed("", sorted(names, key=lambda path: (path.count("/"), path)))
    return Found(_id("rule", told), "rule", "", "", told) if told else None


def _commits(facts: Facts) -> str:
    told = [f"{one.day} {one.subject}" for one in facts.commits[:COMMITS]]
    where = f" on {facts.branch}" if facts.branch else ""
    return f"newest commits{where}: " + "; ".join(told) if told else ""


def _often(often: Iterable[tuple[str, int]]) -> str:
    told = [f"{path} ({count})" for path, count in often if count > 1 and not CHORES.fullmatch(path)]
    return "changed most in the last commits: " + ", ".join(told[:HOT]) if told else ""


def _listed(what: str, paths: Sequence[str]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - NAMES:,} more" if len(paths) > NAMES else ""
    return f"{what}{', '.join(paths[:NAMES])}{more}"


def _note(what: str, pointer: str, said: str) -> Found | None:
    return Found(_id(f"note:{what}", said), "note", pointer, "", said) if said else None


def _id(what: str, said: str) -> str:
    """Stable for what is said: a changed fact is another piece."""
    return f"{what}:{sha256(said.encode()).hexdigest()[:8]}"
