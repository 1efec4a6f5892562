"""The cases of a comparison, from a file: a task's words and the files that answered it.

Two formats are read: AgentNavi's, one JSON list of ``{id, task, expected_files}`` or an object whose
``cases`` are that list, and one case a line. ``query`` may stand for ``task``; other fields are passed over.
Paths are taken as AgentNavi takes them: with ``/``, without a leading ``./``.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from navlog.schemas.errors import UsageError

NEXT = "A case is an object with id, task (or query) and expected_files."


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """``expected`` are paths relative to the project."""

    id: str
    task: str
    expected: frozenset[str]


class _Given(msgspec.Struct, frozen=True):
    id: str
    expected_files: list[str]
    task: str = ""
    query: str = ""


def cases_in(path: Path) -> list[Case]:
    """The cases of a file; raises `UsageError`."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise UsageError(
            f"{path} cannot be read: {fault.strerror}.", hint=f"Name a file of cases. {NEXT}"
        ) from fault
    return read_cases(data)


def read_cases(data: bytes) -> list[Case]:
    """The cases in either format; raises `UsageError` naming the case that is none."""
    cases = [_case(number, one) for number, one in enumerate(_objects(data), start=1)]
    if not cases:
        raise UsageError("There is no case in the file.", hint=NEXT)
    if len({case.id for case in cases}) < len(cases):
        twice = next(one for one, count in Counter(case.id for case in cases).items() if count > 1)
        raise UsageError(f"There are several cases with the id {twice}.", hint=NEXT)
    return cases


def _objects(data: bytes) -> list[Any]:
    try:
        if data.lstrip().startswith(b"["):
            return msgspec.json.decode(data, type=list[Any])
        if (listed := _listed(data)) is not None:
            return listed
        return [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UsageError(f"The cases cannot be read: {fault}", hint=NEXT) from fault


def _listed(data: bytes) -> list[Any] | None:
    """The ``cases`` of one object; None for anything else."""
    try:
        whole = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None  # a case a line
    cases = whole.get("cases") if isinstance(whole, dict) else None
    return cases if isinstance(cases, list) else None


def _case(number: int, given: object) -> Case:
    try:
        one = msgspec.convert(given, _Given)
    except msgspec.ValidationError as fault:
        raise UsageError(f"Case {number} cannot be read: {fault}", hint=NEXT) from fault
    task = one.task or one.query
    if not task.strip() or not one.expected_files:
        raise UsageError(f"Case {number} ({one.id}) has no task or no expected files.", hint=NEXT)
    return Case(id=one.id, task=task, expected=frozenset(map(_plain, one.expected_files)))


def _plain(path: str) -> str:
    return path.replace("\\", "/").strip().removeprefix("./")
