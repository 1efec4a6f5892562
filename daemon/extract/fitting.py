"""An outline cut to what a line of the log can hold; what was cut stands in ``partial``.

References go first, then links, the words that occur least, and at last symbols from the end.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from navlog.schemas.events import OutlineRecorded

PAYLOAD_BYTES = 1_000_000  # a line holds 1 MiB; the envelope takes the rest
NEVER_TOO_LONG = 64 * 1024  # bytes of a text whose outline cannot reach PAYLOAD_BYTES


def fit(outline: OutlineRecorded, limit: int = PAYLOAD_BYTES) -> OutlineRecorded:
    """``outline`` with no more than ``limit`` bytes of JSON."""
    if outline.size <= NEVER_TOO_LONG and limit == PAYLOAD_BYTES:
        return outline
    for name, shorten in CUTS:
        while len(msgspec.json.encode(outline)) > limit and getattr(outline, name):
            outline = replace(outline, **shorten(outline), partial=noted(outline.partial, name))
    return outline


def noted(partial: str, word: str) -> str:
    """``partial`` with one more word; each stands once."""
    words = partial.split()
    return partial if word in words else " ".join([*words, word])


def fewer_references(outline: OutlineRecorded) -> dict[str, Any]:
    return {"references": outline.references[: len(outline.references) // 2]}


def fewer_links(outline: OutlineRecorded) -> dict[str, Any]:
    return {"links": outline.links[: len(outline.links) // 2]}


def fewer_words(outline: OutlineRecorded) -> dict[str, Any]:
    """Half of the largest group."""
    count = max(outline.words, key=lambda key: len(outline.words[key]))
    words = outline.words[count].split(" ")
    kept = {**outline.words, count: " ".join(words[: len(words) // 2])}
    return {"words": {key: group for key, group in kept.items() if group}}


def fewer_symbols(outline: OutlineRecorded) -> dict[str, Any]:
    """The first half; chunks of the others stay, without their symbol."""
    symbols = outline.symbols[: len(outline.symbols) // 2]
    chunks = [
        msgspec.structs.replace(chunk, symbol=-1) if chunk.symbol >= len(symbols) else chunk
        for chunk in outline.chunks
    ]
    return {"symbols": symbols, "chunks": chunks}


def fewer_imports(outline: OutlineRecorded) -> dict[str, Any]:
    return {"imports": outline.imports[: len(outline.imports) // 2]}


def fewer_chunks(outline: OutlineRecorded) -> dict[str, Any]:
    return {"chunks": outline.chunks[: len(outline.chunks) // 2]}


replace = msgspec.structs.replace
CUTS: tuple[tuple[str, Callable[[OutlineRecorded], dict[str, Any]]], ...] = (
    ("references", fewer_references), ("links", fewer_links), ("words", fewer_words),
    ("symbols", fewer_symbols), ("imports", fewer_imports), ("chunks", fewer_chunks),
)  # fmt: skip
