"""R26: a hook never blocks or breaks the agent, whatever state the daemon is in, and nothing is lost."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from torture.report import Run, Trial

PHASE = 50  # prompts in one state of the daemon, before the next one
DRAIN_S = 60.0
LIMIT_S = 0.3  # what a host grants; how often it took longer is in the note, the machine decides


def prompts(run: Run) -> None:
    """Prompts while the daemon runs, stands still, is gone, comes back: each is in the log, once."""
    from torture.living import daemon, index

    root = _root(run)
    with daemon(run, "d") as one:
        index(one, root)
        took = []
        for cycle in run.cycles():
            if cycle % PHASE == 0:
                _next_state(one, cycle // PHASE)
            took.append(_call(run, one, root, f"s{cycle}"))
        _next_state(one, 0)
        _all_there(run, one)
    took.sort()
    late = sum(seconds > LIMIT_S for seconds in took)
    half, most = (1000 * took[len(took) * share // 100] for share in (50, 99))
    run.note = f"{run.note} p50 {half:.0f} ms, p99 {most:.0f} ms, {late} over 300 ms".strip()


def killed(run: Run) -> None:
    """Clients killed at any moment: the daemon has no more descriptors than before, and no damaged file."""
    from torture.living import daemon, index

    root, dice = _root(run), random.Random(26)
    with daemon(run, "d") as one:
        index(one, root)
        before = one.status()
        open_before = _descriptors(before.pid)
        for cycle in run.cycles():
            client = subprocess.Popen(_command(), stdin=subprocess.PIPE, env=one.environ)
            with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
                client.communicate(_payload(root, f"k{cycle}"), timeout=dice.uniform(0.0, 0.08))
            client.kill()
            client.wait()
        time.sleep(1.0)
        after = one.status()
        run.check(holds=after.pid == before.pid, why="the daemon is another one")
        run.check(_descriptors(after.pid) <= open_before + 2, f"{_descriptors(after.pid)} descriptors")
        run.check(not after.spool.damaged, f"set aside: {after.spool.damaged}")


def _root(run: Run) -> Path:
    root = run.folder / "project"
    root.mkdir()
    (root / "seed.py").write_text("def seed():\n    return 1\n")
    return root


def _next_state(one: Any, phase: int) -> None:
    """Runs, stands still, is killed, comes back while prompts go on; then from the beginning."""
    from navlog.daemon.client import ask
    from navlog.daemon.launch import ensure_daemon
    from navlog.schemas.control import StatusReply
    from navlog.schemas.errors import NavlogError

    state = ("runs", "stands still", "is gone", "comes back")[phase % 4]
    if state == "stands still":
        os.kill(ask(one.home, "status", StatusReply).pid, signal.SIGSTOP)
    elif state == "is gone":
        with contextlib.suppress(ProcessLookupError):
            os.kill(int((one.home.data / "pid-of-trial").read_text()), signal.SIGKILL)
    elif state == "comes back":
        subprocess.Popen(
            one.foreground, env=one.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    else:
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((one.home.data / "pid-of-trial").read_text()), signal.SIGCONT)
        ensure_daemon(one.home, one.environ)
    with contextlib.suppress(NavlogError):
        if state == "runs":
            (one.home.data / "pid-of-trial").write_text(str(ask(one.home, "status", StatusReply).pid))


def _call(run: Run, one: Any, root: Path, session: str) -> float:
    began = time.monotonic()
    done = subprocess.run(
        _command(), input=_payload(root, session), capture_output=True, env=one.environ, check=False
    )
    took = time.monotonic() - began
    wrong = done.returncode or done.stdout or done.stderr
    run.check(not wrong, f"{session}: exit {done.returncode}, said {done.stdout[:80]!r} {done.stderr[:80]!r}")
    return took


def _all_there(run: Run, one: Any) -> None:
    from navlog.daemon.client import ask
    from navlog.schemas.control import SqlArgs, SqlReply

    until = time.monotonic() + DRAIN_S
    while any(one.home.spool.glob("*.json")) and time.monotonic() < until:
        time.sleep(0.2)
    query = (
        "SELECT data->>'session', count(*) FROM events WHERE source = 'hook:claude-code'"
        " AND type IN ('prompt_given', 'hook_called') GROUP BY ALL"
    )
    found = dict(ask(one.home, "sql", SqlReply, SqlArgs(query=query)).rows)
    for number in range(run.done):
        run.check(found.get(f"s{number}") == 1, f"s{number} is in the log {found.get(f's{number}', 0)} times")


def _command() -> list[str]:
    from navlog.daemon.hosts import hook

    return [sys.executable, "-I", "-S", hook.__file__, "claude-code"]


def _payload(root: Path, session: str) -> bytes:
    call = {
        "session_id": session,
        "cwd": str(root),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "Fix it all",
    }
    return json.dumps(call).encode()


def _descriptors(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


TRIALS = (
    Trial("R26", "prompts while the daemon runs, stands still, is gone, comes back", prompts, 1000, 420),
    Trial("R26", "hook clients killed at any moment", killed, 500, 120),
)
