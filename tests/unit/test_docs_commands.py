"""docs/commands.md and the commands say the same."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from navlog.daemon.cli.main import navlog
from navlog.schemas import errors

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text()
SECTION = re.compile(r"^### `navlog ([^`]+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall(PAGE))


def commands(group: click.Group = navlog, path: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")
        else:
            yield path + name, command


COMMANDS = dict(commands())


def usage(name: str) -> str:
    """The title of a command's section: its name and its arguments."""
    arguments = [parameter for parameter in COMMANDS[name].params if isinstance(parameter, click.Argument)]
    return " ".join([name, *(argument.make_metavar(click.Context(COMMANDS[name])) for argument in arguments)])


def called(name: str, option: click.Option) -> str:
    """An option as a table shows it; a choice's bars would end the cell."""
    value = "" if option.is_flag else option.make_metavar(click.Context(COMMANDS[name]))
    return f"{option.opts[0]} {value}".strip().replace("|", "\\|")


@pytest.mark.parametrize("name", COMMANDS)
def test_no_help_shows_a_type_of_the_library(name: str) -> None:
    assert " RANGE" not in COMMANDS[name].get_help(click.Context(COMMANDS[name]))


def test_every_command_has_a_section_and_no_other_has_one() -> None:
    assert list(SECTIONS) == [usage(name) for name in COMMANDS]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_are_documented_in_the_words_of_the_help(name: str) -> None:
    options = [p for p in COMMANDS[name].params if isinstance(p, click.Option) and not p.hidden]
    expected = {called(name, option): option.help for option in options if option.name != "as_json"}
    rows = re.findall(r"^\| `(--[^`]+)` \| (.*) \|$", SECTIONS[usage(name)], re.MULTILINE)
    assert dict(rows) == expected


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_is_the_one_of_the_help(name: str) -> None:
    epilog = COMMANDS[name].epilog or ""
    assert epilog.partition("Example:\n")[2].strip() in SECTIONS[usage(name)]


def exit_codes(error: type[errors.NavlogError] = errors.NavlogError) -> Iterator[int]:
    yield error.exit_code
    for child in error.__subclasses__():
        yield from exit_codes(child)


def test_every_exit_code_is_documented_and_no_other() -> None:
    table = PAGE.partition("## Exit codes")[2].partition("\n## ")[0]
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)} == {0, *exit_codes()}
    assert all(f"{code} " in (navlog.help or "") for code in {0, *exit_codes()})


PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
FENCE = re.compile(r"^```[a-z]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def typed(text: str) -> Iterator[str]:
    """The calls of navlog in a page's code blocks, without what is said beside them."""
    for block in FENCE.findall(text):
        for line in block.splitlines():
            said = re.split(r"\s#|(?<=\S) {2,}", line.removeprefix("$ ").strip())[0]
            for part in re.split(r"&&|[;|<>]", said):
                if re.match(r"navlog [a-z]", part.strip()) and "…" not in part:
                    yield part.strip()


@pytest.mark.parametrize("call", sorted({call for page in PAGES for call in typed(page.read_text())}))
def test_what_a_page_shows_can_be_typed(call: str) -> None:
    command: click.Command = navlog
    _, *words = shlex.split(call)
    while isinstance(command, click.Group) and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert not isinstance(command, click.Group), f"no such command: {call}"
    try:
        command.make_context(call, words)
    except click.MissingParameter:
        raise
    except (click.BadParameter, click.exceptions.Exit):
        pass  # a value of somebody else's machine


def test_calls_are_found_in_the_pages() -> None:
    block = "```\n$ navlog down; navlog up .    # both\nnavlog verify    proves it\n```\nnavlog counts\n"
    assert list(typed(block)) == ["navlog down", "navlog up .", "navlog verify"]
