"""Each language by a source of its own and the table of what is read out of it.

A file in ``outlines/`` is a source's path, the source, a line of ``%%%%%`` and the expected table.
``UPDATE_GOLDEN=1`` writes the tables anew: read the difference before you commit it.
"""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from navlog.daemon.extract import outline
from navlog.daemon.extract.languages import LANGUAGES, Bundled, language_of
from navlog.schemas.events import SYMBOL_KINDS, OutlineRecorded
from navlog.schemas.settings import Extract

CASES = sorted((Path(__file__).parent / "outlines").glob("*.txt"))
RULE = "%%%%%\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_outline_of(case: Path) -> None:
    path, _, rest = case.read_text().partition("\n")
    source, _, expected = rest.partition(RULE)
    language = language_of(path, source.encode())
    if isinstance(language.grammar, Bundled) and find_spec("tree_sitter_languages") is None:
        pytest.skip("the breadth bundle has no wheel for this Python")
    read = outline(path, source.encode(), Extract(parse_s=10.0))
    table = "".join(f"{line}\n" for line in shown(read))
    if os.environ.get("UPDATE_GOLDEN"):
        case.write_text(f"{path}\n{source}{RULE}{table}")
    assert table == expected
    assert read.partial == ""
    assert {symbol.kind for symbol in read.symbols} <= set(SYMBOL_KINDS)


def test_every_language_with_a_grammar_has_its_table() -> None:
    assert {language.name for language in LANGUAGES if language.grammar} <= {case.stem for case in CASES}


def shown(read: OutlineRecorded) -> Iterator[str]:
    """The outline as lines a person can check against the source."""
    yield f"{read.language}, {read.lines} lines, {read.errors} errors: {read.doc}".rstrip(": ")
    for symbol in read.symbols:
        parent = f" in {read.symbols[symbol.parent].name}" if symbol.parent >= 0 else ""
        notes = "".join(
            f" | {note}" for note in (symbol.signature, symbol.doc, "deprecated" * symbol.deprecated) if note
        )
        yield f"{symbol.kind} {symbol.name} {symbol.line}-{symbol.end_line}{parent}{notes}"
    for entry in read.imports:
        names = ", ".join(f"{name} as {alias}" if alias else name for name, alias in entry.names)
        alias = f" as {entry.alias}" if entry.alias else ""
        yield f"{entry.form} {'.' * entry.level}{entry.module}{alias} @{entry.line}: {names}".rstrip(": ")
    for use in read.references:
        receiver = f" on {use.receiver}" if use.receiver else ""
        yield f"{use.kind} {use.name}{receiver} @{','.join(map(str, use.lines))}"
    for link in read.links:
        yield f"{link.kind} -> {link.target} @{link.line}"
    for chunk in read.chunks:
        holds = read.symbols[chunk.symbol].name if chunk.symbol >= 0 else "-"
        yield f"chunk {chunk.line}-{chunk.end_line} {chunk.tokens} {holds}"
