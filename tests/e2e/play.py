"""One client's play, inside its network namespace: several prompts while the daemon comes to harm.

    python -m e2e.play CLIENT CACHE FOLDER

Prints one JSON object: what each act saw. It judges nothing; `e2e.__main__` does.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from e2e.clients import CLIENTS, Client, bare
from e2e.model import Script, serve
from e2e.tail import prepare, tail
from support.shop import git, make_shop

NAVLOG = Path(sys.executable).with_name("navlog")
CLIENT_S, COMMAND_S, DRAIN_S = 300.0, 60.0, 10.0
PROMPTS = {
    "alive": "Why does reserve fail when there is too little stock?",
    "stopped": "Where is the session cookie expired?",
    "killed": "How is the discount of an order computed?",
    "back": "Where is the card of an order charged?",
    "uninstalled": "Which page describes the deployment?",
}


class Stage:
    """A project, a client with its settings, a scripted model, and navlog beside them."""

    def __init__(self, client: Client, cache: Path, folder: Path) -> None:
        self.client, self.program = client, client.install(cache)
        self.home, self.shop = folder / "home", make_shop(folder / "shop")
        self.script = Script(client.calls(self.shop / "shop/stock.py"))
        self.server = serve(self.script)
        url = f"http://127.0.0.1:{self.server.server_port}"
        self.environ = {**bare(self.home), **client.environ(url)}
        client.prepare(self.home, url, cache)
        prepare(self.home, self.shop)
        self.asked = 0

    def navlog(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of ours, in the client's environment."""
        return subprocess.run(
            [str(NAVLOG), *words],
            cwd=self.shop,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )

    def ask(self, prompt: str) -> dict[str, Any]:
        """One prompt to the client; what came back, how long it took, what reached the model."""
        before, began = len(self.script.requests), time.monotonic()
        done = subprocess.run(
            self.client.command(self.program, prompt, self.asked > 0),
            cwd=self.shop,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=CLIENT_S,
            check=False,
        )
        self.asked += 1
        arrived = json.dumps([body for _, body in self.script.requests[before:]], ensure_ascii=False)
        return {
            "code": done.returncode,
            "answered": self.script.reply in done.stdout,
            "seconds": round(time.monotonic() - began, 2),
            "prompt_arrived": prompt in arrived,
            "pointers": [place for place in POINTERS if place in arrived],
            "said": done.stdout[-400:],
            "stderr": done.stderr[-400:],
        }

    def pid(self) -> int:
        """The daemon's process."""
        return int(json.loads(self.navlog("status", "--json").stdout)["pid"])

    def events(self) -> dict[str, int]:
        """How many events of each type the log holds of sessions and what they were given."""
        query = """select type, count(*) as n from events where data like '%"session":%' group by 1"""
        return {row["type"]: row["n"] for row in self.rows(query)}

    def rows(self, query: str) -> list[dict[str, Any]]:
        """What the log answers to a query."""
        found: list[dict[str, Any]] = json.loads(self.navlog("sql", query, "--json").stdout)
        return found


POINTERS = (
    "shop/stock.py:4",
    "shop/sessions/cookies.py:4",
    "shop/pricing/discount.py:4",
    "shop/checkout.py:4",
)


def play(stage: Stage) -> Iterator[tuple[str, dict[str, Any]]]:
    """The acts in order; the first is the client without us."""
    yield "without navlog", stage.ask(PROMPTS["alive"])
    said = stage.navlog("up", str(stage.shop))
    said = stage.navlog("install", stage.client.name) if said.returncode == 0 else said
    stage.asked = 0  # a session of its own: what went before knew nothing of us
    yield "installed", {"code": said.returncode, "stderr": (said.stdout + said.stderr)[-400:]}
    yield "alive", {**stage.ask(PROMPTS["alive"]), "events": stage.events()}
    with held(stage.pid()):
        stopped = stage.ask(PROMPTS["stopped"])
    yield "stopped", stopped
    os.kill(stage.pid(), signal.SIGKILL)
    yield "killed", stage.ask(PROMPTS["killed"])
    said = stage.navlog("up", str(stage.shop))
    yield "up again", {"code": said.returncode, "events": drained(stage)}
    yield "back", {**stage.ask(PROMPTS["back"]), "events": drained(stage)}
    if stage.client.reduce:
        yield "tail", tail(stage, stage.client.reduce)
    said = stage.navlog("uninstall", stage.client.name)
    before = stage.events()
    yield "uninstalled", {**stage.ask(PROMPTS["uninstalled"]), "new_events": stage.events() != before}
    yield "project", {"status": git(stage.shop, "status", "--porcelain", "--ignored")}
    stage.navlog("down")


def drained(stage: Stage) -> dict[str, int]:
    """The events once they no longer grow: a spool is taken in soon after the start."""
    until, last = time.monotonic() + DRAIN_S, stage.events()
    while time.monotonic() < until:
        time.sleep(1.0)
        now = stage.events()
        if now == last:
            break
        last = now
    return last


@contextmanager
def held(pid: int) -> Iterator[None]:
    """The process does not run meanwhile."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def main() -> None:
    """Runs the play and prints what it saw."""
    name, cache, folder = sys.argv[1:]
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    client = next(one for one in CLIENTS if one.name == name)
    stage = Stage(client, Path(cache), Path(folder))
    seen: dict[str, Any] = {}
    for act, what in play(stage):
        seen[act] = what
        print(f"  {name}: {act} …", file=sys.stderr, flush=True)
    print(json.dumps(seen, ensure_ascii=False))


if __name__ == "__main__":
    main()
