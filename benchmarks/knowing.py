"""Knowledge: do pointers name what a maintainer would, is the rule among the three, and how fast.

    python benchmarks/knowing.py quality FOLDER     # FOLDER holds a clone of each repository, by its name
    python benchmarks/knowing.py speed [django]

The truth stands in benchmarks/knowledge/, written before anything was run on it. The pieces are those a real
daemon gives; a pair counts if the rule's words stand in one of them. Beside it: how many prompts that no rule
is about are given something all the same. What has no clone in FOLDER is left out, and said so.
"""

import shutil
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from answering import tasks
from measuring import machine, percentile, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import Home, find_home
from navlog.schemas.knowing import DocumentInfo, FindArgs, Found, KnowledgeArgs, KnowledgeList, Offer

TRUTH = Path(__file__).parent / "knowledge"
PAIRS = (
    "pairs.toml", "pairs-held-out.toml", "pairs-held-out-2.toml", "pairs-held-out-3.toml",
    "pairs-held-out-4.toml", "pairs-held-out-5.toml",
)  # fmt: skip
NOISE = ("unrelated.toml", "unrelated-held-out.toml", "unrelated-held-out-2.toml")
SUBJECTS = "unrelated-held-out-3.toml"
ROUNDS = 15
SAVES = 20
WAIT_S = 300.0  # for the documents of one project: its first index comes before them


def main() -> None:
    what = sys.argv[1] if len(sys.argv) > 1 else "speed"
    subject = Navlog(CACHE / "k")
    daemon = subject.start()
    home = find_home(subject.env)
    print(machine())
    if what == "quality":
        quality(subject, home, Path(sys.argv[2]))
    else:
        speed(subject, home, sys.argv[2] if len(sys.argv) > 2 else "django")
    subject.say("down")
    daemon.wait()


# --- quality --------------------------------------------------------------------------------------------


def quality(subject: Navlog, home: Home, folder: Path) -> None:
    began = time.monotonic()
    for row in pointer_rows(subject, home, folder, truth("pointers.toml")):
        say(row)
    for name in PAIRS:
        say(pair_row(subject, home, folder, name))
    roots = sorted({root for name in PAIRS for root in roots_of(name, folder)})
    for name in NOISE:
        prompts = truth(name)["prompts"]
        say(noise_row(subject, home, name, [(root, prompt) for root in roots for prompt in prompts]))
    own = [(root_of(one["project"], folder), one["prompts"]) for one in truth(SUBJECTS)["lists"]]
    asks = [(root, prompt) for root, prompts in own if root.exists() for prompt in prompts]
    say(noise_row(subject, home, SUBJECTS, asks))
    print(f"{len(roots)} projects in {(time.monotonic() - began) / 60:.1f} min")


def say(row: list[object]) -> None:
    """At once: a project is indexed before it is asked, so the whole run takes long."""
    print("|", " | ".join(map(str, row)), "|", flush=True)


def pointer_rows(
    subject: Navlog, home: Home, folder: Path, repositories: Mapping[str, Any]
) -> Iterator[list[object]]:
    """Right pointers, of those that were improved on and of those held out; and how many exist."""
    right: dict[bool, list[bool]] = defaultdict(list)
    existing: list[bool] = []
    for name, told in repositories.items():
        if not (folder / name).exists():
            print(f"  {name}: no clone, left out")
            continue
        documents = {one.document: one for one in knowledge(subject, home, folder / name)}
        existing += [one.state == "FRESH" for one in documents.values() if one.entry_pointer]
        for document, paths in told["documents"].items():
            pointer = documents[document].entry_pointer if document in documents else ""
            hit = any(pointer.partition(":")[0].startswith(path) for path in paths)
            right[bool(told.get("held_out"))].append(hit)
            if not hit:
                print(f"  {name}/{document}: {pointer or 'nothing'}")
    yield ["pointers that exist", sum(existing), len(existing), share(existing)]
    for held_out, hits in sorted(right.items()):
        yield ["pointers, held out" if held_out else "pointers", sum(hits), len(hits), share(hits)]


def pair_row(subject: Navlog, home: Home, folder: Path, name: str) -> list[object]:
    hits = []
    for pair in truth(name)["pairs"]:
        root = root_of(pair["project"], folder)
        if not root.exists():
            print(f"  {pair['project']}: no clone, left out")
            continue
        offers = offered(subject, home, root, pair["prompt"])
        hits.append(any(pair["rule"].lower() in offer.text.lower() for offer in offers))
        if not hits[-1]:
            print(f"  {pair['project']}: {pair['prompt']} -> {[offer.id for offer in offers]}")
    return [name.removesuffix(".toml"), sum(hits), len(hits), share(hits)]


