"""Questions about the project that is named, else the one around this folder.

A question that changes nothing falls back to the only project there is, and says so; what is written down is
never guessed a project for.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec

from navlog.daemon.cli.frame import here, home, named
from navlog.daemon.client import ANSWER_S, OnProgress, ask
from navlog.schemas.control import ProjectInfo, ProjectList
from navlog.schemas.errors import UnknownProject
from navlog.schemas.names import shown

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
ONLY = "navlog.only"  # in a command's `meta`: the project that was fallen back to, said once


def project_option(command: F) -> F:
    """Adds ``--project``."""
    return click.option(
        "--project", help="A path inside the project, its name or its id; default: where you are."
    )(command)


def ask_here(
    verb: str,
    kind: type[T],
    args: msgspec.Struct,
    *,
    changes: bool = False,
    silence_s: float | None = ANSWER_S,
    on_progress: OnProgress | None = None,
) -> T:
    """``args`` has a field ``project``; ``changes``: something is written down, so no other project will do.

    Raises `UnknownProject` where this folder is in none, and what `ask` raises.
    """

    def asked(about: str) -> T:
        said = msgspec.structs.replace(args, project=about)
        return ask(home(), verb, kind, said, silence_s=silence_s, on_progress=on_progress)

    project: str | None = getattr(args, "project")  # noqa: B009 - of any of the verbs' arguments
    try:
        return asked(named(project) if project else str(here()))
    except UnknownProject:
        only = None if project or changes else _only()
        if only is None:
            raise
        return asked(only.id)


def _only() -> ProjectInfo | None:
    """The one registered project, named on standard error; None where there are others or none."""
    found = ask(home(), "project-list", ProjectList).projects
    if len(found) != 1:
        return None
    meta = click.get_current_context().meta
    if ONLY not in meta:
        meta[ONLY] = found[0].id
        click.echo(
            f"No project is around this folder: this is about {shown(found[0].name)}, the only one.", err=True
        )
    return found[0]
