"""The grammars: loaded when first needed, never all of them, and their versions by the wheels that brought
them.

A grammar that cannot be loaded (a broken wheel, an ABI this tree-sitter does not speak) costs its
language's symbols, not the daemon: it reads as absent and its files are outlined by lines.
"""

import hashlib
import re
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

import tree_sitter

from navlog.daemon.extract.languages import LANGUAGES, Language, Wheel

ROLE = re.compile(rb"@(\w+\.\w+)")
REVISION = 1  # raised whenever the same text would give another outline


class Grammar:
    """A language's parser and its query with the role of each pattern, ready to use."""

    def __init__(self, wheel: Wheel, text: str) -> None:
        self.version = f"{wheel.distribution} {version(wheel.distribution)}"
        self.language = tree_sitter.Language(getattr(import_module(wheel.module), wheel.function)())
        self.parser = tree_sitter.Parser(self.language)
        self.query = tree_sitter.Query(self.language, text)
        self.roles = tuple(
            role_of(text.encode()[self.query.start_byte_for_pattern(i) : self.query.end_byte_for_pattern(i)])
            for i in range(self.query.pattern_count)
        )


@cache
def grammar_of(language: Language) -> Grammar | None:
    """The grammar for ``language``, or None where there is none that works here."""
    if not language.grammar:
        return None
    try:
        return Grammar(language.grammar, query_text(language))
    except (ImportError, AttributeError, PackageNotFoundError, ValueError, OSError):
        return None


def role_of(pattern: bytes) -> str:
    """The one capture of a pattern that has a dot: what a match of it means."""
    (role,) = set(ROLE.findall(pattern))
    return str(role, "ascii")


def query_text(language: Language) -> str:
    folder = files("navlog.daemon.extract") / "queries"
    return "\n".join((folder / f"{name}.scm").read_text() for name in language.queries)


def extractor_version() -> str:
    """REVISION and a digest over the wheels' versions: equal exactly where outlines can be equal."""
    wheels = {"tree-sitter"} | {language.grammar.distribution for language in LANGUAGES if language.grammar}
    lines = "\n".join(f"{wheel} {version_or_none(wheel)}" for wheel in sorted(wheels))
    return f"{REVISION}-{hashlib.sha256(lines.encode()).hexdigest()[:8]}"


def version_or_none(wheel: str) -> str:
    try:
        return version(wheel)
    except PackageNotFoundError:
        return "none"
