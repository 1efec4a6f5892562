"""`bench routing`: what navlog finds for a person's own cases, beside what they would use without it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from navlog.daemon.cli.benching_runs import record, runs
from navlog.daemon.cli.frame import (
    Command,
    Group,
    columns,
    counted,
    example,
    home,
    json_option,
    say_json,
)
from navlog.daemon.cli.here import ask_here, project_option
from navlog.daemon.cli.progress import progress
from navlog.schemas.control import Indexed, ProjectName
from navlog.schemas.names import shown

if TYPE_CHECKING:
    from navlog.daemon.comparing.scoring import Figures

SHOWN = 5  # missing files that are named
HEADING = (
    "way", "@1", "@3", "@5", "@10", "recall", "precision", "tokens", "recall per 1,000", "fewer files",
    "fewer tokens", "ms",
)  # fmt: skip


@click.group(cls=Group)
def bench() -> None:
    """Measure what navlog is worth on your own project."""


@bench.command(cls=Command, epilog=example("navlog bench routing cases.json --project ~/src/django"))
@click.argument("cases", type=click.Path(path_type=Path))
@project_option
@json_option
def routing(cases: Path, *, project: str | None, as_json: bool) -> None:
    """Compare full scan, file names, ripgrep, BM25 and navlog on CASES.

    CASES is a JSON list of {id, task, expected_files} (or an object whose cases are that list), or one such
    object a line; query may stand for task. The
    project is taken as it lies on the disk; each way may give 10 files. A saving beside the whole project is
    told only for a way whose recall is 0.95 or more, one beside another way over the cases in which both have
    that.
    """
    from navlog.daemon.comparing.cases import cases_in  # noqa: PLC0415  numpy: nobody else needs it
    from navlog.daemon.comparing.running import Tree, compare  # noqa: PLC0415

    given = cases_in(cases)
    with progress(quiet=as_json) as tell:
        found = ask_here("indexed", Indexed, ProjectName(project=project), silence_s=None, on_progress=tell)
        tree = Tree(Path(found.project.root))
        missing = sorted({path for case in given for path in case.expected if path not in tree.texts})
        rows, savings = compare(home(), tree, given, tell)
    if as_json:
        say_json({
            "project": found.project.root, "files": len(tree.texts), "missing": missing, "ways": rows,
            "savings": savings,
        })  # fmt: skip
        return
    click.echo("\n".join(columns([HEADING, *map(_row, rows)])))
    click.echo(f"  {counted(len(given), 'case')} · {counted(len(tree.texts), 'text file')}")
    for one in savings:
        share = one.token_reduction
        told = "no saving is told" if share is None else f"{100 * share:.1f} % fewer tokens"
        click.echo(f"  beside {one.beside}: {told} ({one.counted} of {counted(one.cases, 'case')} count)")
    _warn(rows, missing)


bench.add_command(record)
bench.add_command(runs)


def _row(one: "Figures") -> list[str]:
    saved = (one.candidate_reduction, one.token_reduction)
    return [
        one.way,
        *(f"{100 * share:.0f}" for share in one.acc.values()),
        f"{one.recall:.2f}",
        f"{one.precision:.2f}",
        f"{one.tokens:,.0f}",
        f"{one.recall_per_1000_tokens:.2f}",
        *("-" if share is None else f"{100 * share:.1f} %" for share in saved),
        f"{one.milliseconds:.0f}",
    ]


def _warn(rows: "Sequence[Figures]", missing: Sequence[str]) -> None:
    """What a reader of the table must know besides."""
    for one in rows:
        if one.why:
            click.echo(f"  {one.way}: {one.why}")
    if "ripgrep" not in {one.way for one in rows}:
        click.echo("  ripgrep is not compared: rg is not installed")
    if missing:
        few = ", ".join(map(shown, missing[:SHOWN]))
        more = f" and {len(missing) - SHOWN:,} more" if len(missing) > SHOWN else ""
        click.secho(f"  expected, but not in this tree: {few}{more}", fg="yellow", err=True)
