"""What a change touches: the places that refer to it, and the ones it refers to, in the order they matter.

The rule. Of each changed definition: every use of it in a source (``call``), every file that tests it
(``test``: one place a file), every document or example that shows it (``example``, where the change is of a
public definition). Tests and documents that the graph ties to the whole file come with them. Then what the
changed lines use (``use``), then who uses the nearest users (``near``). Without a changed definition the
file's importers stand for the users. Names are not types: each place has the confidence that impact gives
it. Of more than `APART` users those of one file share a pointer, and tests are named by their file alone.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol

from navlog.projections.impact.facts import Facts, ImportRow, Target, target_of
from navlog.projections.impact.heirs import Clan, Class
from navlog.projections.impact.uses import uses
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.slicing.diffing import CALLABLES, TYPES
from navlog.schemas.events import Reference, Symbol
from navlog.schemas.slices import Role

STARTS = 40  # changed definitions whose users are looked for
FOLLOWED = 3  # of the nearest users, whose own users are named
SURE = 0.6  # the confidence from which a user is followed, and from which its own users count
NAMED = 2  # definitions that a shared pointer says are used
APART = 10  # users that are named one by one; more of them share a pointer for each file
EXAMPLES = 6  # documents that are looked into for an example
_POINTERS = {"link": ("example", "documents it"), "test": ("test", "is the test named after it")}
_ROLES: Mapping[str, Role] = {"test": "test", "document": "example", "example": "example"}


class Nearby(Facts, Protocol):
    """What is asked of the graph beyond `Facts`."""

    def imports_in(self, path: str) -> Sequence[ImportRow]:
        """What the file imports, with the files that are meant."""

    def symbols_of(self, path: str) -> Sequence[Symbol]:
        """What the file defines."""

    def showing(self, name: str) -> Collection[str]:
        """The documents and examples in which a word stands, the shortest path first."""

    def where(self, path: str, name: str) -> int:
        """The first line of the file that holds a word, 0 for none."""


class Found(NamedTuple):
    """A place in the radius, before it is fitted. ``line`` is where it happens."""

    path: str
    line: int
    symbol: str
    role: Role
    reason: str
    distance: int = 1
    confidence: float = 1.0


class Changed(NamedTuple):
    """What is asked about: ``starts`` are the changed definitions, those that break others first.

    ``references`` are the uses in the changed lines; ``public``: something that others rely on changed.
    """

    path: str
    starts: Sequence[Target]
    references: Sequence[Reference]
    public: bool
    loose: bool = False


def radius(facts: Nearby, changed: Changed) -> list[Found]:
    """The places, the most important first, each once."""
    clans: dict[Class, Clan] = {}
    direct = list(_users(facts, changed, clans))
    users = _best([one for one in direct if one.role == "call"])
    calls = users if len(users) <= APART else _gathered(users)
    testing = _best([one for one in direct if one.role == "test"])
    tests = _per_file(testing)
    if len(tests) > APART:  # then those that use the most of it come first
        times = Counter(one.path for one in testing)
        tests = [one._replace(symbol="", reason="tests it") for one in tests]
        tests.sort(key=lambda one: -times[one.path])
    shown = _per_file(_best([one for one in direct if one.role == "example"]))
    if changed.public:
        shown = _per_file([*shown, *_examples(facts, changed)])
    used = list(_used(facts, changed))
    near = list(_near(facts, users, changed, clans))
    # Shared pointers are long and those of tests short: two of these for one of those.
    pace = 2 if len(users) > APART and len(tests) > APART else 1
    turns = (tests[start : start + pace] for start in range(0, len(tests), pace))
    pairs = zip_longest(calls, turns, fillvalue=None)
    together = [one for call, some in pairs for one in (call, *(some or ())) if one]
    return list(_once([*together, *shown, *used, *near], changed))


def _users(facts: Nearby, changed: Changed, clans: dict[Class, Clan]) -> Iterator[Found]:
    for start in changed.starts[:STARTS]:
        for use in uses(facts, start, clans):
            user = use.user
            reason = f"{start.symbol}: {use.reason}"
            yield Found(user.path, user.line, user.symbol, _role(user.path), reason, 1, use.confidence)
    if changed.loose or not changed.starts:
        for row in facts.imports_of([changed.path]):
            yield Found(row.path, row.line, "", _role(row.path), "imports it", 1, 0.5)
    for pointer in facts.pointers_to([changed.path]):
        role, reason = _POINTERS[pointer.kind]
        yield Found(pointer.path, pointer.line, "", _role(pointer.path, role), reason, 1, 0.8)


def _role(path: str, otherwise: str = "call") -> Role:
    return _ROLES.get(kind_of(path), "test" if otherwise == "test" else "call")


def _best(found: Iterable[Found]) -> list[Found]:
    """The likeliest first; of several reasons for one place the likeliest."""
    best: dict[tuple[str, str], Found] = {}
    for one in found:
        key = (one.path, one.symbol)
        if key not in best or one.confidence > best[key].confidence:
            best[key] = one
    return sorted(best.values(), key=lambda one: (-one.confidence, one.path, one.line))


def _gathered(found: Sequence[Found]) -> list[Found]:
    """One pointer for each file, with all the definitions in it."""
    files: dict[str, list[Found]] = {}
    for one in found:
        files.setdefault(one.path, []).append(one)
    return [
        max(places, key=lambda one: one.confidence)._replace(
            line=min(one.line for one in places),
            symbol=", ".join(dict.fromkeys(one.symbol for one in places if one.symbol)),
            reason=_told([one.reason for one in places]),
        )
        for places in files.values()
    ]


def _told(reasons: Sequence[str]) -> str:
    """Several reasons in one: what is used, once each, the first few: room is worth more than the rest."""
    names = list(dict.fromkeys(reason.partition(": ")[0] for reason in reasons))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return reasons[0] if len(reasons) == 1 else f"use {', '.join(names[:NAMED])}{more}"


def _per_file(found: Sequence[Found]) -> list[Found]:
    """One place for each file: the likeliest, which says how many there are."""
    places: dict[str, list[Found]] = {}
    for one in found:
        places.setdefault(one.path, []).append(one)
    return [
        first._replace(reason=f"{first.reason}; {len(others)} more here" if others else first.reason)
        for first, *others in places.values()
    ]


def _examples(facts: Nearby, changed: Changed) -> Iterator[Found]:
    for start in changed.starts[:STARTS]:
        for path in list(facts.showing(start.symbol))[:EXAMPLES]:
            if line := facts.where(path, start.symbol):
                yield Found(path, line, "", "example", f"{start.symbol}: shows it", 1, 0.7)


def _used(facts: Nearby, changed: Changed) -> Iterator[Found]:
    """Definitions that the changed lines use: in the same file, or by the file's imports."""
    if not changed.references:
        return
    own = {symbol.name: symbol for symbol in reversed(facts.symbols_of(changed.path))}
    started = {start.symbol for start in changed.starts}
    imported = {
        alias or name: (row.target, name)
        for row in facts.imports_in(changed.path)
        for name, alias in row.names
        if row.target
    }
    for name in dict.fromkeys(reference.name for reference in changed.references):
        if name in imported:
            yield from _defined(facts, *imported[name])
        elif name in own and name not in started and own[name].kind in CALLABLES | TYPES:
            yield Found(changed.path, own[name].line, name, "use", "is used in the changed lines")


