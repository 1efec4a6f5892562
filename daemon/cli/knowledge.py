"""`knowledge …` and `import issues`: what the project is known to be, in versions."""

import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import click

from navlog.daemon.cli.frame import (
    Group,
    columns,
    counted,
    example,
    json_option,
    say_json,
)
from navlog.daemon.cli.here import ask_here, project_option
from navlog.daemon.cli.importing import import_
from navlog.schemas.errors import UsageError
from navlog.schemas.knowing import (
    AT_ONCE,
    DiffArgs,
    Difference,
    DocumentInfo,
    FindArgs,
    Found,
    IssuesGiven,
    IssuesTaken,
    JudgeArgs,
    KnowledgeArgs,
    KnowledgeDiff,
    KnowledgeList,
    Offer,
    Told,
)
from navlog.schemas.knowledge import CommentRecorded, IssueRecorded
from navlog.schemas.names import shown

ELEMENTS = ("core_problem", "key_constraint", "latest_decision", "entry_pointer")
EXPORT_BYTES = 1024 * 1024 * 1024
why_option = click.option("--why", default="", help="Kept with the event.")


@click.group(cls=Group)
def knowledge() -> None:
    """What the project's documents and issues come down to; every refresh is a version."""


@knowledge.command("list", epilog=example("navlog knowledge list docs/adr/0003-no-cache.md"))
@click.argument("document", default="")
@project_option
@json_option
def list_(document: str, *, project: str | None, as_json: bool) -> None:
    """Show the documents that are known, or every version of DOCUMENT."""
    verb = "knowledge-versions" if document else "knowledge"
    reply = ask_here(verb, KnowledgeList, KnowledgeArgs(project=project, document=document))
    if as_json:
        say_json(reply)
        return
    rows = [
        [
            str(one.version),
            one.made_at[:16].replace("T", " "),
            one.kind or "gone",
            shown(one.document),
            _about(one),
        ]
        for one in reply.documents
    ]
    for line in columns(rows, indent=""):
        click.echo(line)
    _end(reply)


@knowledge.command("show", epilog=example("navlog knowledge show AGENTS.md"))
@click.argument("document", default="")
@project_option
@json_option
def show(document: str, *, project: str | None, as_json: bool) -> None:
    """Show the four elements of DOCUMENT, or of all documents."""
    reply = ask_here("knowledge", KnowledgeList, KnowledgeArgs(project=project, document=document))
    if as_json:
        say_json(reply)
        return
    for one in reply.documents:
        _show(one)
    _end(reply)


@knowledge.command("find", epilog=example('navlog knowledge find "add a model class for coupons"'))
@click.argument("task", nargs=-1, required=True)
@project_option
@click.option(
    "--session", default="", help="As this session would get it: a candidate runs for some of them."
)
@json_option
def find(task: tuple[str, ...], *, project: str | None, session: str, as_json: bool) -> None:
    """Show which knowledge TASK would be given, and why."""
    reply = ask_here("knowledge-find", Found, FindArgs(task=" ".join(task), project=project, session=session))
    if as_json:
        say_json(reply)
        return
    for offer in reply.offers:
        _show_offer(offer)
    if reply.rule:
        click.echo(reply.rule)
    variant = f" · candidate {reply.variant}" if reply.variant else ""
    click.echo(f"{counted(len(reply.offers), 'piece')} · {reply.elapsed_ms:.0f} ms{variant}")


@knowledge.command("diff", epilog=example("navlog knowledge diff 4120"))
@click.argument("since", type=click.IntRange(1))
@click.argument("until", type=click.IntRange(0), default=0)
@project_option
@json_option
def diff(since: int, until: int, *, project: str | None, as_json: bool) -> None:
    """Show what changed from version SINCE to version UNTIL, the newest if it is not given."""
    reply = ask_here("knowledge-diff", KnowledgeDiff, DiffArgs(since=since, until=until, project=project))
    if as_json:
        say_json(reply)
        return
    for one in reply.differences:
        _show_difference(one)
    click.echo(f"{counted(len(reply.differences), 'document')} · version {reply.since} to {reply.until}")


@knowledge.command("pin", epilog=example("navlog knowledge pin README.md 4120 --why 'the new one is wrong'"))
@click.argument("document")
@click.argument("version", type=click.IntRange(0), default=0)
@click.option("--release", is_flag=True, help="Let it go on.")
@project_option
@why_option
@json_option
def pin(document: str, version: int, *, release: bool, project: str | None, why: str, as_json: bool) -> None:
    """Keep DOCUMENT as of VERSION, the one that is shown if it is not given, whatever is made later."""
    args = KnowledgeArgs(project=project, document=document, version=version, why=why)
    _tell(ask_here("knowledge-release" if release else "knowledge-pin", Told, args, changes=True), as_json)


@knowledge.command("rollback", epilog=example("navlog knowledge rollback 4120"))
@click.argument("version", type=click.IntRange(1), required=False)
@click.option("--forward", is_flag=True, help="To the newest again.")
@project_option
@why_option
@json_option
def rollback(version: int | None, *, forward: bool, project: str | None, why: str, as_json: bool) -> None:
    """Give the knowledge as of VERSION, one of the last days, from here on; nothing is deleted."""
    if forward == bool(version):
        raise UsageError("Name a version, or --forward.", hint="See them:  navlog knowledge list")
    args = KnowledgeArgs(project=project, version=version or 0, why=why)
    _tell(ask_here("knowledge-rollback", Told, args, changes=True), as_json)


