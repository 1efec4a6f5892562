"""Where a concept went whose files moved: facts for the event that says so. Pure.

A concept that the rules find no more is remembered with the files it had, and the names these have by now. It
lives on in another one when most of its files moved there and most of that one's files came from it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from navlog.projections.concepts.finding import Finding
from navlog.projections.concepts.judgements import Move

MISSED = 200  # concepts that are remembered: whole trees that were deleted are not for ever
SHARE = 0.5  # of both: less is a split or a merge, and people say what that means
Found = Mapping[str, tuple[str, ...]]  # concept id -> its main files
Lost = dict[str, dict[str, str]]  # concept id -> the files it had -> their names now


def main_files(finding: Finding) -> dict[str, tuple[str, ...]]:
    """What the rules found, as far as an identity needs it."""
    return {
        one.id: tuple(claim.path for claim in one.files if claim.relation == "implemented_by")
        for one in finding.concepts
    }


def lose(lost: Lost, before: Found, now: Found, moves: Sequence[Move], moved: Collection[str]) -> Lost:
    """The lost ones after a batch with these ``moves`` of files; ``moved``: those it says live on."""
    known = lost | {
        id_: dict(zip(files, files, strict=True)) for id_, files in before.items() if id_ not in lost
    }
    renamed = {move.previous: move.now for move in moves}
    still = {
        id_: {first: _last(name, renamed) for first, name in files.items()}
        for id_, files in known.items()
        if id_ not in now and id_ not in moved
    }
    return dict(list(still.items())[-MISSED:])


def heirs(lost: Lost, now: Found) -> Iterator[tuple[str, str]]:
    """(previous, concept): identities that moved."""
    for id_, files in sorted(lost.items()):
        came = {name for first, name in files.items() if name != first}
        shares = {other: _share(came, len(files), have) for other, have in now.items()}
        best = max(sorted(shares), key=lambda other: shares[other], default="")
        if best and shares[best] >= SHARE:
            yield id_, best


def _share(came: Collection[str], had: int, have: Collection[str]) -> float:
    """How much of what one had moved to the other, or of what that one has came from it: the smaller part."""
    both = len([name for name in have if name in came])
    return min(both / had, both / len(have)) if had and have else 0.0


def _last(name: str, renamed: Mapping[str, str]) -> str:
    """A batch may move a file several times; a circle ends where it began."""
    seen = {name}
    while (later := renamed.get(name)) is not None and later not in seen:
        seen.add(later)
        name = later
    return name
