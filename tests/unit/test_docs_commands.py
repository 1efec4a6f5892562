"""docs/commands.md and the commands say the same."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from navlog.daemon.cli.main import navlog
from navlog.schemas import errors

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text()
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


def test_every_command_has_a_section_and_no_other_has_one() -> None:
    assert list(SECTIONS) == [usage(name) for name in COMMANDS]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_are_documented_in_the_words_of_the_help(name: str) -> None:
    options = [p for p in COMMANDS[name].params if isinstance(p, click.Option) and not p.hidden]
    expected = {option.opts[0]: option.help for option in options if option.name != "as_json"}
    rows = re.findall(r"^\| `(--[a-z-]+)[^`]*` \| (.*) \|$", SECTIONS[usage(name)], re.MULTILINE)
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
