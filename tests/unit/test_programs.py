"""Programs of the settings: what they print is bounded, and none of them outlives its time."""

import os
import sys
import time
from pathlib import Path

import pytest

from navlog.daemon.programs import ProgramFailed, run


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_what_it_prints_with_what_it_is_told_in_its_folder(tmp_path: Path) -> None:
    text = "import os, sys; print(os.getcwd(), sys.stdin.read()[::-1], end='')"
    assert run(python(text), 20.0, b"abc", tmp_path) == f"{tmp_path} cba".encode()


def test_long_questions_and_answers_go_both_ways_at_once() -> None:
    said = os.urandom(1 << 20).hex().encode()
    echo = (
        "import sys\n"
        "while chunk := sys.stdin.buffer.read(1000):\n"
        "    sys.stdout.buffer.write(chunk)\n"
        "    sys.stderr.write('.' * 500)"
    )
    assert run(python(echo), 60.0, said) == said


def test_exactly_the_limit_is_read_and_nothing_above_it() -> None:
    assert run(python("print('x' * 99)"), 20.0, limit=100) == b"x" * 99 + b"\n"
    with pytest.raises(ProgramFailed, match="more than 99 bytes"):
        run(python("print('x' * 99)"), 20.0, limit=99)


@pytest.mark.parametrize(
    ("text", "timeout_s", "why"),
    [
        ("while True: print('x' * 10000)", 60.0, r"It printed more than 8,388,608 bytes\."),
        ("while True: pass", 0.3, r"It gave no answer within 0\.3 s\."),
        ("import os, time; os.close(1); os.close(2); time.sleep(60)", 0.5, "It gave no answer within"),
        ("while True: import sys; sys.stderr.write('x' * 10000)", 0.5, "It gave no answer within"),
        ("import sys; sys.exit('no model here')", 20.0, "It ended with 1: no model here"),
        ("import os; os.kill(os.getpid(), 9)", 20.0, "It ended with -9"),
    ],
)
def test_one_that_never_ends_or_says_too_much_is_ended(text: str, timeout_s: float, why: str) -> None:
    with pytest.raises(ProgramFailed, match=why):
        run(python(text), timeout_s, b"question")


def test_one_that_is_not_there_and_none_at_all() -> None:
    for command in (["/not/there"], []):
        with pytest.raises(ProgramFailed, match="It did not start"):
            run(command, 1.0)


def test_its_children_end_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    text = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
        "while True: print('x' * 10000)"
    )
    with pytest.raises(ProgramFailed, match="more than"):
        run(python(text), 60.0)
    until = time.monotonic() + 20
    while is_alive(int(pid.read_text())) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_alive(int(pid.read_text()))


def is_alive(pid: int) -> bool:
    """A zombie that its new parent has not collected yet is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
