"""`concept list|show|propose`: what the parts of a project are called and where they are."""

from collections.abc import Sequence

import click

from navlog.daemon.cli.frame import Group, columns, counted, example, json_option, say_json
from navlog.daemon.cli.here import ask_here, project_option
from navlog.schemas.concept import Claim, Concept, Link
from navlog.schemas.control import ProjectName
from navlog.schemas.meaning import ConceptArgs, ConceptReply, ConceptsArgs, ConceptsReply
from navlog.schemas.names import shown

STATUS = {"accepted": "accepted", "created": "named by a person", "rejected": "rejected", "found": ""}
TITLES = {
    "implemented_by": "implemented by", "contains": "contains", "tested_by": "tested by",
    "documented_by": "documented by", "configured_by": "configured by", "depends_on": "depends on",
    "related_to": "related to",
}  # fmt: skip
LINES = 8  # of one relation, without --full


@click.group(cls=Group)
def concept() -> None:
    """What the parts of a project are called, found by rules and judged by people."""


@concept.command("list", epilog=example("navlog concept list --project ~/src/django"))
@project_option
@click.option("--all", "all_", is_flag=True, help="Rejected ones too.")
@json_option
def list_concepts(*, project: str | None, all_: bool, as_json: bool) -> None:
    """Show the concepts of a project, the most important first."""
    reply = ask_here("concept-list", ConceptsReply, ConceptsArgs(project=project, all=all_))
    show_concepts(reply, as_json=as_json)


@concept.command("show", epilog=example("navlog concept show sessions"))
@click.argument("concept_", metavar="CONCEPT")
@project_option
@click.option("--full", is_flag=True, help="Print every file and relation.")
@json_option
def show_concept(concept_: str, *, project: str | None, full: bool, as_json: bool) -> None:
    """Show one CONCEPT: its files, tests and documents, what it hangs together with, and why."""
    reply = ask_here("concept-show", ConceptReply, ConceptArgs(concept=concept_, project=project))
    if as_json:
        say_json(reply)
        return
    _show(reply, None if full else LINES)


@concept.command("propose", epilog=example("navlog concept propose --project ~/src/django"))
@project_option
@json_option
def propose(*, project: str | None, as_json: bool) -> None:
    """Ask the configured provider for concepts now, and show what there are then."""
    args = ProjectName(project=project)
    show_concepts(
        ask_here("concept-propose", ConceptsReply, args, changes=True, silence_s=None), as_json=as_json
    )


def show_concepts(reply: ConceptsReply, *, as_json: bool) -> None:
    """A line each."""
    if as_json:
        say_json(reply)
        return
    for line in columns([_row(one) for one in reply.concepts], indent=""):
        click.echo(line)
    click.echo(f"{counted(len(reply.concepts), 'concept')} · position {reply.position:,}")


def _row(one: Concept) -> list[str]:
    main = next((claim.path for claim in one.files), "")
    others = len({claim.path for claim in one.files}) - 1
    return [
        shown(one.label),
        one.key,
        f"{one.confidence:.2f}",
        shown(main) + (f" and {counted(others, 'more file')}" if others > 0 else ""),
        STATUS[one.status],
    ]


def _show(reply: ConceptReply, lines: int | None) -> None:
    one = reply.concept
    status = STATUS[one.status]
    click.secho(f"{shown(one.label)}  {one.id}" + (f"  {status}" if status else ""), bold=True)
    if one.aliases:
        click.echo(f"  also: {', '.join(map(shown, one.aliases))}")
    for why in one.evidence:
        click.echo(f"  {shown(why.says)}" + (f"  {shown(why.pointer)}" if why.path else ""))
    for word, title in TITLES.items():
        _show_ends(title, [_end(claim, claim.path) for claim in one.files if claim.relation == word], lines)
        _show_ends(
            title,
            [
                _end(link, reply.labels.get(link.concept, link.concept))
                for link in one.relations
                if link.relation == word
            ],
            lines,
        )
    for row in reply.judgements:
        withdrawn = ", withdrawn" if row.withdrawn else ""
        click.echo(f"{row.at[:10]} {shown(row.who)}: {shown(row.says)} ({row.position}{withdrawn})")
    click.echo(f"position {reply.position:,}")


def _end(end: Claim | Link, name: str) -> list[str]:
    why = end.evidence[0] if end.evidence else None
    place = f"{name}:{why.line}" if why and why.line and why.path == name else name
    return [f"{end.confidence:.2f}", shown(place), shown(why.says) if why else ""]


def _show_ends(title: str, rows: Sequence[Sequence[str]], lines: int | None) -> None:
    if not rows:
        return
    click.secho(f"  {title}", fg="cyan")
    for line in columns(rows[:lines], indent="    "):
        click.echo(line)
    if lines is not None and len(rows) > lines:
        click.echo(f"    … {len(rows) - lines:,} more: --full")
