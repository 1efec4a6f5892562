"""When memory is given back: once after work, and never while somebody works."""

from navlog.daemon.memory import QUIET_S, WORK_S, Rest


class Clock:
    """Processor seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 10.0
        self.given = 0

    def __call__(self) -> float:
        return self.seconds

    def give(self) -> None:
        self.given += 1
        self.seconds += 2 * WORK_S  # giving back is no work


def looks(clock: Clock, rest: Rest, *passed: float) -> int:
    """How often memory was given back, when so many seconds were computed before each look."""
    before = clock.given
    for seconds in passed:
        clock.seconds += seconds
        rest.look()
    return clock.given - before


def test_memory_is_given_back_once_after_work() -> None:
    clock = Clock()
    rest = Rest(clock, clock.give)
    assert looks(clock, rest, 2 * WORK_S, 2 * WORK_S) == 0
    assert looks(clock, rest, QUIET_S / 2) == 1
    assert looks(clock, rest, QUIET_S / 2, 0.0, 0.0) == 0


def test_little_that_adds_up_is_work() -> None:
    clock = Clock()
    rest = Rest(clock, clock.give)
    little = QUIET_S * 0.9
    enough = int(WORK_S / little) + 1
    assert looks(clock, rest, *[little] * (enough - 1)) == 0
    assert looks(clock, rest, little) == 1
