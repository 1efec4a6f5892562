"""Questions about the project that is named, else the one around this folder, else the only one there is."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec

from navlog.daemon.cli.frame import here, home, named
from navlog.daemon.client import ANSWER_S, ask
from navlog.schemas.errors import UnknownProject

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def project_option(command: F) -> F:
    """Adds ``--project``."""
    return click.option(
        "--project", help="A path inside the project, its name or its id; default: where you are."
    )(command)


def ask_here(verb: str, kind: type[T], args: msgspec.Struct, *, silence_s: float | None = ANSWER_S) -> T:
    """``args`` has a field ``project``."""
    project: str | None = getattr(args, "project")  # noqa: B009 - of any of the verbs' arguments
    if project:
        args = msgspec.structs.replace(args, project=named(project))
        return ask(home(), verb, kind, args, silence_s=silence_s)
    try:
        inside = msgspec.structs.replace(args, project=str(here()))
        return ask(home(), verb, kind, inside, silence_s=silence_s)
    except UnknownProject:
        return ask(home(), verb, kind, args, silence_s=silence_s)
