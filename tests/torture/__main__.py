"""`make torture`: every trial, one after the other, and the table. Exit code 1 when a promise was broken.

``ONLY`` names promises (R1 R9 …); the counts are multiplied by ``--scale``, for developing a trial.
"""

import argparse
import importlib
import sys
from pathlib import Path

import msgspec

from torture.needs import install, why_not
from torture.report import Row, Trial, attempt, table

MODULES = (
    "killing", "power", "forgetting", "injecting", "refusing", "full", "odd", "keeping", "projecting",
    "living", "hooking",
)  # fmt: skip


def main() -> int:
    """Runs the trials asked for."""
    every = _all()
    options = _options([trial.promise for trial in every])
    trials = [trial for trial in every if not options.only or trial.promise in options.only]
    install({tool for trial in trials for tool in trial.tools})
    rows: list[Row] = []
    for trial in trials:
        print(f"{trial.promise} {trial.what} …", flush=True)
        rows.append(attempt(trial, options.scale, why_not(trial.tools, root=trial.root)))
    print(table(rows))
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(rows)) + b"\n")
    return int(any(row.failures for row in rows))


def _options(promises: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="PROMISE")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies every count")
    parser.add_argument("--json", type=Path, help="write the table there, too")
    options = parser.parse_args()
    if unknown := set(options.only) - set(promises):
        parser.error(
            f"no trial of {' '.join(sorted(unknown))}; there are {' '.join(dict.fromkeys(promises))}"
        )
    return options


def _all() -> list[Trial]:
    """Nothing heavy is imported before the writers are forked: each module brings its own."""
    return [trial for name in MODULES for trial in importlib.import_module(f"torture.{name}").TRIALS]


if __name__ == "__main__":
    sys.exit(main())
