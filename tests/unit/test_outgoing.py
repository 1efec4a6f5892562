"""A reply over HTTP is read whole, or not longer and further than was said."""

from http.client import IncompleteRead

import pytest

from navlog.daemon.outgoing import whole

NEVER, AT_ONCE = float("inf"), 0.0


class Reply:
    """Gives its bytes two at a time; ``length`` is what was announced and has not come."""

    def __init__(self, data: bytes, length: int = 0) -> None:
        self._data = data
        self.length = length

    def read1(self, _: int) -> bytes:
        piece, self._data = self._data[:2], self._data[2:]
        return piece


def test_it_is_read_to_its_end() -> None:
    assert whole(Reply(b"12345"), NEVER, most=5) == b"12345"


def test_one_that_sends_a_byte_now_and_then_is_not_waited_for() -> None:
    with pytest.raises(TimeoutError):
        whole(Reply(b"12345"), AT_ONCE, most=5)


def test_more_than_was_said_is_not_read() -> None:
    with pytest.raises(ValueError, match="more than 4 bytes"):
        whole(Reply(b"12345"), NEVER, most=4)


def test_what_was_announced_and_did_not_come_is_missed() -> None:
    with pytest.raises(IncompleteRead):
        whole(Reply(b"12345", length=3), NEVER, most=5)
