"""The cases of a comparison, from a file: a task's words and the files that answered it.

Two formats are read: AgentNavi's, one JSON list of ``{id, task, expected_files}``, and one case a line, with
``query`` in the place of ``task``; further fields are passed over.
"""

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


def read_cases(data: bytes) -> list[Case]:
    """The cases in either format; raises `UsageError` naming the case that is none."""
    cases = [_case(number, one) for number, one in enumerate(_objects(data), start=1)]
    if not cases:
        raise UsageError("There is no case in the file.", hint=NEXT)
    return cases


def _objects(data: bytes) -> list[Any]:
    try:
        if data.lstrip().startswith(b"["):
            return msgspec.json.decode(data, type=list[Any])
        return [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UsageError(f"The cases cannot be read: {fault}", hint=NEXT) from fault


def _case(number: int, given: object) -> Case:
    try:
        one = msgspec.convert(given, _Given)
    except msgspec.ValidationError as fault:
        raise UsageError(f"Case {number} cannot be read: {fault}", hint=NEXT) from fault
    task = one.task or one.query
    if not task.strip() or not one.expected_files:
        raise UsageError(f"Case {number} ({one.id}) has no task or no expected files.", hint=NEXT)
    return Case(id=one.id, task=task, expected=frozenset(one.expected_files))