@knowledge.command("promote", epilog=example("navlog knowledge promote --why 'recall 0.71 against 0.64'"))
@click.option("--drop", is_flag=True, help="End the trial and keep what is set.")
@project_option
@why_option
@json_option
def promote(*, drop: bool, project: str | None, why: str, as_json: bool) -> None:
    """Let the candidate of the settings count for every session."""
    _tell(
        ask_here(
            "knowledge-judge", Told, JudgeArgs(promote=not drop, project=project, why=why), changes=True
        ),
        as_json,
    )


@import_.command("issues", epilog=example("navlog import issues issues.json --project ~/src/django"))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--tracker", default="", help="Where they are from, if their addresses do not say it.")
@project_option
@json_option
def issues(file: Path, *, tracker: str, project: str | None, as_json: bool) -> None:
    """Record the issues and comments of FILE, `-` for standard input: GitHub's or GitLab's JSON, or gh's.

    The same export twice is in the log once.
    """
    from navlog.daemon.knowing.trackers import read_export  # noqa: PLC0415

    taken = repeated = strange = 0
    found = read_export(_read(file), tracker)
    while batch := list(islice(found, AT_ONCE)):
        said = [one.event for one in batch if one.event]
        strange += len(batch) - len(said)
        reply = ask_here("issues-add", IssuesTaken, _given(said, project), changes=True)
        taken += reply.taken
        repeated += reply.repeated
    if as_json:
        say_json({"taken": taken, "repeated": repeated, "passed_over": strange})
        return
    parts = [f"{taken:,} recorded", f"{repeated:,} known already"]
    click.echo(" · ".join([*parts, *([f"{strange:,} passed over: no issues"] if strange else [])]))


def _given(said: Iterable[IssueRecorded | CommentRecorded], project: str | None) -> IssuesGiven:
    listed = list(said)
    return IssuesGiven(
        project=project,
        issues=[one for one in listed if isinstance(one, IssueRecorded)],
        comments=[one for one in listed if isinstance(one, CommentRecorded)],
    )


def _read(file: Path) -> bytes:
    if file == Path("-"):
        return sys.stdin.buffer.read(EXPORT_BYTES)
    try:
        if file.stat().st_size > EXPORT_BYTES:
            raise UsageError(f"{file} is larger than {EXPORT_BYTES:,} bytes.", hint="Export it in parts.")
        return file.read_bytes()
    except OSError as fault:
        raise UsageError(f"{file} cannot be read: {fault.strerror}", hint="Name an export.") from fault


def _show(one: DocumentInfo) -> None:
    marks = "  ".join(filter(None, (one.kind, "pinned" if one.pinned else "", _by(one))))
    click.echo(f"{click.style(shown(one.document), bold=True)}  {marks}")
    for name in ELEMENTS:
        if text := getattr(one, name):
            click.echo(f"    {name}: {shown(text)}" + (_gone(one) if name == "entry_pointer" else ""))


def _gone(one: DocumentInfo) -> str:
    return click.style("  GONE", fg="red") if one.state == "GONE" else ""


def _by(one: DocumentInfo) -> str:
    return "" if one.summariser.startswith("extractive") else f"by {shown(one.summariser)}"


def _about(one: DocumentInfo) -> str:
    text = one.key_constraint or one.latest_decision or one.core_problem
    return shown(text if len(text) <= 70 else text[:69] + "…")


def _show_offer(offer: Offer) -> None:
    head = "  ".join(filter(None, (shown(offer.pointer), f"{offer.score:.2f}" if offer.score else "")))
    click.echo("  ".join(filter(None, (click.style(head, bold=True) if head else "", shown(offer.reason)))))
    for line in offer.text.splitlines():
        click.echo(f"    {shown(line)}")


def _show_difference(one: Difference) -> None:
    click.secho(shown(one.document), bold=True)
    for name in ELEMENTS:
        before, after = (getattr(side, name) if side else "" for side in (one.before, one.after))
        for sign, text, colour in (("-", before, "red"), ("+", after, "green")):
            if text and before != after:
                click.secho(f"  {sign} {name}: {shown(text)}", fg=colour)


def _end(reply: KnowledgeList) -> None:
    parts = [
        counted(len({one.document for one in reply.documents}), "document"),
        f"version {reply.version:,}",
    ]
    if reply.candidate:
        parts.append(f"candidate {reply.candidate}")
    if reply.waiting:
        parts.append(f"{reply.waiting:,} to be summarised")
    click.echo(" · ".join(parts))
    if reply.stands_at:
        click.secho(
            f"rolled back to {reply.stands_at:,}: navlog knowledge rollback --forward", fg="yellow", err=True
        )
    if reply.fault:
        click.secho(f"the summariser: {shown(reply.fault)}", fg="yellow", err=True)


def _tell(told: Told, as_json: bool) -> None:
    if as_json:
        say_json(told)
    else:
        click.echo(f"{shown(told.said)} · position {told.position:,}")
