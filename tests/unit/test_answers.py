"""`context` over a view and real files: no secret is shown, and what is known clean is not searched again."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from navlog.daemon.answers import Answers
from navlog.daemon.extract import outline, search_of
from navlog.daemon.listener import Listener
from navlog.daemon.listener.paths import blob_id
from navlog.daemon.projects import Project, Projects
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.redact import Redactor
from navlog.projections.concepts.state import Shown
from navlog.projections.graph.showing import put
from navlog.projections.graph.state import File
from navlog.projections.projector import Projector
from navlog.projections.sessions.past import Past
from navlog.projections.views import ProjectView
from navlog.schemas.settings import Extract, Security, Settings
from navlog.schemas.wire import ContextArgs

PATH = "till.py"
SECRET = "ghp_" + "a1B2c3D4e5" * 4
OPEN = f'def open_till():\n    return connect("{SECRET}")\n'.encode()
CLEAN = b"def open_till():\n    return connect()\n"


class Asked:
    """A project of one file, answered from; ``searched`` are the texts that were searched for secrets."""

    def __init__(self, root: Path, data: bytes, search: str | None = None, redact: bool = True) -> None:
        security = Security(redact=redact)
        redactor = Redactor(security)
        search = search_of(security) if search is None else search
        self.file, self.searched = root / PATH, list[str]()
        self.file.write_bytes(data)
        view = ProjectView()
        row = File(blob_id(data), len(data), 0, False, "2026-11-30T12:00:00Z")
        put(view, PATH, row, outline(PATH, data, Extract(), lambda text: redactor.text(text).text, search))

        def hide(text: str) -> str:
            self.searched.append(text)
            return redactor.text(text).text

        project = Project("p", root, "till", "folder")
        quiet = SimpleNamespace(
            find=lambda _: project, drain=lambda _: "", wait_for_first=lambda *_: True, settle=lambda *_: 0,
            progress=lambda _: SimpleNamespace(files=1, pending=0), faults=dict, wait_for=lambda *_: True,
            position=SimpleNamespace(events=1),
        )  # fmt: skip
        self.answers = Answers(
            cast("Projects", quiet), {"p": view}, Past(), cast("Listener", quiet), cast("Recorder", quiet),
            cast("Projector", quiet), Settings(security=security), Shown(), redact=hide, now=lambda: 0.0,
        )  # fmt: skip

    def text(self) -> str:
        """The text of the only item of the answer."""
        (item,) = self.answers.context(ContextArgs(task="open_till"), "t").items
        return item.text


def test_a_text_in_which_the_outliner_found_nothing_is_not_searched_again(tmp_path: Path) -> None:
    asked = Asked(tmp_path, CLEAN)
    assert "connect()" in asked.text()
    assert asked.searched == []


def test_a_text_with_a_secret_is_searched_each_time_and_shown_without_it(tmp_path: Path) -> None:
    asked = Asked(tmp_path, OPEN)
    for times in (1, 2):
        assert "[redacted:github-token]" in asked.text()
        assert len(asked.searched) == times


@pytest.mark.parametrize("search", ["", "another"])
def test_what_another_search_found_is_not_believed(tmp_path: Path, search: str) -> None:
    asked = Asked(tmp_path, CLEAN, search)
    asked.text()
    asked.text()
    assert asked.searched == [CLEAN.decode()], "searched once, and then remembered"


def test_a_file_that_changed_since_is_searched(tmp_path: Path) -> None:
    asked = Asked(tmp_path, CLEAN)
    asked.file.write_bytes(OPEN)
    assert "[redacted:github-token]" in asked.text()


def test_where_nothing_is_searched_nothing_counts_as_clean(tmp_path: Path) -> None:
    """The setting may be switched on again: what was read without it must then be searched."""
    assert search_of(Security(redact=False)) == ""
    assert SECRET in Asked(tmp_path, OPEN, redact=False).text()
