"""What a prompt waits for: real tasks through whole hook processes, in real repositories.

    python -m benchmarks.injecting CASES MIRROR [--cases 100] [--rounds 3] [--repos a/b,c/d]

CASES as for `benchmarks.routing`; MIRROR holds one git directory per repository, owner+name/repo. Cases are
taken in turns from all repositories that MIRROR has, each repository stands at the base commit of its first
one. Each prompt is a session of its own, so that nothing was given before. Beside each hook a bare Python is
started: what it takes is the machine's part.
"""

import argparse
import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from hooking import BARER, CLIENT, payload, timed
from measuring import machine, table
from subjects import CACHE, Navlog

from benchmarks.routing.cases import Case, load
from benchmarks.routing.repository import Repository
from navlog.daemon.client import ask
from navlog.daemon.home import Home, find_home
from navlog.schemas.control import SqlArgs, SqlReply, StatusReply

HEADING = ("what", "calls", "p50 ms", "p99 ms", "most ms", "given", "bare p50", "bare p99")
CALM = 4  # looks, half a second apart
SAID = """
SELECT data->>'$.moment', data->>'$.skipped', count(*) FROM events WHERE type = 'injection_given'
GROUP BY ALL ORDER BY ALL"""


def main() -> None:
    """One daemon for all repositories; the last rows are those of all calls."""
    asked = parsed()
    chosen = chosen_of(load(asked.cases_file), asked)
    subject = Navlog(CACHE / "i")
    daemon = subject.start()
    print(machine())
    took: list[Call] = []
    rows = [measured(subject, asked, repo, cases, took) for repo, cases in chosen.items()]
    counted = ask(find_home(subject.env), "sql", SqlReply, SqlArgs(query=SAID)).rows
    subject.say("down")
    daemon.wait()
    cases = sum(map(len, chosen.values()))
    rows.append(row_of(f"all {len(chosen)}: {cases} cases x {asked.rounds}", took))
    print(table(HEADING, rows))
    for moment, skipped, count in counted:
        print(f"{moment}: {count} {skipped or 'given whole'}")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases_file", type=Path, metavar="CASES")
    parser.add_argument("mirror", type=Path, metavar="MIRROR")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repos", default="")
    return parser.parse_args()


def chosen_of(cases: Sequence[Case], asked: argparse.Namespace) -> dict[str, list[Case]]:
    """By repository, those that can be had, in turns until there are enough."""
    wanted = set(filter(None, asked.repos.split(",")))
    by_repo: dict[str, list[Case]] = {}
    for case in cases:
        if git_of(asked.mirror, case.repo).exists() and (not wanted or case.repo in wanted):
            by_repo.setdefault(case.repo, []).append(case)
    in_turns = filter(None, chain.from_iterable(zip_longest(*by_repo.values())))
    chosen: dict[str, list[Case]] = {}
    for case, _ in zip(in_turns, range(asked.cases), strict=False):
        chosen.setdefault(case.repo, []).append(case)
    return chosen


class Call(NamedTuple):
    """Milliseconds of the hook's process and of a bare Python's; whether it was given something."""

    hook: float
    bare: float
    told: bool


def measured(
    subject: Navlog, asked: argparse.Namespace, repo: str, cases: Sequence[Case], took: list[Call]
) -> list[object]:
    """One repository's row; adds its calls to ``took``."""
    with checked_out(git_of(asked.mirror, repo), cases[0].base_commit) as root:
        subject.say("up", str(root))
        settle(find_home(subject.env))
        own = [called(subject, root, case, number) for number in range(asked.rounds) for case in cases]
        subject.say("project", "remove", str(root))
    took += own
    row = row_of(repo, own)
    print(row, file=sys.stderr)
    return row


def called(subject: Navlog, root: Path, case: Case, number: int) -> Call:
    said = payload(root, "UserPromptSubmit", session=f"{case.id}-{number}", prompt=case.query[:8000])
    bare, _ = timed(BARER, b"", subject.env)
    hook, out = timed(CLIENT, said, subject.env)
    return Call(hook, bare, bool(out))


def row_of(what: str, calls: Sequence[Call]) -> list[object]:
    """As `HEADING` has it."""
    hook, bare = (sorted(one) for one in zip(*((call.hook, call.bare) for call in calls), strict=True))
    told = sum(call.told for call in calls)
    return [
        what,
        len(calls),
        share(hook, 50),
        share(hook, 99),
        hook[-1],
        told,
        share(bare, 50),
        share(bare, 99),
    ]


def share(ordered: Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def settle(home: Home) -> None:
    """Until the projections have what the first look said, and nothing more has come for a while."""
    seen, calm = -1, 0
    while calm < CALM:
        now = ask(home, "status", StatusReply)
        still = now.position == seen and not any(one.lag for one in now.projectors)
        seen, calm = now.position, calm + 1 if still else 0
        time.sleep(0.5)


@contextlib.contextmanager
def checked_out(git: Path, commit: str) -> Iterator[Path]:
    """A work tree of the commit's texts, with its history; gone afterwards.

    A snapshot may lack blobs, so the texts are read one by one; what is missing is missing here, too.
    """
    root = CACHE / "work" / "case"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    repository = Repository(git)
    paths: dict[str, list[str]] = {}
    for path, blob in repository.tree(commit).items():
        paths.setdefault(blob, []).append(path)
    for blob, data in repository.blobs(paths):
        for path in paths[blob]:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git/objects/info/alternates").write_text(f"{git / 'objects'}\n")
    for command in (("update-ref", "HEAD", commit), ("reset", "-q")):
        subprocess.run(["git", "-C", str(root), *command], check=False, capture_output=True)
    yield root
    shutil.rmtree(root)


def git_of(mirror: Path, repo: str) -> Path:
    return mirror / repo.replace("/", "+") / "repo"


if __name__ == "__main__":
    main()
