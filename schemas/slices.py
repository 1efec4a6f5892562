"""The events of slicing: what a change was, what it touches, and how embeddings were calibrated.

An MSU (minimal semantic unit) is the closed record of one change of one file. Texts stand apart, as
`TextKept`, once per hash; a place without a text is a pointer. Tokens are the default estimate
(`navlog.projections.tokens`) of a place as it is shown: its pointer line and its text.
"""

from typing import ClassVar, Literal

import msgspec

from navlog.schemas.event import Event

How = Literal["added", "removed", "signature", "moved", "deprecated", "body"]
Role = Literal["changed", "folded", "call", "test", "example", "use", "near"]
Basis = Literal["git", "memory", "outline", "none"]


class SymbolChange(msgspec.Struct, frozen=True, array_like=True):
    """One definition that is another one now. ``name`` carries its owners: ``Class.method``.

    ``before`` and ``after`` are signatures, or for ``moved`` the qualified names; "" where they say nothing.
    ``line`` is where it stands now, 0 for what is gone.
    """

    name: str
    kind: str
    how: How
    line: int
    before: str = ""
    after: str = ""


class Member(msgspec.Struct, frozen=True, array_like=True):
    """A place in an MSU and why it is there. ``text`` is the hash of its kept text, "" for a pointer alone.

    ``role``: changed, folded (shares a fold with what changed), call, test, example (a document or an
    example), use (a definition that the changed lines use), near (two steps away). ``symbol`` may name
    several definitions of the file, ", " between them. ``cut`` says that the text is less than the place: its
    signature and the lines that count.
    """

    path: str
    line: int
    end_line: int
    symbol: str
    role: Role
    reason: str
    tokens: int
    text: str = ""
    cut: bool = False


class MsuFormed(Event, frozen=True, kw_only=True):
    """The closed record of one change. Its id is made of the causing event's, so a cause has one MSU.

    ``content`` is what the path has now ("" when it is gone), ``before`` what the last MSU of the path, or
    the first index, said; ``previous`` the path it was moved from. ``basis`` says what the diff stands on:
    the text before from git or from memory, the outline before alone, or nothing (a new file). ``lines`` are
    the changed lines as they are now, both ends included. ``core`` is capped apart from ``radius``. ``left``
    counts by role what the rule names and what found no room. ``slicer`` is the version of the rule.
    """

    TYPE: ClassVar[str] = "msu_formed"
    msu: str
    path: str
    content: str
    before: str
    basis: Basis
    slicer: str
    previous: str = ""
    public: bool = False
    changes: list[SymbolChange] = []
    lines: list[tuple[int, int]] = []
    core: list[Member] = []
    radius: list[Member] = []
    core_tokens: int = 0
    radius_tokens: int = 0
    left: dict[str, int] = {}


class ChangesPassed(Event, frozen=True, kw_only=True):
    """Changes up to the event ``until`` that get no MSU: too many at once (a checkout), or too old.

    ``kept`` are the paths among them that still get one; ``count`` is how many do not.
    """

    TYPE: ClassVar[str] = "changes_passed"
    until: int
    count: int
    why: Literal["many", "old"]
    kept: list[str] = []


class EmbeddingCalibrated(Event, frozen=True, kw_only=True):
    """Thresholds for one (provider, model), from pairs of the project's own chunks.

    ``fold`` and ``alike`` are the cosines that so many of the unrelated pairs stay below as the share
    ``passed`` leaves; ``negatives`` and ``positives`` are the 21 quantiles (0, 5, … 100%) of the cosines of
    unrelated pairs and of neighbours.
    """

    TYPE: ClassVar[str] = "embedding_calibrated"
    provider: str
    model: str
    fold: float
    alike: float
    pairs: int
    passed: float
    negatives: list[float]
    positives: list[float]


SLICES: tuple[type[Event], ...] = (MsuFormed, ChangesPassed, EmbeddingCalibrated)
