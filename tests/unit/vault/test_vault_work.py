"""Tasks, sessions, decisions and what documents say, from the projections' own tables, the newest first."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.pages.model import Rule, Rules
from navlog.projections.projector import Projector
from navlog.projections.sessions.projection import SessionsProjection
from navlog.projections.store import Store
from navlog.projections.vault.knowledge import read_said
from navlog.projections.vault.work import read_work
from navlog.schemas.events import CommitFile, CommitRecorded
from navlog.schemas.knowledge import (
    CandidateConfiguration,
    CandidateJudged,
    DocumentKind,
    SummaryMade,
    Verdict,
)
from navlog.schemas.sessions import TaskNoted
from support.graph import LIMITS, ListLog
from support.sessions import closed, ended, opened, prompt, rest, started, tool


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    (tmp_path / "derived").mkdir()
    one = Store(tmp_path, LIMITS)
    yield one
    one.close()


def summarised(document: str, kind: DocumentKind, core_problem: str = "", **said: str) -> SummaryMade:
    made = {"document": document, "kind": kind, "source": "s", "summariser": "rules", **said}
    return msgspec.convert({**made, "core_problem": core_problem}, SummaryMade)


def test_each_is_told_with_what_belongs_to_it(store: Store) -> None:
    log = ListLog()
    log.add(
        started("s1"), opened("t1", "Old", "s1"), prompt("Old", "s1"), prompt("second", "s1"),
        tool("read", "b.py", session="s1"), tool("modified", "a.py", session="s1"),
        tool("tested", session="s1", failed=True, said="pytest", head="E  AssertionError: no"),
        tool("tested", session="s1", said="pytest", head="1 passed"),
        tool("ran", session="s1", failed=True, said="ls", head="No such file"),
        TaskNoted(task="t1", text="Keep it simple", who="Ada"),
        CommitRecorded(
            commit="c1", parents=[], committed_at="2030-01-01T00:00:00Z", author="Ada", subject="s",
            files=[CommitFile("a.py", "M")], file_count=1,
        ),
        rest("Done.", "s1"), closed("t1", ("concept:x", "X")), ended("s1"),
        opened("t2", "New", "s2"),
    )  # fmt: skip
    log.add(opened("t3", "Other", "s3"), project="q")
    Projector(SessionsProjection(), store, {"events": log}).catch_up(log.position)
    work = read_work(store, "p")
    assert [task.id for task in work.tasks] == ["t2", "t1"]
    task = work.tasks[1]
    assert (task.read, task.modified, task.tests) == (("b.py",), ("a.py",), ("✗ pytest", "✓ pytest"))
    assert task.broke == ("pytest: E  AssertionError: no", "ls: No such file")
    assert (task.sessions, task.commits, task.concepts) == (("s1",), ("c1",), ("concept:x",))
    assert (task.host, task.asked) == ("claude-code", ("Old", "second"))
    assert task.closed_at > task.opened_at
    assert task.closed_at.endswith("Z")
    session = next(one for one in work.sessions if one.id == "s1")
    assert (session.asked, session.prompts, session.tools, session.failures) == (("Old", "second"), 2, 5, 2)
    assert session.ended_at > session.started_at
    assert (work.decisions[0].text, work.decisions[0].who) == ("Keep it simple", "Ada")
    assert list(work.named) == ["a.py"]


def test_the_readme_at_the_root_says_what_it_is_and_records_what_was_decided(store: Store) -> None:
    log = ListLog()
    log.add(
        summarised("sub/README.md", "readme", core_problem="A part."),
        summarised("README.md", "readme", core_problem="A shop."),
        summarised("docs/adr/1.md", "decision", title="1: Cents", latest_decision="We count cents."),
    )
    Projector(KnowledgeProjection(), store, {"events": log}).catch_up(log.position)
    said = read_said(store, "p")
    assert said.about == "A shop."
    (record,) = said.records.values()
    assert (record.path, record.text, record.says) == ("docs/adr/1.md", "1: Cents", "We count cents.")
    assert read_said(store, "q") == read_said(store, "nowhere")


def test_files_of_rules_are_told_in_the_order_they_were_read(store: Store) -> None:
    log = ListLog()
    log.add(
        summarised(
            "AGENTS.md#money", "rules", title="Money", key_constraint="No floats.", entry_pointer="a.py:f"
        ),
        summarised("AGENTS.md#log", "rules", title="Log", key_constraint="No print."),
        summarised("AGENTS.md#about", "rules", title="About"),
    )
    Projector(KnowledgeProjection(), store, {"events": log}).catch_up(log.position)
    assert read_said(store, "p").rules == {
        "AGENTS.md": Rules("AGENTS.md", (Rule("Money", "No floats.", "a.py"), Rule("Log", "No print.")))
    }


@pytest.mark.parametrize(
    ("verdict", "said"), [("promoted", ["By the model.", "Rules B."]), ("dropped", ["Rules A.", "Rules B."])]
)
def test_what_the_promoted_summariser_says_of_the_very_text_is_told_in_the_same_order(
    store: Store, verdict: Verdict, said: list[str]
) -> None:
    model = {"summariser": "endpoint:m", "variant": "try"}
    log = ListLog()
    log.add(
        summarised("AGENTS.md#a", "rules", title="A", key_constraint="Rules A."),
        summarised("AGENTS.md#b", "rules", title="B", key_constraint="Rules B."),
        summarised("README.md", "readme", core_problem="By rules."),
        summarised("AGENTS.md#b", "rules", title="B", key_constraint="Old.", **model, source="old"),
        summarised("AGENTS.md#a", "rules", title="A", key_constraint="By the model.", **model),
        CandidateJudged(
            candidate="try", verdict=verdict, configuration=CandidateConfiguration(summariser="endpoint")
        ),
    )
    Projector(KnowledgeProjection(), store, {"events": log}).catch_up(log.position)
    found = read_said(store, "p")
    assert [rule.says for rule in found.rules["AGENTS.md"].rules] == said
    assert found.about == "By rules."
