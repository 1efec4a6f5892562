"""What a pass or a reduce comes to for a host that owns its messages; pure."""

from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from navlog.projections.nudging.bands import band
from navlog.projections.nudging.passing import Moment, Outcome, Seen
from navlog.projections.nudging.tags import mark, placeholder
from navlog.schemas.nudges import MeasuredPart
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import DroppedPart, Message, OwnMessage, Part, TaggedPart, TailMeasureReply


def measured(
    outcome: Outcome, seen: Seen, moment: Moment, asked: Collection[str], settings: Nudge
) -> TailMeasureReply:
    """``asked``: the ids of the messages in the request."""
    session, decision = outcome.session, outcome.decision
    kinds = [part.kind for part in seen.parts]
    rows = list(zip(outcome.measured.parts, kinds, strict=True))
    return TailMeasureReply(
        u=outcome.measured.u,
        t=outcome.measured.t,
        band=band(outcome.measured.u, outcome.measured.t, settings),
        turn=outcome.turn,
        parts=[
            _tagged(part, kind, moment, session.dropped)
            for part, kind in rows
            if part.block.rpartition("#")[0] in asked
        ],
        dropped=list(_dropped(rows, session.dropped)) if moment.removes else [],
        reminder=outcome.reminder,
        level=decision.level,
        why=decision.why,
        message=OwnMessage(token=moment.token, text=outcome.message) if outcome.message else None,
    )


def rewritten(
    messages: Iterable[Message], rows: Iterable[tuple[str, int]], dropped: Collection[int]
) -> list[Message]:
    """The tail without what is dropped; ``rows``: block and tag of each part."""
    tags = dict(rows)

    def replaced(block: str, part: Part) -> Part:
        number = tags.get(block, -1)
        if number not in dropped or part.kind not in ("text", "result", "file"):
            return part
        text = placeholder(number)
        if part.kind == "result":
            return msgspec.structs.replace(part, text=text)
        return Part(kind="text", text=text)

    return [_with_parts(message, replaced) for message in messages]


def _with_parts(message: Message, replaced: Callable[[str, Part], Part]) -> Message:
    parts = tuple(replaced(f"{message.id}#{index}", part) for index, part in enumerate(message.parts))
    return msgspec.structs.replace(message, parts=parts)


def _tagged(part: MeasuredPart, kind: str, moment: Moment, dropped: Collection[int]) -> TaggedPart:
    shown = moment.shows and kind in ("text", "result") and part.tag >= 0 and part.tag not in dropped
    return TaggedPart(
        block=part.block, tag=part.tag, tokens=part.tokens, code=part.code,
        mark=mark(part.tag) if shown else "",
    )  # fmt: skip


def _dropped(rows: Iterable[tuple[MeasuredPart, str]], dropped: Collection[int]) -> Iterator[DroppedPart]:
    for part, kind in rows:
        if part.tag in dropped and kind in ("text", "result", "file"):
            yield DroppedPart(block=part.block, tag=part.tag, placeholder=placeholder(part.tag))
