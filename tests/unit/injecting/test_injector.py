"""Giving: recorded before it is told, once per session, never later than asked for."""

import itertools
import threading
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from navlog.daemon.hosts.heard import Ask
from navlog.daemon.injecting.injector import Injector
from navlog.daemon.injecting.looking_back import LookingBack
from navlog.daemon.injecting.memory import Memory, session_tag
from navlog.daemon.injecting.recording import Recording
from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project
from navlog.projections.injecting.block import Found
from navlog.schemas.envelope import draft
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import AsOfArgs, ExplainArgs
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import InjectionGiven, Moment, PromptGiven, SessionCompacted
from navlog.schemas.settings import Inject
from support.journal import open_journal


class Told:
    """A source that says what it is told to."""

    name = "told"
    moments: frozenset[Moment] = frozenset(("prompt", "start", "compact", "asked"))

    def __init__(self, *found: Found) -> None:
        self.found: Sequence[Found] = found
        self.asked = 0
        self.state = 0
        self.gate = threading.Event()
        self.gate.set()

    def share(self, _settings: Inject) -> float:
        return 1.0

    def version(self, _project: str) -> Hashable:
        return self.state

    def offer(self, _ask: Ask, _project: str) -> Sequence[Found]:
        self.asked += 1
        self.gate.wait(5)
        return self.found


class OneProject:
    def find(self, _where: str) -> Project:
        return Project("p", Path("/p"), "shop", "git")


NUMBERS = itertools.count(1)
FOUND = Found("routing:a.py:1@c", "routing", "a.py:1", "def a(): ...", "path says a")
PROMPT = Ask("s", "claude-code", "prompt", "fix the shop")


@pytest.fixture
def events(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path / "log")
    yield journal
    journal.close()


def injector(events: Journal, *sources: Told, settings: Inject | None = None) -> Injector:
    return Injector(
        sources, OneProject(), Recording(events), Memory(events), settings or Inject(),  # type: ignore[arg-type]
        position=lambda: 7, redact=lambda text: text.replace("hunter2", "***"),
        new_id=lambda: f"{next(NUMBERS):016x}",
    )  # fmt: skip


def soon() -> float:
    return monotonic() + 60


def given(events: Journal) -> list[InjectionGiven]:
    return [one for record in events.read() if isinstance(one := decode_payload(record), InjectionGiven)]


def test_what_is_told_is_in_the_log_before(events: Journal) -> None:
    block = injector(events, Told(FOUND)).give(PROMPT, "p", "trace", soon())
    assert "- a.py:1  path says a\n    def a(): ..." in block
    assert [record.type for record in events.read()] == ["text_kept", "injection_given"]
    assert given(events)[0].injection in block


def test_a_nod_costs_no_source_and_is_recorded(events: Journal) -> None:
    source = Told(FOUND)
    assert injector(events, source).give(PROMPT._replace(task="go on"), "p", "t", soon()) == ""
    assert source.asked == 0
    assert given(events)[0].skipped == "nothing needed"


def test_a_moment_at_which_nobody_has_anything_is_no_event(events: Journal) -> None:
    assert injector(events, Told(FOUND)).give(PROMPT._replace(moment="tool"), "p", "t", soon()) == ""
    assert events.position == 0


def test_a_piece_is_given_once_to_a_session_also_after_a_restart(events: Journal) -> None:
    assert injector(events, Told(FOUND)).give(PROMPT, "p", "t", soon())
    again = injector(events, Told(FOUND)).give(PROMPT, "p", "t2", soon())
    assert again == ""
    assert given(events)[1].skipped == "known: 1"
    assert injector(events, Told(FOUND)).give(PROMPT._replace(session="other"), "p", "t3", soon())


def test_after_a_compaction_it_is_given_again(events: Journal) -> None:
    one = injector(events, Told(FOUND))
    assert one.give(PROMPT, "p", "t", soon())
    compacted = SessionCompacted(session="s", host="claude-code", done=True)
    events.append([draft(compacted, project="p", source="x", id="c", tags=(session_tag("s"),))]).result()
    assert one.give(PROMPT, "p", "t", soon())


def test_a_slow_source_is_left_out_and_its_offer_kept(events: Journal) -> None:
    slow, quick = Told(FOUND), Told(Found("b", "routing", "b.py:1"))
    slow.name = "slow"
    slow.gate.clear()
    one = injector(events, slow, quick)
    one._monotonic = one._kept._monotonic = lambda: 0.0  # a busy machine is no slow source
    block = one.give(PROMPT, "p", "t", 0.5)
    assert "b.py" in block
    assert "a.py" not in block
    assert given(events)[0].skipped == "out of time: slow"
    slow.gate.set()
    assert "a.py" in one.give(PROMPT, "p", "t", 5.0)


def test_what_was_recorded_too_late_is_not_told_and_does_not_count(events: Journal) -> None:
    one = injector(events, Told(FOUND))
    readings = iter([0.0, 0.0])  # as it begins, and as the sources are asked
    one._monotonic = lambda: next(readings, 100.0)
    one._kept._monotonic = lambda: 0.0
    assert one.give(PROMPT, "p", "t", 50.0) == ""
    assert [event.skipped for event in given(events)] == ["", "late"]
    assert injector(events, Told(FOUND)).give(PROMPT, "p", "t", soon())


