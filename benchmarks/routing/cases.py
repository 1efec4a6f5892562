"""The cases: a task's text, a repository at a commit, and the files that answered it."""

from pathlib import Path

import msgspec


class Case(msgspec.Struct, frozen=True):
    """``lang`` is the language of the expected files, ``qlang`` that of the task (en, zh)."""

    id: str
    repo: str
    base_commit: str
    lang: str
    qlang: str
    query: str
    expected_files: list[str]


def load(path: Path) -> list[Case]:
    """The cases of a JSON-lines file, grouped by repository so that one view can walk from case to case."""
    cases = [msgspec.json.decode(line, type=Case) for line in path.read_bytes().splitlines()]
    return sorted(cases, key=lambda case: (case.repo, case.base_commit, case.id))
