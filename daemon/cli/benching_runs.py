"""`bench record` and `bench runs`: what real agents needed, with navlog and without."""

from collections.abc import Sequence
from pathlib import Path

import click

from navlog.daemon.cli.frame import (
    Command,
    columns,
    counted,
    example,
    json_option,
    say_json,
)
from navlog.daemon.cli.here import ask_here, project_option
from navlog.daemon.comparing.cases import cases_in
from navlog.schemas.benching import Arm, ArmFigures, Run, RunArgs, RunsArgs, RunsReply, Saving
from navlog.schemas.errors import UsageError
from navlog.schemas.names import shown

HEADING = (
    "suite", "navlog", "runs", "success", "recall", "files read", "needless", "tokens", "resident", "turns",
    "seconds",
)  # fmt: skip
SAVED = ("tokens", "resident_tokens", "turns", "seconds", "read")


@click.command(
    cls=Command,
    epilog=example("navlog bench record cases.json login --task 61509d --arm with --tokens 48000 --success"),
)
@click.argument("cases", type=click.Path(path_type=Path))
@click.argument("case")
@click.option(
    "--task", required=True, help="The task whose events say what the run read: an id or its beginning."
)
@click.option(
    "--arm",
    type=click.Choice(["with", "without"]),
    required=True,
    help="Whether the agent had navlog; without: it was truly absent.",
)
@click.option("--suite", default="", help="Runs that belong together; default: the name of CASES.")
@click.option("--success/--failure", default=None, help="Whether the run did what was asked.")
@click.option("--tokens", type=click.IntRange(0), metavar="N", help="All tokens the run cost.")
@click.option(
    "--resident-tokens", type=click.IntRange(0), metavar="N", help="Tokens in the agent's window at its end."
)
@click.option("--turns", type=click.IntRange(0), metavar="N", help="The agent's turns.")
@click.option("--seconds", type=click.FloatRange(0), metavar="S", help="How long the run took.")
@project_option
@json_option
def record(
    cases: Path, case: str, *, task: str, arm: Arm, suite: str, success: bool | None, tokens: int | None,
    resident_tokens: int | None, turns: int | None, seconds: float | None, project: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Write down what a real agent's run on CASE of CASES cost.

    Which files it read and changed comes from the task's events. A number that was not measured is left out.
    """
    args = RunArgs(
        suite=suite or cases.stem, case=case, arm=arm, task=task, expected=_expected(cases, case),
        success=success, tokens=tokens, resident_tokens=resident_tokens, turns=turns, seconds=seconds,
        project=project,
    )  # fmt: skip
    run = ask_here("bench-record", Run, args, changes=True)
    if as_json:
        say_json(run)
        return
    click.echo(
        f"{shown(run.suite)} {shown(run.case)}, {run.arm} navlog: recall {run.recall:.2f},"
        f" {counted(len(run.read), 'file')} read, {counted(len(run.changed), 'file')} changed"
    )


@click.command(cls=Command, epilog=example("navlog bench runs --suite cases"))
@click.option("--suite", default="", help="One suite; default: all.")
@project_option
@json_option
def runs(*, suite: str, project: str | None, as_json: bool) -> None:
    """Compare the recorded runs with navlog and without, the latest of each case.

    A saving is told over the cases in which both runs had a recall of 0.95 or more and both succeeded.
    """
    reply = ask_here("bench-runs", RunsReply, RunsArgs(suite=suite, project=project))
    if as_json:
        say_json(reply)
        return
    if not reply.runs:
        click.echo("No run is recorded yet:  navlog bench record --help")
        return
    click.echo("\n".join(columns([HEADING, *map(_row, reply.arms)])))
    paired = {one.suite for one in reply.savings}
    for line in [
        *(line for one in reply.savings for line in _told(one)),
        *(f"{shown(one)}: no case has both runs" for one in _suites(reply.arms) if one not in paired),
    ]:
        click.echo(f"  {line}")


def _expected(cases: Path, case: str) -> list[str]:
    found = [one for one in cases_in(cases) if one.id == case]
    if len(found) != 1:
        raise UsageError(
            f"{cases} has {counted(len(found), 'case')} with the id {shown(case)}.",
            hint="CASE is the id of one of them.",
        )
    return sorted(found[0].expected)


def _row(one: ArmFigures) -> list[str]:
    return [
        shown(one.suite),
        one.arm,
        str(one.runs),
        _share(one.success),
        f"{one.recall:.2f}",
        f"{one.read:.1f}",
        _share(one.needless),
        *(_number(number) for number in (one.tokens, one.resident_tokens, one.turns, one.seconds)),
    ]


def _told(one: Saving) -> list[str]:
    """The saving of a suite, or that there is none to tell, and which cases do not count."""
    shares = {name: share for name in SAVED if (share := getattr(one, name)) is not None}
    said = ", ".join(f"{100 * share:.1f} % of {_words(name)}" for name, share in shares.items())
    why = f"{one.counted} of {counted(one.pairs, 'pair')} of runs"
    first = f"saved {said} ({why})" if said else f"no saving is told ({why} count)"
    left = [f"left out: {shown(case)}: {why}" for case, why in one.left_out.items()]
    return [f"{shown(one.suite)}: {line}" for line in (first, *left)]


def _words(name: str) -> str:
    return "files read" if name == "read" else name.replace("_", " ")


def _suites(arms: Sequence[ArmFigures]) -> list[str]:
    return list(dict.fromkeys(one.suite for one in arms))


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f}"
