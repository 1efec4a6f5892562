"""Packages that are folders, as Go and the JVM have them: one file stands for all of a package.

``dir:a/b`` is the package in exactly that folder, ``folder:a/b`` one whose folder ends so. Which file stands
for it depends on the package alone, not on who asks.
"""

from collections.abc import Collection, Iterator

from navlog.projections.resolving.tails import nearest, stem_of

SUFFIXES = (".go", ".java", ".kt", ".scala")


def is_part(path: str) -> bool:
    """Whether others can import the file by its folder."""
    return path.endswith(SUFFIXES) and not path.endswith("_test.go")


def folder_of(path: str) -> str:
    """The folder of a file, "" for the root."""
    return path.rpartition("/")[0]


def answers(path: str) -> Iterator[str]:
    """The keys of the package that the file is a part of."""
    folder = folder_of(path)
    if path.endswith(".go"):
        yield "dir:" + folder
    else:
        yield "folder:" + folder.rpartition("/")[2]


def choose(path: str, key: str, found: Collection[str]) -> str | None:
    """The file that stands for the package: the one of its name, else the first."""
    kind, _, end = key.partition(":")
    ends = {
        folder_of(other) for other in found if kind == "dir" or ("/" + folder_of(other)).endswith("/" + end)
    }
    folder = nearest(path, [f"{one}/x" for one in ends])
    if folder is None:
        return None
    mates = [other for other in found if f"{folder_of(other)}/x" == folder and other != path]
    return representative(mates)


def representative(mates: Collection[str]) -> str | None:
    """The file that stands for the package whose files ``mates`` are."""
    return min(mates, key=_rank, default=None)


def _rank(path: str) -> tuple[bool, str]:
    folder, _, name = path.rpartition("/")
    return stem_of(name) != folder.rpartition("/")[2], path
