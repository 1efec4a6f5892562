"""A question made from a project's own words, so that a new user's first answer is about their own code.

Pure: the same view gives the same question.
"""

import re

from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import Symbol

KINDS = frozenset({"class", "function", "method", "struct", "trait", "interface"})
WORDS = (4, 14)  # a docstring's first line of so many words reads like a task
_ASIDE = re.compile(r"(^|/)(tests?|docs?|examples?|vendor|node_modules|dist)(/|$)|(^|/)test_")


def sample_task(view: ProjectView) -> str:
    """What the best-connected file says of its largest part in one line, a whole sentence if there is one.

    "" when nothing is said.
    """
    with view.lock:
        files = [file for file in view.files.values() if file.symbols and not _ASIDE.search(file.path)]
        files.sort(key=lambda file: (-_incoming(view, file), file.path))
        return next((task for file in files if (task := _task(file))), "")


def _incoming(view: ProjectView, file: FileView) -> int:
    return sum(edge.incoming for edge in view.neighbours(file.path))


def _task(file: FileView) -> str:
    said = [symbol for symbol in file.symbols if symbol.kind in KINDS and _reads_well(symbol.doc)]
    said.sort(key=lambda symbol: (not symbol.doc.endswith("."), -_lines(symbol), symbol.line))
    return said[0].doc.rstrip(".") if said else ""


def _reads_well(doc: str) -> bool:
    least, most = WORDS
    return least <= len(doc.split()) <= most and doc.isprintable() and not set(doc) & set("<>{}`|")


def _lines(symbol: Symbol) -> int:
    return symbol.end_line - symbol.line
