"""What is measured on, and what is measured beside navlog.

Source archives come from the package index, peers from their public places; everything lies in
``$NAVLOG_BENCH`` and nothing of it is committed. A peer that cannot be had is left out, and said so.
"""

import os
import random
import shutil
import subprocess
import sys
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

from measuring import Cost, Watched, disk_mb, run

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.schemas.control import StatusReply
from navlog.schemas.errors import DaemonAway

# Outside this checkout: a tree inside it would belong to its repository.
CACHE = Path(os.environ.get("NAVLOG_BENCH", "/var/tmp/navlog-bench"))
ARCHIVES = {"flask": "flask==3.1.0", "django": "django==5.2"}
CODEGRAPH = "@colbymchenry/codegraph@1.6.1"
POLL_S = 0.01
TRIES = 3  # of a download
AGENTNAVI = "https://github.com/CoaseEdge/AgentNavi"


def tree(name: str) -> Path:
    """A fresh copy of a tree to index: ``flask``, ``django``, or ``generated-N`` with N Python files."""
    kept = CACHE / "trees" / name
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        _generate(kept, int(name.partition("-")[2])) if name.startswith("generated-") else _unpack(
            kept, ARCHIVES[name]
        )
    copy = CACHE / "work" / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(kept, copy, symlinks=True)
    return copy


def _unpack(kept: Path, package: str) -> None:
    """Raises SystemExit, saying why and what to do, where the archive cannot be had."""
    stem, _, version = package.partition("==")
    archive = _archive(CACHE / "down", stem, version) or _download(package)
    place = CACHE / "unpacked" / stem
    shutil.rmtree(place, ignore_errors=True)  # of a run that was ended in the middle
    with tarfile.open(archive) as opened:
        opened.extractall(place, filter="data")
    next(place.iterdir()).rename(kept)


def _download(package: str) -> Path:
    down = CACHE / "down"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d"]
    stem, _, version = package.partition("==")
    said = ""
    for _ in range(TRIES):
        done = subprocess.run([*command, str(down), package], capture_output=True, text=True, check=False)
        if found := _archive(down, stem, version):
            return found
        said = done.stderr.strip()[-2000:]
    raise SystemExit(
        f"{package} could not be downloaded:\n{said}\nPut its source archive into {down} and try again."
    )


def _archive(down: Path, stem: str, version: str) -> Path | None:
    """A source archive of that name and version."""
    found = (file for file in down.glob("*.tar.gz") if file.name.lower() == f"{stem}-{version}.tar.gz")
    return next(found, None)


def _generate(root: Path, count: int) -> None:
    """Modules that import and call one another; the same for the same count."""
    draw = random.Random(count)
    words = [
        f"{a}_{b}"
        for a in ("load", "store", "parse", "send", "merge")
        for b in ("user", "order", "page", "cache", "token")
    ]
    for number in range(count):
        path = root / f"pkg{number // 100:03}" / f"mod{number:05}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        others = [draw.randrange(count) for _ in range(3)]
        called = f"mod{others[0]:05}"
        lines = [f'"""Module {number}."""', *(f"from pkg{o // 100:03} import mod{o:05}" for o in others), ""]
        for word in draw.sample(words, 4):
            lines += [
                "",
                f"def {word}_{number}(value: int) -> int:",
                f'    """Would {word.replace("_", " the ")}."""',
                f"    return {called}.{draw.choice(words)}_{others[0]}(value) + {draw.randrange(99)}",
                "",
            ]
        path.write_text("\n".join(lines))


@dataclass
class Navlog:
    """A daemon of its own, in the foreground, so that all it costs is known when it ends."""

    home: Path

    def __post_init__(self) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
        (self.home / "run").mkdir(parents=True, mode=0o700)
        self.env = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "NAVLOG_HOME": str(self.home / "data"),
            "XDG_RUNTIME_DIR": str(self.home / "run"), "XDG_CONFIG_HOME": str(self.home / "config"),
        }  # fmt: skip
        self.command = [sys.executable, "-I", "-m", "navlog.daemon"]

    def start(self) -> Watched:
        """The daemon, once it answers; `Watched.wait` says what it cost once it was told to stop.

        Asked over the socket: the command's own status says 75 as well of a daemon that answers and has
        something to complain about, and takes an interpreter each time.
        """
        daemon = Watched([*self.command, "up", "--foreground"], self.env)
        home = find_home(self.env)
        while not os.waitid(os.P_PID, daemon.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            try:
                ask(home, "status", StatusReply)
            except DaemonAway:
                time.sleep(POLL_S)
            else:
                return daemon
        raise SystemExit(f"The daemon ended before it answered: {daemon.wait().output[-2000:]}")

    def say(self, *arguments: str) -> Cost:
        """One command."""
        return run([*self.command, *arguments], self.env)

    def disk(self) -> float:
        """MB of log and derived files."""
        return disk_mb(self.home / "data" / "log", self.home / "data" / "derived")


def agentnavi() -> Path | None:
    """Its command, in an environment of its own; a checkout may be named by ``AGENTNAVI_SOURCE``."""
    place = CACHE / "agentnavi"
    if not place.exists():
        source = os.environ.get("AGENTNAVI_SOURCE", AGENTNAVI)
        done = subprocess.run(
            ["git", "clone", "-q", "--depth", "1", source, str(place / "source")], check=False
        )
        if done.returncode:
            shutil.rmtree(place, ignore_errors=True)
            return None
        subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True)
        subprocess.run([str(place / "venv/bin/pip"), "install", "-q", str(place / "source")], check=True)
    return place / "venv/bin/agentnavi"


def codegraph() -> Path | None:
    """Its command, installed without any script of its own."""
    place = CACHE / "codegraph"
    command = place / "node_modules/.bin/codegraph"
    if not command.exists() and shutil.which("npm"):
        place.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["npm", "install", "--ignore-scripts", "--silent", "--prefix", str(place), CODEGRAPH], check=False
        )
    return command if command.exists() else None
