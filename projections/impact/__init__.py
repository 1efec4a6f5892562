"""Who is touched when a file or a definition changes: its users, theirs, and why each of them.

Pure: it asks `Facts` and computes. Names are not types, so each step has a confidence, whose product is a
hit's; what falls below `LEAST` is left out. It refuses to follow what it does not know: a call through a
receiver of unknown type counts the less, the more definitions there are of that name.
"""

from collections.abc import Container, Iterator, Mapping, Sequence

from navlog.projections.impact.bindings import bindings, is_front_page
from navlog.projections.impact.facts import Facts, Hit, Place, Target, is_outermost, receiver_of, target_of
from navlog.projections.impact.heirs import Clan, Class
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
_PASSED_ON = 0.9  # a name of the file that is imported from another, which passes it on
_TOGETHER, _SELDOM = 0.8, 0.3  # of a companion: when it always changed too, and the share that says nothing
_DOCUMENTS = frozenset({"heading", "target", "selector"})
_NO_NAMES = _DOCUMENTS | {"namespace"}  # of a namespace many files make a part, and nobody uses it by itself
_POINTERS = {"link": (0.9, "documents it"), "test": (0.8, "is the test named after it")}


def impact(facts: Facts, starts: Sequence[Target], depth: int, enough: int) -> list[Hit]:
    """What a change of ``starts`` touches within ``depth`` steps, the nearest first, then the likeliest.

    Once ``enough`` are found, no further step is taken.
    """
    seen = {start.place for start in starts}
    clans: dict[Class, Clan] = {}
    hits: list[Hit] = []
    frontier = [Use(start, 1.0, "") for start in starts]
    for distance in range(1, depth + 1):
        found: dict[Place, Use] = {}
        for use in _step(facts, frontier, clans, 1.0 if distance == 1 else _WHOLE_FILE):
            key = use.user.place
            if key not in seen and (key not in found or use.confidence > found[key].confidence):
                found[key] = use
        frontier = sorted(found.values(), key=_likeliest)
        seen |= found.keys()
        hits += [_hit(use, distance) for use in frontier]
        frontier = [use for use in frontier if _goes_on(use.user)][:FOLLOWED]
        if len(hits) >= enough:
            break
    return hits


def find_targets(files: Mapping[str, Sequence[Symbol]], wanted: str) -> list[Target]:
    """What a person means by a path, ``path:symbol``, ``Class.method`` (or ``::``), or a symbol's name.

    A method that its class inherits is looked for by its own name. Sources come before tests, and these
    before the rest; a heading is meant only where nothing else has the name.
    """
    if wanted in files:
        return [Target(wanted)]
    path, name = _parted(files, wanted)
    if path:
        return list(_defined(path, files.get(path, ()), name))
    _, inherited, own = name.rpartition(".")
    found = [target for path in sorted(files) for target in _defined(path, files[path], name)]
    if inherited and own and not found:
        return find_targets(files, own)
    found.sort(key=lambda one: _ORDER.get(kind_of(one.path), 2))
    return [one for one in found if one.kind not in _DOCUMENTS] or found


def find_settings(facts: Facts, name: str) -> list[Target]:
    """A variable of the environment or a key that is read by this name, although nothing defines it."""
    texts = facts.texts(sorted(facts.mentioning(name))).values()
    kinds = {one.kind for text in texts for one in text.references if one.name == name}
    return [Target("", name, name, 1, kind) for kind in ("env", "key") if kind in kinds][:1]


def _parted(files: Container[str], wanted: str) -> tuple[str, str]:
    """(path, name) of path:Class.method. ``::`` parts a name, and a path from it as pytest writes it."""
    before, twice, after = wanted.partition("::")
    if before in files:
        return before, after.replace("::", ".")
    if twice:
        return "", wanted.replace("::", ".")
    path, _, name = wanted.rpartition(":")
    return path, name


def _defined(path: str, symbols: Sequence[Symbol], name: str) -> Iterator[Target]:
    owner, _, own = name.rpartition(".")
    for number, symbol in enumerate(symbols):
        if symbol.name == own and (not owner or _owner(symbols, symbol) == owner):
            yield target_of(path, symbols, number)


def _owner(symbols: Sequence[Symbol], symbol: Symbol) -> str:
    return symbols[symbol.parent].name if symbol.parent >= 0 else receiver_of(symbol)


def _hit(use: Use, distance: int) -> Hit:
    user = use.user
    owner = user.root if user.root != user.symbol and user.kind not in _DOCUMENTS else ""
    return Hit(user.path, user.line, user.symbol, distance, round(use.confidence, 3), use.reason, owner)


def _likeliest(use: Use) -> tuple[float, int, Target]:
    return -use.confidence, _ORDER.get(kind_of(use.user.path), 2), use.user


def _goes_on(user: Target) -> bool:
    """Whether the users of ``user`` may be touched too.

    Nobody uses a heading; and of a package's front page only those are touched who import by way of it what
    changed, which the first step has found.
    """
    return user.kind not in _DOCUMENTS and (bool(user.symbol) or not is_front_page(user.path))


def _step(facts: Facts, frontier: Sequence[Use], clans: dict[Class, Clan], passed_on: float) -> Iterator[Use]:
    files = {use.user.path: use.confidence * passed_on for use in frontier if not use.user.symbol}
    if files:
        yield from _users_of_files(facts, files)
    for path in (use.user.path for use in frontier if not use.reason and not use.user.symbol):
        yield from _users_of_names(facts, path)
        yield from _companions(facts, path)
    for use in frontier:
        for following in uses(facts, use.user, clans) if use.user.symbol else ():
            confidence = following.confidence * use.confidence
            if confidence >= LEAST:
                yield following._replace(confidence=confidence)


def _users_of_files(facts: Facts, files: Mapping[str, float]) -> Iterator[Use]:
    for row in facts.imports_of(files):
        reason = "imports it" if files[row.target] == 1.0 else f"imports {row.target}"
        yield Use(Target(row.path, line=row.line), files[row.target], reason)
    for pointer in facts.pointers_to(files):
        worth, reason = _POINTERS[pointer.kind]
        yield Use(Target(pointer.path, line=pointer.line), worth * files[pointer.target], reason)


def _users_of_names(facts: Facts, path: str) -> Iterator[Use]:
    """The files that import what the file defines from another file, which passes it on."""
    symbols = next((text.symbols for text in facts.texts([path]).values()), ())
    names = {
        symbol.name
        for symbol in symbols
        if symbol.kind not in _NO_NAMES and is_outermost(path, symbols, symbol)
    }
    if not names:
        return
    modules: set[str] = set()
    found = bindings(facts, {path: names})
    for other, bound in found.items():
        modules |= bound.receivers.keys()
        if known := sorted(bound.plain):
            listed = ", ".join(known[:3]) + ("…" if len(known) > 3 else "")
            yield Use(Target(other), _PASSED_ON, f"imports {listed} of it")
    for other in facts.through(names, modules):
        if found.get(other) and found[other].receivers:
            yield Use(Target(other), _PASSED_ON, "uses it through another module")


def _companions(facts: Facts, path: str) -> Iterator[Use]:
    for one in facts.companions(path):
        share = one.together / one.commits
        if share > _SELDOM:
            reason = f"changed with it in {one.together} of {one.commits} commits"
            yield Use(Target(one.path), share * _TOGETHER, reason)