def test_what_nobody_heard_is_taken_back_once_and_comes_again(events: Journal) -> None:
    one = injector(events, Told(FOUND))
    assert one.give(PROMPT, "p", "call-1", soon())
    assert one.give(PROMPT, "p", "call-2", soon()) == ""
    for trace in ("call-0", "call-1", "call-1"):
        one.unheard(PROMPT.session, "p", trace)
    assert [event.skipped for event in given(events)][-1] == "late"
    assert sum(event.skipped == "late" for event in given(events)) == 1
    assert "a.py" in one.give(PROMPT, "p", "call-3", soon())


def test_an_offer_is_kept_until_its_source_changes(events: Journal) -> None:
    source = Told(FOUND)
    one = injector(events, source)
    for _ in range(2):
        one.give(PROMPT, "p", "t", soon())
    assert source.asked == 1
    source.state += 1
    one.give(PROMPT, "p", "t", soon())
    assert source.asked == 2


def test_a_source_that_fails_costs_its_own_pieces(events: Journal) -> None:
    broken = Told()
    broken.found = None  # type: ignore[assignment]
    assert "a.py" in injector(events, broken, Told(FOUND)).give(PROMPT, "p", "t", soon())


def test_what_cannot_be_recorded_is_not_given(events: Journal) -> None:
    one = injector(events, Told(FOUND))
    events.close()
    assert one.give(PROMPT, "p", "t", soon()) == ""


def test_a_secret_is_taken_out_before_it_is_hashed(events: Journal) -> None:
    block = injector(events, Told(FOUND._replace(text="key = hunter2"))).give(PROMPT, "p", "t", soon())
    assert "key = ***" in block
    assert not [record for record in events.read() if b"hunter2" in bytes(record.data)]


def test_explain_shows_the_block_byte_for_byte(events: Journal) -> None:
    prompt = PromptGiven(session="s", host="claude-code", text="fix the shop")
    events.append(
        [draft(prompt, project="p", source="x", id="q", tags=(session_tag("s"),), trace="trace")]
    ).result()
    block = injector(events, Told(FOUND)).give(PROMPT, "p", "trace", soon())
    looking = LookingBack(events, lambda _project: "shop")
    for name in (given(events)[0].injection, FOUND.id, "trace"):
        (one,) = looking.explain(ExplainArgs(id=name)).injections
        assert (one.block, one.exact, one.task) == (block, True, "fix the shop")
    assert (
        not LookingBack(events, lambda _project: "renamed")
        .explain(ExplainArgs(id="trace"))
        .injections[0]
        .exact
    )


def test_explain_shows_any_other_event_and_refuses_what_is_none(events: Journal) -> None:
    injector(events, Told(FOUND)).give(PROMPT, "p", "t", soon())
    looking = LookingBack(events, str)
    text = next(events.read()).id
    assert b"text_kept" in bytes(looking.explain(ExplainArgs(id=text)).event)
    with pytest.raises(UsageError, match="Nothing in the log"):
        looking.explain(ExplainArgs(id="nobody"))


def test_as_of_shows_what_a_session_had_then(events: Journal) -> None:
    one = injector(events, Told(FOUND))
    one.give(PROMPT, "p", "t", soon())
    first = events.position
    compacted = SessionCompacted(session="s", host="claude-code", done=True)
    events.append([draft(compacted, project="p", source="x", id="c", tags=(session_tag("s"),))]).result()
    looking = LookingBack(events, str)
    then = looking.as_of(AsOfArgs(position=first)).sessions
    assert [[piece.id for piece in session.pieces] for session in then] == [[FOUND.id]]
    assert looking.as_of(AsOfArgs(position=0)).sessions == []
    assert looking.as_of(AsOfArgs(position=0, session="s")).sessions[0].pieces == []


def tuned(events: Journal, **more: Any) -> Injector:
    """One whose sessions may each be given something else."""
    source = Told(FOUND, Found("m", "msu", "b.py:3", "x = 1\n" * 40, "body of f"))
    return Injector(
        [source], OneProject(), Recording(events), Memory(events), Inject(),  # type: ignore[arg-type]
        position=lambda: 7, redact=str, **more,
    )  # fmt: skip


def test_a_session_on_trial_is_given_what_its_candidate_says(events: Journal) -> None:
    one = tuned(
        events,
        variant=lambda _project, session: "small" if session == "s" else "",
        tuned=lambda _project, session: Inject(target=250) if session == "s" else Inject(),
    )
    small = one.give(PROMPT, "p", "t", soon())
    whole = one.give(PROMPT._replace(session="other"), "p", "t2", soon())
    assert "x = 1" not in small
    assert "- b.py:3  body of f" in small
    assert "x = 1" in whole
    assert [event.variant for event in given(events)] == ["small", ""]


def test_a_degraded_session_is_given_paths_and_the_log_says_why(events: Journal) -> None:
    one = tuned(events, degraded=lambda session: "blind" if session == "s" else "")
    block = one.give(PROMPT, "p", "t", soon())
    assert [line for line in block.splitlines() if line.startswith("-")] == ["- a.py", "- b.py"]
    assert given(events)[0].skipped == "paths only: blind"
    assert "x = 1" in one.give(PROMPT._replace(session="other"), "p", "t2", soon())
    assert one.give(PROMPT, "p", "t3", soon()) == ""


def test_who_asks_by_a_tool_is_given_what_it_asked_for(events: Journal) -> None:
    one = tuned(events, degraded=lambda _session: "blind")
    assert "def a()" in one.tell(PROMPT._replace(moment="asked"), "p", "t", [FOUND])