def noise_row(subject: Navlog, home: Home, name: str, asks: Sequence[tuple[Path, str]]) -> list[object]:
    """Of the prompts that no rule is about, each with the project it is asked in: those given something."""
    got = []
    for root, prompt in asks:
        pieces = [offer for offer in offered(subject, home, root, prompt) if offer.score]
        got.append(bool(pieces))
        if pieces:
            print(f"  {root.name}: {prompt} -> {[offer.id for offer in pieces]}")
    return [f"{name.removesuffix('.toml')} prompts given something", sum(got), len(got), share(got)]


def roots_of(name: str, folder: Path) -> list[Path]:
    roots = (root_of(pair["project"], folder) for pair in truth(name)["pairs"])
    return [root for root in roots if root.exists()]


def root_of(project: str, folder: Path) -> Path:
    return shop() if project == "shop" else folder / project


def offered(subject: Navlog, home: Home, root: Path, prompt: str) -> list[Offer]:
    knowledge(subject, home, root)
    return ask(home, "knowledge-find", Found, FindArgs(task=prompt, project=str(root))).offers


def knowledge(subject: Navlog, home: Home, root: Path, seen: dict[Path, KnowledgeList] = {}) -> Any:  # noqa: B006
    """The documents of a project, once they are there."""
    if root not in seen:
        subject.say("up", str(root))
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            reply = ask(home, "knowledge", KnowledgeList, KnowledgeArgs(project=str(root)))
            if reply.documents:
                seen[root] = reply
                break
            time.sleep(0.2)
    return seen[root].documents


def shop() -> Path:
    """A copy outside this checkout, whose rules it would be answered by."""
    copy = CACHE / "work" / "shop"
    shutil.copytree(TRUTH / "shop", copy, dirs_exist_ok=True)
    return copy


def truth(name: str) -> Mapping[str, Any]:
    return tomllib.loads((TRUTH / name).read_text())


def share(hits: list[bool]) -> str:
    return f"{sum(hits) / max(1, len(hits)):.0%}"


# --- speed ----------------------------------------------------------------------------------------------


def speed(subject: Navlog, home: Home, name: str) -> None:
    root = tree(name)
    (root / "docs" / "adr").mkdir(parents=True, exist_ok=True)
    record = root / "docs" / "adr" / "0001-a-decision.md"
    record.write_text("# 1. A decision\n\n## Status\n\nAccepted\n\n## Decision\n\nRound 0 counts.\n")
    knowledge(subject, home, root)
    asked = [
        timed(home, FindArgs(task=f"{task} {round_}", project=str(root)))
        for round_ in range(ROUNDS)
        for task in tasks(root)
    ]
    saves = [saved(home, root, record, number) for number in range(1, SAVES + 1)]
    print(table(("tree", "what", "p50 ms", "p95 ms", "p99 ms", "times"), [
        row(name, "prompt -> three pieces", asked),
        row(name, "save -> new version in the log", [durable for durable, _ in saves]),
        row(name, "save -> new version shown", [shown for _, shown in saves]),
    ]))  # fmt: skip


def timed(home: Home, args: FindArgs) -> float:
    """What a client waits for; every prompt is a new one, so nothing comes from the cache."""
    began = time.perf_counter()
    ask(home, "knowledge-find", Found, args)
    return (time.perf_counter() - began) * 1000


def saved(home: Home, root: Path, record: Path, number: int) -> tuple[float, float]:
    """From the write of a document until its new version is durable, and until an asker is shown it."""
    time.sleep(0.5)
    text = record.read_text().replace(f"Round {number - 1} counts", f"Round {number} counts")
    began, at = time.perf_counter(), time.time()
    record.write_text(text)
    args = KnowledgeArgs(project=str(root), document="docs/adr/0001-a-decision.md")
    while f"Round {number} " not in (found := known(home, args)).latest_decision:
        time.sleep(0.002)
    made = datetime.fromisoformat(found.made_at).timestamp()
    return (made - at) * 1000, (time.perf_counter() - began) * 1000


def known(home: Home, args: KnowledgeArgs) -> DocumentInfo:
    return ask(home, "knowledge", KnowledgeList, args).documents[0]


def row(name: str, what: str, values: list[float]) -> list[object]:
    return [name, what, *(percentile(values, share) for share in (0.5, 0.95, 0.99)), len(values)]


if __name__ == "__main__":
    main()
