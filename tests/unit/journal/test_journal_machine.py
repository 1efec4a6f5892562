"""A state machine over the twin: append, acknowledge, fail, cut the power at any call, restart, retry.

What is acknowledged or was readable once stays, at its position, with its bytes; nothing appears that was not
submitted; no id twice; a batch is there as a whole or not at all; and the log always opens again, writable.
"""

import errno
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from navlog.daemon.journal.appender import Appender
from navlog.daemon.journal.group import Request
from navlog.daemon.journal.memory import Draw, MemoryStorage, PowerCut, Trouble
from navlog.daemon.journal.quarantine import announcement, repairs
from navlog.daemon.journal.recovery import recover
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import NavlogError, WriterPoisoned
from navlog.schemas.events import FileRemoved
from navlog.schemas.settings import Log

FOLDER = Path("/home/log")
LOG_REPAIRED = "log_repaired"
SETTINGS = Log(segment_bytes=2500)
BATCHES = st.lists(
    st.lists(st.integers(0, 60), min_size=1, max_size=4, unique=True).map(tuple), min_size=1, max_size=4
)
CALLS = st.sampled_from(
    ["fsync", "append", "fsync", "append", "fsync_dir", "create", "truncate", "rename", "remove", ""]
)
FAILURES = st.builds(
    Trouble,
    call=CALLS,
    calls=st.integers(0, 4),
    code=st.sampled_from([errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG]),
    taken=st.integers(0, 900),
    lasting=st.booleans(),
)
CUTS = st.builds(Trouble, call=CALLS, calls=st.integers(0, 4), taken=st.integers(0, 900))
DRAWS = st.one_of(st.just(0), st.integers(0, 2**64))  # 0: nothing is left of what was not fsynced


def gone(number: int) -> Draft:
    return draft(FileRemoved(path=f"file {number}"), project="p", source="test", id=f"{number}")


def choices(seed: int) -> Draw:
    """A power cut's choices, all from one number, so that hypothesis can shrink it."""
    state = [seed]

    def draw(most: int) -> int:
        state[0], chosen = divmod(state[0], most + 1)
        return chosen

    return draw


class Process:
    """A run of the journal without its thread: the same recovery, the same appender."""

    def __init__(self, storage: MemoryStorage, clock: list[float]) -> None:
        storage.make_folder(FOLDER)
        self.lock = storage.lock(FOLDER)
        recovered = recover(storage, FOLDER, "events", 0)
        assert not recovered.read_only
        self.catalog = recovered.catalog
        self.looked = 0
        self.appender = Appender(
            storage, FOLDER, self.catalog, SETTINGS,
            now=lambda: "2026-01-01T00:00:00Z", monotonic=lambda: clock[0], notify=lambda _n, _f: None,
            resume=recovered.resume, mark=recovered.mark,
        )  # fmt: skip
        drafts = [announcement(repair) for repair in repairs(storage, FOLDER, "events")]
        if new := [d for d in drafts if self.catalog.find(d.id) is None]:
            self.commit([tuple(new)])

    def commit(self, batches: Sequence[tuple[Draft, ...]]) -> list[Request]:
        requests = [Request(drafts, None, Future()) for drafts in batches]
        self.appender.commit(requests)
        return requests


