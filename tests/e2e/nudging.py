"""One client driven over 60,000 tokens, inside its network namespace: which texts reach the model, and when.

    python -m e2e.nudging CLIENT CACHE FOLDER

The scripted model reads file after file, sets some aside, and reads on. Prints one JSON object: for each text
of ours the request in which the model had it first and how often it stands in the last one, and what the log
says. It judges nothing; `e2e.__main__` does.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from e2e.clients import CLIENTS
from e2e.model import Script
from e2e.play import Stage

READS, LATER = 54, 4
LINES = 300  # of a file: about 7,000 tokens
# A large window: 50,000 tokens are protected, so that the tail grows through every level.
SETTINGS = "[nudge]\nwindow = 1_000_000\n"
TEXTS = {
    "gentle": "as you go, rather than all at the end",
    "firm": "now for what you no longer need",
    "urgent": "Before the next tool call, set every spent output aside",
    "message": "Most of this session's tail is spent.",
    "answer": "is marked as spent; this host shows it until",
}
# Claude Code offers the tools of servers once they were looked for.
SETTING_ASIDE: Sequence[tuple[Sequence[str], Mapping[str, Any]]] = (
    (("ToolSearch",), {"query": "select:mcp__navlog__ctx_reduce"}),
    (("ctx_reduce",), {"drop": "2-12", "reason": "read"}),
)


class LongScript(Script):
    """Calls one tool after the other, as it is told, then says its sentence."""

    def __init__(self, wanted: Sequence[tuple[Sequence[str], Mapping[str, Any]]]) -> None:
        super().__init__({})
        self.wanted = list(wanted)
        self.step = 0

    def next_call(
        self,
        offered: Sequence[str],
        *,
        after_tool: bool,  # noqa: ARG002 - it goes on after a tool
    ) -> tuple[str, str, Mapping[str, Any]] | None:
        """The next of its tools, by the name under which it is offered; one that is not is left out."""
        with self.lock:
            while offered and self.step < len(self.wanted):
                names, given = self.wanted[self.step]
                self.step += 1
                name = next((one for one in offered if any(one.endswith(end) for end in names)), None)
                if name is not None:
                    return f"call_{self.step}", name, given
            return None


def play(stage: Stage) -> dict[str, Any]:
    """What was seen."""
    config = stage.home / ".config/navlog/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(SETTINGS)
    files = [stage.shop / f"notes/part{number}.txt" for number in range(READS + LATER)]
    files[0].parent.mkdir()
    for number, file in enumerate(files):
        file.write_text(
            "".join(f"line {line} of part {number}: the stock is counted\n" for line in range(LINES))
        )
    reads = [
        (tuple(stage.client.calls(file)), next(iter(stage.client.calls(file).values()))) for file in files
    ]
    script = LongScript([*reads[:READS], *SETTING_ASIDE, *reads[READS:]])
    stage.server.RequestHandlerClass.script = script  # type: ignore[attr-defined]
    said = [stage.navlog("up", str(stage.shop)), stage.navlog("install", stage.client.name)]
    said.append(stage.navlog("install", "mcp"))
    stage.script = script
    asked = stage.ask("Read all the notes, please")
    sessions = json.loads(stage.navlog("nudge", "status", "--json").stdout)["tails"]
    stage.navlog("down")
    return {
        "codes": [one.returncode for one in said],
        "asked": {name: asked[name] for name in ("code", "answered", "stderr")},
        "steps": script.step,
        "first": {name: first(script, text) for name, text in TEXTS.items()},
        "times": {name: times(script, text) for name, text in TEXTS.items()},
        "offered": offered(script),
        "tails": sessions,
    }


def offered(script: Script) -> list[str]:
    """The tools of the last request that had any."""
    names = [
        [str(tool.get("name") or tool.get("type")) for tool in body.get("tools") or ()]
        for _, body in script.requests
    ]
    return next((one for one in reversed(names) if one), [])


def first(script: Script, text: str) -> int:
    """The request in which the text was there first, from 1; 0 where it never was."""
    found = (number for number, (_, body) in enumerate(script.requests, 1) if text in flat(body))
    return next(found, 0)


def times(script: Script, text: str) -> int:
    """How often the text stands in the last request."""
    return max((flat(body).count(text) for _, body in script.requests), default=0)


def flat(body: object) -> str:
    """A request as text; quotes inside are as they were."""
    return json.dumps(body, ensure_ascii=False)


def main() -> None:
    """Runs the play and prints what it saw."""
    name, cache, folder = sys.argv[1:]
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    client = next(client for client in CLIENTS if client.name == name)
    print(json.dumps(play(Stage(client, Path(cache), Path(folder))), ensure_ascii=False))


if __name__ == "__main__":
    main()
