"""Real runs beside each other: the figures of each arm, and what is saved. Pure.

The latest run of a case and an arm counts. A pair tells a saving only if both runs found what the case needs
(recall of `ENOUGH` or more) and both succeeded: an agent that gives up early is cheap.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from navlog.daemon.comparing.scoring import ENOUGH
from navlog.schemas.benching import ArmFigures, Run, RunRecorded, Saving
from navlog.schemas.tasks import FileUse

Pair = tuple[Run, Run]
# What a run costs; ``read`` counts files.
COSTS: Mapping[str, Callable[[Run], float | None]] = {
    "tokens": lambda run: run.tokens,
    "resident_tokens": lambda run: run.resident_tokens,
    "turns": lambda run: run.turns,
    "seconds": lambda run: run.seconds,
    "read": lambda run: len(run.read),
}


def seen(event: RunRecorded, at: str, files: Sequence[FileUse]) -> Run:
    """The run with what its task did; ``files`` are the task's."""
    expected, read = set(event.expected), [file.path for file in files if file.read]
    return Run(
        suite=event.suite, case=event.case, arm=event.arm, task=event.task, at=at,
        recall=len(expected.intersection(file.path for file in files)) / len(expected),
        read=read,
        changed=[file.path for file in files if file.modified],
        needless=len(set(read) - expected) / len(read) if read else None,
        success=event.success, tokens=event.tokens, resident_tokens=event.resident_tokens,
        turns=event.turns, seconds=event.seconds,
    )  # fmt: skip


def latest(runs: Iterable[Run]) -> list[Run]:
    """The last run of each case and arm; ``runs`` in the order of the log."""
    found: dict[tuple[str, str, str], Run] = {}
    for run in runs:
        key = run.suite, run.case, run.arm
        found.pop(key, None)
        found[key] = run
    return list(found.values())


def arms(runs: Sequence[Run]) -> list[ArmFigures]:
    """Figures a suite and arm, ordered by name."""
    keys = sorted({(run.suite, run.arm) for run in runs})
    return [_figures([run for run in runs if (run.suite, run.arm) == key]) for key in keys]


def savings(runs: Sequence[Run]) -> list[Saving]:
    """One a suite that has a case in both arms."""
    found = []
    for suite in sorted({run.suite for run in runs}):
        own = {(run.case, run.arm): run for run in runs if run.suite == suite}
        cases = [case for case, arm in own if arm == "with" and (case, "without") in own]
        if cases:
            found.append(_saving(suite, [(own[case, "with"], own[case, "without"]) for case in cases]))
    return found


def _saving(suite: str, pairs: Sequence[Pair]) -> Saving:
    left_out = {pair[0].case: why for pair in pairs if (why := _unfit(pair))}
    counted = [pair for pair in pairs if pair[0].case not in left_out]
    shares = {name: _share(counted, cost) for name, cost in COSTS.items()}
    return Saving(suite=suite, pairs=len(pairs), counted=len(counted), left_out=left_out, **shares)


def _unfit(pair: Pair) -> str:
    """Why the pair tells no saving, or ""."""
    for run in pair:
        who = f"the run {run.arm} navlog"
        if run.recall < ENOUGH:
            return f"{who} has a recall of {run.recall:.2f}"
        if not run.success:
            return f"{who} failed" if run.success is False else f"nobody said whether {who} succeeded"
    return ""


def _share(pairs: Iterable[Pair], cost: Callable[[Run], float | None]) -> float | None:
    both = [(a, b) for one, other in pairs if (a := cost(one)) is not None and (b := cost(other)) is not None]
    without = sum(b for _, b in both)
    return 1 - sum(a for a, _ in both) / without if without else None


def _figures(runs: Sequence[Run]) -> ArmFigures:
    return ArmFigures(
        suite=runs[0].suite,
        arm=runs[0].arm,
        runs=len(runs),
        recall=fmean(run.recall for run in runs),
        read=fmean(len(run.read) for run in runs),
        needless=_mean(run.needless for run in runs),
        success=_mean(run.success for run in runs),
        tokens=_mean(run.tokens for run in runs),
        resident_tokens=_mean(run.resident_tokens for run in runs),
        turns=_mean(run.turns for run in runs),
        seconds=_mean(run.seconds for run in runs),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
