"""Every order of making a segment (create, header, fsync, folder), each of them failing, and what comes then.

Enumerated, not drawn: each call of a first append, struck in each way, followed by each sequel.
"""

import errno
from contextlib import suppress
from itertools import product

import pytest

from navlog.daemon.journal.layout import segment_numbers
from navlog.daemon.journal.memory import ALL, Draw, MemoryStorage, PowerCut, Trouble
from navlog.daemon.journal.verify import verify
from navlog.schemas.errors import WriterPoisoned
from support.journal import DEFAULT, FOLDER, Process, gone

CALLS = 11  # of a first append: five for the anchor, four for the segment, two for the line
FAILURES = [
    Trouble(code=code, lasting=lasting) for code in (errno.ENOSPC, errno.EIO) for lasting in (False, True)
]
CUTS = [Trouble(taken=taken) for taken in (0, 1, 100)]


def nothing(_most: int) -> int:
    return 0


def middle(most: int) -> int:
    return most // 2


SEQUELS: list[tuple[str, ...]] = [
    ("killed",),
    ("power",),
    ("retried", "killed"),
    ("retried", "power"),
    ("killed", "struck", "power"),
    ("power", "struck", "killed"),
]


class Story:
    """One log's life; what was acknowledged is asked for at every start."""

    def __init__(self, draw: Draw) -> None:
        self.storage = MemoryStorage()
        self.process = Process(self.storage, DEFAULT)
        self.draw = draw
        self.acknowledged: set[str] = set()
        self.seen: list[str] = []

    def append(self, trouble: Trouble | None = None) -> None:
        self.storage.trouble(*[trouble] if trouble else [])
        with suppress(PowerCut):
            (request,) = self.process.commit([gone("first")])
            if request.future.exception() is None:
                self.acknowledged.add("id-first")
        self.storage.trouble()

    def end(self, how: str) -> None:
        if how == "power":
            self.storage.cut_power(self.draw)
        else:
            self.storage.kill()

    def start(self, trouble: Trouble | None = None) -> None:
        self.storage.trouble(*[trouble] if trouble else [])
        try:
            self.process = Process(self.storage, DEFAULT)
        except WriterPoisoned:
            self.storage.kill()
            self.start()
        except PowerCut:
            self.storage.cut_power(self.draw)
            self.start()
        self.storage.trouble()
        assert not self.process.read_only
        assert self.acknowledged <= set(self.process.ids)
        assert self.process.ids[: len(self.seen)] == self.seen
        self.seen = self.process.ids

    def go_on(self, sequel: tuple[str, ...], trouble: Trouble) -> None:
        for step in sequel:
            if step == "struck":
                self.start(trouble)
            elif step == "retried":
                self.append()
            else:
                self.end(step)
        self.start()
        self.append()
        self.storage.cut_power(nothing)
        self.start()
        assert "id-first" in self.process.ids
        assert verify(FOLDER, storage=self.storage).ok


@pytest.mark.parametrize("draw", [nothing, middle, ALL])
@pytest.mark.parametrize("sequel", SEQUELS, ids="-".join)
def test_whatever_strikes_a_new_segment_the_log_opens_again_with_all_that_was_seen(
    sequel: tuple[str, ...], draw: Draw
) -> None:
    for calls, how, later in product(range(CALLS), [*FAILURES, *CUTS], [0, 2, 4]):
        story = Story(draw)
        if not how.code and sequel[0] == "retried":
            continue  # nobody is left to retry
        struck = Trouble(calls=calls, code=how.code, taken=how.taken, lasting=how.lasting)
        story.append(struck)
        story.go_on(sequel, Trouble(calls=later, code=how.code, taken=how.taken, lasting=how.lasting))


def test_a_header_that_the_disk_refused_is_not_believed_at_the_next_start() -> None:
    storage = MemoryStorage()
    storage.trouble(Trouble(calls=7, code=errno.ENOSPC, lasting=True))  # its fsync, and the removal after it
    Process(storage, DEFAULT).commit([gone("first")])
    assert storage.calls[-2:] == ["fsync", "remove"]
    storage.kill()
    Process(storage, DEFAULT).commit([gone("first")])
    storage.cut_power(nothing)
    again = Process(storage, DEFAULT)
    assert not again.read_only
    assert "id-first" in again.ids


def test_lines_that_the_disk_refused_and_nobody_could_cut_are_not_shown_by_the_next_start() -> None:
    storage = MemoryStorage()
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    storage.trouble(Trouble(calls=1, code=errno.ENOSPC, lasting=True))  # the fsync, and the cut after it
    process.commit([gone("refused")])
    storage.kill()
    shown = Process(storage, DEFAULT).ids
    assert "id-refused" not in shown
    storage.cut_power(nothing)
    assert Process(storage, DEFAULT).ids[: len(shown)] == shown


def test_behind_a_header_that_was_refused_the_segment_before_is_not_believed_either() -> None:
    storage = MemoryStorage()
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    full = [Trouble(call=call, code=errno.ENOSPC, lasting=True) for call in ("fsync", "truncate", "remove")]
    storage.trouble(*full)
    process.commit([gone("refused")])
    process.commit([gone("refused")])  # begins a segment, whose header is refused too
    assert len(segment_numbers("events", storage.listdir(FOLDER))) == 2
    storage.kill()
    shown = Process(storage, DEFAULT).ids
    storage.cut_power(nothing)
    assert Process(storage, DEFAULT).ids[: len(shown)] == shown


def test_what_was_kept_of_a_torn_tail_stays_when_the_cut_cannot_be_made_durable() -> None:
    storage = MemoryStorage()
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    storage.trouble(Trouble(call="append", taken=500))
    with pytest.raises(PowerCut):
        process.commit([gone("whole")], [gone("torn" + "x" * 500)])
    storage.kill()
    storage.trouble(Trouble(call="fsync", calls=2, code=errno.ENOSPC))  # after the file's and quarantine's
    shown = Process(storage, DEFAULT).ids
    assert shown[:2] == ["id-first", "id-whole"]
    storage.cut_power(nothing)
    assert Process(storage, DEFAULT).ids[: len(shown)] == shown
