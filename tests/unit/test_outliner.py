"""Outlines are wanted once, newest save first, a few at a time."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from navlog.daemon.journal import Receipt
from navlog.daemon.recorder.appending import Appending
from navlog.daemon.recorder.outliner import IN_FLIGHT, Outliner, Wanted
from navlog.daemon.recorder.outlining import Outlining
from navlog.schemas.envelope import Draft
from support.recording import Echo


class Maker:
    """Ends an outline when told to, and remembers the order."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.futures: dict[str, Future[bool]] = {}
        self.seen = threading.Condition()

    def __call__(self, wanted: Wanted) -> Future[bool]:
        with self.seen:
            self.started.append(wanted.content)
            future = self.futures[wanted.content] = Future()
            self.seen.notify_all()
        return future

    def wait_started(self, count: int) -> None:
        with self.seen:
            assert self.seen.wait_for(lambda: len(self.started) >= count, 5)


def wanted(content: str, project: str = "p", path: str = "") -> Wanted:
    return Wanted(content=content, project=project, path=path or content)


def test_a_save_goes_before_an_index_and_nothing_is_made_twice() -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=1)
    outliner.want(wanted("a"))
    maker.wait_started(1)
    for content in ("a", "b", "c"):
        outliner.want(wanted(content))
    outliner.want(wanted("saved"), urgent=True)
    assert outliner.pending("p") == 4
    for count, content in enumerate(["a", "saved", "b", "c"], start=1):
        maker.wait_started(count)
        maker.futures[content].set_result(True)
    assert outliner.wait({("a", ""), ("b", ""), ("c", ""), ("saved", "")}, 5)
    assert maker.started == ["a", "saved", "b", "c"]
    outliner.close()


def test_several_are_started_at_once_but_a_save_right_away() -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=4)
    for content in "abcdef":
        outliner.want(wanted(content))
    maker.wait_started(4)
    maker.futures["a"].set_result(True)
    assert not outliner.wait({("e", "")}, 0.05)
    assert maker.started == ["a", "b", "c", "d"]  # three run: too many to wake for one
    maker.futures["b"].set_result(True)
    maker.wait_started(6)
    maker.futures["c"].set_result(True)
    outliner.want(wanted("saved"), urgent=True)
    maker.wait_started(7)
    assert maker.started == ["a", "b", "c", "d", "e", "f", "saved"]
    outliner.close()


def test_a_save_is_urgent_until_it_is_made_and_for_its_project_alone() -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=3)
    outliner.want(wanted("a"))
    outliner.want(wanted("b"), urgent=True)
    outliner.want(wanted("c", "q"), urgent=True)
    maker.wait_started(3)
    assert outliner.urgent("p") == {("b", "")}
    maker.futures["b"].set_result(True)
    assert outliner.urgent("p") == set()
    assert outliner.urgent("q") == {("c", "")}
    maker.futures["a"].set_result(True)
    maker.futures["c"].set_result(True)
    outliner.close()


def test_waiting_is_bounded_and_says_what_is_missing() -> None:
    maker = Maker()
    outliner = Outliner(maker)
    outliner.want(wanted("a"))
    assert not outliner.wait({("a", "")}, 0.01)
    assert outliner.wait({("never asked for", "")}, 0.01)
    outliner.close()


def test_a_failed_outline_does_not_stop_the_next() -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=1)
    outliner.want(wanted("a"))
    outliner.want(wanted("b"))
    maker.wait_started(1)
    maker.futures["a"].set_exception(OSError("gone"))
    maker.wait_started(2)
    outliner.close()


@pytest.mark.parametrize("project", ["p", "q"])
def test_a_removed_project_no_longer_waits(project: str) -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=1)
    outliner.want(wanted("running", "q"))
    maker.wait_started(1)
    outliner.want(wanted("waiting", "p"))
    outliner.forget(project)
    assert outliner.pending("p") == (0 if project == "p" else 1)
    outliner.close()


def test_where_the_text_is_gone_the_next_place_is_read() -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=1)
    outliner.want(wanted("c", path="first"))
    maker.wait_started(1)
    outliner.want(wanted("c", "q", path="copy"))  # the same content elsewhere, while the first is read
    assert (outliner.pending("p"), outliner.pending("q")) == (1, 1)
    maker.futures["c"].set_result(False)
    maker.wait_started(2)
    assert not outliner.wait({("c", "")}, 0)
    maker.futures["c"].set_result(False)  # nobody has it any more
    assert outliner.wait({("c", "")}, 5)
    assert (outliner.pending("p"), outliner.pending("q")) == (0, 0)
    assert maker.started == ["c", "c"]
    outliner.close()


def test_a_content_that_comes_back_while_it_is_missed_is_read_again() -> None:
    maker = Maker()
    outliner = Outliner(maker, in_flight=1)
    outliner.want(wanted("c"))
    maker.wait_started(1)
    outliner.want(wanted("c"))
    maker.futures["c"].set_result(False)
    maker.wait_started(2)
    maker.futures["c"].set_result(True)
    assert outliner.wait({("c", "")}, 5)
    outliner.close()


def test_while_held_none_is_started_and_afterwards_all_are() -> None:
    maker = Maker()
    outliner = Outliner(maker)
    with outliner.held():
        outliner.want(wanted("a"))
        outliner.want(wanted("saved"), urgent=True)
        assert not outliner.wait({("a", "")}, 0.05)
        assert maker.started == []
    maker.wait_started(2)
    assert maker.started == ["saved", "a"]
    outliner.close()


def test_one_that_is_made_leaves_room_before_it_is_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navlog.daemon.recorder.outliner.UNWRITTEN", 3)
    maker = Maker()
    outliner = Outliner(maker, in_flight=2)
    for content in "abcd":
        outliner.want(wanted(content))
    maker.wait_started(2)
    outliner.made(("a", ""))
    maker.wait_started(3)
    for content in "bc":
        outliner.made((content, ""))
    assert not outliner.wait({("d", "")}, 0.05)
    assert maker.started == ["a", "b", "c"]  # all that may be on its way into the log
    maker.futures["a"].set_result(True)
    maker.wait_started(4)
    outliner.close()


class Slow:
    """A journal that has made nothing durable yet."""

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)

    def append(self, drafts: Sequence[Draft], *, unhurried: bool = False) -> Future[Receipt]:  # noqa: ARG002
        self.asked.release()
        return Future()


def test_the_worker_goes_on_while_the_log_is_written() -> None:
    journal = Slow()
    outlining = Outlining(
        Appending(journal, lambda: "id"), Echo(), "1", lambda *_: b"text", lambda _content: "", set
    )
    for number in range(3 * IN_FLIGHT):
        outlining.want("p", f"{number}.py", f"{number}")
    assert all(journal.asked.acquire(timeout=5) for _ in range(3 * IN_FLIGHT))
    assert outlining.pending("p") == 3 * IN_FLIGHT
    outlining.close()
