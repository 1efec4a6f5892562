"""Which paths are documents, and which pages read like decision records."""

import pytest

from navlog.projections.knowledge.prose import blocks
from navlog.projections.knowledge.recognising import (
    READMES,
    decides,
    documents,
    is_over,
    kind_of,
    newest,
    status,
)

RECORD = "# 7. A queue\n\nDate: 2025-01-01\n\n## Status\n\n{status}\n\n## Decision\n\nWe use one.\n"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", "readme"),
        ("README", "readme"),
        ("lib/core/README.rst", "readme"),
        ("AGENTS.md", "rules"),
        ("web/CLAUDE.md", "rules"),
        ("docs/agents.md", None),
        ("site/llms/gemini.md", None),
        ("claude.md", "rules"),
        (".github/agents.md", "rules"),
        (".github/copilot-instructions.md", "rules"),
        (".cursorrules", "rules"),
        (".cursor/rules/style.mdc", "rules"),
        ("CONTRIBUTING.rst", "contributing"),
        (".github/PULL_REQUEST_TEMPLATE.md", "contributing"),
        ("docs/coding-style.md", "contributing"),
        ("STYLEGUIDE.md", "contributing"),
        ("docs/style.css", None),
        ("docs/adr/0001-a.md", "decision"),
        ("docs/decisions/use-x.md", "decision"),
        ("rfcs/12-y.md", "decision"),
        ("docs/adr/README.md", "readme"),
        ("docs/adr/template.md", None),
        ("docs/adr/diagram.svg", None),
        ("tests/data/README.md", None),
        ("node_modules/a/README.md", None),
        ("src/readme.py", None),
        ("notes.md", None),
    ],
)
def test_names_and_folders_say_what_a_document_is(path: str, kind: str | None) -> None:
    assert kind_of(path) == kind


def test_translations_are_left_out_beside_an_original() -> None:
    paths = ["README.md", "README.zh-CN.md", "README_fr.md", "doc/README-ja.md", "lib/README.md"]
    assert list(documents(paths)) == ["README.md", "lib/README.md"]


def test_of_translations_alone_one_stays() -> None:
    assert list(documents(["README.en.md", "README.de.md"])) == ["README.de.md"]


def test_only_the_nearest_readmes_count() -> None:
    found = documents([*(f"p{number}/deep/README.md" for number in range(50)), "README.md"])
    assert len(found) == READMES
    assert "README.md" in found


@pytest.mark.parametrize("word", ["Accepted", "Superseded by 9", "已接受"])
def test_a_number_a_status_and_a_decision_make_a_record(word: str) -> None:
    assert decides("notes/0007-queue.md", blocks(RECORD.format(status=word)))


@pytest.mark.parametrize("missing", ["## Status\n\nAccepted", "## Decision"])
def test_without_one_of_them_it_is_a_page_like_others(missing: str) -> None:
    text = RECORD.format(status="Accepted").replace(missing, "")
    assert not decides("notes/0007-queue.md", blocks(text))


def test_a_status_may_stand_in_the_front_matter() -> None:
    assert status(blocks("---\nstatus: superseded\n---\n\n# A\n\nText here.\n")) == "superseded"
    assert is_over("superseded")
    assert not is_over("accepted")


def test_the_newest_record_comes_last() -> None:
    paths = ["adr/0010-b.md", "adr/0002-c.md", "adr/0009-a.md"]
    assert max(paths, key=newest) == "adr/0010-b.md"
