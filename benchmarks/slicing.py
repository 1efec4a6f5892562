"""Slicing of real commits: how large the records are, what they hold of what a change touches, and the time.

    python benchmarks/slicing.py REPOSITORY… [--commits N] [--size N]

Each repository (a git folder) is indexed at a commit and then walked forward, commit by commit, through the
same graph and the same rule the daemon uses; every changed file of a commit is one change.

The rule of what should be found, on purpose not navlog's own: a changed definition counts where its name is
defined once in the whole repository, has four letters or more and is no name of Python's own. Its call sites
are the places outside of its file, in sources of the same language, where ``name(`` or ``.name(`` stands in
the text, comments and strings blanked; two in one definition are one. Its tests are the test files with such
a place, and those whose name says the changed file's. A place is found when its record names the definition
around it; a test, when its record names the file. Files that are no sources (tests, documents, what a machine
wrote) are sliced and counted, but nothing is expected of them.
"""

import argparse
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / ".ci" / "typing"), str(ROOT / "benchmarks")]

from routing.repository import Repository  # noqa: E402

from navlog.daemon.extract import decode, outline  # noqa: E402
from navlog.daemon.extract.languages import language_of  # noqa: E402
from navlog.projections.graph.nearby import NearbyFacts, Uses  # noqa: E402
from navlog.projections.ranking.kinds import kind_of  # noqa: E402
from navlog.projections.resolving.testing import subject  # noqa: E402
from navlog.projections.slicing.diffing import CALLABLES, NOTHING, TYPES, Side  # noqa: E402
from navlog.projections.slicing.forming import Change, Sliced, form  # noqa: E402
from navlog.schemas.events import CommitFile, FileObserved, FileRemoved, OutlineRecorded  # noqa: E402
from navlog.schemas.settings import Extract, Slice  # noqa: E402
from support.graph import REGISTERED, ListLog, World  # noqa: E402

EXTRACT, CAPS = Extract(), Slice()
STRINGS = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*|//[^\n]*'
)
SHORTEST = 4
# What Python calls by itself: ``open(`` in the text is not the one that is defined here.
BUILTIN = {*dir(builtins), *(name for kind in (str, bytes, list, dict, set) for name in dir(kind))}


class Case(NamedTuple):
    """One change and its record, with what the rule says should be in it."""

    commit: str
    record: Sliced
    seconds: float
    sites: set[tuple[str, str]]
    tests: set[str]


