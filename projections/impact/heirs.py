"""A class with those that are derived from it: who has its methods, and who has others of that name.

Refuses to follow a base that is not known by import, by its package or by standing in the same file.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from navlog.projections.impact.bindings import Bound, bindings
from navlog.projections.impact.facts import Facts, Target, Text, enclosing, target_of
from navlog.schemas.events import Symbol

GENERATIONS = 4
HEIRS = 400  # so many are looked for
TYPES = frozenset({"class", "interface", "trait", "struct", "enum", "namespace"})
_NOBODY = Bound({}, {})

Class = tuple[str, str]  # (path, name)


class Clan(NamedTuple):
    """A class and its heirs, by the files they stand in, and by which names others know one of them."""

    homes: Mapping[str, set[str]]
    bound: Mapping[str, Bound]


class Family(NamedTuple):
    """``classes``: the owner and its heirs; ``overriding``: those heirs' own methods of the target's name."""

    classes: frozenset[Class]
    bound: Mapping[str, Bound]
    overriding: tuple[Target, ...] = ()

    def overrides(self, one: Class) -> bool:
        """Whether the class has a method of its own instead."""
        return any((method.path, method.root) == one for method in self.overriding)


def family(facts: Facts, target: Target, clans: dict[Class, Clan]) -> Family:
    """The owner of ``target`` with its heirs; ``clans`` keeps what was found for its other members."""
    owner = target.path, target.root
    if owner not in clans:
        clans[owner] = _clan(facts, owner)
    homes, bound = clans[owner]
    classes = frozenset((path, name) for path, names in homes.items() for name in names)
    return Family(classes, bound, tuple(_overriding(facts, target, classes, homes)))


def class_around(symbols: Sequence[Symbol], line: int) -> str:
    """The name of the innermost type around a line, "" for none."""
    number = enclosing(symbols, line)
    while number >= 0 and symbols[number].kind not in TYPES:
        number = symbols[number].parent
    return symbols[number].name if number >= 0 else ""


def _clan(facts: Facts, owner: Class) -> Clan:
    classes = {owner}
    fresh = {owner}
    for _ in range(GENERATIONS):
        fresh = set(_children(facts, fresh)) - classes
        classes |= set(sorted(fresh)[: HEIRS - len(classes)])
        if not fresh or len(classes) >= HEIRS:
            break
    homes = _by_path(classes)
    return Clan(homes, bindings(facts, homes))


def _children(facts: Facts, parents: Collection[Class]) -> Iterator[Class]:
    homes = _by_path(parents)
    bound = bindings(facts, homes)
    names = {name for one in bound.values() for name in one.plain} | {name for _, name in parents}
    mates = {mate: path for path in homes for mate in facts.mates(path)}
    known = {*homes, *bound, *mates}
    for path, text in facts.texts(sorted(facts.deriving(names, known))).items():
        here = homes.get(path, set()) | homes.get(mates.get(path, ""), set())
        yield from _derived(path, text, here, bound.get(path, _NOBODY), names)


def _derived(path: str, text: Text, here: set[str], bound: Bound, names: set[str]) -> Iterator[Class]:
    for reference in text.references:
        if reference.kind != "base":
            continue
        known = here | bound.plain.keys() if not reference.receiver else set[str]()
        if reference.receiver in bound.receivers:
            known = names
        if reference.name in known:
            for line in reference.lines:
                name = class_around(text.symbols, line)
                if name and name != reference.name:
                    yield path, name


def _overriding(
    facts: Facts, target: Target, classes: Collection[Class], homes: Mapping[str, set[str]]
) -> Iterator[Target]:
    for path, text in facts.texts(sorted(homes)).items():
        for number, symbol in enumerate(text.symbols):
            owner = text.symbols[symbol.parent].name if symbol.parent >= 0 else ""
            known = (path, owner) in classes and (path, owner) != (target.path, target.root)
            if symbol.name == target.symbol and known:
                yield target_of(path, text.symbols, number)._replace(root=owner)


def _by_path(classes: Collection[Class]) -> dict[str, set[str]]:
    paths: defaultdict[str, set[str]] = defaultdict(set)
    for path, name in classes:
        paths[path].add(name)
    return dict(paths)
