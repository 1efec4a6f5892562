"""Files found by the end of their path: for what is written without a root, like ``#include "a/b.h"``.

``name:b.py`` is answered by every file of that name; ``tail:a/b.py`` asks for those of them in a folder
``a``; ``stem:a/b`` is the same without the suffix. Meant is the nearest; of two equally near ones, neither.
``only:b.py`` is answered where a single file has that name.
"""

from collections.abc import Collection, Iterator


def answers(path: str) -> Iterator[str]:
    """The keys by which the file at ``path`` is found, beside the path itself."""
    name = path.rpartition("/")[2]
    yield "name:" + name
    stem = stem_of(name)
    if stem != name:
        yield "bare:" + stem


def answering(key: str) -> str:
    """The key under which answers to ``key`` stand."""
    kind, _, tail = key.partition(":")
    if kind in ("tail", "only"):
        return "name:" + tail.rpartition("/")[2]
    if kind == "stem":
        return "bare:" + tail.rpartition("/")[2]
    if kind == "folder":
        return "folder:" + tail.rpartition("/")[2]
    return key


def choose(path: str, key: str, found: Collection[str]) -> str | None:
    """The nearest of those whose path ends as ``key`` says."""
    kind, _, tail = key.partition(":")
    end = "/" + tail
    fitting = [
        other
        for other in found
        if other != path and ("/" + (stem_of(other) if kind == "stem" else other)).endswith(end)
    ]
    return nearest(path, fitting) if kind != "only" or len(fitting) == 1 else None


def nearest(path: str, others: Collection[str]) -> str | None:
    """The one that shares most folders with ``path``; None where that is not a single one."""
    if len(others) < 2:
        return next(iter(others), None)
    ranked = sorted((-shared(path, other), other) for other in others)
    return ranked[0][1] if ranked[0][0] < ranked[1][0] else None


def shared(path: str, other: str) -> int:
    """How many folders the two have in common, from the root."""
    count = 0
    for mine, theirs in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def stem_of(path: str) -> str:
    """Without the last suffix: a/b for a/b.py, a/b.test for a/b.test.ts; a leading dot is none."""
    folder, slash, name = path.rpartition("/")
    bare, dot, _ = name.rpartition(".")
    return folder + slash + bare if dot and bare else path
