"""Identities that move: by the larger share of files, once, and only when files moved."""

import threading
from concurrent.futures import Future
from typing import Any, cast

from navlog.daemon.journal import Journal
from navlog.daemon.reacting import Reactor, say_moves
from navlog.projections.concepts.judgements import Move
from navlog.projections.concepts.moving import heirs, lose
from navlog.projections.concepts.state import Project
from navlog.schemas.envelope import Draft

BEFORE = {"concept:json": ("json/a.py", "json/b.py", "json/c.py"), "concept:x": ("x.py",)}
MOVES = [Move(number, f"json/{name}.py", f"serial/{name}.py") for number, name in enumerate("abc", 1)]
NOW = {
    "concept:a": ("serial/a.py",),  # all of its files came from json, but little of json came to it
    "concept:serial": ("serial/a.py", "serial/b.py", "serial/c.py"),
    "concept:x": ("x.py",),
}


def test_an_identity_goes_where_most_files_went() -> None:
    assert list(heirs(lose({}, BEFORE, NOW, MOVES, ()), NOW)) == [("concept:json", "concept:serial")]


def test_moves_may_come_in_several_batches_and_before_anything_is_found_there() -> None:
    early = lose({}, BEFORE, {"concept:x": ("x.py",)}, MOVES[:2], ())
    assert list(heirs(early, {"concept:x": ("x.py",)})) == []
    late = lose(early, {"concept:x": ("x.py",)}, NOW, MOVES[2:], ())
    assert list(heirs(late, NOW)) == [("concept:json", "concept:serial")]


def test_what_is_found_again_or_was_spoken_of_is_not_lost() -> None:
    lost = lose({}, BEFORE, NOW, MOVES, ())
    assert lose(lost, NOW, {**NOW, **BEFORE}, (), ()) == {}
    assert lose(lost, NOW, NOW, (), {"concept:json"}) == {}


def test_a_concept_that_vanished_without_a_move_lives_on_nowhere() -> None:
    now = {"concept:parent": BEFORE["concept:json"]}
    assert list(heirs(lose({}, BEFORE, now, (), ()), now)) == []


def test_half_of_the_files_here_and_half_there_is_a_matter_for_people() -> None:
    moves = [
        Move(1, "json/a.py", "one/a.py"),
        Move(2, "json/b.py", "two/b.py"),
        Move(3, "json/c.py", "three/c.py"),
    ]
    now = {"concept:one": ("one/a.py",), "concept:two": ("two/b.py",), "concept:three": ("three/c.py",)}
    assert list(heirs(lose({}, BEFORE, now, moves, ()), now)) == []


def test_files_that_change_places_end_somewhere() -> None:
    swap = [Move(1, "json/a.py", "json/b.py"), Move(2, "json/b.py", "json/a.py")]
    assert lose({}, {"concept:json": ("json/a.py",)}, {}, swap, ()) == {
        "concept:json": {"json/a.py": "json/b.py"}
    }


def test_an_event_says_it_once_even_when_nobody_has_read_it_yet() -> None:
    drafts: list[Draft] = []

    class Log:
        def append(self, more: list[Draft]) -> "Future[Any]":
            drafts.extend(more)
            done: Future[Any] = Future()
            done.set_result(None)
            return done

    for _ in range(2):
        say_moves(cast("Journal", Log()), {"p": [("concept:a", "concept:b")]}, {"p": Project("p")})
    assert len({draft.id for draft in drafts}) == 1
    say_moves(cast("Journal", Log()), {}, {})
    assert len(drafts) == 2


def test_a_reactor_acts_once_told_and_goes_on_after_a_fault() -> None:
    seen: list[int] = []
    acted = threading.Semaphore(0)

    def react() -> None:
        seen.append(1)
        acted.release()
        if len(seen) == 1:
            raise OSError

    reactor = Reactor("test", react)
    reactor.start()
    for _ in range(2):
        reactor.tell()
        assert acted.acquire(timeout=5)
    reactor.close()
    assert len(seen) == 2
