"""Names as concepts have them: what counts as the same word, what says nothing, how a label reads.

Habits of many projects and languages, never of one. Knows no files.
"""

import re
from functools import lru_cache

from navlog.projections.terms import IS_CJK, parts_of, tokens

# Folders that order files without saying what they are about: what lies in them belongs to the one above.
_STRUCTURAL = """
    src source sources lib libs main java kotlin scala python js ts go php ruby cpp cs include includes pkg
    pkgs packages crates modules mods internal app apps cmd com org net io github contrib core public
    private impl inc code project projects workspace workspaces components plugins addons ext shared
"""
STRUCTURAL = frozenset(_STRUCTURAL.split())
# Names of files and folders that say how, not what: no maintainer calls a part of the project so.
_GENERIC = """
    util utils utility utilities helper helpers common misc base bases basic const consts constants
    constant type types typing typings types_ mod init index main lib library version versions about meta
    enum enums interface interfaces abstract default defaults global mixin mixins tool tools tooling script
    scripts setup conf doc docs tests spec specs example examples sample samples demo
    demos locale locales static assets asset media image images img css scss styles style
    font fonts icon icons vendor build dist release releases tmp temp data resource resources res old new
    legacy deprecated compat compatibility internal internals impl private extra extras other others general
    jinja2 templatetags stub stubs dummy manage wsgi asgi prelude
    shim shims polyfill polyfills all entry entrypoint bootstrap run start readme changelog changes license
    contributing authors support core lib inc impl shared bin macros macro features feature ci cd etc
    apidoc benchmark benchmarks bench perf en de fr es it ja ko zh ru pt
"""
GENERIC = frozenset(_GENERIC.split())
# What people say for the short form, and the other way round.
SHORT = {
    "auth": "authentication", "config": "configuration", "conf": "configuration", "app": "application",
    "db": "database", "ctx": "context", "env": "environment", "req": "request", "res": "response",
    "resp": "response", "msg": "message", "params": "parameter", "param": "parameter", "args": "argument",
    "arg": "argument", "fmt": "format", "expr": "expression", "stmt": "statement", "err": "error",
    "mgmt": "management", "cmd": "command", "ws": "websocket", "tpl": "template", "tmpl": "template",
    "i18n": "internationalization", "l10n": "localization", "perm": "permission", "perms": "permission",
    "repo": "repository", "sched": "scheduler", "eval": "evaluation", "exc": "exception", "img": "image",
    "lang": "language", "loc": "location", "pref": "preference", "prefs": "preference", "calc": "calculation",
}  # fmt: skip
_FILLING = """
    the a an of in on and or for to with from by your our using use how working work into as at is it its
    module package reference guide overview introduction support framework system objects object class classes
    functions function
"""
FILLING = frozenset(_FILLING.split())
_ACRONYMS = """
    api cli json xml html css http https url urls sql orm csrf cors yaml toml io ui gui id ids ssl tls tcp udp
    dns jwt rpc sse gpu cpu ast csv pdf aws sdk ide ci mcp llm
"""
ACRONYMS = frozenset(_ACRONYMS.split())
_BETWEEN = re.compile(r"[\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=1 << 14)
def words(name: str) -> tuple[str, ...]:
    """The lower-case words of a name or a title, in order; a run of CJK stays whole."""
    found: list[str] = []
    for token in tokens(name):
        found += [token] if IS_CJK.match(token) else [part.lower() for part in parts_of(token)]
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """One form for a word's plural, gerund and short form: templates, templating -> templat."""
    word = SHORT.get(word, word)
    if word.isascii() and len(word) > 3:
        word = _unbent(_singular(word))
    return word


@lru_cache(maxsize=1 << 14)
def stems(name: str) -> tuple[str, ...]:
    """The stems of a name's telling words, in order, each once."""
    return tuple(dict.fromkeys(stem(word) for word in words(name) if word not in FILLING))


def slug(name: str) -> str:
    """A name as it stands in an id: ``AppContext`` -> app-context, ``status_codes`` -> status-codes."""
    return _BETWEEN.sub("-", _HUMP.sub("-", name)).strip("-").lower()


def label(name: str) -> str:
    """A name as people read it: static_files -> Static files, json -> JSON; one of two cases stays."""
    parts = [part for part in re.split(r"[_\-.\s]+", name.strip("_-. ")) if part]
    spaced = " ".join(part.upper() if part in ACRONYMS else part for part in parts)
    return spaced[:1].upper() + spaced[1:] if parts and parts[0].islower() else spaced


def is_generic(name: str) -> bool:
    """Whether the name says nothing of its own."""
    found = words(name)
    return not found or all(word in GENERIC or len(word) < 2 for word in found)


def is_structural(name: str) -> bool:
    """Whether a folder of that name only orders what is in it."""
    return name.lower() in STRUCTURAL or not words(name)


def compact(name: str) -> str:
    """Letters and digits only, lower-case, singular: what ``appcontext`` and ``AppContext`` share."""
    bare = "".join(words(name))
    return bare[:-1] if bare.endswith("s") and not bare.endswith("ss") else bare


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _unbent(word: str) -> str:
    if word.endswith("ing") and len(word) >= 7:
        word = word[:-3]
        return word[:-1] if word[-1] == word[-2] and word[-1] not in "sl" else word
    if word.endswith(("ation", "ator")):
        return word[:-3] if word.endswith("ion") else word[:-2]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word