class Machine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.storage = MemoryStorage()
        self.clock = [0.0]
        self.payloads: dict[str, bytes | str] = {}  # what was ever submitted
        self.seen: dict[int, tuple[str, bytes]] = {}  # what was readable once, by position
        self.process: Process | None = Process(self.storage, self.clock)

    # --- rules ------------------------------------------------------------------------------------------

    @precondition(lambda self: self.process is not None)
    @rule(batches=BATCHES)
    def append(self, batches: list[tuple[int, ...]]) -> None:
        self._append(batches)

    @precondition(lambda self: self.process is not None)
    @rule(batches=BATCHES, trouble=FAILURES)
    def append_and_calls_fail(self, batches: list[tuple[int, ...]], trouble: Trouble) -> None:
        self.storage.trouble(trouble)
        self._append(batches)
        self.storage.trouble()

    @precondition(lambda self: self.process is not None)
    @rule(batches=BATCHES, cut=CUTS, seed=DRAWS)
    def append_and_the_power_goes(self, batches: list[tuple[int, ...]], cut: Trouble, seed: int) -> None:
        self.storage.trouble(cut)
        with suppress(PowerCut):
            self._append(batches)
        self._lose_power(seed)

    @precondition(lambda self: self.process is not None)
    @rule(batches=BATCHES, cut=CUTS)
    def append_and_be_killed(self, batches: list[tuple[int, ...]], cut: Trouble) -> None:
        self.storage.trouble(cut)
        with suppress(PowerCut):
            self._append(batches)
        self._kill()

    @precondition(lambda self: self.process is not None)
    @rule(batches=BATCHES, room=st.integers(0, 2000))
    def the_disk_is_full_for_a_while(self, batches: list[tuple[int, ...]], room: int) -> None:
        self.storage.room = room
        self._append(batches)
        self.storage.room = None
        if self.process is not None and not self.process.appender.fatal:
            (request,) = self.process.commit([(gone(99),)])
            self.payloads["99"] = gone(99).data
            request.future.result(timeout=0)

    @precondition(lambda self: self.process is not None)
    @rule(seconds=st.integers(0, 9))
    def time_passes(self, seconds: int) -> None:
        assert self.process is not None
        self.clock[0] += seconds
        self.process.appender.tick()

    @precondition(lambda self: self.process is not None)
    @rule()
    def be_killed(self) -> None:
        self._kill()

    @precondition(lambda self: self.process is not None)
    @rule(seed=DRAWS)
    def lose_power(self, seed: int) -> None:
        self._lose_power(seed)

    @precondition(lambda self: self.process is not None)
    @rule()
    def stop(self) -> None:
        assert self.process is not None
        self.process.appender.close()
        self.process.lock.close()
        self.process = None

    @precondition(lambda self: self.process is None)
    @rule(trouble=st.one_of(st.none(), st.none(), CUTS, FAILURES), seed=DRAWS)
    def start(self, trouble: Trouble | None, seed: int) -> None:
        self.storage.trouble(*[trouble] if trouble else [])
        try:
            self.process = Process(self.storage, self.clock)
            self.look()
            self.storage.trouble()
        except WriterPoisoned:
            self._kill()
        except PowerCut:
            self._lose_power(seed)

    # --- what always holds ------------------------------------------------------------------------------

    @invariant()
    def no_descriptor_is_fsynced_after_a_failure(self) -> None:
        assert self.storage.fsynced_again == 0

    @invariant()
    def look(self) -> None:
        """At everything after a start, at what is new else."""
        if self.process is None:
            return
        catalog = self.process.catalog
        after = self.process.looked
        records = list(catalog.read(after))
        assert [r.position for r in records] == list(range(after + 1, catalog.position + 1))
        for record in records:
            assert self.payloads.get(record.id, LOG_REPAIRED) in (bytes(record.data), record.type)
            found = (record.id, bytes(record.data))
            assert self.seen.setdefault(record.position, found) == found
            assert catalog.find(record.id) == record
            first, (k, n) = record.position, record.batch or (1, 1)
            assert first + n - k <= catalog.position
        assert len(self.seen) == catalog.position
        assert len({id_ for id_, _ in self.seen.values()}) == len(self.seen)
        self.process.looked = catalog.position

    # --- inside -----------------------------------------------------------------------------------------

    def _append(self, batches: list[tuple[int, ...]]) -> None:
        assert self.process is not None
        drafts = [tuple(map(gone, numbers)) for numbers in batches]
        self.payloads.update({sent.id: sent.data for batch in drafts for sent in batch})
        process = self.process
        requests = process.commit(drafts)
        for batch, request in zip(drafts, requests, strict=True):
            assert request.future.done()
            fault = request.future.exception()
            if fault is None:
                for sent in batch:
                    record = process.catalog.find(sent.id)
                    assert record is not None
                    self.seen[record.position] = (sent.id, sent.data)
            else:
                assert isinstance(fault, NavlogError)
        if process.appender.fatal:
            self._kill()

    def _kill(self) -> None:
        self.storage.kill()
        self.process = None

    def _lose_power(self, seed: int) -> None:
        self.storage.cut_power(choices(seed))
        self.process = None


Machine.TestCase.settings = settings(max_examples=80, stateful_step_count=20, deadline=None)
TestMachine = Machine.TestCase
