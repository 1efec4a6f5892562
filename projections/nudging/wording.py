"""What is said: the facts first, then what could be done, never a threat. Rising with the level.

Reducing is described as setting aside for later, since models avoid a tool that sounds like deletion. Our own
text stands in a reminder span, by which it is known when it is read back: it is never counted, never a user's
turn, never a task.
"""

from collections.abc import Sequence
from typing import NamedTuple

from navlog.projections.nudging.hints import Candidate
from navlog.projections.nudging.window import half_up
from navlog.schemas.nudges import Level

_ADVICE: dict[Level, str] = {
    "quiet": "",
    "gentle": "Set outputs aside as you finish with them, as you go, rather than all at the end.",
    "firm": "Do one {tool} now for what you no longer need, then go on.",
    "urgent": "Before the next tool call, set every spent output aside with {tool}.",
}
_LATER = (
    "What is set aside leaves the context at the next convenient point; it can be read again when needed."
)
_STAYS = "This host keeps what it has shown; setting aside tells the next compaction what it may leave out."


class Facts(NamedTuple):
    """``u`` in tokens, ``outputs`` the spent tool outputs in it. ``shown``: the model sees its tags.

    ``removes``: the host really takes out what is set aside.
    """

    u: int
    outputs: int
    hints: Sequence[Candidate] = ()
    tool: str = "ctx_reduce"
    shown: bool = True
    removes: bool = True


def full(level: Level, facts: Facts) -> str:
    """The text of a level, said once when it is reached."""
    advice = _ADVICE[level].format(tool=facts.tool)
    parts = (_counts(facts), _named(facts), advice, _LATER if facts.removes else _STAYS)
    return reminder(" ".join(part for part in parts if part))


def line(level: Level, facts: Facts) -> str:
    """The one line that repeats a level that has lasted."""
    return reminder(f"Still {level}: {_counts(facts)} {_named(facts)}".rstrip())


def message(facts: Facts) -> str:
    """Channel 2's message of its own."""
    advice = f"Most of this session's tail is spent. Do one {facts.tool} over it now, then continue the work."
    parts = (_counts(facts), advice, _named(facts), _LATER if facts.removes else _STAYS)
    return reminder(" ".join(part for part in parts if part))


def reminder(text: str) -> str:
    """The span by which `navlog.projections.nudging.tail` knows our text again."""
    return f"\n\n<system-reminder>\n{text}\n</system-reminder>"


def _counts(facts: Facts) -> str:
    outputs = "1 spent tool output" if facts.outputs == 1 else f"{facts.outputs} spent tool outputs"
    return f"{outputs}, about {half_up(facts.u / 1000)}k tokens, could be set aside."


def _named(facts: Facts) -> str:
    if not facts.hints:
        return ""
    return "Oldest: " + "; ".join(_hint(one, shown=facts.shown) for one in facts.hints) + "."


def _hint(one: Candidate, *, shown: bool) -> str:
    """The tag and its tool; where the model sees no tags, the beginning of the input tells which it was."""
    name = f"{one.tag} ({one.tool})"
    return name if shown or not one.beginning else f"{one.tag} ({one.tool}: {one.beginning})"
