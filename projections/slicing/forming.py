"""A change, its diff and its radius as one closed record: the MSU, with the texts it keeps.

Core and radius are capped apart. In the core stand the chunks that changed, then, where there is room, those
that share a fold with them; in the radius what `navlog.projections.slicing.radius` names. A chunk that is too
long is cut to its signature and its changed lines, and says so. Closed means: every place that the rule names
is a member with its text, a member as a pointer, or counted in ``left``.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from navlog.projections.impact.facts import Target, target_of
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.slicing.diffing import Diff, Side, compare, is_public
from navlog.projections.slicing.fitting import Fitted, Form, Offer, fit, left
from navlog.projections.slicing.radius import Changed, Found, Nearby, radius
from navlog.schemas.events import Chunk, Reference
from navlog.schemas.settings import Slice
from navlog.schemas.slices import Basis, Member, MsuFormed, Role

SLICER = "slicer-2"  # raised whenever the same change would give another record
CHANGES, SPANS = 40, 40  # so many changes and spans of lines are told; the rest is counted
AROUND = 1  # lines around a changed line in a chunk that is cut
LINE_CHARS = 160  # of a line in the radius
DOCUMENTS = frozenset({"document", "example", "test"})
NOBODYS = frozenset({"generated", "vendored"})  # written by a machine, or elsewhere: a pointer says enough
LATE: frozenset[Role] = frozenset({"use", "near"})


class Change(NamedTuple):
    """One change of one path, as `navlog.schemas.slices.MsuFormed` names its fields.

    ``references`` are all of the new content's. ``msu`` is the record's id.
    """

    msu: str
    path: str
    content: str
    before: str
    basis: Basis
    old: Side
    new: Side
    references: Sequence[Reference] = ()
    previous: str = ""


class Sliced(NamedTuple):
    """The record and its texts by hash."""

    msu: MsuFormed
    texts: dict[str, str]


def form(change: Change, facts: Nearby, read: Callable[[str], Sequence[str] | None], caps: Slice) -> Sliced:
    """The MSU of a change. ``read`` gives a file's lines, without secrets, or None."""
    nobodys = kind_of(change.path) in NOBODYS
    diff = Diff([], [], [], [], loose=False) if nobodys else compare(change.old, change.new)
    public = _is_public(change, diff)
    core_offers = list(_core(change, diff))
    core = fit(core_offers, caps.core_tokens, caps.core_tokens)
    asked = Changed(change.path, _starts(change, diff), _references(change, diff), public, diff.loose)
    touched = [] if nobodys else radius(facts, asked)
    around = [_offer(one, change, facts, read) for one in touched]
    fitted = fit(around, caps.radius_tokens, caps.radius_text, LATE)
    texts: dict[str, str] = {}
    msu = MsuFormed(
        msu=change.msu,
        path=change.path,
        content=change.content,
        before=change.before,
        basis=change.basis,
        slicer=SLICER,
        previous=change.previous,
        public=public,
        changes=diff.changes[:CHANGES],
        lines=diff.lines[:SPANS],
        core=[_member(one, texts) for one in core],
        radius=[_member(one, texts) for one in fitted],
        core_tokens=sum(one.tokens for one in core),
        radius_tokens=sum(one.tokens for one in fitted),
        left=_left(diff, core_offers, core, around, fitted),
    )
    return Sliced(msu, texts)


def text_hash(text: str) -> str:
    """The name of a kept text: SHA-256 of its UTF-8."""
    return sha256(text.encode()).hexdigest()


def _member(fitted: Fitted, texts: dict[str, str]) -> Member:
    offer, form, tokens = fitted
    name = text_hash(form.text) if form else ""
    if form:
        texts[name] = form.text
    return Member(
        offer.path, offer.line, offer.end_line, offer.symbol, offer.role, offer.reason, tokens, name,
        cut=bool(form and form.cut),
    )  # fmt: skip


def _left(
    diff: Diff,
    cores: Sequence[Offer],
    core: Sequence[Fitted],
    around: Sequence[Offer],
    fitted: Sequence[Fitted],
) -> dict[str, int]:
    counts = left(cores, core) | left(around, fitted)
    if len(diff.changes) > CHANGES:
        counts["change"] = len(diff.changes) - CHANGES
    return counts


def _is_public(change: Change, diff: Diff) -> bool:
    """Whether something others rely on is another one now: not its body, and not in a test or a document."""
    if kind_of(change.path) in DOCUMENTS:
        return False
    return any(one.how != "body" and is_public(one.name, one.kind) for one in diff.changes)


def _starts(change: Change, diff: Diff) -> list[Target]:
    """The changed definitions, in the order of the changes."""
    now = [target_of(change.path, change.new.symbols, number) for number in diff.numbers]
    gone = [target_of(change.path, change.old.symbols, number) for number in diff.gone]
    return [*gone, *now]


def _references(change: Change, diff: Diff) -> list[Reference]:
    """The uses that stand in changed lines; without a text before, in the changed definitions."""
    spans = diff.lines or [
        (change.new.symbols[number].line, change.new.symbols[number].end_line) for number in diff.numbers
    ]
    return [
        one
        for one in change.references
        if any(first <= line <= last for line in one.lines for first, last in spans)
    ]


