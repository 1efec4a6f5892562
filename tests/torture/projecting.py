"""R14: a projection's rows and its position are kept together, whenever its process is killed."""

import os
import random
import shutil
import signal
import time
from pathlib import Path
from typing import Any

from torture.report import Run, Trial
from torture.writers import apart, fork

FILES = 150  # of a toy project; each is an event and an outline
SMALL = 7  # records a transaction, so that a kill meets many


def kills(run: Run) -> None:
    """After each kill the tables at their position are those of a clean build up to it."""
    done, told = apart(lambda: _kills(run))
    run.done = done
    for failure in told:
        run.check(holds=False, why=failure)


def _kills(run: Run) -> tuple[int, list[str]]:
    """In a process that has imported what its children need, and has no thread."""
    import support.graph  # noqa: F401

    drawn = random.Random(14)
    positions = set()
    for cycle in run.cycles():
        folder = run.folder / str(cycle % 5)
        if cycle % 5 == cycle:
            folder.mkdir()
        reading, writing = os.pipe()
        child = fork(lambda: _project(folder, writing))  # noqa: B023
        os.read(reading, 1)
        time.sleep(drawn.random() * 0.4)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
        found = apart(lambda: _compared(folder, run.folder / "clean"))  # noqa: B023
        run.check(
            holds=found["kept"] == found["clean"], why=f"at position {found['position']} the rows are others"
        )
        positions.add(found["position"])
        if found["position"] == found["end"]:
            shutil.rmtree(folder / "derived")
    run.check(run.planned < 10 or len(positions) > 3, f"the kills met only the positions {sorted(positions)}")
    return run.done, run.failures


def _world(home: Path) -> Any:
    """The same log each time, and a projector on it; nothing heavy before the fork."""
    from support.graph import REGISTERED, World, observed, outlined

    world = World(home)
    world.log.add(REGISTERED)
    for number in range(FILES):
        text = f"import m{number % 7}\ndef f{number}\nword{number % 13}"
        world.log.add(observed(f"m{number}.py", text), outlined(text))
    return world


def _project(home: Path, telling: int) -> None:
    world = _world(home)
    os.write(telling, b"r")
    world.run(size=SMALL)


def _compared(home: Path, clean: Path) -> dict[str, Any]:
    world = _world(home)
    position = world.projector.position.events
    kept = world.projector.digest()
    world.store.close()
    shutil.rmtree(clean, ignore_errors=True)
    clean.mkdir()
    other = _world(clean)
    other.projector.catch_up(position)
    found = {
        "position": position, "kept": kept, "clean": other.projector.digest(), "end": other.log.position
    }  # fmt: skip
    other.store.close()
    return found


TRIALS = (Trial("R14", "a projector's process killed, its tables against a clean build", kills, 50, 120),)
