"""A decoded text as the parts of its outline: by its grammar, as a document, or by lines."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from navlog.daemon.extract import documents
from navlog.daemon.extract.chunks import Piece, chunks
from navlog.daemon.extract.code import Parts, embedded, file_doc, parts
from navlog.daemon.extract.grammars import grammar_of
from navlog.daemon.extract.languages import Language
from navlog.daemon.extract.manifests import declared
from navlog.daemon.extract.parsing import Budget, DeadlinePassed, Found, look
from navlog.daemon.extract.source import Source
from navlog.schemas.events import Chunk, Import, Link, Reference, Symbol
from navlog.schemas.settings import Extract


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says, without its words and its name."""

    language: str
    grammar: str = ""
    partial: str = ""
    errors: int = 0
    doc: str = ""
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)


def read(language: Language, source: Source, settings: Extract) -> Reading:
    """By the language's grammar within its budget; what it cannot do is done by lines, and said."""
    grammar = grammar_of(language)
    if grammar is None:
        return by_lines(language, source)
    budget = Budget(len(source.data), settings)
    try:
        looked = look(grammar, source, budget)
        if language.name == "markdown":
            reading = document(language, source, looked.found)
        else:
            inner = embedded(source, looked.found, budget)
            reading = code(language, source, parts(language, source, looked), inner)
    except DeadlinePassed:
        return replace(by_lines(language, source), partial="deadline")
    return replace(reading, grammar=grammar.version)


def code(language: Language, source: Source, whole: Parts, inner: Iterable[Parts]) -> Reading:
    """A programming language, with the code inside of it."""
    for part in inner:
        whole.add(part)
    return Reading(
        language.name,
        errors=whole.errors,
        doc=file_doc(source, language),
        symbols=whole.symbols,
        references=whole.references,
        imports=whole.imports,
        links=whole.links,
        chunks=chunks(source, whole.pieces),
    )


def by_lines(language: Language, source: Source) -> Reading:
    """Text without a grammar: reStructuredText by its underlines, all other by windows."""
    if language.name == "rst" or (language.name in ("text", "") and documents.may_be_rst(source)):
        headings = documents.rst_headings(source)
        if headings or language.name == "rst":
            symbols = documents.sections(headings, source.lines)
            return headed("rst", source, symbols, documents.rst_links(source))
    if language.name == "ini":
        return settings_file(source)
    return Reading(language.name, imports=declared(language.name, source), chunks=chunks(source, []))


def settings_file(source: Source) -> Reading:
    """Sections and keys of ``*.ini``, ``*.properties`` and ``.env``."""
    symbols = documents.ini_symbols(source)
    pieces = [Piece(s.line, s.end_line, s.parent, s.kind) for s in symbols]
    return Reading("ini", symbols=symbols, imports=declared("ini", source), chunks=chunks(source, pieces))


def document(language: Language, source: Source, found: Found) -> Reading:
    """Markdown: headings with their sections, links outside code."""
    verbatim = [lines_of(match.node) for match in found.get("verbatim", ())]
    headings = sorted(heading(match.node, match.name, source) for match in found.get("definition", ()))
    symbols = documents.sections(headings, source.lines)
    return headed(language.name, source, symbols, documents.markdown_links(source, verbatim))


def headed(language: str, source: Source, symbols: list[Symbol], links: list[Link]) -> Reading:
    pieces = [Piece(s.line, s.end_line, s.parent, s.kind) for s in symbols]
    doc = symbols[0].name if symbols else ""
    return Reading(language, doc=doc, symbols=symbols, links=links, chunks=chunks(source, pieces))


def heading(node: Node, name: Node, source: Source) -> documents.Heading:
    """The level is the number of ``#``, or 1 and 2 for underlines of ``=`` and ``-``."""
    text = source.slice(*node.byte_range).strip()
    marks = len(text) - len(text.lstrip("#")) or (1 if text.endswith("=") else 2)
    title = " ".join(source.slice(*name.byte_range).split()).rstrip("# ")
    return node.start_point[0] + 1, marks, title


def lines_of(node: Node) -> tuple[int, int]:
    end, column = node.end_point
    return node.start_point[0] + 1, end + (column > 0)
