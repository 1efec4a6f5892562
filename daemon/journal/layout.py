"""Names of files in the log's folder; each is described in docs/log-format.md."""

import re
from collections.abc import Iterable
from pathlib import Path

LOGS = ("events", "overlays")
QUARANTINE = "quarantine"
INDEX = "index"
_SEGMENT = re.compile(r"(?P<log>[a-z]+)-(?P<number>\d{8})\.jsonl")


def segment_name(log: str, number: int) -> str:
    """``events-00000001.jsonl``: numbers count from 1, without a gap."""
    return f"{log}-{number:08}.jsonl"


def segment_numbers(log: str, names: Iterable[str]) -> list[int]:
    """The numbers of ``log``'s segments among ``names``, ascending."""
    found = (_SEGMENT.fullmatch(name) for name in names)
    return sorted(int(match["number"]) for match in found if match and match["log"] == log)


def anchor_path(folder: Path, log: str) -> Path:
    """The high-water mark beside the log."""
    return folder / f"{log}.anchor"


def index_path(folder: Path, log: str, number: int) -> Path:
    """A sealed segment's index; it may be deleted at any time."""
    return folder / INDEX / f"{log}-{number:08}.index"
