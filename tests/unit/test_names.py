"""File names that are not UTF-8 survive the round trip."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.schemas.names import name_to_text, shown, text_to_name, word


@given(st.binary().map(lambda b: b.replace(b"\0", b"")))
def test_every_name_comes_back_byte_for_byte(name: bytes) -> None:
    text = name_to_text(name)
    text.encode()  # no lone surrogate: it can stand in JSON
    assert text_to_name(text) == name


@given(st.sets(st.binary().map(lambda b: b.replace(b"\0", b"")), min_size=2, max_size=2))
def test_two_names_never_share_a_text(names: set[bytes]) -> None:
    assert len({name_to_text(name) for name in names}) == 2


def test_a_valid_name_stands_as_it_is() -> None:
    assert name_to_text("src/缓存 \\x41.py".encode()) == "src/缓存 \\x41.py"


def test_shown_has_no_control_characters() -> None:
    assert shown(name_to_text(b"a\n\xff\x1b[2J")) == "a\\n\\xff\\x1b[2J"


@pytest.mark.parametrize("name", ["plain", "my project", "it's", "$HOME", "-n", "项目", "a\nb"])
def test_a_name_in_a_command_is_one_word_of_it(name: str) -> None:
    assert shlex.split(f"git -C {word(Path(name))} fsck") == ["git", "-C", shown(name), "fsck"]
