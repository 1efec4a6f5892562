"""`overlay …`: people's judgements on concepts and relations, one command a judgement."""

import getpass
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from navlog.daemon.cli.frame import Group, columns, counted, example, json_option, say_json
from navlog.daemon.cli.here import ask_here, project_option
from navlog.daemon.cli.reviewing import review
from navlog.schemas.control import ProjectName
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import (
    ImportArgs,
    ImportReply,
    JudgeArgs,
    JudgementRow,
    JudgeReply,
    ProposalRow,
    SharedJudgement,
    SharedReply,
)
from navlog.schemas.names import shown

F = TypeVar("F", bound=Callable[..., Any])


@click.group(cls=Group)
def overlay() -> None:
    """Judge what was found: accept, reject, rename, merge … They hold after every rescan and move."""


overlay.add_command(review)


def judging(name: str, text: str) -> Callable[[F], click.Command]:
    """A subcommand of `overlay` with what every judgement takes; ``text`` is its example."""

    def decorate(command: F) -> click.Command:
        for option in (
            json_option,
            click.option("--why", default="", help="Why, for those who read it later."),
            click.option("--who", default=getpass.getuser, show_default="your login", help="Who judges."),
            project_option,
        ):
            command = option(command)
        return overlay.command(name, epilog=example(text))(command)

    return decorate


@judging("create", "navlog overlay create 'Rate limiting'")
@click.argument("label")
def create(label: str, **said: Any) -> None:
    """Name a concept that the rules did not find; `overlay map` gives it files."""
    _say("create", said, label=label)


@judging("accept", "navlog overlay accept sessions")
@click.argument("target")
@click.argument("relation", required=False)
@click.argument("other", required=False)
def accept(target: str, relation: str | None, other: str | None, **said: Any) -> None:
    """TARGET holds, whatever a later scan says: a concept, a relation's id, or RELATION to OTHER.

    An agent's proposal (`proposal:ID`) becomes a judgement of yours.
    """
    _say("accept", said, target=target, relation=relation or "", other=_both(relation, other))


@judging("reject", "navlog overlay reject sessions tested_by tests/test_basic.py --why 'only imports it'")
@click.argument("target")
@click.argument("relation", required=False)
@click.argument("other", required=False)
def reject(target: str, relation: str | None, other: str | None, **said: Any) -> None:
    """TARGET does not hold, whatever a later scan says; named as for `overlay accept`.

    An agent's proposal (`proposal:ID`) moves nothing, and the agent is told when it says it again.
    """
    _say("reject", said, target=target, relation=relation or "", other=_both(relation, other))


@judging("rename", "navlog overlay rename ctx 'Request context'")
@click.argument("target")
@click.argument("label")
def rename(target: str, label: str, **said: Any) -> None:
    """People call the concept LABEL; its old name stays an alias."""
    _say("rename", said, target=target, label=label)


@judging("alias", "navlog overlay alias sessions 'signed cookies'")
@click.argument("target")
@click.argument("label")
def alias(target: str, label: str, **said: Any) -> None:
    """LABEL is another word for the concept."""
    _say("alias", said, target=target, label=label)


@judging("merge", "navlog overlay merge provider json")
@click.argument("target")
@click.argument("into")
def merge(target: str, into: str, **said: Any) -> None:
    """The concept is a part of INTO: its files and names go there."""
    _say("merge", said, target=target, other=into)


@judging("split", "navlog overlay split json 'Tagged JSON' src/flask/json/tag.py")
@click.argument("target")
@click.argument("label")
@click.argument("paths", nargs=-1, required=True)
def split(target: str, label: str, paths: tuple[str, ...], **said: Any) -> None:
    """PATHS of the concept are a concept of their own, LABEL."""
    _say("split", said, target=target, label=label, paths=list(paths))


@judging("map", "navlog overlay map sessions docs/cookies.md --relation documented_by")
@click.argument("target")
@click.argument("paths", nargs=-1, required=True)
@click.option("--relation", default="implemented_by", show_default=True, help="How they belong to it.")
def map_(target: str, paths: tuple[str, ...], relation: str, **said: Any) -> None:
    """PATHS belong to the concept."""
    _say("map", said, target=target, paths=list(paths), relation=relation)


@judging("unmap", "navlog overlay unmap sessions tests/test_basic.py --relation tested_by")
@click.argument("target")
@click.argument("paths", nargs=-1, required=True)
@click.option("--relation", default="implemented_by", show_default=True, help="How they do not belong to it.")
def unmap(target: str, paths: tuple[str, ...], relation: str, **said: Any) -> None:
    """PATHS do not belong to the concept."""
    _say("unmap", said, target=target, paths=list(paths), relation=relation)


@judging("relate", "navlog overlay relate sessions depends_on signing")
@click.argument("target")
@click.argument("relation")
@click.argument("other")
def relate(target: str, relation: str, other: str, **said: Any) -> None:
    """The concept has RELATION (contains, depends_on, related_to) to the concept OTHER."""
    _say("relate", said, target=target, relation=relation, other=other)


