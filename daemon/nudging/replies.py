"""What a pass or a reduce comes to for a host that owns its messages; pure."""

from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from navlog.projections.nudging.bands import band
from navlog.projections.nudging.ledger import Ledger
from navlog.projections.nudging.passing import Moment, Outcome
from navlog.projections.nudging.tags import mark, placeholder
from navlog.schemas.nudges import MeasuredPart
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import DroppedPart, Message, OwnMessage, Part, TaggedPart, TailMeasureReply


def measured(
    outcome: Outcome, ledger: Ledger, moment: Moment, asked: Iterable[str], settings: Nudge
) -> TailMeasureReply:
    """``asked``: the blocks of the messages in the request."""
    dropped, decision = outcome.session.dropped, outcome.decision
    return TailMeasureReply(
        u=outcome.u,
        t=outcome.t,
        band=band(outcome.u, outcome.t, settings),
        turn=outcome.turn,
        parts=[_tagged(row, part.kind, moment, dropped) for row, part in ledger.rows(asked)],
        dropped=list(_dropped(ledger, dropped)) if moment.removes else [],
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


def _dropped(ledger: Ledger, dropped: Iterable[int]) -> Iterator[DroppedPart]:
    for row, part in ledger.of_tags(dropped):
        if part.kind in ("text", "result", "file"):
            yield DroppedPart(block=row.block, tag=row.tag, placeholder=placeholder(row.tag))
