"""What a benchmark starts ends with it, however it ends."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SCRIPT = """
import os, sys
sys.path.insert(0, sys.argv[1])
from measuring import Watched
print(Watched([sys.executable, "-c", "import signal; signal.pause()"], os.environ).process.pid, flush=True)
sys.stdin.read()
sys.exit("interrupted")
"""


@pytest.mark.parametrize("how", ["by a signal", "by a fault of its own"])
def test_nothing_outlives_the_benchmark_that_started_it(how: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(BENCHMARKS)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as script:  # fmt: skip
        assert script.stdout
        assert script.stdin
        started = os.pidfd_open(int(script.stdout.readline()))
        if how == "by a signal":
            script.send_signal(signal.SIGTERM)
        else:
            script.stdin.close()
        ended, _, _ = select.select([started], [], [], 8)
        os.close(started)
        assert ended
