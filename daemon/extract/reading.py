"""A decoded text as the parts of its outline: by its grammar, as a document, or by lines."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tree_sitter import Node, Query, QueryCursor

from navlog.daemon.extract import documents, imports
from navlog.daemon.extract.chunks import Piece, chunks
from navlog.daemon.extract.comments import comment_line, docstring
from navlog.daemon.extract.grammars import Grammar, grammar_of
from navlog.daemon.extract.languages import Language
from navlog.daemon.extract.parsing import Budget, DeadlinePassed, Match, matches, parse
from navlog.daemon.extract.references import references
from navlog.daemon.extract.source import Source
from navlog.daemon.extract.symbols import Definition, definitions, symbol
from navlog.schemas.events import Chunk, Import, Link, Reference, Symbol
from navlog.schemas.settings import Extract

DOC_LINES = 40  # at a file's beginning in which its description is looked for


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
        tree = parse(grammar, source.data, budget)
        found = list(matches(grammar, tree, len(source.data), budget))
    except DeadlinePassed:
        return replace(by_lines(language, source), partial="deadline")
    by_tree = document if language.name == "markdown" else code
    reading = by_tree(language, source, found)
    return replace(reading, grammar=grammar.version, errors=count_errors(grammar, tree.root_node))


def by_lines(language: Language, source: Source) -> Reading:
    """Text without a grammar: reStructuredText by its underlines, all other by windows."""
    if language.name == "rst" or (language.name in ("text", "") and documents.looks_like_rst(source)):
        symbols = documents.sections(documents.rst_headings(source), source.lines)
        return headed("rst", source, symbols, documents.rst_links(source))
    return Reading(language.name, chunks=chunks(source, []))


def document(language: Language, source: Source, found: Sequence[Match]) -> Reading:
    """Markdown: headings with their sections, links outside code."""
    verbatim = [lines_of(m.captures[m.role][0]) for m in found if m.role.startswith("verbatim.")]
    nodes = [m.captures for m in found if m.role == "definition.heading"]
    headings = [heading(c["definition.heading"][0], c["name"][0], source) for c in nodes]
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


def code(language: Language, source: Source, found: Sequence[Match]) -> Reading:
    """A programming language: definitions, uses, imports."""
    defined = definitions((m for m in found if m.role.startswith("definition.")), source, language.comment)
    uses = [m for m in found if m.role.startswith("reference.")]
    return Reading(
        language.name,
        doc=file_doc(source, language),
        symbols=[symbol(definition, source, language) for definition in defined],
        references=references(uses, source),
        imports=imported(language, source, found),
        chunks=chunks(source, [piece(definition) for definition in defined]),
    )


def piece(definition: Definition) -> Piece:
    return Piece(definition.first_line, definition.end_line, definition.parent, definition.kind)


def imported(language: Language, source: Source, found: Sequence[Match]) -> list[Import]:
    """Statements and calls that import, in the text's order."""
    every = [e for m in found if m.role.startswith("import.") for e in imports.statement(m, source)]
    if known := imports.importers(source, language.name):
        calls = (m for m in found if m.role == "reference.call")
        every += [e for m in calls for e in imports.call(m, source, known)]
    return sorted(every, key=lambda entry: entry.line)


def file_doc(source: Source, language: Language) -> str:
    """The file's own description: its docstring, or the comment it begins with."""
    rows = source.rows[:DOC_LINES]
    if language.name == "python":
        first = next((i for i, row in enumerate(rows) if row.strip() and not row.startswith(b"#")), 0)
        if found := docstring(b"\n".join(rows[first:])):
            return found
    first = next((i for i, row in enumerate(rows) if row.strip()), 0)
    last = next((i for i in range(first, len(rows)) if not rows[i].strip()), len(rows))
    return comment_line(b"\n".join(rows[first:last]), language.comment)


def count_errors(grammar: Grammar, root: Node) -> int:
    """Places the grammar could not read."""
    if not root.has_error:
        return 0
    query = Query(grammar.language, "[(ERROR) (MISSING)] @error")
    return len(QueryCursor(query).captures(root).get("error", ()))
