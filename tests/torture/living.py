"""The whole daemon: R24 fresh answers, R25 no change missed, R27 nobody but the owner, R12 and R20.

What is heavy is imported in the functions: the trials before them fork writers that know the journal alone.
"""

import contextlib
import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from torture.report import Run, Trial

CREATES = 20_000
CHECKOUT = 5_000
WATCHES = 5
PATIENCE_S = 60.0  # how long a storm may take to be written down on a busy machine; the figure is in the note
REQUEST_BYTES = 200 * 1024 * 1024
GROWTH = 16 * 1024 * 1024


@contextlib.contextmanager
def daemon(run: Run, name: str) -> Iterator[Any]:
    from service.conftest import Installation

    from navlog.daemon.launch import ensure_daemon

    folder = run.folder / name
    folder.mkdir()
    one = Installation(folder)
    daemon, _ = ensure_daemon(one.home, one.environ)
    try:
        yield one
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(daemon.pid, signal.SIGKILL)


def index(one: Any, root: Path) -> None:
    from navlog.daemon.client import ask
    from navlog.schemas.control import Indexed, ProjectAdd, ProjectInfo, ProjectName

    ask(one.home, "project-add", ProjectInfo, ProjectAdd(path=str(root)))
    ask(one.home, "indexed", Indexed, ProjectName(project=str(root)), silence_s=120)


def freshness(run: Run) -> None:
    """A file is written, then asked for by its newest word: there, or the answer says why not."""
    root = run.folder / "project"
    root.mkdir()
    (root / "seed.py").write_text("def seed():\n    return 1\n")
    with daemon(run, "d") as one:
        index(one, root)
        stale = 0
        for cycle in run.cycles():
            word = hashlib.sha256(str(cycle).encode()).hexdigest()[:12].translate(LETTERS)
            path = root / f"m{cycle % 20}.py"
            path.write_text(f"def {word}():\n    return {cycle}\n")
            reply = one.context(word, root)
            shown = any(item.path == path.name and word in item.text for item in reply.items)
            stale += bool(reply.stale)
            run.check(shown or bool(reply.stale), f"{word} was not in the answer, which calls itself fresh")
        run.note = f"{stale} answers said that they may be stale"


def creates(run: Run) -> None:
    """More events than the kernel's queue holds."""

    def storm(root: Path) -> None:
        for number in range(round(CREATES * run.planned / 10)):
            _written(root, number)

    _storm(run, storm)


def checkout(run: Run) -> None:
    """A branch switch that changes thousands of files, and back."""
    count = max(20, round(CHECKOUT * run.planned / 10))

    def prepare(root: Path) -> None:
        _git(root, "init", "-q", "-b", "main")
        for branch in ("main", "other"):
            if branch == "other":
                _git(root, "checkout", "-q", "-b", branch)
            for number in range(count):
                _written(root, number, branch)
            _git(root, "add", "-A")
            _git(root, "commit", "-q", "-m", branch)

    _storm(run, lambda root: _git(root, "checkout", "-q", "main"), prepare)


def _storm(
    run: Run, storm: Callable[[Path], object], prepare: Callable[[Path], None] = lambda _: None
) -> None:
    root = run.folder / "project"
    root.mkdir()
    (root / "seed.py").write_text("seed = 1\n")
    prepare(root)
    with daemon(run, "d") as one:
        index(one, root)
        storm(root)
        ended = time.monotonic()
        run.done = len(_scanned(root))
        while (missing := _missing(one, root)) and time.monotonic() < ended + PATIENCE_S:
            time.sleep(0.2)
        run.note = f"as a fresh scan after {time.monotonic() - ended:.1f} s"
        run.check(not missing, f"{len(missing)} paths are not known as a fresh scan has them: {missing[:3]}")


