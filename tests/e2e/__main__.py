"""`make e2e`: every client's play and what it shows. Exit code 1 when a promise to the agent was broken.

``ONLY`` names clients. A client that cannot be installed or started here is skipped visibly, with the reason.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from e2e import tail
from e2e.clients import CLIENTS, Client

Seen = Mapping[str, Mapping[str, Any]]
CACHE = Path(os.environ.get("NAVLOG_E2E", "/var/tmp/navlog-e2e"))
PLAY_S = 900.0
ASKED = ("without navlog", "alive", "stopped", "killed", "back", "uninstalled")
ANSWER = "shop/checkout.py:4"  # to what is asked when the daemon is back
NUDGED = ("claude-code", "codex")  # the hosts whose transcripts are read
NAMESPACE = ("unshare", "-n", "-m", "-p", "-f", "--mount-proc", "--kill-child")


def main() -> int:
    """Plays, judges, prints."""
    parser = argparse.ArgumentParser(prog="e2e", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[[], *(client.name for client in CLIENTS)])
    parser.add_argument("--json", type=Path, help="what was seen, whole")
    asked = parser.parse_args()
    if why := _why_not():
        print(f"e2e: skipped: {why}")
        return 0
    seen = {one.name: attempt(one) for one in CLIENTS if not asked.only or one.name in asked.only}
    if asked.json:
        asked.json.write_text(json.dumps(seen, ensure_ascii=False, indent=1))
    broken = 0
    for name, acts in seen.items():
        if isinstance(acts, str):
            print(f"{name}: SKIPPED: {acts}")
            continue
        faults = list(judge(acts))
        broken += len(faults)
        print("\n".join(told(name, acts, faults)))
    return int(broken > 0)


def told(name: str, acts: Seen, faults: Sequence[str]) -> Iterator[str]:
    """One client's lines."""
    times = ", ".join(f"{act} {acts[act]['seconds']:.1f} s" for act in ASKED if act in acts)
    yield f"{name}: {'ok' if not faults else 'BROKEN'} ({times})"
    yield f"  events: {acts.get('back', {}).get('events')}"
    if "nudges" in acts:
        yield f"  nudges, at which request: {acts['nudges'].get('first')}"
    yield from (f"  BROKEN: {fault}" for fault in faults)


def attempt(client: Client) -> Seen | str:
    """What the play saw, or why there was none."""
    try:
        client.install(CACHE)
    except (OSError, subprocess.SubprocessError) as fault:
        return f"cannot be installed: {fault}"
    seen = _played("e2e.play", client)
    if client.name in NUDGED and "play" not in seen:
        seen["nudges"] = _played("e2e.nudging", client)
    return seen


def _played(play: str, client: Client) -> dict[str, Any]:
    """What the play prints, in a network, a home and a table of processes of its own."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as folder:
        command = [*NAMESPACE, sys.executable, "-m", play, client.name, str(CACHE), folder]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=PLAY_S, check=False)
        except subprocess.TimeoutExpired:
            return {"play": {"code": "it did not end"}}
    if done.returncode:
        return {"play": {"code": done.returncode}}
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def judge(acts: Seen) -> Iterator[str]:
    """Every promise that was broken, in words."""
    if "play" in acts:
        yield f"the play broke off: {acts['play']['code']}"
        return
    for act in ASKED:
        yield from _of_the_client(act, acts[act])
    if acts["installed"]["code"] != 0:
        yield f"install: {acts['installed']['stderr']}"
    if acts["without navlog"]["pointers"] or not acts["alive"]["pointers"]:
        yield f"what was injected: {acts['alive']['pointers']} (before: {acts['without navlog']['pointers']})"
    if ANSWER not in acts["back"]["pointers"]:
        yield f"back: {ANSWER} did not reach the model, only {acts['back']['pointers']}"
    yield from _missing(acts)
    yield from tail.faults(acts["tail"]) if "tail" in acts else ()
    if acts["uninstalled"]["new_events"]:
        yield "uninstalled: there are still events"
    if acts["project"]["status"]:
        yield f"the project is no longer clean: {acts['project']['status']}"
    yield from _nudged(acts.get("nudges", {}))


def _nudged(seen: Mapping[str, Any]) -> Iterator[str]:
    """A session over 60,000 tokens: each text at its step and once; the tool's answer; the message once.

    On a busy machine a hook may have no time for a level that does not last, so the first two may be missing.
    """
    if "asked" not in seen:
        yield from (f"nudges: the play broke off: {why['code']}" for why in seen.values())
        return
    if seen["asked"]["code"] != 0 or not seen["asked"]["answered"]:
        yield f"nudges: the client ended with {seen['asked']['code']}: {seen['asked']['stderr']}"
    for name, times in seen["times"].items():
        if times > 1 or (times < 1 and name not in ("gentle", "firm")):
            yield f"nudges: {name} reached the model {times} times"
    steps = [step for step in seen["first"].values() if step]
    if steps != sorted(steps):
        yield f"nudges: out of order: {seen['first']}"


def _of_the_client(act: str, seen: Mapping[str, Any]) -> Iterator[str]:
    if seen["code"] != 0 or not seen["answered"]:
        yield f"{act}: the client ended with {seen['code']}: {seen['stderr']}"
    if not seen["prompt_arrived"]:
        yield f"{act}: the prompt did not reach the model"


def _missing(acts: Seen) -> Iterator[str]:
    """Whether the log holds what happened, spooled or not: four prompts were given with hooks in place."""
    first, last = acts["alive"]["events"], acts["back"]["events"]
    for kind in ("session_started", "prompt_given", "tool_used", "injection_given"):
        if not first.get(kind):
            yield f"alive: no {kind} in the log"
    if last.get("prompt_given", 0) != len(ASKED) - 2:
        yield f"back: {last.get('prompt_given', 0)} prompts in the log, not {len(ASKED) - 2}"


def _why_not() -> str:
    if os.geteuid():
        return "it needs root, for a network of its own"
    missing = [tool for tool in ("npm", "unshare", "ip") if shutil.which(tool) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


if __name__ == "__main__":
    sys.exit(main())
