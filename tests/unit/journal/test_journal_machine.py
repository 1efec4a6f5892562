"""A state machine over the twin: append, acknowledge, fail, cut the power at any call, restart, retry.

What is acknowledged or was readable once stays, at its position, with its bytes; nothing appears that was not
submitted; no id twice; a batch is there as a whole or not at all; and the log always opens again, writable.
"""

import errno
import os
from contextlib import suppress

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from navlog.daemon.journal.memory import Draw, MemoryStorage, PowerCut, Trouble
from navlog.schemas.errors import NavlogError, WriterPoisoned
from support.journal import Process, gone

LOG_REPAIRED = "log_repaired"
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


def choices(seed: int) -> Draw:
    """A power cut's choices, all from one number, so that hypothesis can shrink it."""
    state = [seed]

    def draw(most: int) -> int:
        state[0], chosen = divmod(state[0], most + 1)
        return chosen

    return draw


class Machine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.storage = MemoryStorage()
        self.clock = [0.0]
        self.payloads: dict[str, bytes | str] = {}  # what was ever submitted
        self.seen: dict[int, tuple[str, bytes]] = {}  # what was readable once, by position
        self.looked = 0
        self.process: Process | None = Process(self.storage, clock=self.clock)

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
            (request,) = self.process.commit([gone(99)])
            self.payloads["id-99"] = gone(99).data
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
        self.process.stop()
        self.process = None

    @precondition(lambda self: self.process is None)
    @rule(trouble=st.one_of(st.none(), st.none(), CUTS, FAILURES), seed=DRAWS)
    def start(self, trouble: Trouble | None, seed: int) -> None:
        self.storage.trouble(*[trouble] if trouble else [])
        try:
            self.process = Process(self.storage, clock=self.clock)
            assert not self.process.read_only
            self.looked = 0
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
        after = self.looked
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
        self.looked = catalog.position

    # --- inside -----------------------------------------------------------------------------------------

    def _append(self, batches: list[tuple[int, ...]]) -> None:
        assert self.process is not None
        drafts = [tuple(map(gone, numbers)) for numbers in batches]
        self.payloads.update({sent.id: sent.data for batch in drafts for sent in batch})
        process = self.process
        requests = process.commit(*drafts)
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


Machine.TestCase.settings = settings(
    max_examples=int(os.environ.get("NAVLOG_EXAMPLES", "50")), stateful_step_count=20, deadline=None
)
TestMachine = pytest.mark.timeout(60)(Machine.TestCase)
