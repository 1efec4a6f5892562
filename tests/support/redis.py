"""A Redis server of a test's own: Debian's package, on a loopback port of its own, gone with the test."""

import contextlib
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection

SERVER = shutil.which("redis-server")
needs_redis = pytest.mark.skipif(SERVER is None, reason="redis-server: apt install redis-server")


class Server:
    """Keeps nothing on the disk: killed, it has lost everything."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.client = Redis.from_url(self.url, protocol=2)
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns once it answers."""
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._child = subprocess.Popen(
            [str(SERVER), *words, "--dir", str(self._folder)], stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with contextlib.suppress(NoConnection):
                self.client.ping()
                return
            time.sleep(0.02)
        raise AssertionError("redis-server does not answer")

    def kill(self) -> None:
        """As the kernel does when memory is short."""
        if self._child:
            self._child.send_signal(signal.SIGKILL)
            self._child.wait()
            self._child = None


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server that is there until the end."""
    server = Server(folder)
    server.start()
    try:
        yield server
    finally:
        server.client.close()
        server.kill()
