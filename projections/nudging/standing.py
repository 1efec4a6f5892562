"""What stands in the one stored measurement: which tag is what, and what a reduce leaves of U."""

from collections.abc import Iterable, Mapping

from navlog.projections.nudging.session import Session
from navlog.projections.nudging.tags import Reduction
from navlog.projections.nudging.window import calibrated

# Where the parts of a tag have different codes, the first of these that one of them has.
_ORDER = ("queued", "recent_reduce", "protected", "reclaimable", "untagged")


def standing_of(session: Session) -> dict[int, str]:
    """Tag -> reason code, for every tag of the session; what is not in the tail any more is gone."""
    codes: dict[int, set[str]] = {tag.number: set() for tag in session.tags}
    for part in session.parts.values():
        if part.tag in codes:
            codes[part.tag].add(part.code)
    since = dict.fromkeys(session.queued, "queued") | dict.fromkeys(session.dropped, "dropped")
    return {tag: since.get(tag) or _one(found) for tag, found in codes.items()}


def after_reduce(session: Session, queued: Iterable[int]) -> tuple[int, int]:
    """(U, T) of the stored measurement once ``queued`` is queued too: it leaves U at once and stays in T."""
    last = session.measured
    if last is None:
        return 0, 0
    tools = {tag.number for tag in session.tags if tag.kind == "tool"}
    tokens: Mapping[bool, list[int]] = {True: [], False: []}
    wanted = session.queued.union(queued)  # what was queued since then is in it too
    for part in session.parts.values():
        if part.tag in wanted and part.code == "reclaimable":
            tokens[part.tag in tools].append(part.tokens)
    spared = sum(tokens[True]) * last.tool_ratio + sum(tokens[False]) * last.prose_ratio
    return max(0, last.u - calibrated(spared)), last.t


def said(reduction: Reduction, u: int, t: int, *, removes: bool) -> str:
    """The reduce tool's answer: what was queued, what was refused and why, and what is left."""
    lines = []
    if reduction.queued:
        when = "leaves the context at the next convenient point" if removes else _STAYS
        lines.append(f"Set aside: {listed(reduction.queued)}. It {when}.")
    if reduction.refused:
        named = "; ".join(f"{what}: {why}" for what, why in reduction.refused)
        lines.append(f"Not set aside: {named}.")
    lines.append(f"Of about {t:,} tokens in this session's tail, {u:,} could still be set aside.")
    return "\n".join(lines)


def listed(tags: Iterable[int]) -> str:
    """Ranges, as they can be named: "3-5, 8"."""
    ranges: list[list[int]] = []
    for tag in sorted(tags):
        if ranges and tag == ranges[-1][1] + 1:
            ranges[-1][1] = tag
        else:
            ranges.append([tag, tag])
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in ranges)


_STAYS = "is marked as spent; this host shows it until the next compaction or session"


def _one(codes: set[str]) -> str:
    return next((code for code in _ORDER if code in codes), "dropped" if not codes else min(codes))
