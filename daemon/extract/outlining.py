"""One file as its outline: the only door of this package that works in the caller's own process.

The same bytes under a name of the same language give the same outline, on any machine with the same
`EXTRACTOR`. No input raises: what cannot be read says so in ``language`` and ``partial``.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable

from navlog.daemon.extract.decoding import decode
from navlog.daemon.extract.fitting import fit, noted
from navlog.daemon.extract.gates import is_minified, long_lines_blanked
from navlog.daemon.extract.grammars import extractor_version
from navlog.daemon.extract.languages import language_of
from navlog.daemon.extract.reading import read
from navlog.daemon.extract.source import Source
from navlog.projections.terms import count_terms
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Extract

EXTRACTOR = extractor_version()


def outline(
    path: str,
    data: bytes,
    settings: Extract,
    hide: Callable[[str], str] = lambda text: text,
    search: str = "",
) -> OutlineRecorded:
    """The outline of ``data``, the bytes of ``path``; a function of its arguments and EXTRACTOR.

    ``hide`` takes secrets out of the text, line for line, before anything else reads it; ``search`` names
    what it does, as `search_of` gives it.
    """
    if len(data) > settings.file_bytes:
        return by_name(path, data, "too_large")
    decoded = decode(data)
    if decoded is None:
        return by_name(path, data, "", language="binary")
    language = language_of(path, data)
    whole = hide(decoded.text)
    text = long_lines_blanked(whole, settings)
    if is_minified(whole, text, language.name):
        return by_name(path, data, "minified")
    source = Source(text)
    reading = read(language, source, settings)
    return fit(
        OutlineRecorded(
            content=content_id(data),
            extractor=EXTRACTOR,
            language=reading.language,
            size=len(data),
            lines=source.lines,
            grammar=reading.grammar,
            encoding=decoded.encoding,
            partial=reading.partial if text is whole else noted(reading.partial, "long_lines"),
            errors=reading.errors,
            doc=reading.doc,
            symbols=reading.symbols,
            references=reading.references,
            imports=reading.imports,
            links=reading.links,
            chunks=reading.chunks,
            words=grouped(count_terms(text)),
            clean=search if whole == decoded.text else "",
        )
    )


def by_name(path: str, data: bytes, partial: str, language: str | None = None) -> OutlineRecorded:
    """The outline of what is not read: ``partial`` says why."""
    return OutlineRecorded(
        content=content_id(data),
        extractor=EXTRACTOR,
        language=language_of(path, data).name if language is None else language,
        size=len(data),
        lines=0 if language == "binary" else data.count(b"\n") + (not data.endswith(b"\n")),
        partial=partial,
    )


def content_id(data: bytes) -> str:
    """git's blob id, so that a person can check it with ``git hash-object``."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def grouped(counts: dict[str, int]) -> dict[str, str]:
    """Terms by how often they occur, both in order."""
    groups: defaultdict[int, list[str]] = defaultdict(list)
    for term, count in counts.items():
        groups[count].append(term)
    return {str(count): " ".join(sorted(groups[count])) for count in sorted(groups)}
