"""A comparison, run: every way on every case, on the project as it lies on the disk.

navlog is asked through the socket, as an agent's hook asks it. What an answer costs are its own tokens; what
the other ways cost is their files read whole, which is what they leave an agent to do.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from navlog.daemon.client import OnProgress, ask
from navlog.daemon.comparing import ways
from navlog.daemon.comparing.cases import Case
from navlog.daemon.comparing.scoring import Figures, Found, Saved, figures, saved
from navlog.daemon.extract import decode
from navlog.daemon.home import Home
from navlog.daemon.listener.paths import read_inside
from navlog.daemon.listener.scan import scan
from navlog.projections.tokens import count_tokens
from navlog.schemas.settings import Extract
from navlog.schemas.wire import ContextArgs, ContextReply, Progress

LIMIT = 10  # files that each way may give


class Tree:
    """The project's text files, read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.texts: dict[str, str] = {}
        for seen in scan(root):
            read = read_inside(root, seen.path, Extract().file_bytes)
            decoded = decode(read.data) if read.data is not None else None
            if decoded is not None:
                self.texts[seen.path] = decoded.text
        self.costs = {path: count_tokens(text) for path, text in self.texts.items()}

    def cost(self, paths: Sequence[str]) -> int:
        """Tokens of the files read whole."""
        return sum(self.costs.get(path, 0) for path in paths)


class Compared(NamedTuple):
    """Figures a way, navlog's last, and what navlog saves beside each other way."""

    ways: list[Figures]
    savings: list[Saved]


def compare(home: Home, tree: Tree, cases: Sequence[Case], tell: OnProgress) -> Compared:
    """Every way on every case; raises what asking the daemon raises."""
    paths = sorted(tree.texts)
    whole = {"files": len(paths), "tokens": tree.cost(paths)}
    others: Mapping[str, tuple[ways.Way | None, int | None]] = {
        "full scan": (ways.everything(paths), None),
        "file names": (ways.filenames(paths), LIMIT),
        "ripgrep": (ways.ripgrep(tree.root, paths), LIMIT),
        "BM25": (ways.bm25(tree.texts.items()), LIMIT),
    }
    found = {
        name: [_found(tree, way, case, limit) for case in _told(cases, name, tell)]
        for name, (way, limit) in others.items()
        if way is not None
    }
    ours = [_asked(home, tree.root, case) for case in _told(cases, "navlog", tell)]
    rows = [figures(name, theirs, **whole, limit=others[name][1]) for name, theirs in found.items()]
    rows.append(figures("navlog", ours, **whole, limit=LIMIT))
    return Compared(rows, [saved(name, ours, theirs) for name, theirs in found.items()])


def _told(cases: Sequence[Case], name: str, tell: OnProgress) -> Iterator[Case]:
    for number, case in enumerate(cases):
        tell(Progress(stage=name, done=number, total=len(cases)))
        yield case


def _found(tree: Tree, way: ways.Way, case: Case, limit: int | None) -> Found:
    began = time.perf_counter()
    paths = list(way(case.task))[:limit]
    seconds = time.perf_counter() - began
    return Found(case=case, paths=paths, tokens=tree.cost(paths), seconds=seconds)


def _asked(home: Home, root: Path, case: Case) -> Found:
    began = time.perf_counter()
    reply = ask(home, "context", ContextReply, ContextArgs(task=case.task, project=str(root), limit=LIMIT))
    seconds = time.perf_counter() - began
    return Found(case=case, paths=[item.path for item in reply.items], tokens=reply.tokens, seconds=seconds)
