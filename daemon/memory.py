"""The memory of the process as the C library keeps it: few heaps, and what was freed goes back.

glibc gives every thread a heap of its own and keeps much of what is freed in it. Other C libraries have other
ways and are left alone. Decides nothing about what is kept in use.
"""

import ctypes
import gc
import time
from collections.abc import Callable

# The numbers that glibc gives these parameters in malloc.h.
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_ARENAS = 2
_MAPPED = 256 * 1024  # bytes; a block at least this large goes back as soon as it is freed
# The views hold some hundred thousand objects that live long and have no cycles.
YOUNG_OBJECTS = 20_000
# Processor seconds. Who has computed less than QUIET_S since the last look is at rest; less than WORK_S since
# memory was given back leaves nothing that is worth it.
QUIET_S, WORK_S = 0.05, 0.2


def settle() -> None:
    """Once, before threads start: what is imported stays, and the heaps are few."""
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    if mallopt := _function("mallopt"):
        mallopt(_M_ARENA_MAX, _ARENAS)
        mallopt(_M_MMAP_THRESHOLD, _MAPPED)


class Rest:
    """Gives memory back once after work; ``computed`` tells the processor seconds of this process so far."""

    def __init__(
        self, computed: Callable[[], float] = time.process_time, give: Callable[[], None] | None = None
    ) -> None:
        self._computed = computed
        self._give = give or give_back
        self._seen = self._given = computed()

    def look(self) -> None:
        """To be called every few seconds."""
        now, before = self._computed(), self._seen
        self._seen = now
        if now - before < QUIET_S and now - self._given > WORK_S:
            self._give()
            self._seen = self._given = self._computed()


def give_back() -> None:
    """When work is over: takes some ten milliseconds."""
    gc.collect()
    if trim := _function("malloc_trim"):
        trim(0)


def _function(name: str) -> "ctypes._NamedFuncPointer | None":
    return getattr(ctypes.CDLL(None), name, None)
