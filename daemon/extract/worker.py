"""The process that reads files of unknown origin: it may be killed at any time and nothing is lost.

``python -I -m navlog.daemon.extract.worker EXTRACT SECURITY`` (both settings as JSON) serves one socket,
which is its standard input: it says its EXTRACTOR, then answers each request (path, bytes) with an
outline's payload, until the other side is gone. It imports no DuckDB and opens no file but its own modules.
A file that takes more processor time than ``kill_s`` ends the process by the kernel's hand, whatever native
code is running.
"""

import gc
import resource
import signal
import sys
from socket import socket

import msgspec

from navlog.daemon.extract.frames import receive, send
from navlog.daemon.extract.outlining import EXTRACTOR, by_name, outline
from navlog.daemon.extract.searching import search_of
from navlog.daemon.redact import Redactor
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Extract, Security

MEMORY_BYTES = 2 << 30  # a tree takes up to 100 times its text; more than this is a fault of a grammar
YOUNG_OBJECTS = 50_000  # trees make many short-lived objects and no cycles: the default 700 costs a tenth


def main() -> None:
    """Serve until the socket ends."""
    settings = msgspec.json.decode(sys.argv[1], type=Extract)
    security = msgspec.json.decode(sys.argv[2], type=Security)
    redactor, search = Redactor(security), search_of(security)
    gc.freeze()  # what is imported stays: no collection has to look at it
    gc.set_threshold(YOUNG_OBJECTS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the daemon, which then closes the socket
    with socket(fileno=sys.stdin.fileno()) as line:
        send(line, EXTRACTOR.encode())
        while (request := receive(line)) is not None:
            path, data = msgspec.msgpack.decode(request, type=tuple[str, bytes])
            send(line, msgspec.json.encode(bounded(path, data, settings, redactor, search)))


def bounded(path: str, data: bytes, settings: Extract, redactor: Redactor, search: str) -> OutlineRecorded:
    """The outline, or the process's end after ``kill_s`` processor seconds: SIGPROF's default action."""
    signal.setitimer(signal.ITIMER_PROF, settings.kill_s)
    try:
        return outline(path, data, settings, lambda text: redactor.text(text).text, search)
    except Exception as fault:  # noqa: BLE001  # a fault of ours in one file must not cost the next one's
        sys.stderr.write(f"extraction failed: {path!r}: {fault!r}\n")
        return by_name(path, data, "failed")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
