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
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from torture.mounts import command, tmpfs
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


def read_only(run: Run) -> None:
    """A daemon on a read-only mount answers, says what it lacks, and goes on where it was once it may."""
    from service.conftest import Installation

    from navlog.schemas.errors import NavlogError

    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        folder.mkdir()
        one = Installation(folder)
        root, other = folder / "project", folder / "other"
        root.mkdir()
        other.mkdir()
        (root / "a.py").write_text("def sparrow():\n    return 1\n")
        one.home.data.mkdir(mode=0o700)
        with tmpfs(one.home.data, "64m,mode=0700"):
            _up_and_down(run, one, root)
            command("mount", "-o", "remount,ro", one.home.data)
            try:
                up = one.run("up", str(root), timeout=60)
                run.check(up.returncode == 0, f"up on a read-only disk: {up.stdout}")
                one.run("down")
                (root / "a.py").write_text("def eagle():\n    return 1\n")
                up = one.run("up", str(root), timeout=60)
                run.check(up.returncode == 75 and "read-only" in up.stderr, f"of what changed: {up}")
                reply = one.context("sparrow eagle", root)
                honest = reply.stale or [item for item in reply.items if item.state != "FRESH"]
                run.check(bool(honest), f"what changed meanwhile is not told: {reply}")
                run.check(bool(one.status().degraded), "status calls itself sound")
                try:
                    index(one, other)
                    run.check(holds=False, why="a project was added to a read-only log")
                except NavlogError as refusal:
                    run.check("writable" in refusal.hint, f"refused with {refusal.hint!r}")
                one.run("down")
            finally:
                command("mount", "-o", "remount,rw", one.home.data)
            one.run("up", str(root), timeout=60)
            shown = [item.symbol for item in one.context("eagle", root).items]
            run.check(shown == ["eagle"], f"after it may be written again: {shown}")
            one.run("down")


def _up_and_down(run: Run, one: Any, root: Path) -> None:
    for words in (("up", str(root)), ("down",)):
        done = one.run(*words, timeout=60)
        run.check(done.returncode == 0, f"{words[0]}: {done.stdout}")


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

    one = _storm(run, lambda root: _git(root, "checkout", "-q", "main"), prepare)
    lines = [json.loads(line) for log in one.home.log.glob("events-*") for line in log.open("rb")]
    (moved,) = [line for line in lines if line.get("type") == "head_moved"][1:]
    batch = moved.get("batch", [1, 1])
    run.check(batch == [1, 1 + count], f"the checkout of {count} files came as {batch}")


def _storm(
    run: Run, storm: Callable[[Path], object], prepare: Callable[[Path], None] = lambda _: None
) -> Any:
    """The installation that saw it, its daemon ended."""
    root = run.folder / "project"
    root.mkdir()
    (root / "seed.py").write_text("seed = 1\n")
    prepare(root)
    with daemon(run, "d") as one:
        index(one, root)
        before = _computed_s(one)
        storm(root)
        ended = time.monotonic()
        seen = _scanned(root)
        run.done = len(seen)
        while (missing := _missing(one, seen)) and time.monotonic() < ended + PATIENCE_S:
            time.sleep(0.5)  # looking costs the daemon something, too
        took, computed = time.monotonic() - ended, _computed_s(one) - before
        load = os.getloadavg()[0]
        run.note = f"as a fresh scan after {took:.1f} s; processor {computed:.1f} s; load {load:.1f}"
        run.check(not missing, f"{len(missing)} paths are not known as a fresh scan has them: {missing[:3]}")
        return one


def _computed_s(one: Any) -> float:
    """Processor time of the daemon, its outline workers left out."""
    fields = Path(f"/proc/{one.status().pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
                _until(lambda: not _missing(one, _scanned(root)), PATIENCE_S),
                "a change in a polled folder is missed",
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


def _missing(one: Any, seen: Mapping[str, str]) -> list[str]:
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
    Trial("R10", "a whole daemon on a read-only mount", read_only, 2, 60, root=True),
    Trial("R12", "20 daemons started at once, the one killed", one_daemon, 3, 60),
    Trial("R20", "200 MiB in one line to the socket", huge_request, 5, 30),
    Trial("R24", "write, then ask: the answer has it or says it may be stale", freshness, 1000, 120),
    Trial("R25", "20,000 creates", creates, 10, 180),
    Trial("R25", "a checkout of 5,000 files", checkout, 10, 180),
    Trial("R25", "5 watches for 20 folders", few_watches, 3, 90, ("unshare",)),
    Trial("R27", "another user at the socket", other_users, 10, 60, root=True),
)
