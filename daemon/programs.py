"""Programs that the settings name: run without a shell, bounded in time and in what they print.

The one place where what a stranger's program prints is taken in. Whatever becomes of it, it and its children
have ended when this returns. Refuses to keep more than the limit: an endless answer must not take the
daemon's memory before its time is over.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from navlog.schemas.errors import Degraded

PRINTED_BYTES = 8 << 20  # the issues of a large project, a hundred with their bodies, are one to two
COMPLAINED_BYTES = 1200  # of standard error, the last ones
_CHUNK = 1 << 16


class ProgramFailed(Degraded):
    """It did not start, took too long, printed too much or ended with an error."""


def run(
    command: Sequence[str],
    timeout_s: float,
    say: bytes = b"",
    folder: Path | None = None,
    limit: int = PRINTED_BYTES,
) -> bytes:
    """What ``command`` prints, at most ``limit`` bytes, with ``say`` as its input; raises `ProgramFailed`."""
    try:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as fault:
        raise ProgramFailed(f"It did not start: {fault}") from fault
    with process:
        talk = _Talk(process, say, limit)
        try:
            talk.to_the_end(timeout_s)
        finally:  # its session, so that its children end too
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        text = talk.complained.decode("utf-8", "replace").strip()
        raise ProgramFailed(f"It ended with {process.returncode}: {text}")
    return bytes(talk.said)


class _Talk:
    """With a program that runs: what is still to be told, and what it said."""

    def __init__(self, process: "subprocess.Popen[bytes]", say: bytes, limit: int) -> None:
        self.said = bytearray()
        self.complained = b""  # the end of it
        self._process = process
        self._rest = memoryview(say)
        self._limit = limit

    def to_the_end(self, timeout_s: float) -> None:
        """Until it has ended by itself."""
        until = time.monotonic() + timeout_s
        pipes = {
            self._process.stdin: (selectors.EVENT_WRITE, self._tell),
            self._process.stdout: (selectors.EVENT_READ, self._hear),
            self._process.stderr: (selectors.EVENT_READ, self._complain),
        }
        with selectors.DefaultSelector() as waiting:
            for pipe, (event, go_on) in pipes.items():
                assert pipe is not None  # noqa: S101 - asked for in Popen
                os.set_blocking(pipe.fileno(), False)
                waiting.register(pipe, event, (pipe, go_on))
            while waiting.get_map():
                ready = waiting.select(max(0.0, until - time.monotonic()))
                if not ready:
                    raise _late(timeout_s)
                for key, _ in ready:
                    pipe, go_on = key.data
                    if not go_on(key.fd):
                        waiting.unregister(pipe)
                        pipe.close()
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise _late(timeout_s) from None

    def _tell(self, pipe: int) -> bool:
        """Whether there is more to tell; where nobody listens there is not."""
        with suppress(BlockingIOError):
            try:
                self._rest = self._rest[os.write(pipe, self._rest[:_CHUNK]) :]
            except BrokenPipeError:
                return False
        return bool(self._rest)

    def _hear(self, pipe: int) -> bool:
        self.said += (chunk := os.read(pipe, _CHUNK))
        if len(self.said) > self._limit:
            raise ProgramFailed(f"It printed more than {self._limit:,} bytes.")
        return bool(chunk)

    def _complain(self, pipe: int) -> bool:
        chunk = os.read(pipe, _CHUNK)
        self.complained = (self.complained + chunk)[-COMPLAINED_BYTES:]
        return bool(chunk)


def _late(timeout_s: float) -> ProgramFailed:
    return ProgramFailed(f"It gave no answer within {timeout_s:g} s.")