@judging("withdraw", "navlog overlay withdraw 12 --why 'wrong project'")
@click.argument("position", type=click.IntRange(1))
def withdraw(position: int, **said: Any) -> None:
    """The judgement POSITION no longer counts; `overlay list` shows positions."""
    _say("withdraw", said, position=position)


@judging("reopen", "navlog overlay reopen proposal:5f0c1a")
@click.argument("target")
def reopen(target: str, **said: Any) -> None:
    """Take back what was said of an agent's proposal TARGET: it waits again, its judgement is withdrawn."""
    _say("reopen", said, target=target)


@overlay.command("list", epilog=example("navlog overlay list"))
@click.option("--proposals", is_flag=True, help="What agents propose instead, and what people made of it.")
@project_option
@json_option
def list_judgements(*, project: str | None, proposals: bool, as_json: bool) -> None:
    """Show who judged what, when and why, the oldest first."""
    name = ProjectName(project=project)
    proposed = ask_here("overlay-proposals", list[ProposalRow], name)
    judged = [] if proposals else ask_here("overlay-list", list[JudgementRow], name)
    if as_json:
        say_json(proposed if proposals else judged)
        return
    for line in columns([*map(_proposal, proposed)] if proposals else [*map(_row, judged)], indent=""):
        click.echo(line)
    waiting = sum(one.verdict == "open" for one in proposed)
    if proposals and not proposed:
        click.echo("No agent proposed anything yet.")
    elif not proposals and waiting:
        click.echo(f"{counted(waiting, 'proposal')} of agents to be judged:  navlog overlay review")
    elif not proposals and not judged:
        click.echo("Nobody judged anything yet. Begin:  navlog overlay review")


@overlay.command("export", epilog=example("navlog overlay export judgements.jsonl"))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@project_option
@json_option
def export(file: Path | None, *, project: str | None, as_json: bool) -> None:
    """Write the judgements to FILE (default: standard output), one a line, for version control."""
    reply = ask_here("overlay-export", SharedReply, ProjectName(project=project))
    text = b"".join(msgspec.json.encode(one) + b"\n" for one in reply.judgements)
    if file is None and not as_json:
        click.echo(text.decode(), nl=False)
    elif file is not None:
        _write(file, text)
    if as_json:
        say_json(reply)
    elif file is not None:
        click.echo(f"{counted(len(reply.judgements), 'judgement')} in {shown(str(file))}")


@overlay.command("import", epilog=example("navlog overlay import judgements.jsonl"))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@project_option
@json_option
def import_(file: Path, *, project: str | None, as_json: bool) -> None:
    """Take over the judgements in FILE (`-`: standard input), each once; all of them or none."""
    text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    reply = ask_here(
        "overlay-import", ImportReply, ImportArgs(judgements=_lines(text), project=project), changes=True
    )
    if as_json:
        say_json(reply)
        return
    click.echo(f"{counted(reply.taken, 'judgement')} taken, {reply.known:,} known already")
    if reply.elsewhere:
        click.echo(
            f"  {reply.elsewhere:,} of them name what is not in this project now; they count once it is."
        )


def _say(action: str, said: dict[str, Any], **what: Any) -> None:
    as_json = said.pop("as_json")
    reply = ask_here(
        "overlay", JudgeReply, msgspec.convert({"action": action, **said, **what}, JudgeArgs), changes=True
    )
    if as_json:
        say_json(reply)
        return
    if reply.says:
        click.echo(shown(reply.says))
    for one in reply.judgements:
        click.echo(f"{shown(one.says)}    (take it back:  navlog overlay withdraw {one.position})")


def _write(file: Path, text: bytes) -> None:
    try:
        file.write_bytes(text)
    except OSError as fault:
        raise UsageError(
            f"{shown(str(file))} cannot be written: {fault.strerror}.", hint="Name another file."
        ) from fault


def _both(relation: str | None, other: str | None) -> str:
    if relation and not other:
        raise UsageError(
            "A relation needs its other end.", hint="navlog overlay accept CONCEPT RELATION OTHER"
        )
    return other or ""


def _row(one: JudgementRow) -> list[str]:
    what = shown(one.says) + ("  [withdrawn]" if one.withdrawn else "")
    return [str(one.position), one.at[:16].replace("T", " "), shown(one.who), what, shown(one.why)]


def _proposal(one: ProposalRow) -> list[str]:
    verdict = f"{one.verdict} by {one.who}" if one.who else one.verdict
    said = f"{one.says}  [{one.fault}]" if one.fault else one.says
    return [one.target, one.at[:16].replace("T", " "), one.host, verdict, shown(said), shown(one.why)]


def _lines(text: bytes) -> list[SharedJudgement]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=SharedJudgement))
            except (msgspec.DecodeError, UnicodeDecodeError) as fault:
                raise UsageError(
                    f"Line {number} is no judgement: {fault}.",
                    hint="Make the file with:  navlog overlay export",
                ) from None
    return found
