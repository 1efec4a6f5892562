"""What the verbs `import-agentnavi` and `import-transcripts` take and give."""

import msgspec

NAMED = 100  # damaged places and unknown folders that are named; the counts go on


class ImportArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``path``: a folder or a file, absolute. ``project``: take everything for this one, wherever it was."""

    path: str
    project: str | None = None


class Damaged(msgspec.Struct, frozen=True, kw_only=True):
    """A place that could not be read; ``line`` counts from 1."""

    file: str
    line: int
    why: str


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of a folder that is no registered project: they were left out."""

    root: str
    entries: int


class ImportReply(msgspec.Struct, frozen=True, kw_only=True):
    """``entries`` read, ``added`` events and overlays, ``known`` ones that were there already.

    ``damage`` counts what ``damaged`` names the first of.
    """

    files: int
    entries: int
    added: int
    known: int
    damage: int
    damaged: list[Damaged] = []
    elsewhere: list[Elsewhere] = []
    skipped: list[str] = []
