"""What sort of file a path names: a source, its test, a document, something generated or somebody else's.

Judged by the path alone, by habits that many projects share. Knows no project and reads nothing.
"""

import re
from functools import lru_cache
from typing import Literal

Kind = Literal[
    "source", "test", "document", "example", "vendored", "generated", "declaration", "settings", "data"
]
KINDS: tuple[Kind, ...] = (
    "source", "test", "document", "example", "vendored", "generated", "declaration", "settings", "data",
)  # fmt: skip

# ``history.py`` is a module, ``HISTORY.old`` a change log.
_CODE = r"[cm]?[jt]sx?|pyx?|vue|svelte|go|rs|java|kts?|scala|[ch](c|pp|xx|h)?|cs|rb|php|swift|lua|exs?|sh"
# Not below a folder ``src``: what is called ``sandbox`` or ``build`` there is a part of the product.
_OUTSIDE = r"^((?!src/)[^/]+/)*"
# In this order: the first that fits names the kind.
_HABITS: dict[Kind, tuple[str, ...]] = {
    "vendored": (
        r"(^|/)(vendor(ed)?|third[-_]?party|node_modules|bower_components|extern(al)?s?|deps|_vendor)/",
    ),
    "generated": (
        r"(^|/)(generated|gen|__generated__)/",
        rf"{_OUTSIDE}(dist|build|out|target|umd|esm|cjs)/",
        r"\.min\.\w+$|[._-](generated|pb|pb2|gen)\.\w+$|_pb2(_grpc)?\.pyi?$|\.(bundle|chunk)\.js$",
        r"(^|/)([\w-]*-?lock\.(json|yaml)|\w+\.lock|go\.sum)$|_(parse|lex)tab\.py$",
    ),
    "test": (
        r"(^|/)(tests?|testing|__tests__|specs?|e2e|testdata|test[-_]?\w*|\w+[-_]tests?|fixtures)/",
        r"(^|/)(tests?|conftest|test_[^/]*|[^/]*[._-](tests?|spec|e2e))\.\w+$",
        r"(^|/)(?-i:[A-Z]\w*(Test|Tests|Spec|IT))\.\w+$",
    ),
    "example": (rf"{_OUTSIDE}(examples?|demos?|samples?|tutorials?|playground|sandbox|bench(es|marks?)?)/",),
    "document": (
        r"(^|/)(docs?|documentation|website|changelog|newsfragments|release[-_ ]?notes|i18n|locales?)/",
        r"\.(md|mdx|rst|txt|adoc|po|pot|html?)$",
        rf"(^|/)(changelog|changes|history|readme|authors|news)(?![^/]*\.({_CODE})$)[^/]*$",
        r"(^|/)(licen[cs]e|copying|notice|codeowners|contributors|maintainers|contributing|hacking)$",
    ),
    "declaration": (r"\.d\.[cm]?ts$|\.pyi$",),
    "settings": (
        r"(^|/)\.|\.(toml|ini|cfg|ya?ml|conf|lock|properties|gradle|mod)$|\.config\.[cm]?[jt]s$",
        r"(^|/)(setup\.py|package\.json|makefile|dockerfile)$",
        r"(^|/)(gulpfile|gruntfile|rollup|webpack|karma|babel)[^/]*\.[cm]?js$",
    ),
    "data": (r"\.(json|csv|tsv|xml|svg|sql|snap|lst|dat|tcl)$",),
}
_RULES = [(kind, re.compile("|".join(habits), re.IGNORECASE)) for kind, habits in _HABITS.items()]


@lru_cache(maxsize=1 << 16)
def kind_of(path: str) -> Kind:
    """The kind of the file at ``path``; "source" when nothing else fits."""
    return next((kind for kind, pattern in _RULES if pattern.search(path)), "source")
