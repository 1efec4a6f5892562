"""A plugin as it is installed, run by node as its host would, and a daemon that keeps the seam of tails."""

import json
import re
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from navlog.daemon.hosts.installing.adapters import HOSTS
from navlog.daemon.hosts.installing.documents import OwnFile

Body = Mapping[str, Any]
DRIVER = Path(__file__).parents[1] / "unit" / "installing" / "driving.mjs"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
PATIENT = 8_000  # ms instead of 300: a busy machine is not what is tested
SILENT = object()  # an answer that never comes


@dataclass
class Desk:
    """Answers as `navlog.schemas.tails` says: numbers parts in their order, drops what a test names.

    ``beside`` is what a pass beside a result answers; ``answers`` replaces the answer to a verb whole.
    """

    drop: set[int] = field(default_factory=set)
    beside: Body = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, Body]] = field(default_factory=list)
    messages: dict[str, Body] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)  # call -> the block of its result

    def answer(self, request: Body) -> object:
        """What the daemon says to one request."""
        verb, args = request["verb"], request.get("args", {})
        self.asked.append((verb, args))
        if verb in self.answers:
            return self.answers[verb]
        if verb == "hook":
            return {"result": {"stdout": ""}}
        if verb == "tail.measure":
            return {"result": self._measured(args) if "messages" in args else self.beside}
        return {"result": {"text": f"queued {args.get('drop')}"}}

    def of(self, verb: str) -> list[Body]:
        """The arguments of every request of this verb, in order."""
        return [args for asked, args in self.asked if asked == verb]

    def _measured(self, args: Body) -> Body:
        self.messages.update((one["id"], one) for one in args["messages"])
        order = args.get("order") or [one["id"] for one in args["messages"]]
        if missing := [name for name in order if name not in self.messages]:
            return {"missing": missing}
        parts = [part for name in order for part in self._numbered(self.messages[name])]
        dropped = [one for one in parts if one["tag"] in self.drop and one["kind"] != "call"]
        return {
            "parts": parts,
            "dropped": [
                {"block": one["block"], "tag": one["tag"], "placeholder": f"[dropped §{one['tag']}§]"}
                for one in dropped
            ],
        }

    def _numbered(self, message: Body) -> Iterator[dict[str, Any]]:
        for index, part in enumerate(message["parts"]):
            if part["kind"] in ("reasoning", "other") or part.get("synthetic") or message.get("synthetic"):
                continue
            block = f"{message['id']}#{index}"
            key = part.get("call") or block
            tag = self.tags.setdefault(key, len(self.tags) + 1)
            mark = "" if part["kind"] == "call" else f"§{tag}§ "
            yield {"block": block, "tag": tag, "mark": mark, "kind": part["kind"]}


@dataclass
class Run:
    """What came of each step, what was sent as a message of its own, and the desk it spoke to."""

    came: list[dict[str, Any]]
    sent: list[dict[str, Any]]
    desk: Desk


def run(
    host: str,
    steps: Sequence[Body],
    desk: Desk | None = None,
    client: Body | None = None,
    *,
    gone: bool = False,
    limit: int = PATIENT,
) -> Run:
    """The steps in order, in one process, with this desk; ``gone``: no daemon is there."""
    desk = desk or Desk()
    with tempfile.TemporaryDirectory(prefix="nav-") as folder:
        environ = {"XDG_RUNTIME_DIR": folder, "HOME": folder, "PATH": "/usr/bin:/bin"}
        with _listening(Path(folder), None if gone else desk.answer):
            said = driven(host, steps, environ, client=client, limit=limit)
    return Run(said["came"], said["sent"], desk)


def driven(
    host: str,
    steps: Sequence[Body],
    environ: Mapping[str, str],
    *,
    folder: str = "/proj",
    client: Body | None = None,
    limit: int = PATIENT,
) -> Any:
    """``came`` and ``sent``, with whatever listens; ``limit``: ms that the plugin waits for it."""
    document = HOSTS[host](environ)[0].document
    assert isinstance(document, OwnFile)
    # The client that keeps what nobody heard has tests of its own.
    text = re.sub(r'const CLIENT = ".*";', 'const CLIENT = "";', document.put("")[0], count=1)
    with tempfile.TemporaryDirectory(prefix="plug-") as place:
        plugin = Path(place) / "plugin.mjs"
        plugin.write_text(text.replace("const LIMIT = 300;", f"const LIMIT = {limit};", 1))
        done = subprocess.run(
            [str(NODE), str(DRIVER), str(plugin)],
            input=json.dumps({"host": host, "folder": folder, "client": client or {}, "steps": list(steps)}),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=dict(environ),
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def _listening(folder: Path, answer: Callable[[Body], object] | None) -> Iterator[None]:
    if answer is None:
        yield
        return
    (folder / "navlog").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "navlog" / "navlog.sock"))
        server.listen(16)
        held: list[socket.socket] = []
        thread = threading.Thread(target=_serve, args=(server, answer, held))
        thread.start()
        yield
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for one in held:
            one.close()


def _serve(server: socket.socket, answer: Callable[[Body], object], held: list[socket.socket]) -> None:
    """One connection after another; of one that is left without an answer the socket stays open."""
    while True:
        try:
            channel, _ = server.accept()
        except OSError:
            return
        with channel.makefile("rb") as lines:
            line = lines.readline()
        said = answer(json.loads(line)) if line else None
        if said is SILENT:
            held.append(channel)
            continue
        if said is not None:
            channel.sendall(json.dumps(said).encode() + b"\n")
        channel.close()
