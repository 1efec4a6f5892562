"""An outline covers its file, fits a line of the log, gives up in time, and says what is missing."""

import hashlib
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.daemon.extract import EXTRACTOR, outline
from navlog.daemon.extract.fitting import fit
from navlog.daemon.extract.grammars import grammar_of
from navlog.daemon.extract.languages import LANGUAGES, Bundled, Language, Wheel, language_of
from navlog.daemon.extract.parsing import WINDOW, Budget, parse
from navlog.daemon.extract.reading import read as by_grammar
from navlog.daemon.extract.source import Source
from navlog.projections.terms import count_terms
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Extract

PATIENT = Extract(parse_s=10.0)
SOURCES = [
    case.read_text().partition("%%%%%")[0] for case in (Path(__file__).parent / "outlines").glob("*.txt")
]


@st.composite
def torn_sources(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A path and lines of its language, some of them missing, doubled or out of place."""
    path, *rows = draw(st.sampled_from(SOURCES)).splitlines()
    return path, draw(st.lists(st.sampled_from(rows), max_size=2 * len(rows))) if draw(
        st.booleans()
    ) else rows


@given(torn_sources())
@settings(deadline=None)
def test_every_line_that_is_not_blank_lies_in_exactly_one_chunk(torn: tuple[str, list[str]]) -> None:
    path, rows = torn
    read = outline(path, "\n".join(rows).encode(), PATIENT)
    covered = [line for chunk in read.chunks for line in range(chunk.line, chunk.end_line + 1)]
    assert len(covered) == len(set(covered))
    assert {line for line, row in enumerate(rows, 1) if row.strip()} <= set(covered)
    assert all(1 <= line <= read.lines for line in covered)
    assert all(chunk.tokens > 0 and chunk.symbol < len(read.symbols) for chunk in read.chunks)


@given(torn_sources())
@settings(deadline=None)
def test_what_is_read_lies_in_the_file_and_symbols_in_their_parents(torn: tuple[str, list[str]]) -> None:
    path, rows = torn
    read = outline(path, "\n".join(rows).encode(), PATIENT)
    for index, symbol in enumerate(read.symbols):
        assert symbol.name
        assert 1 <= symbol.line <= symbol.end_line <= read.lines
        assert symbol.parent < index
        if symbol.parent >= 0:
            assert symbol.end_line <= read.symbols[symbol.parent].end_line
    assert all(use.name for use in read.references)
    lines = [line for use in read.references for line in use.lines]
    lines += [entry.line for entry in read.imports] + [link.line for link in read.links]
    assert all(1 <= line <= read.lines for line in lines)


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("Cart.java", "class A {}\npublic Cart(Owner owner) { this.owner = owner; }\n", ["A"]),
        ("lock.json", '{"packages": {"": {"name": "x"}, "a": {"b": 1}}}', ["packages", "a"]),
    ],
)
def test_what_a_grammar_finds_without_a_name_is_no_symbol(path: str, text: str, names: list[str]) -> None:
    assert [symbol.name for symbol in outline(path, text.encode(), PATIENT).symbols] == names


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("// tslint:disable", ""),
        ("// biome-ignore lint: generated", ""),
        ("// region helpers", ""),
        ("// Regional prices of a cart.", "Regional prices of a cart."),
        ("// Pretty prints a cart.", "Pretty prints a cart."),
    ],
)
def test_what_tools_are_told_is_no_comment(comment: str, told: str) -> None:
    [symbol] = outline("a.ts", f"{comment}\nfunction cart() {{}}\n".encode(), PATIENT).symbols
    assert symbol.doc == told


def test_an_outline_is_a_function_of_the_bytes() -> None:
    data = b"def f():\n    return g()\n"
    read = outline("a.py", data, PATIENT)
    assert read == outline("other/b.py", data, PATIENT)
    assert read.content == hashlib.sha1(b"blob 24\0" + data).hexdigest()  # noqa: S324  # git's own
    assert read.extractor == EXTRACTOR
    assert msgspec.json.decode(msgspec.json.encode(read), type=OutlineRecorded) == read


def test_words_are_the_terms_of_the_whole_text_comments_and_strings_included() -> None:
    text = "# invalidates theCache\nname = 'stale_cache stale_cache'\n"
    words = outline("a.py", text.encode(), PATIENT).words
    counted = {term: int(count) for count, group in words.items() for term in group.split(" ")}
    assert counted == count_terms(text)
    assert counted["cache"] == 3


def test_a_large_class_is_cut_into_its_head_and_its_methods() -> None:
    method = "    def m{0}(self):\n        return " + " + ".join(f"value_{n}" for n in range(30)) + "\n\n"
    read = outline(
        "a.py", ("class A:\n    x = 1\n\n" + "".join(map(method.format, range(6)))).encode(), PATIENT
    )
    held = [read.symbols[chunk.symbol].name for chunk in read.chunks]
    assert held == ["A", "m0", "m1", "m2", "m3", "m4", "m5"]


def test_text_without_symbols_is_cut_into_windows_at_blank_lines() -> None:
    paragraph = "word " * 20 + "\n" + "other " * 20 + "\n\n"
    read = outline("notes", paragraph.encode() * 20, PATIENT)
    assert len(read.chunks) > 3
    assert all(
        chunk.tokens <= 600 and chunk.line % 3 == 1 and chunk.end_line % 3 == 2 for chunk in read.chunks
    )


# --- gates ----------------------------------------------------------------------------------------------


def test_a_one_line_bundle_stands_by_its_name() -> None:
    read = outline("dist/app.js", b"!function(e){" + b"var t=n(e);" * 65_000 + b"}();", Extract())
    assert (read.language, read.partial, read.symbols, read.lines) == ("javascript", "minified", [], 1)


def test_a_wrapped_bundle_stands_by_its_name() -> None:
    assert outline("app.js", (b"a=b(c);" * 70 + b"\n") * 100, Extract()).partial == "minified"


def test_a_huge_file_stands_by_its_name() -> None:
    read = outline("data.py", b"x = 1\n" * 400_000, Extract())
    assert (read.language, read.partial, read.size, read.lines) == ("python", "too_large", 2_400_000, 400_000)


def test_one_long_line_costs_a_document_nothing_else() -> None:
    picture = "![](data:image/png;base64," + "A" * 30_000 + ")"
    text = "# Guide\n\n" + picture + "\n\n## Use\n" + "Plain words in a line.\n" * 2000
    read = outline("guide.md", text.encode(), Extract(parse_s=10.0))
    assert read.partial == "long_lines"
    assert [symbol.name for symbol in read.symbols] == ["Guide", "Use"]
    assert read.links == []


def test_the_deadline_ends_a_parse_and_the_file_is_read_by_lines() -> None:
    read = outline("deep.py", b"x = [" + b"(1,\n" * 50_000, Extract(parse_s=0.001))
    assert read.partial == "deadline"
    assert read.symbols == []
    assert read.chunks
    assert outline("after.py", b"def f(): pass\n", PATIENT).symbols[0].name == "f"


def test_nesting_without_end_is_no_error() -> None:
    deep = "".join("  " * n + f"class A{n}:\n" for n in range(600))
    assert len(outline("deep.py", deep.encode(), PATIENT).symbols) > 500
    outline("deep.js", b"function f(){" * 5000, PATIENT)
    outline("deep.md", b">" * 10_000 + b"\n", PATIENT)


# --- size -----------------------------------------------------------------------------------------------


def test_an_outline_that_is_too_long_for_the_log_loses_references_first_and_says_so() -> None:
    text = "".join(f"def name_{n}():\n    return call_{n}(other_{n})\n" for n in range(500))
    whole = outline("a.py", text.encode(), PATIENT)
    size = len(msgspec.json.encode(whole))
    cut = fit(whole, size - 100)
    assert (cut.partial, cut.symbols, cut.words) == ("references", whole.symbols, whole.words)
    assert len(cut.references) < len(whole.references)


@pytest.mark.parametrize("limit", [40_000, 20_000, 5_000, 1_000])
def test_an_outline_fits_any_limit(limit: int) -> None:
    text = "".join(f"def name_{n}():\n    import m{n}\n    return call_{n}(other_{n})\n" for n in range(500))
    cut = fit(outline("a.py", text.encode(), PATIENT), limit)
    assert len(msgspec.json.encode(cut)) <= limit
    assert all(chunk.symbol < len(cut.symbols) for chunk in cut.chunks)


def test_a_word_list_fits_a_line_of_the_log() -> None:
    words = "\n".join(f"{n:026b}".translate({48: "a", 49: "b"}) for n in range(50_000))
    read = outline("words.txt", words.encode(), Extract())
    assert len(msgspec.json.encode(read)) <= 1_000_000
    assert read.partial == "words"


# --- languages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a/b.PY", b"", "python"),
        ("bin/tool", b"#!/usr/bin/env -S python3.12 -u\n", "python"),
        ("bin/tool", b"#!/usr/bin/node\n", "javascript"),
        ("bin/tool", b"#!/opt/unknown\n", ""),
        ("types.d.ts", b"", "typescript"),
        (".py", b"", ""),
        ("README", b"", "text"),
        ("Dockerfile.dev", b"", "dockerfile"),
        ("cart.h", b"int add(int a);\n", "c"),
        ("cart.h", b"#pragma once\nclass Cart {\n", "cpp"),
        ("run", b"#!/bin/sh\n", "bash"),
    ],
)
def test_the_language_is_known_by_name_or_first_line(path: str, head: bytes, language: str) -> None:
    assert language_of(path, head).name == language


@pytest.mark.parametrize(
    "language", [entry for entry in LANGUAGES if isinstance(entry.grammar, Wheel)], ids=str
)
def test_every_official_grammar_and_its_query_load(language: Language) -> None:
    grammar = grammar_of(language)
    assert grammar is not None
    assert grammar.version.startswith(language.grammar.distribution if language.grammar else "?")


def test_a_grammar_that_cannot_be_loaded_costs_its_language_the_symbols() -> None:
    absent = Language("absent", grammar=Wheel("tree-sitter-absent"), queries=("python",))
    assert grammar_of(absent) is None
    assert grammar_of(absent._replace(grammar=Bundled("absent"))) is None
    read = by_grammar(absent, Source("def f(): pass\n"), PATIENT)
    assert (read.symbols, len(read.chunks)) == ([], 1)


def test_a_large_file_is_queried_in_windows_and_each_match_counts_once() -> None:
    """The class reaches over three windows; its methods and their calls are in one each."""
    text = "class A:\n" + "".join(f"    def m{n}(self):\n        return call_{n}(1)\n\n" for n in range(4000))
    read = outline("a.py", text.encode(), PATIENT)
    assert len(text) > 2 * WINDOW
    assert [symbol.name for symbol in read.symbols] == ["A", *(f"m{n}" for n in range(4000))]
    assert [use.name for use in read.references if use.name.startswith("call_")] == [
        f"call_{n}" for n in range(4000)
    ]


def test_a_text_is_let_go_once_it_is_parsed() -> None:
    grammar = grammar_of(next(language for language in LANGUAGES if language.name == "python"))
    assert grammar
    data = b"def f(): return 1\n" * (2 * WINDOW // 18)
    before = sys.getrefcount(data)
    parse(grammar, data, Budget(len(data), PATIENT))
    assert sys.getrefcount(data) == before
