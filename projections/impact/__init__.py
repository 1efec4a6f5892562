"""Who is touched when a file or a definition changes: its users, theirs, and why each of them.

Pure: it asks `Facts` and computes. Names are not types, so each step has a confidence, whose product is a
hit's; what falls below `LEAST` is left out. It refuses to follow what it does not know: a call through a
receiver of unknown type counts the less, the more definitions there are of that name.
"""

from collections.abc import Iterator, Mapping, Sequence

from navlog.projections.impact.facts import Facts, Hit, Target, target_of
from navlog.projections.impact.uses import LEAST, Use, uses
from navlog.projections.ranking.kinds import kind_of
from navlog.schemas.events import Symbol

FOLLOWED = 40  # so many of the likeliest are followed a step further
_ORDER = {
    "source": 0,
    "declaration": 0,
    "test": 1,
}  # among equals; examples, documents and the rest come last
_WHOLE_FILE = 0.5  # what a file that imports another passes on to its own importers
_POINTERS = {"link": (0.9, "documents it"), "test": (0.8, "is the test named after it")}


def impact(facts: Facts, starts: Sequence[Target], depth: int, enough: int) -> list[Hit]:
    """What a change of ``starts`` touches within ``depth`` steps, the nearest first, then the likeliest.

    Once ``enough`` are found, no further step is taken.
    """
    seen = {(start.path, start.symbol) for start in starts}
    hits: list[Hit] = []
    frontier = [Use(start, 1.0, "") for start in starts]
    for distance in range(1, depth + 1):
        found: dict[tuple[str, str], Use] = {}
        for use in _step(facts, frontier, 1.0 if distance == 1 else _WHOLE_FILE):
            key = use.user.path, use.user.symbol
            if key not in seen and (key not in found or use.confidence > found[key].confidence):
                found[key] = use
        frontier = sorted(found.values(), key=_likeliest)
        seen |= found.keys()
        hits += [
            Hit(use.user.path, use.user.line, use.user.symbol, distance, round(use.confidence, 3), use.reason)
            for use in frontier
        ]
        frontier = frontier[:FOLLOWED]
        if len(hits) >= enough:
            break
    return hits


def find_targets(files: Mapping[str, Sequence[Symbol]], wanted: str) -> list[Target]:
    """What a person means by a path, ``path:symbol``, ``Class.method`` or a symbol's name.

    A method that its class inherits is looked for by its own name.
    """
    if wanted in files:
        return [Target(wanted)]
    path, _, name = wanted.rpartition(":")
    path = path.rstrip(":")
    if path:
        return list(_defined(path, files.get(path, ()), name))
    _, inherited, own = wanted.rpartition(".")
    found = [target for path in sorted(files) for target in _defined(path, files[path], wanted)]
    return find_targets(files, own) if inherited and own and not found else found


def _defined(path: str, symbols: Sequence[Symbol], name: str) -> Iterator[Target]:
    owner, _, own = name.rpartition(".")
    for number, symbol in enumerate(symbols):
        if symbol.name == own and (not owner or _owner(symbols, symbol) == owner):
            yield target_of(path, symbols, number)


def _owner(symbols: Sequence[Symbol], symbol: Symbol) -> str:
    return symbols[symbol.parent].name if symbol.parent >= 0 else ""


def _likeliest(use: Use) -> tuple[float, int, Target]:
    return -use.confidence, _ORDER.get(kind_of(use.user.path), 2), use.user


def _step(facts: Facts, frontier: Sequence[Use], passed_on: float) -> Iterator[Use]:
    files = {use.user.path: use.confidence * passed_on for use in frontier if not use.user.symbol}
    if files:
        yield from _users_of_files(facts, files)
    for use in frontier:
        for following in uses(facts, use.user) if use.user.symbol else ():
            confidence = following.confidence * use.confidence
            if confidence >= LEAST:
                yield following._replace(confidence=confidence)


def _users_of_files(facts: Facts, files: Mapping[str, float]) -> Iterator[Use]:
    for row in facts.imports_of(files):
        yield Use(Target(row.path, line=row.line), files[row.target], "imports it")
    for pointer in facts.pointers_to(files):
        worth, reason = _POINTERS[pointer.kind]
        yield Use(Target(pointer.path, line=pointer.line), worth * files[pointer.target], reason)
