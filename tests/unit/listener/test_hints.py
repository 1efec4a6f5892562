"""What happens in a short while becomes one thing said."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.listener import hints
from navlog.daemon.listener.hints import Hint, Pending

NAMES = st.sampled_from("abcd")
DEEDS = st.one_of(
    st.tuples(st.just("save"), NAMES, NAMES),
    st.tuples(st.just("remove"), NAMES, NAMES),
    st.tuples(st.just("move"), NAMES, NAMES),
)


@given(st.sets(NAMES), st.lists(DEEDS, max_size=12))
def test_what_is_said_leads_from_the_old_state_to_the_new(
    before: set[str], deeds: list[tuple[str, str, str]]
) -> None:
    """A model of a folder: name -> the identity of the file there, and how often it was written."""
    known = {name: (name, 0) for name in before}
    real, pending = dict(known), Pending()
    for number, (deed, name, other) in enumerate(deeds, start=1):
        do(deed, name, other, number, real, pending)
    hint = pending.take("p")
    changed = {name for name in "abcd" if real.get(name) != known.get(name)}
    assert changed <= hint.changed
    for source, path in hint.moved:
        assert {source, path} <= hint.changed
        assert real[path] == known.get(source, real[path])  # what moved is what was there
    assert (
        len({path for _, path in hint.moved}) == len({source for source, _ in hint.moved}) == len(hint.moved)
    )


def do(
    deed: str, name: str, other: str, number: int, real: dict[str, tuple[str, int]], pending: Pending
) -> None:
    if deed == "save" and name not in real:
        real[name] = (f"new {number}", number)
        pending.created(name)
    elif deed == "remove" and name in real:
        del real[name]
        pending.removed(name)
    elif deed == "move" and name in real and name != other:
        real[other] = real.pop(name)
        pending.moved(name, other)


def said(*deeds: tuple[str, ...]) -> Hint:
    pending = Pending()
    for deed, *paths in deeds:
        getattr(pending, deed)(*paths)
    return pending.take("p")


def test_a_chain_of_moves_is_one_move() -> None:
    assert said(("moved", "a", "b"), ("moved", "b", "c")).moved == (("a", "c"),)


def test_there_and_back_is_no_move() -> None:
    assert said(("moved", "a", "b"), ("moved", "b", "a")).moved == ()


def test_a_swap_is_two_moves_at_once() -> None:
    swap = said(("moved", "a", "t"), ("moved", "b", "a"), ("moved", "t", "b"))
    assert set(swap.moved) == {("b", "a"), ("a", "b")}


def test_log_files_that_shift_are_moves() -> None:
    shifted = said(("moved", "log.1", "log.2"), ("moved", "log", "log.1"), ("created", "log"))
    assert set(shifted.moved) == {("log.1", "log.2")}  # what is written at `log` goes on being `log`
    assert shifted.changed == {"log", "log.1", "log.2"}


def test_a_file_that_came_and_went_is_not_said() -> None:
    pending = Pending()
    pending.created("tmp")
    pending.touched("tmp")
    pending.removed("tmp")
    assert not pending


def test_a_file_that_was_there_before_is_said_when_it_goes() -> None:
    assert said(("removed", "a"), ("created", "a"), ("removed", "a")).changed == {"a"}


def test_lost_events_outrank_other_reasons_to_look_at_all() -> None:
    pending = Pending()
    for why in ("periodic", "overflow", "rules"):
        pending.look_at_all(why)
    assert (hint := pending.take("p")).why == "overflow"
    assert hint.rescan


def test_too_many_paths_are_a_whole_look() -> None:
    pending = Pending()
    for n in range(hints.MANY + 1):
        pending.touched(str(n))
    hint = pending.take("p")
    assert (hint.changed, hint.rescan) == (frozenset(), True)


def test_what_was_said_is_not_said_again() -> None:
    pending = Pending()
    pending.moved("a", "b")
    pending.head_moved()
    pending.look_at_all("rules")
    pending.take("p")
    assert not pending
    assert pending.take("p") == Hint(project="p")


@pytest.mark.parametrize(
    "deed",
    [
        lambda pending: pending.touched("a"),
        lambda pending: pending.look_at_all("rules"),
        lambda pending: pending.head_moved(),
    ],
    ids=["a path", "everything", "head"],
)
def test_any_one_of_these_is_worth_a_hint(deed: Callable[[Pending], None]) -> None:
    pending = Pending()
    assert not pending
    deed(pending)
    assert pending
    pending.take("p")
    assert not pending
