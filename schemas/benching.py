"""A real agent's run as it was measured: the event, and what the verbs of runs take and give.

``arm`` is "with" navlog, or "without": a run for which navlog was truly absent. Numbers that nobody measured
are None, never 0. ``tokens`` are all that the run cost, ``resident_tokens`` what stood in the window at its
end, ``seconds`` by the clock, ``turns`` the agent's.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from navlog.schemas.bounds import Count, Seconds
from navlog.schemas.event import Event

Arm = Literal["with", "without"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class RunRecorded(Event, frozen=True, kw_only=True):
    """A run of an agent on a case; ``task`` is the one its events belong to, ``expected`` the case's files.

    The files it read and changed are not here: the task's events say them.
    """

    TYPE: ClassVar[str] = "run_recorded"
    suite: str
    case: str
    arm: Arm
    task: str
    expected: list[str]
    success: bool | None = None
    tokens: int | None = None
    resident_tokens: int | None = None
    turns: int | None = None
    seconds: float | None = None


class RunArgs(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says of a run; ``task``: an id or the beginning of one."""

    suite: Name
    case: Name
    arm: Arm
    task: Name
    expected: Annotated[list[Name], msgspec.Meta(min_length=1)]
    success: bool | None = None
    tokens: Count | None = None
    resident_tokens: Count | None = None
    turns: Count | None = None
    seconds: Seconds | None = None
    project: str | None = None


class RunsArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``suite``: one of them; "" for all."""

    suite: str = ""
    project: str | None = None


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run with what its task's events say: ``read`` and ``changed`` are paths of the project.

    ``recall`` is the share of the expected files it read, changed, tested or was led to by a search;
    ``needless`` the share of the read ones that nobody expected, None where it read none.
    """

    suite: str
    case: str
    arm: Arm
    task: str
    at: str
    recall: float
    read: list[str]
    changed: list[str]
    needless: float | None = None
    success: bool | None = None
    tokens: int | None = None
    resident_tokens: int | None = None
    turns: int | None = None
    seconds: float | None = None


class ArmFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the runs of one arm in which the number was measured; None where it was in none."""

    suite: str
    arm: Arm
    runs: int
    recall: float
    read: float
    needless: float | None = None
    success: float | None = None
    tokens: float | None = None
    resident_tokens: float | None = None
    turns: float | None = None
    seconds: float | None = None


class Saving(msgspec.Struct, frozen=True, kw_only=True):
    """What the runs with navlog saved beside those without, over the ``counted`` of the ``pairs``.

    A share of the sum without navlog, negative where it cost more; None where no counted pair has the number
    on both sides. ``left_out`` says why a pair does not count, by case.
    """

    suite: str
    pairs: int
    counted: int
    tokens: float | None = None
    resident_tokens: float | None = None
    turns: float | None = None
    seconds: float | None = None
    read: float | None = None
    left_out: dict[str, str] = {}


class RunsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The latest run of each case and arm, the oldest first."""

    project: str
    runs: list[Run]
    arms: list[ArmFigures]
    savings: list[Saving]