class Walk:
    """A repository at a commit, moved forward; ``texts`` are its files as they are."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._repository = Repository(folder)
        self._world = World(home, ListLog())
        self._world.log.add(REGISTERED)
        self._uses = Uses()
        self.texts: dict[str, str] = {}
        self.outlines: dict[str, OutlineRecorded] = {}

    def begin(self, commit: str) -> None:
        """Everything as it stood at a commit."""
        tree = self._repository.tree(commit)
        paths: dict[str, list[str]] = {}
        for path, blob in tree.items():
            paths.setdefault(blob, []).append(path)
        for blob, data in self._repository.blobs(paths):
            for path in paths[blob]:
                self._put(path, data)
        self._world.run()

    def step(self, commit: str, files: Sequence[CommitFile]) -> Iterator[Case]:
        """The commit is applied; then each of its files is sliced."""
        tree = self._repository.tree(commit)
        before = {file.path: (self.texts.get(file.path), self.outlines.get(file.path)) for file in files}
        for file in files:
            if file.status == "R":
                self._drop(file.previous)
            if file.path in tree:
                for _, data in self._repository.blobs([tree[file.path]]):
                    self._put(file.path, data)
            else:
                self._drop(file.path)
        self._world.run()
        for file in files:
            if file.path in self.outlines or before[file.path][1]:
                yield self._slice(commit, file.path, *before[file.path])

    def _put(self, path: str, data: bytes) -> None:
        decoded = decode(data)
        if decoded is None:
            return
        made = outline(path, data, EXTRACT)
        self.texts[path], self.outlines[path] = decoded.text, made
        self._world.log.add(FileObserved(path=path, content=made.content, size=len(data), mtime_ns=1), made)

    def _drop(self, path: str) -> None:
        if self.texts.pop(path, None) is not None:
            self.outlines.pop(path)
            self._world.log.add(FileRemoved(path=path))

    def _slice(self, commit: str, path: str, text: str | None, old: OutlineRecorded | None) -> Case:
        new = self.outlines.get(path)
        change = Change(
            msu=f"msu:{commit}:{path}",
            path=path,
            content=new.content if new else "",
            before=old.content if old else "",
            basis="git" if old else "none",
            old=Side(old.symbols, old.chunks, (text or "").split("\n")) if old else NOTHING,
            new=Side(new.symbols, new.chunks, self.texts[path].split("\n")) if new else NOTHING,
            references=new.references if new else (),
        )
        began = perf_counter()
        with self._world.store.cursor() as db:
            facts = NearbyFacts(db, "p", self._world.graph.views["p"], self._uses, self._read)
            record = form(change, facts, self._read, CAPS)
        seconds = perf_counter() - began
        sites, tests = self._should(path, record)
        return Case(commit, record, seconds, sites, tests)

    def _read(self, path: str) -> list[str] | None:
        return self.texts[path].split("\n") if path in self.texts else None

    def _should(self, path: str, record: Sliced) -> tuple[set[tuple[str, str]], set[str]]:
        names = {
            one.name.rpartition(".")[2].partition("#")[0]
            for one in record.msu.changes
            if one.kind in CALLABLES | TYPES and one.how != "removed"
        }
        once = {name for name in names - BUILTIN if len(name) >= SHORTEST and self._defined(name) == 1}
        language = language_of(path).name
        sites: set[tuple[str, str]] = set()
        tests: set[str] = set()
        if kind_of(path) != "source":
            return sites, tests
        stem = path.rpartition("/")[2].partition(".")[0]
        for other, text in self.texts.items():
            if other == path or language_of(other).name != language:
                continue
            found = set(self._calling(other, text, once))
            if kind_of(other) == "test":
                tests |= {other} if found or (subject(other) == stem and once) else set()
            elif kind_of(other) == "source":
                sites |= found
        return sites, tests

    def _defined(self, name: str) -> int:
        return sum(symbol.name == name for one in self.outlines.values() for symbol in one.symbols)

    def _calling(self, path: str, text: str, names: set[str]) -> Iterator[tuple[str, str]]:
        if not any(name in text for name in names):
            return
        plain = STRINGS.sub(lambda hit: re.sub(r"[^\n]", " ", hit[0]), text)
        for name in names:
            for hit in re.finditer(rf"(?<!\w){re.escape(name)}\s*\(", plain):
                yield path, self._around(path, plain.count("\n", 0, hit.start()) + 1)

    def _around(self, path: str, line: int) -> str:
        inside = [s for s in self.outlines[path].symbols if s.line <= line <= s.end_line]
        return max(inside, key=lambda symbol: symbol.line).name if inside else ""


def walk(folder: Path, commits: int, size: int) -> Iterator[Case]:
    """The newest ``commits`` commits of at most ``size`` files, oldest first, and every case in them."""
    history = Repository(folder).history("HEAD", commits * 2 + 1, 300)
    with TemporaryDirectory() as home:
        one = Walk(folder, Path(home))
        one.begin(history[0].commit)
        done = 0
        for commit in history[1:]:
            cases = list(one.step(commit.commit, commit.files))
            if commit.files and commit.file_count <= size:
                yield from cases
                done += 1
            if done == commits:
                return


def report(name: str, cases: Sequence[Case]) -> None:
    """Figures for a person."""
    totals = [case.record.msu.core_tokens + case.record.msu.radius_tokens for case in cases]
    small = sum(total <= 1000 for total in totals) / len(totals)
    ms = [case.seconds * 1000 for case in cases]
    cut = quantiles(ms, n=20)
    commits = len({case.commit for case in cases})
    print(
        f"{name}: {commits} commits, {len(cases)} records; at most 1,000 tokens: {small:.1%}; "
        f"median {sorted(totals)[len(totals) // 2]}; ms p50 {cut[9]:.1f}, p95 {cut[18]:.1f}"
    )
    for what, pairs in (("call sites", _sites(cases)), ("tests", _tests(cases))):
        if pairs:
            should, found = (sum(one) for one in zip(*pairs, strict=True))
            each = sum(one / of for of, one in pairs) / len(pairs)
            print(
                f"  {what}: {each:.1%} of a record's, on average of {len(pairs)}; pooled {found} of {should}"
            )


def _named(case: Case) -> set[tuple[str, str]]:
    """The places a record names; a pointer may name several definitions of its file."""
    return {(one.path, name) for one in case.record.msu.radius for name in one.symbol.split(", ")}


def _sites(cases: Sequence[Case]) -> list[tuple[int, int]]:
    return [(len(case.sites), len(case.sites & _named(case))) for case in cases if case.sites]


def _tests(cases: Sequence[Case]) -> list[tuple[int, int]]:
    return [
        (len(case.tests), len(case.tests & {member.path for member in case.record.msu.radius}))
        for case in cases
        if case.tests
    ]


def missed(cases: Sequence[Case]) -> Iterator[str]:
    """What was not found, for a person who checks by hand."""
    for case in cases:
        lost = sorted(case.sites - _named(case))
        gone = sorted(case.tests - {m.path for m in case.record.msu.radius})
        if lost or gone:
            msu = case.record.msu
            starts = [one.name for one in msu.changes][:6]
            yield f"{case.commit[:8]} {msu.path} {starts} left {msu.left}: {lost[:5]} {gone[:5]}"


def main() -> None:
    """Figures for each repository, and for all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--size", type=int, default=20, help="files of a commit at most")
    parser.add_argument("--missed", action="store_true", help="list what was not found")
    args = parser.parse_args()
    every: list[Case] = []
    for folder in args.repositories:
        cases = list(walk(folder, args.commits, args.size))
        report(folder.parent.name if folder.name == "repo" else folder.name, cases)
        if args.missed:
            print("\n".join(missed(cases)))
        every += cases
    if len(args.repositories) > 1:
        report("all", every)


if __name__ == "__main__":
    main()
