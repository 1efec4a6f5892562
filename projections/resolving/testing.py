"""Which files are tests, and of what: by their names and places.

``test:app`` is answered by every source whose stem is app. Meant is the one whose folders fit the test's
best, when a single one does; a test's imports say more and are looked at beside this.
"""

import re
from collections.abc import Collection, Iterator

from navlog.projections.resolving.tails import stem_of

FOLDERS = {"test", "tests", "testing", "__tests__", "spec", "specs", "e2e"}
_NAME = re.compile(
    r"(?:test[_-](?P<before>.+)|(?P<after>.+?)(?:[_.-](?:test|tests|spec)|(?<=[a-z0-9])(?:Tests?|Spec|IT)))"
)
_SOURCES = (
    ".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".vue", ".svelte", ".go", ".rs", ".java",
    ".kt", ".scala", ".c", ".cc", ".cpp", ".h", ".hpp", ".cs", ".rb", ".php", ".swift", ".lua", ".ex", ".sh",
)  # fmt: skip


def is_test(path: str) -> bool:
    """Whether the file tests others or helps tests."""
    folders = path.split("/")[:-1]
    return bool(FOLDERS.intersection(folder.lower() for folder in folders)) or bool(subject(path))


def subject(path: str) -> str:
    """The stem that the file's name says it tests, "" when it does not."""
    found = _NAME.fullmatch(stem_of(path.rpartition("/")[2]))
    return (found["before"] or found["after"]) if found else ""


def answers(path: str) -> Iterator[str]:
    """The key by which tests find the source at ``path``."""
    if path.endswith(_SOURCES) and not is_test(path):
        yield "test:" + _topic(path)


def asks(path: str) -> tuple[str, ...]:
    """The key of the source that the test at ``path`` is named after."""
    return ("test:" + subject(path).lower(),) if path.endswith(_SOURCES) and subject(path) else ()


def choose(path: str, found: Collection[str]) -> str | None:
    """The source whose folders share most names with the test's, if a single one does."""
    folders = set(path.split("/")[:-1]) - FOLDERS
    ranked = sorted((_strangeness(folders, other), other) for other in found if other != path)
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        return None
    return ranked[0][1] if ranked else None


def _topic(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = stem_of(name)
    # A package's own file is tested under the package's name.
    return (
        folder.rpartition("/")[2] if stem in ("__init__", "index", "mod", "lib") and folder else stem
    ).lower()


def _strangeness(folders: set[str], other: str) -> tuple[int, bool, int]:
    theirs = set(other.split("/")[:-1])
    return -len(folders & theirs), other.endswith(".h"), len(theirs)
