"""Who uses a definition, and with what confidence that it is this one."""

from collections.abc import Iterator
from typing import NamedTuple

from navlog.projections.impact.bindings import Bound, bindings
from navlog.projections.impact.facts import Facts, Target, Text, enclosing, target_of
from navlog.schemas.events import Reference

AT_HOME, OWN, KNOWS_ITS_HOME, BY_NAME = 0.95, 0.9, 0.6, 0.4
FILES = 500  # so many files are looked into for one definition
LEAST = 0.05
_SELVES = {"self", "cls", "this", "super()", "super", "Self", "$this"}
_VERBS = {"call": "calls it", "type": "has it as a type", "base": "extends it", "name": "uses it"}
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


def uses(facts: Facts, target: Target) -> list[Use]:
    """Each using definition once, with its likeliest use."""
    bound = bindings(facts, target)
    by_name = BY_NAME / max(1, facts.defining(target.symbol))
    paths = dict.fromkeys((target.path, *sorted(bound)))
    if by_name >= LEAST:
        paths |= dict.fromkeys(facts.mentioning(target.symbol))
    best: dict[tuple[str, str], Use] = {}
    for path, text in facts.texts(list(paths)[:FILES]).items():
        for use in _in_file(target, path, text, bound.get(path, _NOBODY), by_name):
            key = use.user.path, use.user.symbol
            if key not in best or use.confidence > best[key].confidence:
                best[key] = use
    return list(best.values())


def _in_file(target: Target, path: str, text: Text, bound: Bound, by_name: float) -> Iterator[Use]:
    home = path == target.path
    scoped = path.endswith(_SCOPED) or any(one.name == target.symbol for one in text.symbols)
    for reference in text.references:
        confidence, how = _meaning(target, reference, bound, home=home)
        if not confidence and reference.name == target.symbol and (reference.receiver or not scoped):
            confidence, how = by_name, "by name"
        if confidence >= LEAST:
            yield from _places(target, path, text, reference, confidence, how)


def _meaning(target: Target, reference: Reference, bound: Bound, *, home: bool) -> tuple[float, str]:
    """How sure it is that the reference means ``target``, and how that is known; 0 when it is not."""
    name, receiver = reference.name, reference.receiver
    if target.symbol == target.root:
        if not receiver:
            here = AT_HOME if home and name == target.symbol else bound.plain.get(name, 0.0)
            return here, "in its own file" if home else "imported"
        return (bound.receivers.get(receiver, 0.0) if name == target.symbol else 0.0), "through its module"
    if name != target.symbol or not receiver:
        return 0.0, ""
    if home and (receiver in _SELVES or receiver == target.root):
        return OWN, "in its own file"
    if receiver.rpartition(".")[2] in bound.plain:
        return OWN, "imported"
    return (
        (KNOWS_ITS_HOME, "by name, where its owner is known") if home or bound is not _NOBODY else (0.0, "")
    )


def _places(
    target: Target, path: str, text: Text, reference: Reference, confidence: float, how: str
) -> Iterator[Use]:
    for line in reference.lines:
        user = target_of(path, text.symbols, enclosing(text.symbols, line))._replace(line=line)
        if (user.path, user.symbol) != (target.path, target.symbol):
            yield Use(user, confidence, f"{_VERBS.get(reference.kind, 'uses it')} ({how})")
