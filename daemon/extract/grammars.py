"""The grammars: loaded when first needed, never all of them, and their versions by the wheels that brought
them.

A grammar that cannot be loaded (a broken wheel, an ABI this tree-sitter does not speak) costs its
language's symbols, not the daemon: it reads as absent and its files are outlined by lines.
"""

import ctypes
import hashlib
import importlib.util
import re
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import tree_sitter

from navlog.daemon.extract.languages import LANGUAGES, Bundled, Language, Wheel
from navlog.daemon.extract.macros import without_macros

CAPSULE = b"tree_sitter.Language"  # the name is part of the protocol; the bytes must outlive the capsule
ROLE = re.compile(rb"@(\w+)\.(\w+)")
REVISION = 3  # raised whenever the same text would give another outline


class Role(NamedTuple):
    """What a match of a pattern means: ``@FAMILY.KIND``, and the condition on its ``@only``."""

    family: str
    kind: str
    only: re.Pattern[bytes] | None

    @property
    def capture(self) -> str:
        return f"{self.family}.{self.kind}"


class Grammar:
    """A language's parser and its query with the role of each pattern, ready to use."""

    def __init__(self, origin: Wheel | Bundled, text: str, *, macros: bool = False) -> None:
        self.version = f"{origin.distribution} {version(origin.distribution)}"
        self.language = tree_sitter.Language(
            from_wheel(origin) if isinstance(origin, Wheel) else from_bundle(origin)
        )
        self.prepare = without_macros if macros else bytes
        self.parser = tree_sitter.Parser(self.language)
        self.query = tree_sitter.Query(self.language, text)
        self.roles = tuple(role_of(self.query, i, text.encode()) for i in range(self.query.pattern_count))
        self.unread = tree_sitter.Query(self.language, "[(ERROR) (MISSING)] @error")

    def errors(self, root: tree_sitter.Node) -> int:
        """Places the grammar could not read."""
        if not root.has_error:
            return 0
        return len(tree_sitter.QueryCursor(self.unread).captures(root).get("error", ()))


@cache
def grammar_of(language: Language) -> Grammar | None:
    """The grammar for ``language``, or None where there is none that works here."""
    if not language.grammar:
        return None
    try:
        return Grammar(language.grammar, query_text(language), macros=language.name in ("c", "cpp", "objc"))
    except (ImportError, AttributeError, PackageNotFoundError, ValueError, OSError):
        return None


def from_wheel(wheel: Wheel) -> object:
    """The grammar's pointer, as the official wheels give it."""
    return getattr(import_module(wheel.module), wheel.function)()


def from_bundle(bundled: Bundled) -> object:
    """The grammar's pointer out of the bundle's library, in the capsule that tree-sitter takes.

    Its own loader ends in an error with tree-sitter 0.22 and later, so the package is found but not imported.
    """
    found = importlib.util.find_spec("tree_sitter_languages")
    if found is None or found.origin is None:
        raise ImportError(bundled.distribution)
    library = ctypes.CDLL(str(Path(found.origin).with_name("languages.so")))
    entry = getattr(library, f"tree_sitter_{bundled.name}")
    entry.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    pointer: object = capsule(entry(), CAPSULE, None)
    return pointer


def role_of(query: tree_sitter.Query, pattern: int, text: bytes) -> Role:
    """The one capture of a pattern that has a dot, and its ``(#set! only "PATTERN")``.

    tree-sitter's own predicates read a node's text, which is slow on trees parsed from a callable.
    """
    written = text[query.start_byte_for_pattern(pattern) : query.end_byte_for_pattern(pattern)]
    ((family, kind),) = set(ROLE.findall(written))
    only = query.pattern_settings(pattern).get("only")
    return Role(str(family, "ascii"), str(kind, "ascii"), re.compile(only.encode()) if only else None)


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