def few_watches(run: Run) -> None:
    """Five watches for twenty folders, in a user namespace of our own: said, and the rest is polled."""
    from service.conftest import Installation

    root = run.folder / "project"
    for number in range(20):
        (root / f"d{number}").mkdir(parents=True)
        (root / f"d{number}" / "a.py").write_text("a = 1\n")
    (run.folder / "d").mkdir()
    one = Installation(run.folder / "d")
    limit = f'echo {WATCHES} > /proc/sys/user/max_inotify_watches && exec "$@"'
    daemon = subprocess.Popen(
        ["unshare", "--user", "--map-root-user", "sh", "-c", limit, "sh", *one.foreground],
        env=one.environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _until(lambda: bool(one.status()), PATIENCE_S)
        index(one, root)
        (watch,) = one.status().watches
        run.check(watch.coverage < 1 and bool(watch.note), f"nothing is said of the watches: {watch}")
        for cycle in run.cycles():
            for number in range(20):
                (root / f"d{number}" / "a.py").write_text(f"a = {cycle}0\n")
            run.check(
                _until(lambda: not _missing(one, root), PATIENCE_S), "a change in a polled folder is missed"
            )
    finally:
        daemon.kill()
        daemon.wait()


def other_users(run: Run) -> None:
    """Another user connects where the folders' modes would let him."""
    script = (
        "import os, socket, sys; os.setgid(65534); os.setuid(65534); s = socket.socket(socket.AF_UNIX)\n"
        "s.settimeout(20); s.connect(sys.argv[1])\n"
        'try:\n    s.sendall(b\'{"verb": "status"}\\n\'); print(s.recv(100))\n'
        "except ConnectionError: print(b'')\n"
    )
    with daemon(run, "d") as one:
        for place in (one.home.socket, *one.home.socket.parents):
            if run.folder in (place, *place.parents):
                place.chmod(0o777)
        for _ in run.cycles():
            other = subprocess.run(
                [sys.executable, "-c", script, str(one.home.socket)],
                capture_output=True, text=True, check=False, cwd="/",
            )  # fmt: skip
            run.check(other.stdout.strip() == "b''", f"another user got {other.stdout or other.stderr}")
        run.check(one.status().pid > 0, "the owner is not answered any more")


def huge_request(run: Run) -> None:
    """200 MiB in one line to the socket: refused, and the daemon does not grow."""
    with daemon(run, "d") as one:
        for _ in run.cycles():
            before = one.status().memory
            with socket.socket(socket.AF_UNIX) as channel:
                channel.connect(str(one.home.socket))
                with contextlib.suppress(ConnectionError):
                    for _ in range(REQUEST_BYTES // 65536):
                        channel.sendall(b"x" * 65536)
                    channel.sendall(b"\n")
                with channel.makefile("rb") as replies:
                    reply = json.loads(replies.readline())
            run.check(reply["error"]["code"] == "RequestRefused", f"answered {reply}")
            grown = one.status().memory - before
            run.check(grown < GROWTH, f"the daemon grew by {grown / 2**20:.1f} MiB")


def one_daemon(run: Run) -> None:
    """Twenty `navlog up` at once make one daemon; killed, the next start makes another."""
    from service.conftest import NAVLOG, Installation

    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        folder.mkdir()
        one = Installation(folder)
        (folder / "project").mkdir()
        starts = [
            subprocess.Popen(
                [*NAVLOG, "up", str(folder / "project"), "--json"], env=one.environ, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            for _ in range(20)
        ]  # fmt: skip
        codes = [start.wait() for start in starts]
        pid = one.status().pid
        run.check(set(codes) == {0}, f"they ended with {codes}")
        os.kill(pid, signal.SIGKILL)
        run.check(one.run("up", str(folder / "project"), timeout=120).returncode == 0, "no successor")
        run.check((last := one.status().pid) != pid, "the killed daemon answers")
        os.kill(last, signal.SIGKILL)


LETTERS = str.maketrans("0123456789", "ghijklmnop")


def _written(root: Path, number: int, word: str = "a") -> None:
    folder = root / f"p{number // 500}"
    folder.mkdir(exist_ok=True)
    (folder / f"m{number}.txt").write_text(f"{word} {number}\n")


def _git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=torture", "-c", "user.email=torture@localhost"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def _scanned(root: Path) -> dict[str, str]:
    """Path -> git's name of the content, by looking."""
    from navlog.daemon.listener.paths import blob_id

    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(root)): blob_id(path.read_bytes()) for path in files}


def _missing(one: Any, root: Path) -> list[str]:
    """The paths that the tables say nothing of, or something else."""
    from navlog.daemon.client import ask
    from navlog.schemas.control import SqlArgs, SqlReply

    known: dict[str, str] = {}
    while True:
        last = max(known, default="").replace("'", "''")
        query = f"SELECT path, content FROM files WHERE path > '{last}' ORDER BY path LIMIT 5000"  # noqa: S608
        rows = ask(one.home, "sql", SqlReply, SqlArgs(query=query)).rows
        known |= {str(path): str(content) for path, content in rows}
        if len(rows) < 5000:
            break
    seen = _scanned(root)
    return sorted(path for path in seen.keys() | known.keys() if seen.get(path) != known.get(path))


def _until(holds: Callable[[], bool], seconds: float) -> bool:
    from navlog.schemas.errors import NavlogError

    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(NavlogError):
            if holds():
                return True
        time.sleep(0.1)
    return False


TRIALS = (
    Trial("R12", "20 daemons started at once, the one killed", one_daemon, 1, 90),
    Trial("R20", "200 MiB in one line to the socket", huge_request, 2, 60),
    Trial("R24", "write, then ask: the answer has it or says it may be stale", freshness, 1000, 120),
    Trial("R25", "20,000 creates", creates, 10, 180),
    Trial("R25", "a checkout of 5,000 files", checkout, 10, 180),
    Trial("R25", "5 watches for 20 folders", few_watches, 3, 90, ("unshare",)),
    Trial("R27", "another user at the socket", other_users, 10, 60, root=True),
)
