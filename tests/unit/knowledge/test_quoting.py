"""Replies are read once, and a turn is taken on only where that was asked for."""

from navlog.daemon.knowing.quoting import Quoting
from navlog.projections.knowledge.citing import Given
from navlog.projections.knowledge.elements import Elements
from navlog.schemas.event import Event
from navlog.schemas.knowledge import CitationChecked, CitationMode
from navlog.schemas.sessions import InjectionGiven, Piece, PromptGiven, TurnEnded

PIECE = "knowledge:adr/1.md@2"
REPLY = "Then shop/outbox.py is changed."


class Turns:
    def __init__(self, mode: CitationMode = "must", retries: int = 0) -> None:
        self.said: list[CitationChecked] = []
        self.quoting = Quoting(lambda _project, _session: mode, retries, self.given, self.say)
        self.quoting.heard("p", PromptGiven(session="s", host="h", text="send mail"))
        pieces = [
            Piece(PIECE, "knowledge", "shop/outbox.py", "", 1),
            Piece("routing:a", "routing", "a.py", "", 1),
        ]
        given = InjectionGiven(
            injection="i", session="s", host="h", moment="prompt", position=1, pieces=pieces, variant="c"
        )
        self.quoting.heard("p", given)

    def given(self, _project: str, ids: list[str]) -> list[Given]:
        return [Given(one, Elements("Mail", "Use the OutboxWriter.", "", "shop/outbox.py")) for one in ids]

    def say(self, _project: str, event: Event, _trace: str) -> None:
        assert isinstance(event, CitationChecked)
        self.said.append(event)

    def ended(self, text: str = REPLY) -> None:
        self.quoting.heard("p", TurnEnded(session="s", host="h", text=text))


def test_a_miss_is_counted_and_nobody_is_woken() -> None:
    turns = Turns()
    assert turns.quoting.replied("p", "s", REPLY) == ""
    [checked] = turns.said
    assert (checked.used, checked.quoted, checked.continued, checked.variant) == ([PIECE], [], False, "c")


def test_a_reply_that_was_read_whole_is_not_read_again_from_the_log() -> None:
    turns = Turns()
    turns.quoting.replied("p", "s", REPLY)
    turns.ended()
    assert len(turns.said) == 1


def test_where_no_host_hands_it_over_the_beginning_in_the_log_counts() -> None:
    turns = Turns()
    turns.ended()
    assert [one.used for one in turns.said] == [[PIECE]]


def test_a_turn_is_taken_on_as_often_as_is_set_and_never_by_itself() -> None:
    turns = Turns(retries=1)
    assert turns.quoting.replied("p", "s", REPLY, active=True) == "", "the host has done so already"
    assert "`shop/outbox.py`" in turns.quoting.replied("p", "s", REPLY)
    assert turns.quoting.replied("p", "s", REPLY) == ""


def test_a_remark_takes_no_turn_on_and_off_reads_nothing() -> None:
    assert Turns("fact", retries=2).quoting.replied("p", "s", REPLY) == ""
    off = Turns("off", retries=2)
    assert off.quoting.replied("p", "s", REPLY) == ""
    assert off.said == []


def test_the_next_prompt_begins_anew() -> None:
    turns = Turns()
    turns.quoting.heard("p", PromptGiven(session="s", host="h", text="something else"))
    turns.ended()
    assert turns.said == []


def test_a_reply_that_used_nothing_is_no_event() -> None:
    turns = Turns()
    turns.ended("Done.")
    assert turns.said == []
