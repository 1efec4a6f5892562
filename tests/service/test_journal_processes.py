"""Real processes, killed: what was acknowledged stays, one writer at a time."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from navlog.daemon.journal.verify import verify
from support.journal import open_journal

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("NAVLOG_KILLS", "40"))
ENVIRON = os.environ | {"PYTHONPATH": f"{ROOT / 'tests'}:{ROOT / '.ci/typing'}"}
pytestmark = pytest.mark.timeout(120)


def run(mode: str, folder: Path, count: int) -> list[list[str]]:
    """What the warm writer prints, in words."""
    command = [sys.executable, str(ROOT / "tests/support/warm_writer.py"), mode, str(folder), str(count)]
    done = subprocess.run(command, env=ENVIRON, capture_output=True, text=True, check=True, timeout=110)
    return [line.split() for line in done.stdout.splitlines()]


def test_no_kill_loses_or_doubles_what_was_acknowledged(tmp_path: Path) -> None:
    acknowledged = [(f"id-{name}", int(position)) for name, position in run("kill", tmp_path, KILLS)]
    assert len(acknowledged) >= KILLS
    assert verify(tmp_path).ok or all(fault.mended for fault in verify(tmp_path).faults)
    journal = open_journal(tmp_path)
    found = [(record.id, record.position) for record in journal.read()]
    assert set(acknowledged) <= set(found)
    assert len({id_ for id_, _ in found}) == len(found)
    assert [position for _, position in found] == list(range(1, len(found) + 1))
    assert journal.state.segments >= KILLS // 2  # each start after a kill begins one
    journal.close()


def test_of_many_processes_one_writes_and_after_its_end_another(tmp_path: Path) -> None:
    rounds = run("race", tmp_path, 8)
    assert rounds == [["1", str(losers)] for losers in reversed(range(8))]
    journal = open_journal(tmp_path)
    assert len(list(journal.read())) == 8
    assert verify(tmp_path, fences=[journal.fence]).ok
    journal.close()


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_verify_opens_nothing_for_writing_as_the_kernel_sees_it(tmp_path: Path) -> None:
    run("kill", tmp_path / "log", 3)
    script = (
        "import sys, pathlib; from navlog.daemon.journal.verify import verify; "
        "print(sum(log.records for log in verify(pathlib.Path(sys.argv[1])).logs))"
    )
    trace = tmp_path / "trace"
    strace = ["strace", "-f", "-o", str(trace), "-e", "trace=%file,ftruncate,fsync,flock"]
    done = subprocess.run(
        [*strace, sys.executable, "-B", "-c", script, str(tmp_path / "log")],
        env=ENVIRON, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = trace.read_text().splitlines()
    calls = [line for line in lines if str(tmp_path / "log") in line]
    assert int(done.stdout) > 0
    assert len(calls) > 3
    assert not [line for line in calls if re.search("O_WRONLY|O_RDWR|O_CREAT", line)]
    assert not [
        line for line in lines if re.search("(ftruncate|fsync|flock|unlink|rename)[a-z0-9]*\\(", line)
    ]
