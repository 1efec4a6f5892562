"""What every command shares: `--json`, the three lines of an error, exit codes, an example in its help."""

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import category, east_asian_width

import click
import msgspec

from navlog.daemon.home import Home, find_home
from navlog.schemas.counting import counted as counted  # noqa: PLC0414 - the commands have it from here
from navlog.schemas.errors import Internal, NavlogError, UsageError
from navlog.schemas.names import word

SENTENCE = 1000  # characters: no first sentence is as long
F = TypeVar("F", bound=Callable[..., Any])
INTERRUPTED = 128 + signal.SIGINT  # what a shell shows; 1 would say that damage was found
READER_GONE = 128 + signal.SIGPIPE  # what a shell shows for a program that a closed pipe ended


class Command(click.Command):
    """A command that ends with an error's own exit code and says it in three lines, or as JSON."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; `navlog.schemas.errors` says which exit code means what."""
        try:
            return super().invoke(ctx)
        except NavlogError as error:
            show_error(error, as_json=bool(ctx.params.get("as_json")))
            ctx.exit(error.exit_code)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as fault:
            if os.environ.get("NAVLOG_TRACEBACK"):
                raise
            own = Internal(
                f"A fault of navlog's own: {type(fault).__name__}: {fault}",
                hint="See where:  NAVLOG_TRACEBACK=1 navlog …    and please report it.",
            )
            show_error(own, as_json=bool(ctx.params.get("as_json")))
            ctx.exit(own.exit_code)


class Group(click.Group):
    """A group whose commands are `Command`; click's own errors are said as ours when JSON is wanted."""

    command_class = Command

    def main(self, args: Sequence[str] | None = None, *given: Any, **named: Any) -> Any:
        """Ends the process."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            sys.exit(super().main(words, *given, **{**named, "standalone_mode": False}))
        except click.ClickException as error:
            _show_refusal(error, as_json="--json" in takewhile("--".__ne__, words))
            sys.exit(error.exit_code)
        except click.Abort:
            click.echo("Interrupted.", err=True)
            sys.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of docs/commands.md: what is needed first comes first."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every command with its whole first sentence; click would cut it at the end of the line."""
        rows = [(name, self.commands[name].get_short_help_str(SENTENCE)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def make_context(self, *given: Any, **named: Any) -> click.Context:
        """`--help` prints already here."""
        with _reader_may_leave():
            return super().make_context(*given, **named)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that is named."""
        with _reader_may_leave():
            return super().invoke(ctx)


def show_error(error: NavlogError, *, as_json: bool) -> None:
    """What happened, what is safe, what to do next: on standard error, or one JSON object on output."""
    if as_json:
        say_json({"error": {
            "code": error.code, "message": error.message, "safe": error.safe, "hint": error.hint,
            "exit": error.exit_code,
        }})  # fmt: skip
        return
    click.secho(error.message, fg="red", err=True)
    for line in (error.safe, error.hint):
        if line:
            click.echo(f"  {line}", err=True)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """A closed pipe ends the command with `READER_GONE`; what is still buffered goes nowhere."""
    try:
        yield
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        raise click.exceptions.Exit(READER_GONE) from None


def _show_refusal(error: click.ClickException, *, as_json: bool) -> None:
    if not as_json:
        error.show()
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = f"See:  {context.command_path} --help" if context else ""
    show_error(UsageError(error.format_message(), hint=hint), as_json=True)


def json_option(command: F) -> F:
    """Adds ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")(command)


def example(text: str) -> str:
    """The epilog that `--help` ends with."""
    return f"\b\nExample:\n  {text}"


def say_json(thing: object) -> None:
    """One JSON document on standard output."""
    click.echo(msgspec.json.format(msgspec.json.encode(thing), indent=2))


def home() -> Home:
    """The home this shell names."""
    return find_home(os.environ)


def here() -> Path:
    """Where the shell stands; raises `UsageError` when that folder is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("The folder you are in was deleted.", hint="Go to one that exists:  cd ~") from None


def absolute(path: Path) -> Path:
    """A path as it was typed here, made absolute."""
    path = path.expanduser()
    return path if path.is_absolute() else here() / path


def named(project: str) -> str:
    """As the daemon takes it: a path is made absolute here, where the shell stands; a name or id is kept."""
    path = Path(project).expanduser()
    return os.fspath(absolute(path)) if "/" in project or path.exists() else project


def typed() -> str:
    """What to type here to call this command: its name where the PATH finds it, else where it lies."""
    own = off_the_path()
    if own is None:
        return "navlog"
    with suppress(FileNotFoundError, ValueError):  # a deleted folder, or not below it
        return shlex.quote(str(own.relative_to(Path.cwd())))
    return tilde(own)


def off_the_path() -> Path | None:
    """This installation's command where the PATH does not lead to it; None where it does."""
    own = Path(sys.executable).with_name("navlog")
    found = shutil.which("navlog")
    return own if own.exists() and not (found and Path(found).samefile(own)) else None


def tilde(path: Path) -> str:
    """A path as a person types it into a shell."""
    user = Path.home()
    return f"~/{word(path.relative_to(user))}" if user in path.parents else word(path)


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """Rows as aligned lines; the last column is never padded."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [
        (indent + "  ".join(_padded(text, width) for text, width in zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]


def cells(text: str) -> int:
    """How many cells of a terminal the text takes: a wide character two, a combining one none."""
    return sum(
        2 if east_asian_width(one) in "WF" else category(one) not in ("Mn", "Me", "Cf") for one in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def human_bytes(count: float) -> str:
    """1536 -> "1.5 KB"; powers of 1024."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024 or unit == "GB":
            break
        count /= 1024
    return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"


def human_seconds(seconds: float) -> str:
    """3700 -> "1 h 1 min": the two largest parts."""
    whole = int(seconds)
    parts = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    told = [f"{count} {unit}" for count, unit in parts if count][:2]
    return " ".join(told) or f"{seconds:.1f} s"
