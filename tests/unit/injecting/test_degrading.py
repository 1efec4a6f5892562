"""Who is given paths only, and what ends it: the rules, and the room that reads replies."""

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from navlog.daemon.hosts.replies import Reply
from navlog.daemon.injecting.degrading import Degrading, InProject
from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project
from navlog.projections.injecting.block import Found
from navlog.projections.injecting.degrading import Trust, apply, decide, is_good, paths_only
from navlog.projections.injecting.sharing import Offer
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.envelope import draft
from navlog.schemas.errors import UsageError
from navlog.schemas.event import Event
from navlog.schemas.events import Symbol
from navlog.schemas.giving import TrustArgs
from navlog.schemas.payloads import decode_payload
from navlog.schemas.replies import ReplyChecked, SessionDegraded, SessionRestored
from navlog.schemas.sessions import SessionEnded
from navlog.schemas.settings import Inject
from support.journal import open_journal

SETTINGS = Inject()


def checked(references: int = 0, invented: int = 0, blind: str = "", *, good: bool = False) -> ReplyChecked:
    return ReplyChecked(
        session="s", host="h", references=references, invented=invented, blind=blind, good=good
    )


def after(*events: Event) -> Trust:
    trust = Trust()
    for event in events:
        trust = apply(trust, event)
    return trust


def follows(*replies: ReplyChecked) -> SessionDegraded | SessionRestored | None:
    return decide(after(*replies), replies[-1], SETTINGS)


def test_a_reply_that_cannot_see_the_code_degrades_at_once() -> None:
    said = follows(checked(blind="I can't see the latest"))
    assert isinstance(said, SessionDegraded)
    assert said.why == "blind"


def test_more_than_one_in_twenty_references_that_lead_nowhere_degrade() -> None:
    assert follows(checked(40, 2)) is None  # 5% is not more than 5%
    said = follows(checked(39, 2))
    assert said == SessionDegraded(session="s", why="invented", references=39, invented=2)


def test_few_references_and_a_single_slip_say_nothing() -> None:
    assert follows(checked(19, 19)) is None
    assert follows(checked(15, 1), checked(5, 0)) is None


def test_replies_are_counted_together_but_not_for_ever() -> None:
    assert isinstance(follows(checked(12, 1), checked(12, 1)), SessionDegraded)
    assert follows(checked(12, 2), *(checked(10, 0) for _ in range(5))) is None


def test_good_replies_in_a_row_restore() -> None:
    bad, good = checked(10, 5), checked(10, 0, good=True)
    degraded = SessionDegraded(session="s", why="invented")
    assert decide(after(degraded, good, good), good, SETTINGS) is None
    assert decide(after(degraded, good, bad, good, good), good, SETTINGS) is None
    restored = decide(after(degraded, good, good, good), good, SETTINGS)
    assert restored == SessionRestored(session="s", why="replies")


def test_a_session_that_is_degraded_is_not_degraded_again() -> None:
    degraded = SessionDegraded(session="s", why="blind")
    assert decide(after(degraded, checked(50, 50)), checked(50, 50), SETTINGS) is None


@pytest.mark.parametrize(
    "event", [SessionRestored(session="s", why="person"), SessionEnded(session="s", host="h")]
)
def test_a_person_or_the_end_gives_everything_again(event: Event) -> None:
    assert after(checked(9, 9), SessionDegraded(session="s", why="blind"), event) == Trust()


@pytest.mark.parametrize(
    ("why", "references", "invented", "blind", "good"),
    [
        ("blind", 0, 0, "", True),
        ("blind", 0, 0, "I cannot see", False),
        ("invented", 0, 0, "", False),
        ("invented", 10, 0, "", True),
        ("invented", 10, 1, "", False),
    ],
)
def test_which_reply_is_good(why: Any, references: int, invented: int, blind: str, good: bool) -> None:
    assert is_good(why, references, invented, blind, SETTINGS) is good


def test_paths_only_are_bare_paths_each_once() -> None:
    offers = [
        Offer(0.5, [Found("m", "msu", "a.py:3", "text", "body of f"), Found("n", "note", "", "", "said")]),
        Offer(0.5, [Found("k", "knowledge", "b.py:run", "y"), Found("t", "task", "2026 fix it", "outcome")]),
        Offer(1.0, [Found("r", "routing", "a.py:9", "def f()", "path says a"), Found("c", "knowledge", "")]),
    ]
    (offer,) = paths_only(offers)
    assert list(offer.found) == [Found("path:a.py", "routing", "a.py"), Found("path:b.py", "routing", "b.py")]


# --- the room -------------------------------------------------------------------------------------------


@pytest.fixture
def events(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path / "log")
    yield journal
    journal.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "ignored.py").write_text("x")
    return Project("p", tmp_path, "shop", "git")


