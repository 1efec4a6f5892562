"""One worker process, seen from the daemon: started, asked, killed, its end explained."""

import signal
import subprocess
import sys
from socket import socketpair
from time import monotonic

import msgspec

from navlog.daemon.extract.frames import receive, send
from navlog.daemon.extract.outlining import EXTRACTOR
from navlog.schemas.errors import Degraded
from navlog.schemas.settings import Extract, Security

WORKER = "navlog.daemon.extract.worker"
START_S = 60.0  # a cold start imports in 0.1 s; a machine that swaps takes longer
STUCK = 20.0  # times ``kill_s`` on the wall clock: the kernel ends what computes, this ends what was stopped


class WorkerLost(Exception):
    """The process ended before it answered; ``why`` is a word for ``partial``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class WorkerProcess:
    """A started worker; raises `Degraded` when none can be started."""

    def __init__(self, settings: Extract, security: Security) -> None:
        self.patience = settings.kill_s * STUCK
        self.process: subprocess.Popen[bytes]
        self.line, theirs = socketpair()
        options = [msgspec.json.encode(section).decode() for section in (settings, security)]
        command = [sys.executable, "-I", "-m", WORKER, *options]
        try:
            with theirs:
                self.process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        except OSError as fault:
            self.line.close()
            raise unavailable(str(fault)) from fault
        self.greet()

    def greet(self) -> None:
        """Its first words are its version: an upgrade under a running daemon must not mix outlines."""
        self.line.settimeout(START_S)
        try:
            said = receive(self.line)
        except OSError as fault:
            said = str(fault).encode()
        if said != EXTRACTOR.encode():
            self.kill()
            raise unavailable(f"it said {said!r} instead of {EXTRACTOR!r}")

    def ask(self, path: str, data: bytes) -> bytes:
        """The payload of the file's outline; raises `WorkerLost`, after which the process is gone."""
        self.line.settimeout(self.patience)
        until = monotonic() + self.patience
        answer = None
        try:
            send(self.line, msgspec.msgpack.encode((path, data)))
            answer = receive(self.line)
        except OSError:
            pass  # its end is explained below
        if answer is None:
            raise WorkerLost(self.explain(late=monotonic() >= until))
        return answer

    def explain(self, *, late: bool) -> str:
        """Ends what is left of the process; "deadline" where its time ran out, else "crashed"."""
        code = self.kill() if late else self.wait()
        return "deadline" if late or code == -signal.SIGPROF else "crashed"

    def wait(self) -> int:
        """The exit code of a process that closed its end; one that lingers is killed."""
        self.line.close()
        try:
            return self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return self.kill()

    def kill(self) -> int:
        self.line.close()
        self.process.kill()
        return self.process.wait()


def unavailable(why: str) -> Degraded:
    return Degraded(
        f"No extraction worker could be started: {why}",
        safe="The log is as it was; the files are outlined as soon as a worker runs.",
        hint="Restart the daemon: navlog down, then navlog up.",
    )
