"""What OpenCode waits for its plugin before a request: a tail of 2,000 parts and 249,000 tokens.

    python benchmarks/tailing.py [requests]

Cold is the first request of a session, resumed that of a new process of the host for a session the daemon
knows, warm one with a tool's arc more, as each is in a run. By the clock, node and daemon together; a request
that is not answered within 300 ms goes out as it was last seen.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measuring import machine, percentile, table
from subjects import CACHE, Navlog

from navlog.daemon.hosts.installing.adapters import HOSTS
from navlog.daemon.hosts.installing.documents import OwnFile

PARTS, TOKENS, COLD = 2_000, 249_000, 10
HEADING = ("what", "requests", "p50 ms", "p95 ms", "most ms", "node's CPU ms", "marked")
DRIVER = Path(__file__).with_suffix(".mjs")


def main() -> None:
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    shutil.rmtree(CACHE / "t", ignore_errors=True)
    subject = Navlog(CACHE / "t")
    daemon = subject.start()
    with TemporaryDirectory(prefix="tailing-") as folder:
        (Path(folder) / "a.py").write_text("A = 1\n")
        subject.say("up", folder)
        plugin = written(Path(folder), subject.env)
        cold = [timed(plugin, folder, subject.env, f"c{number}", 0) for number in range(COLD)]
        again = [timed(plugin, folder, subject.env, f"c{number}", 0) for number in range(COLD)]
        warm = timed(plugin, folder, subject.env, "w", requests)
        subject.say("down")
        daemon.wait()
        alone = timed(plugin, folder, subject.env, "d", requests)
    print(machine())
    rows = [
        row("cold", [(one["took"][0], one["cpu"][0]) for one in cold], cold[0]["marked"]),
        row("resumed", [(one["took"][0], one["cpu"][0]) for one in again], again[0]["marked"]),
        row("warm, one arc more", later(warm), warm["marked"]),
        row("no daemon", later(alone), alone["marked"]),
    ]
    print(table(HEADING, rows))


def written(folder: Path, env: dict[str, str]) -> Path:
    """The plugin as it is installed, where node takes it for a module."""
    document = HOSTS["opencode"](env)[0].document
    assert isinstance(document, OwnFile)
    path = folder / "navlog.mjs"
    path.write_text(document.put("")[0])
    return path


def timed(plugin: Path, folder: str, env: dict[str, str], session: str, requests: int) -> dict[str, Any]:
    """One process of node: ms of each request, and how many outputs had a mark in the last one."""
    words = [DRIVER, plugin, folder, session, PARTS, TOKENS, requests]
    done = subprocess.run(["node", *map(str, words)], env=env, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def later(found: dict[str, Any]) -> list[tuple[float, float]]:
    """All but the first request: (ms by the clock, ms of node's processor time)."""
    return list(zip(found["took"][1:], found["cpu"][1:], strict=True))


def row(what: str, took: list[tuple[float, float]], marked: int) -> list[object]:
    """A line of the table."""
    clock, cpu = [one for one, _ in took], [one for _, one in took]
    spread = percentile(clock, 0.5), percentile(clock, 0.95), max(clock)
    return [what, len(took), *spread, percentile(cpu, 0.5), marked]


if __name__ == "__main__":
    main()