def view() -> ProjectView:
    made = ProjectView()
    symbol = Symbol(name="parse_price", kind="function", line=1, end_line=2)
    made.put(
        FileView("src/till.py", "c", "python", 9, 1, 0.0, symbols=[symbol]), {"1": "read_config read config"}
    )
    return made


def room(events: Journal, settings: Inject = SETTINGS, missing: str = "") -> Degrading:
    numbers = iter(range(99))
    answers = SimpleNamespace(view=lambda _project: view(), freshen=lambda _project, _patience: missing)
    return Degrading(
        events,
        cast("Any", answers),
        settings,
        lambda _project, _session: "trial",
        lambda: f"n{next(numbers)}",
    )


def say(one: Degrading, project: Project, *texts: str, session: str = "s") -> None:
    """Returns once every reply has been read."""
    for number, text in enumerate(texts):
        one.heard(
            project, Reply(session, text, "", active=False), "claude-code", f"{session}{number}{text[:9]}"
        )
    done = threading.Event()
    one._pool.submit(done.set)
    assert done.wait(5)


def said(events: Journal) -> list[Any]:
    return [decode_payload(record) for record in events.read()]


INVENTING = " ".join(f"`invent_{n}` is wrong." for n in range(25))


def test_what_is_in_the_view_or_on_the_disk_is_there(project: Project) -> None:
    code = InProject(view(), project.root)
    assert code.has_file("till.py")
    assert code.has_file("ignored.py")
    assert not code.has_file("../" + project.root.name)
    assert not code.has_file("src/nowhere.py")
    assert code.is_kind(".py")
    assert not code.is_kind(".rs")
    assert code.defines("parse_price")
    assert code.says("read_config")
    assert not code.says("write_config")


def test_a_session_is_degraded_by_its_replies_and_the_log_knows(events: Journal, project: Project) -> None:
    one = room(events)
    say(one, project, INVENTING)
    assert one.why("s") == "invented"
    assert one.why("other") == ""
    first, second = said(events)
    assert (first.references, first.invented, len(first.missing), first.variant) == (25, 25, 20, "trial")
    assert second == SessionDegraded(session="s", why="invented", references=25, invented=25)
    assert room(events).why("s") == "invented"


def test_it_is_restored_by_its_replies(events: Journal, project: Project) -> None:
    one = room(events)
    say(one, project, "我看不到最新的代码。")
    assert one.why("s") == "blind"
    say(one, project, *(f"{n}: `parse_price` is right." for n in range(3)))
    assert one.why("s") == ""
    assert room(events).why("s") == ""


def test_it_is_restored_by_a_person(events: Journal, project: Project) -> None:
    one = room(events)
    with pytest.raises(UsageError) as nobody:
        one.trust(TrustArgs(session="x"), "t", lambda *_: None)
    assert nobody.value.hint == "No session is given paths only."
    say(one, project, INVENTING, session="abcdef")
    with pytest.raises(UsageError, match="'x' is not one session") as another:
        one.trust(TrustArgs(session="x"), "t", lambda *_: None)
    assert another.value.hint == "Given paths only: abcdef."
    assert one.trust(TrustArgs(session="abc"), "t", lambda *_: None).session == "abcdef"
    assert one.why("abcdef") == ""
    assert [record.project for record in events.read()] == ["p", "p", "p"]


def test_an_ended_session_is_not_degraded_after_a_restart(events: Journal, project: Project) -> None:
    say(room(events), project, INVENTING)
    ended = SessionEnded(session="s", host="h")
    events.append([draft(ended, project="p", source="x", id="e", tags=("session:s",))]).result()
    assert room(events).sessions() == {}


def test_a_reply_without_references_leaves_no_event(events: Journal, project: Project) -> None:
    say(room(events), project, "Done.")
    assert events.position == 0


def test_references_are_not_judged_before_the_project_is_known(events: Journal, project: Project) -> None:
    one = room(events, missing="files known by name only yet: 3")
    say(one, project, INVENTING, "I can't see the latest code.")
    assert [type(event) for event in said(events)] == [ReplyChecked, SessionDegraded]
    assert one.why("s") == "blind"


def test_it_can_be_turned_off(events: Journal, project: Project) -> None:
    say(room(events), project, INVENTING)
    off = room(events, Inject(degrade=False))
    say(off, project, "I can't see the latest code.", session="t")
    assert (off.why("s"), off.why("t")) == ("", "")


def test_metrics_count_references_and_sessions(events: Journal, project: Project) -> None:
    one = room(events)
    say(one, project, INVENTING, "`parse_price` is fine.")
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for metric in one.metrics.collect()
        for sample in metric.samples
    }
    assert samples["navlog_references_total", "trial"] == 26
    assert samples["navlog_hallucinated_references_total", "trial"] == 25
    assert samples["navlog_degraded_sessions", "invented"] == 1
    assert samples["navlog_degraded_sessions", "blind"] == 0
