"""An injection as events: each text once, then what was given; durable before anybody hears of it."""

from collections.abc import Callable, Sequence

import msgspec

from navlog.daemon.hosts.heard import Ask
from navlog.daemon.injecting.memory import session_tag
from navlog.daemon.journal import Item, Journal
from navlog.projections.injecting.block import Found, piece, text_hash
from navlog.projections.injecting.knowing import LATE
from navlog.projections.tokens import count_tokens
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import InjectionGiven, TextKept

SOURCE = "navlog"
WAIT_S = 5.0  # an append that takes longer has failed for whoever waits


def text_id(hash_: str) -> str:
    """The id of the event that keeps a text: the same text is never kept twice."""
    return f"text:{hash_}"


def injection_id(injection: str) -> str:
    """The id of the event of an injection."""
    return f"injection:{injection}"


class Recording:
    """What the injector says of itself."""

    def __init__(self, events: Journal, count: Callable[[str], int] = count_tokens) -> None:
        self._events = events
        self._count = count

    def given(
        self,
        ask: Ask,
        injection: str,
        position: int,
        found: Sequence[Found],
        block: str,
        why: str,
        variant: str = "",
    ) -> InjectionGiven:
        """The event of an injection; ``why``: what is missing, ``variant``: which candidate is on trial."""
        return InjectionGiven(
            injection=injection,
            session=ask.session,
            host=ask.host,
            moment=ask.moment,
            position=position,
            pieces=[piece(one, self._count) for one in found],
            tokens=self._count(block),
            block=text_hash(block),
            skipped=why,
            variant=variant,
        )

    def append(self, event: InjectionGiven, found: Sequence[Found], project: str, trace: str) -> None:
        """Returns once it and its new texts are durable; raises what the journal raises."""
        texts = {text_hash(one.text): one.text for one in found if one.text}
        drafts = [
            draft(TextKept(hash=key, text=text), project=project, source=SOURCE, id=text_id(key))
            for key, text in texts.items()
            if self._events.find(text_id(key)) is None
        ]
        drafts.append(_draft(event, injection_id(event.injection), project, trace))
        self._events.append(drafts).result(WAIT_S)

    def came_late(self, event: InjectionGiven, project: str, trace: str) -> InjectionGiven:
        """It was recorded, but its hook was gone: the session has nothing of it; gives the event of that."""
        late = msgspec.structs.replace(event, pieces=[], tokens=0, block="", skipped=LATE)
        id_ = injection_id(event.injection) + ":late"
        self._events.append([_draft(late, id_, project, trace)]).result(WAIT_S)
        return late

    def unheard(self, session: str, project: str, trace: str) -> None:
        """Takes back, once, what was given under ``trace``: its client was gone when the answer came."""
        item = Item(types=(InjectionGiven.TYPE,), tags=(session_tag(session),))
        for record in self._events.select([item]):
            if record.trace == trace and record.project == project:
                event = decode_payload(record)
                if isinstance(event, InjectionGiven) and event.pieces:
                    self.came_late(event, project, trace)


def _draft(event: InjectionGiven, id_: str, project: str, trace: str) -> Draft:
    tags = (session_tag(event.session),) if event.session else ()
    return draft(event, project=project, source=SOURCE, id=id_, tags=tags, trace=trace or None)
