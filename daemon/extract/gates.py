"""What is not read, or not in full: decided before any grammar sees the text.

Lines longer than a person writes are read as blank, so that a data URI costs a document nothing else; where
little remains the file is a bundle and stands by its name only.
"""

from navlog.schemas.settings import Extract

BUNDLED = frozenset({"javascript", "typescript", "css"})
BUNDLE_BYTES = 10_000  # smaller files are read whatever their lines
BUNDLE_LINE = 250  # average characters: wrapped bundles have 500 and more, written code 25 to 45


def long_lines_blanked(text: str, settings: Extract) -> str:
    """``text`` with every line over ``settings.line_chars`` empty; the same object when there is none."""
    if len(text) <= settings.line_chars:
        return text
    rows = text.split("\n")
    if max(map(len, rows)) <= settings.line_chars:
        return text
    return "\n".join(row if len(row) <= settings.line_chars else "" for row in rows)


def is_minified(text: str, read: str, language: str) -> bool:
    """Whether ``read``, what the long lines left of ``text``, is too little or itself a wrapped bundle."""
    if len(read) * 2 < len(text):
        return True
    lines = read.count("\n") + 1
    return language in BUNDLED and len(read) > BUNDLE_BYTES and len(read) > BUNDLE_LINE * lines
