"""What a hook costs: the whole process of the client, beside a Python that does nothing.

python benchmarks/hooking.py [calls]
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from measuring import machine, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.daemon.hosts import hook
from navlog.schemas.control import StatusReply

HEADING = ("what", "calls", "p50 ms", "p99 ms", "most ms", "CPU ms")
CLIENT = (sys.executable, "-I", "-S", hook.__file__, "claude-code")
BARE = (sys.executable, "-I", "-c", "pass")
BARER = (sys.executable, "-I", "-S", "-c", "pass")


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    root = tree("flask")
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    subject.say("up", str(root))
    home = find_home(subject.env)
    rows = [
        measured("python -I -c pass", BARE, subject.env, calls, nothing),
        measured("python -I -S -c pass", BARER, subject.env, calls, nothing),
        measured("a tool call, daemon running", CLIENT, subject.env, calls, tools(root)),
        measured("a prompt, daemon running", CLIENT, subject.env, calls, prompts(root)),
    ]
    pid = ask(home, "status", StatusReply).pid
    os.kill(pid, signal.SIGSTOP)
    rows.append(measured("a prompt, daemon stopped", CLIENT, subject.env, calls, prompts(root, "b")))
    os.kill(pid, signal.SIGCONT)
    subject.say("down")
    daemon.wait()
    rows.append(measured("a prompt, no daemon", CLIENT, subject.env, calls, prompts(root, "c")))
    print(machine())
    print(table(HEADING, rows))


def measured(
    what: str,
    command: tuple[str, ...],
    env: dict[str, str],
    calls: int,
    payloads: Callable[[], Iterator[bytes]],
) -> list[object]:
    """Start to end of one process after another, as a host waits for it."""
    took, cpu = [], os.times()
    for _, payload in zip(range(calls), payloads(), strict=False):
        took.append(timed(command, payload, env)[0])
    now = os.times()
    spent = now.children_user + now.children_system - cpu.children_user - cpu.children_system
    took.sort()
    p50, p99 = (took[min(len(took) - 1, len(took) * share // 100)] for share in (50, 99))
    return [what, calls, p50, p99, took[-1], 1000 * spent / calls]


def timed(command: tuple[str, ...], payload: bytes, env: dict[str, str]) -> tuple[float, bytes]:
    """Milliseconds of one process, and what it said; raises CalledProcessError when it fails."""
    began = time.perf_counter()
    done = subprocess.run(command, input=payload, env=env, check=True, capture_output=True)
    return 1000 * (time.perf_counter() - began), done.stdout


def nothing() -> Iterator[bytes]:
    while True:
        yield b""


def tools(root: Path) -> Callable[[], Iterator[bytes]]:
    def calls() -> Iterator[bytes]:
        number = 0
        while True:
            number += 1
            call = {"tool_name": "Bash", "tool_input": {"command": "sed -n 1,40p src/flask/app.py"}}
            yield payload(
                root, "PostToolUse", tool_use_id=f"t{number}", tool_response={"stdout": "x" * 4000}, **call
            )

    return calls


def prompts(root: Path, session: str = "a") -> Callable[[], Iterator[bytes]]:
    def calls() -> Iterator[bytes]:
        number = 0
        while True:
            number += 1
            text = f"Make the session cookie SameSite, part {number}"
            yield payload(root, "UserPromptSubmit", session=f"{session}{number // 20}", prompt=text)

    return calls


def payload(root: Path, hook_name: str, session: str = "a", **fields: object) -> bytes:
    call = {"session_id": session, "cwd": str(root), "hook_event_name": hook_name, **fields}
    return json.dumps(call).encode()


if __name__ == "__main__":
    main()
