"""What a prompt waits for: real tasks through whole hook processes, in real repositories.

    python -m benchmarks.injecting CASES MIRROR [--cases 100] [--rounds 3] [--repos a/b,c/d]

CASES as for `benchmarks.routing`; MIRROR holds one git directory per repository, owner+name/repo. Cases are
taken in turns from all repositories that MIRROR has, each repository stands at the base commit of its first
one. Each prompt is a session of its own, so that nothing was given before.
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

sys.path.insert(0, str(Path(__file__).parent))

from hooking import CLIENT, HEADING, payload, timed
from measuring import machine, table
from subjects import CACHE, Navlog

from benchmarks.routing.cases import Case, load
from benchmarks.routing.repository import Repository
from navlog.daemon.client import ask
from navlog.daemon.home import Home, find_home
from navlog.schemas.control import SqlArgs, SqlReply, StatusReply

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
    took: list[float] = []
    rows = [measured(subject, asked, repo, cases, took) for repo, cases in chosen.items()]
    counted = ask(find_home(subject.env), "sql", SqlReply, SqlArgs(query=SAID)).rows
    subject.say("down")
    daemon.wait()
    cases = sum(map(len, chosen.values()))
    rows.append(
        [
            f"all {len(chosen)}: {cases} cases x {asked.rounds}",
            *figures(took),
            sum(int(str(row[-1])) for row in rows),
        ]
    )
    print(table([*HEADING[:5], "given something"], rows))
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


def measured(
    subject: Navlog, asked: argparse.Namespace, repo: str, cases: Sequence[Case], took: list[float]
) -> list[object]:
    """One repository's row; adds its calls to ``took``."""
    with checked_out(git_of(asked.mirror, repo), cases[0].base_commit) as root:
        subject.say("up", str(root))
        settle(find_home(subject.env))
        own, told = [], 0
        for number in range(asked.rounds):
            for case in cases:
                said = payload(
                    root, "UserPromptSubmit", session=f"{case.id}-{number}", prompt=case.query[:8000]
                )
                one, out = timed(CLIENT, said, subject.env)
                own.append(one)
                told += bool(out)
        subject.say("project", "remove", str(root))
    took += own
    row = [repo, *figures(own), told]
    print(row, file=sys.stderr)
    return row


def settle(home: Home) -> None:
    """Until the projections have what the first look said, and nothing more has come for a while."""
    seen, calm = -1, 0
    while calm < CALM:
        now = ask(home, "status", StatusReply)
        still = now.position == seen and not any(one.lag for one in now.projectors)
        seen, calm = now.position, calm + 1 if still else 0
        time.sleep(0.5)


def figures(took: list[float]) -> list[object]:
    """Calls, p50, p99 and the worst, in milliseconds."""
    ordered = sorted(took)
    p50, p99 = (ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (50, 99))
    return [len(ordered), p50, p99, ordered[-1]]


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
