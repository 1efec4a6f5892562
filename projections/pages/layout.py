"""Boxes and arrows in columns, so that a person can read them: from what needs to what is needed.

Layered drawing after Sugiyama: arrows that close a circle are turned aside, a box stands one column
behind the last that points at it, and boxes move towards the middle of their
neighbours so that few arrows cross. Pure and without chance: the same graph is drawn the same way.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 280, 100
GAP_X, GAP_Y = 140, 40
ROWS = 8  # boxes in a column; a fuller layer takes more columns
SWEEPS = 6

Arrow = tuple[str, str]
Corner = tuple[int, int]


def layout(names: Sequence[str], arrows: Sequence[Arrow]) -> dict[str, Corner]:
    """The upper left corner of each box; ``names``, the most important first, are all there is."""
    straight = _without_circles(names, arrows)
    alone = set(names) - {name for arrow in straight for name in arrow}
    layers = _layers([name for name in names if name not in alone], straight)
    columns = [column for layer in _untangled(layers, straight) for column in _split(layer)]
    columns += _split([name for name in names if name in alone])
    return {
        name: (x * (WIDTH + GAP_X), y * (HEIGHT + GAP_Y) - len(column) * (HEIGHT + GAP_Y) // 2)
        for x, column in enumerate(columns)
        for y, name in enumerate(column)
    }


def telling(names: Sequence[str], arrows: Sequence[Arrow]) -> list[Arrow]:
    """The arrows that say something: none that closes a circle, none that others together say already."""
    straight = _without_circles(names, arrows)
    after: dict[str, set[str]] = defaultdict(set)
    for start, end in straight:
        after[start].add(end)
    return [
        (start, end)
        for start, end in straight
        if not any(_leads(after, middle, end) for middle in after[start] - {end})
    ]


def _leads(after: Mapping[str, set[str]], start: str, end: str) -> bool:
    waiting, seen = [start], {start}
    while waiting:
        here = waiting.pop()
        if here == end:
            return True
        new = after.get(here, set()) - seen
        seen |= new
        waiting.extend(new)
    return False


def _without_circles(names: Sequence[str], arrows: Sequence[Arrow]) -> list[Arrow]:
    """The arrows between two of ``names`` in their order, but for those that would close a circle."""
    known = set(names)
    after: dict[str, set[str]] = defaultdict(set)  # all that can be reached
    kept = []
    for start, end in dict.fromkeys(arrows):
        if start == end or start in after[end] or not {start, end} <= known:
            continue
        kept.append((start, end))
        reached = {end} | after[end]
        for name in names:
            if name == start or start in after[name]:
                after[name] |= reached
    return kept


def _layers(names: Sequence[str], arrows: Sequence[Arrow]) -> list[list[str]]:
    depth = dict.fromkeys(names, 0)
    for _ in names:  # the longest path has fewer arrows than there are names
        for start, end in arrows:
            depth[end] = max(depth[end], depth[start] + 1)
    return [
        [name for name in names if depth[name] == at] for at in range(max(depth.values(), default=-1) + 1)
    ]


def _untangled(layers: list[list[str]], arrows: Sequence[Arrow]) -> list[list[str]]:
    """Each layer in the order of its neighbours' middles, from left to right and back."""
    near: dict[str, list[str]] = defaultdict(list)
    for start, end in arrows:
        near[start].append(end)
        near[end].append(start)
    for sweep in range(SWEEPS):
        order = range(1, len(layers)) if sweep % 2 == 0 else range(len(layers) - 2, -1, -1)
        for at in order:
            there = _heights(layers[at - 1] if sweep % 2 == 0 else layers[at + 1])
            here = _heights(layers[at])
            layers[at].sort(key=lambda name: _middle(name, near, there, here))
    return layers


def _heights(layer: Sequence[str]) -> dict[str, float]:
    return {name: at - (len(layer) - 1) / 2 for at, name in enumerate(layer)}


def _middle(
    name: str, near: Mapping[str, Sequence[str]], there: Mapping[str, float], here: Mapping[str, float]
) -> float:
    found = [there[other] for other in near.get(name, ()) if other in there]
    return sum(found) / len(found) if found else here[name]


def _split(layer: Sequence[str]) -> list[list[str]]:
    """Columns of about equal height."""
    count = -(-len(layer) // ROWS)
    height = -(-len(layer) // count) if count else 0
    return [list(layer[start : start + height]) for start in range(0, len(layer), height or 1)]
