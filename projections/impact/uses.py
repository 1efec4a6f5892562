"""Who uses a definition, and with what confidence that it is this one."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from navlog.projections.impact.bindings import Bound, bindings
from navlog.projections.impact.facts import Facts, Place, Target, Text, enclosing, target_of
from navlog.projections.impact.heirs import Clan, Class, Family, class_around, family
from navlog.schemas.events import Reference

AT_HOME, OWN, READ, KNOWS_ITS_HOME, DOCUMENTED, BY_NAME = 0.95, 0.9, 0.8, 0.6, 0.5, 0.4
ANOTHER = "another"  # how a reference that means something else for sure is known
FILES = 500  # so many files are looked into for one definition
LEAST = 0.05
_SELVES = {"self", "cls", "this", "Self", "$this"}
_ELDERS = {"super()", "super", "parent", "base"}
_VERBS = {"call": "calls it", "type": "has it as a type", "base": "extends it", "name": "uses it"}
_READS = {"env": "reads the environment variable", "key": "reads the setting"}
# Where a variable is not read but set.
_SETTING = (".yml", ".yaml", "Dockerfile", ".dockerfile", ".toml", ".env", ".ini", ".cfg")
# Here a plain name that is not imported means something else.
_SCOPED = (
    ".py",
    ".pyi",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".vue",
    ".svelte",
    ".rs",
)
_NOBODY = Bound({}, {})


class Use(NamedTuple):
    """A place where ``target`` is used: in the definition ``user``, or in none (``user.symbol`` is "")."""

    user: Target
    confidence: float
    reason: str


class _Wanted(NamedTuple):
    """A target with all that is needed to know it again in a file."""

    target: Target
    homes: frozenset[str]  # its file and those that see its names without an import
    bound: Mapping[str, Bound]
    family: Family | None  # of a member
    by_name: float


def uses(facts: Facts, target: Target, clans: dict[Class, Clan] | None = None) -> list[Use]:
    """Each using definition once, with its likeliest use; ``clans`` as for `family`."""
    wanted = _wanted(facts, target, {} if clans is None else clans)
    paths = dict.fromkeys((*sorted(wanted.homes), *sorted(wanted.bound)))
    if wanted.family:
        paths |= dict.fromkeys(sorted(path for path, _ in wanted.family.classes))
    if wanted.by_name >= LEAST or target.is_setting:
        paths |= dict.fromkeys(facts.mentioning(target.symbol))
    if len(paths) > FILES:  # then those that do not even name it are worth asking for
        named = set(facts.mentioning(target.symbol))
        paths = {path: None for path in paths if path in named or path in wanted.bound}
    best: dict[Place, Use] = {}
    for use in (*_overriding(wanted.family), *_documents(facts, target)):
        _keep(best, use)
    for path, text in facts.texts(list(paths)[:FILES]).items():
        for use in _in_file(wanted, path, text):
            _keep(best, use)
    return list(best.values())


def _keep(best: dict[Place, Use], use: Use) -> None:
    key = use.user.place
    if key not in best or use.confidence > best[key].confidence:
        best[key] = use


def _wanted(facts: Facts, target: Target, clans: dict[Class, Clan]) -> _Wanted:
    kin = family(facts, target, clans) if target.root != target.symbol and target.path else None
    bound = kin.bound if kin else bindings(facts, {target.path: {target.root}}) if target.path else {}
    homes = frozenset((target.path, *facts.mates(target.path))) if target.path else frozenset[str]()
    by_name = BY_NAME / max(1, facts.defining(target.symbol) - len(kin.overriding if kin else ()))
    return _Wanted(target, homes, bound, kin, by_name)


def _overriding(kin: Family | None) -> Iterator[Use]:
    for method in kin.overriding if kin else ():
        yield Use(method, OWN, "overrides it")


def _documents(facts: Facts, target: Target) -> Iterator[Use]:
    """A member counts where its owner is named too, or nothing else has its name."""
    alone = facts.defining(target.symbol) <= 1
    for path, text in facts.texts(sorted(facts.documenting(target.symbol))[:FILES]).items():
        for link in text.links:
            parts = link.target.removesuffix("()").replace("::", ".").split(".")
            owned = not target.is_member or alone or target.root in parts[:-1]
            if link.kind == "code" and parts[-1] == target.symbol and owned:
                user = target_of(path, text.symbols, enclosing(text.symbols, link.line))
                yield Use(user._replace(line=link.line), DOCUMENTED, "documents it")


def _in_file(wanted: _Wanted, path: str, text: Text) -> Iterator[Use]:
    target = wanted.target
    scoped = path.endswith(_SCOPED) or any(one.name == target.symbol for one in text.symbols)
    # Of thousands of references a handful bears a name that can mean it.
    names = {target.symbol, f"{target.root}.{target.symbol}", *wanted.bound.get(path, _NOBODY).plain}
    for reference in text.references:
        if reference.name not in names:
            continue
        if reference.kind in _READS:
            yield from _readings(target, path, text, reference)
            continue
        for line in reference.lines:
            confidence, how = _meaning(wanted, reference, path, text, line)
            same = reference.name == target.symbol and (reference.receiver or not scoped)
            if not confidence and same and how != ANOTHER:
                confidence, how = wanted.by_name, "by name"
            if confidence >= LEAST:
                yield from _place(
                    target, path, text, line, confidence, f"{_VERBS.get(reference.kind, 'uses it')} ({how})"
                )


def _readings(target: Target, path: str, text: Text, reference: Reference) -> Iterator[Use]:
    """Names in capitals are chosen to be known; a small one says the less, the shorter it is written."""
    whole = f"{target.root}.{target.symbol}"
    if not target.is_setting or reference.name not in (target.symbol, whole):
        return
    sure = READ if reference.name == whole or target.symbol.isupper() or target.kind in _READS else BY_NAME
    reason = "sets it" if path.endswith(_SETTING) else _READS[reference.kind]
    for line in reference.lines:
        yield from _place(target, path, text, line, sure, reason)


def _meaning(wanted: _Wanted, reference: Reference, path: str, text: Text, line: int) -> tuple[float, str]:
    """How sure it is that the reference means the target, and how that is known; 0 when it is not."""
    if wanted.target.is_member:
        return _member(wanted, reference, path, text, line) if reference.receiver else (0.0, "")
    target, bound = wanted.target, wanted.bound.get(path, _NOBODY)
    name, receiver = reference.name, reference.receiver
    if receiver:
        return (bound.receivers.get(receiver, 0.0) if name == target.symbol else 0.0), "through its module"
    if path in wanted.homes and name == target.symbol:
        return AT_HOME, "in its own file" if path == target.path else "in its own package"
    return bound.plain.get(name, 0.0), "imported"


def _member(wanted: _Wanted, reference: Reference, path: str, text: Text, line: int) -> tuple[float, str]:
    target, kin = wanted.target, wanted.family
    receiver = reference.receiver
    if reference.name != target.symbol:
        return 0.0, ""
    if kin and receiver in _SELVES | _ELDERS:
        return _on_self(target, kin, receiver, (path, class_around(text.symbols, line)))
    known = wanted.bound.get(path, _NOBODY)
    last = receiver.rpartition(".")[2]
    if last in known.plain or (path in wanted.homes and last == target.root):
        return OWN, "imported" if last in known.plain else "in its own file"
    if path in wanted.homes or known is not _NOBODY:
        return KNOWS_ITS_HOME, "by name, where its owner is known"
    return 0.0, ""


def _on_self(target: Target, kin: Family, receiver: str, one: tuple[str, str]) -> tuple[float, str]:
    """A call on the object itself, or on what its class is derived from, within the class ``one``."""
    if one == (target.path, target.root):
        return (0.0, ANOTHER) if receiver in _ELDERS else (OWN, "in its own class")
    if one not in kin.classes:
        return 0.0, ""
    if kin.overrides(one) and receiver not in _ELDERS:
        return 0.0, ANOTHER
    return OWN, f"inherited by {one[1]}"


def _place(target: Target, path: str, text: Text, line: int, confidence: float, reason: str) -> Iterator[Use]:
    user = target_of(path, text.symbols, enclosing(text.symbols, line))._replace(line=line)
    if user.place != target.place:
        yield Use(user, confidence, reason)
