"""Rows and position commit together, whenever the process is killed (promise R14, in few cycles)."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.graph import World, edits

CYCLES = 4
EVENTS = 1500
CHILD = """
import sys
from pathlib import Path
from support.graph import World, edits
world = World(Path(sys.argv[1]), edits(int(sys.argv[2]), seed=7))
print("ready", flush=True)
world.run(size=3)
"""


@pytest.mark.slow_start
@pytest.mark.timeout(120)
def test_a_projector_that_is_killed_has_the_rows_of_its_position(tmp_path: Path) -> None:
    draw = random.Random(20)
    log = edits(EVENTS, seed=7)
    kept = 0
    for _ in range(CYCLES):
        kill_after(tmp_path / "killed", draw.uniform(0.05, 0.4))
        world = World(tmp_path / "killed", log)
        position = world.projector.position.events
        digest = world.projector.digest()
        world.store.close()
        assert position >= kept
        assert digest == clean(tmp_path / f"clean-{position}", position)
        kept = position
    assert 0 < kept < log.position  # it was killed in the middle of its work


def kill_after(home: Path, seconds: float) -> None:
    paths = os.pathsep.join(path for path in sys.path if path)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(home), str(EVENTS)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
    )
    assert child.stdout
    with child.stdout:
        assert child.stdout.readline() == b"ready\n"
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        child.wait()


def clean(home: Path, position: int) -> str:
    log = edits(EVENTS, seed=7)
    del log.records[position:]
    world = World(home, log)
    world.run()
    digest = world.projector.digest()
    world.store.close()
    return digest