# --- the core -------------------------------------------------------------------------------------------


def _core(change: Change, diff: Diff) -> Iterator[Offer]:
    """The changed chunks, then their folds; the file itself where no chunk changed."""
    chunks = change.new.chunks
    changed = _changed_chunks(change, diff)
    reasons = _reasons(diff)
    for index in changed:
        yield _chunk(change, diff, chunks[index], "changed", reasons)
    folds = {chunks[index].fold for index in changed} - {-1}
    for index, chunk in enumerate(chunks):
        if chunk.fold in folds and index not in changed:
            yield _chunk(change, diff, chunk, "folded", reasons)
    if not changed:
        yield Offer(change.path, 1, 1, "", "changed", _of_file(change, diff))


def _changed_chunks(change: Change, diff: Diff) -> list[int]:
    """Those with changed lines or, where lines are not known, of changed definitions; as these are told."""
    spans = diff.lines
    numbers = set(diff.numbers) if not spans else set()
    found = [
        index
        for index, chunk in enumerate(change.new.chunks)
        if chunk.symbol in numbers
        or any(first <= chunk.end_line and chunk.line <= last for first, last in spans)
    ]
    first = {number: place for place, number in enumerate(diff.numbers)}
    return sorted(found, key=lambda index: (first.get(change.new.chunks[index].symbol, len(first)), index))


def _reasons(diff: Diff) -> dict[int, str]:
    """What happened to each changed definition."""
    told = [one for one in diff.changes if one.how != "removed"]
    said: dict[int, str] = {}
    for number, one in zip(diff.numbers, told, strict=True):
        said[number] = {"signature": "signature changed", "body": "body changed"}.get(one.how, one.how)
    return said


def _of_file(change: Change, diff: Diff) -> str:
    if not change.content:
        return "removed"
    if change.previous:
        return f"moved from {change.previous}"
    if change.new.lines is None:
        return "changed; its text cannot be shown"
    return "lines removed" if diff.changes or change.old.lines else "changed"


def _chunk(change: Change, diff: Diff, chunk: Chunk, role: Role, reasons: dict[int, str]) -> Offer:
    symbol = change.new.symbols[chunk.symbol].name if chunk.symbol >= 0 else ""
    reason = _reason(change, chunk, reasons) if role == "changed" else "belongs to it"
    return Offer(
        change.path,
        chunk.line,
        chunk.end_line,
        symbol,
        role,
        reason,
        tuple(_forms(change, diff, chunk, role)),
    )


def _reason(change: Change, chunk: Chunk, reasons: dict[int, str]) -> str:
    """What happened in a chunk: to its definition, or to those inside of it."""
    inside = [
        said
        for number, said in sorted(reasons.items())
        if number == chunk.symbol or (chunk.line <= change.new.symbols[number].line <= chunk.end_line)
    ]
    return ", ".join(dict.fromkeys(inside)) or "changed"


def _forms(change: Change, diff: Diff, chunk: Chunk, role: Role) -> Iterator[Form]:
    lines = change.new.lines
    if lines is None:
        return
    yield Form("\n".join(lines[chunk.line - 1 : chunk.end_line]), cut=False)
    if role == "changed":
        yield Form(_cut(change, diff, chunk, lines, AROUND), cut=True)
        yield Form(_cut(change, diff, chunk, lines, 0), cut=True)
        if chunk.symbol >= 0 and (signature := change.new.symbols[chunk.symbol].signature):
            yield Form(signature, cut=True)


def _cut(change: Change, diff: Diff, chunk: Chunk, lines: Sequence[str], around: int) -> str:
    """The signature and the changed lines, each gap said."""
    kept = {
        line
        for first, last in diff.lines
        for line in range(max(chunk.line, first - around), min(chunk.end_line, last + around) + 1)
    }
    kept.add(change.new.symbols[chunk.symbol].line if chunk.symbol >= 0 else chunk.line)
    told: list[str] = []
    for line in range(chunk.line, chunk.end_line + 1):
        if line in kept:
            told.append(lines[line - 1])
        elif not told or told[-1] != "…":
            told.append("…")
    return "\n".join(told)


# --- the radius -----------------------------------------------------------------------------------------


def _offer(found: Found, change: Change, facts: Nearby, read: Callable[[str], Sequence[str] | None]) -> Offer:
    """A place with the line that counts; of a used definition, its signature."""
    form = _line(found, change, facts, read)
    return Offer(
        found.path, found.line, found.line, found.symbol, found.role, found.reason,
        (Form(form, cut=True),) if form else (),
    )  # fmt: skip


def _line(found: Found, change: Change, facts: Nearby, read: Callable[[str], Sequence[str] | None]) -> str:
    if found.role in LATE:
        named = (one for one in facts.symbols_of(found.path) if one.name == found.symbol)
        symbol = next(named, None)
        return " — ".join(filter(None, (symbol.signature, symbol.doc))) if symbol else ""
    lines = change.new.lines if found.path == change.path else read(found.path)
    if lines is None or not 0 < found.line <= len(lines):
        return ""
    return lines[found.line - 1].strip()[:LINE_CHARS]