def _defined(facts: Nearby, path: str, name: str) -> Iterator[Found]:
    for symbol in facts.symbols_of(path):
        if symbol.name == name and symbol.parent < 0:
            yield Found(path, symbol.line, name, "use", "is used in the changed lines")
            return


def _near(
    facts: Nearby, calls: Sequence[Found], changed: Changed, clans: dict[Class, Clan]
) -> Iterator[Found]:
    """The users of the nearest users."""
    followed = [one for one in calls if one.symbol and one.confidence >= SURE][:FOLLOWED]
    for call in followed if changed.public else ():
        symbols = facts.symbols_of(call.path)
        number = next((i for i, one in enumerate(symbols) if one.name == call.symbol), -1)
        for use in uses(facts, target_of(call.path, symbols, number), clans) if number >= 0 else ():
            sure = use.confidence * call.confidence
            if sure >= SURE:
                reason = f"{call.symbol}: {use.reason}"
                yield Found(use.user.path, use.user.line, use.user.symbol, "near", reason, 2, sure)


def _once(found: Iterable[Found], changed: Changed) -> Iterator[Found]:
    """Each place once, and none that is what changed."""
    starts = {(start.path, start.symbol) for start in changed.starts}
    seen: set[tuple[str, str, int]] = set()
    for one in found:
        key = (one.path, one.symbol, 0 if one.symbol else one.line)
        if key not in seen and (one.path, one.symbol) not in starts:
            seen.add(key)
            yield one
