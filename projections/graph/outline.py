"""An outline as a row of the table ``contents``: small fields as they are, lists as JSON text.

What comes back from a row has everything but its references, which neither views nor resolver ask for.
"""

from typing import Any

import msgspec

from navlog.schemas.events import Chunk, Import, Link, OutlineRecorded, Symbol

_symbols = msgspec.json.Decoder(list[Symbol])
_imports = msgspec.json.Decoder(list[Import])
_links = msgspec.json.Decoder(list[Link])
_chunks = msgspec.json.Decoder(list[Chunk])
_words = msgspec.json.Decoder(dict[str, str])


def to_row(outline: OutlineRecorded) -> tuple[Any, ...]:
    """The columns of `navlog.projections.graph.tables.CONTENTS`, in their order."""
    lists = (
        outline.symbols,
        outline.references,
        outline.imports,
        outline.links,
        outline.chunks,
        outline.words,
    )
    return (
        outline.content,
        outline.extractor,
        outline.language,
        outline.grammar,
        outline.encoding,
        outline.partial,
        outline.errors,
        outline.size,
        outline.lines,
        outline.doc,
        outline.clean,
        *(msgspec.json.encode(one).decode() for one in lists),
    )


def from_row(row: tuple[Any, ...]) -> OutlineRecorded:
    """The outline of such a row; raises `msgspec.MsgspecError` for a damaged one."""
    (content, extractor, language, grammar, encoding, partial, errors, size, lines, doc, clean, *lists) = row
    symbols, _, imports, links, chunks, words = lists
    return OutlineRecorded(
        content=content,
        extractor=extractor,
        language=language,
        grammar=grammar,
        encoding=encoding,
        partial=partial,
        errors=errors,
        size=size,
        lines=lines,
        doc=doc,
        clean=clean,
        symbols=_symbols.decode(symbols),
        imports=_imports.decode(imports),
        links=_links.decode(links),
        chunks=_chunks.decode(chunks),
        words=_words.decode(words),
    )
