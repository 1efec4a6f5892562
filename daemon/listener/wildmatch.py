"""git's glob patterns as regular expressions over bytes.

Pure. Follows git's own matcher (wildmatch with WM_PATHNAME) down to its quirks, since the ignore rules have
to agree with git's. A star takes the leftmost match of what follows it and never reconsiders (an atomic
group): that is enough for globs, and a hostile pattern of a hundred stars stays linear.
"""

import re
import string
from collections.abc import Iterator
from typing import NamedTuple

_SPECIAL = b"*?[\\"
_CLASSES = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, (*range(32), 127))),
    b"digit": string.digits,
    b"graph": "".join(map(chr, range(33, 127))),
    b"lower": string.ascii_lowercase,
    b"print": "".join(map(chr, range(32, 127))),
    b"punct": string.punctuation,
    b"space": " \t\n\r",  # git's own isspace: no form feed
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}


class _Never(Exception):
    """The pattern is malformed: git lets it match nothing."""


class _Token(NamedTuple):
    """``kind``: one (of fixed length), star, deep (``**/``: any folders or none), all (``**``: anything)."""

    kind: str
    regex: bytes = b""


def translate(pattern: bytes, *, name: bool, ignore_case: bool = False) -> bytes | None:
    """A regular expression for the whole path, or None where nothing can match.

    ``name``: the pattern is for a name alone; there ``**`` is no more than ``*``.
    """
    plain = next((at for at, byte in enumerate(pattern) if byte in _SPECIAL), len(pattern))
    try:
        # git compares the plain beginning apart, so a `**` right after it counts as leading.
        tokens = [
            _Token("one", re.escape(pattern[:plain])),
            *_tokens(pattern[plain:], ignore_case=ignore_case),
        ]
    except _Never:
        return None
    if name:
        tokens = [_Token("star") if token.kind == "all" else token for token in tokens]
    return _assemble(tokens)


def _assemble(tokens: list[_Token]) -> bytes:
    kinds = [token.kind for token in tokens]
    out, open_star, open_deep = b"", b"", b""
    for at, token in enumerate(tokens):
        later = set(kinds[at + 1 :])
        if token.kind == "one":
            out += token.regex
        elif token.kind == "star":
            out += open_star + (rb"(?>[^/]*?" if later - {"one"} else rb"[^/]*")
            open_star = b")" if later - {"one"} else b""
        else:
            atomic = bool(later & {"deep", "all"})
            out += open_star + open_deep + _DEEP[token.kind, atomic]
            open_star, open_deep = b"", b")" if atomic else b""
    return out + open_star + open_deep


# Up to the next `**` the leftmost match is enough; the last one may look again, up to the end of the path.
_DEEP = {
    ("deep", True): rb"(?>(?:.*?/)??",
    ("deep", False): rb"(?:.*/)?",
    ("all", True): rb"(?>.*?",
    ("all", False): rb".*",
}


def _tokens(glob: bytes, *, ignore_case: bool) -> Iterator[_Token]:
    at = 0
    while at < len(glob):
        byte = glob[at : at + 1]
        if byte == b"*":
            token, at = _stars(glob, at)
        elif byte == b"?":
            token, at = _Token("one", b"[^/]"), at + 1
        elif byte == b"[":
            token, at = _set(glob, at + 1, ignore_case=ignore_case)
        elif byte == b"\\":
            token, at = _Token("one", re.escape(_at(glob, at + 1))), at + 2
        else:
            token, at = _Token("one", re.escape(byte)), at + 1
        yield token


def _stars(glob: bytes, at: int) -> tuple[_Token, int]:
    end = at
    while glob[end : end + 1] == b"*":
        end += 1
    rest = glob[end:]
    whole_part = (at == 0 or glob[at - 1 : at] == b"/") and (not rest or rest.startswith((b"/", b"\\/")))
    if end - at == 1 or not whole_part:
        return _Token("star"), end
    return (_Token("deep"), end + 1) if rest.startswith(b"/") else (_Token("all"), end)


def _set(glob: bytes, at: int, *, ignore_case: bool) -> tuple[_Token, int]:
    negated = glob[at : at + 1] in (b"!", b"^")
    members, end = _members(glob, at + negated)
    if ignore_case:  # before it is negated: the expression's own flag would come after
        members |= {*bytes(members).lower(), *bytes(members).upper()}
    chosen = (frozenset(range(256)) - members if negated else members) - {ord("/")}
    if not chosen:
        raise _Never
    return _Token("one", b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(chosen)) + b"]"), end


def _members(glob: bytes, at: int) -> tuple[frozenset[int], int]:
    """A set's bytes, and where the pattern goes on after its ``]``; a ``]`` in first place is a member."""
    members: set[int] = set()
    previous, first = b"", True
    while first or glob[at : at + 1] != b"]":
        first = False
        byte = _at(glob, at)
        if byte == b"-" and previous and glob[at + 1 : at + 2] not in (b"", b"]"):
            high, at = _literal(glob, at + 1)
            members.update(range(previous[0], high[0] + 1))
            previous = b""
        elif byte == b"[" and glob[at + 1 : at + 2] == b":" and (named := _named(glob, at + 2)):
            (chosen, at), previous = named, b""
            members |= chosen
        else:
            previous, at = _literal(glob, at)
            members.add(previous[0])
    return frozenset(members), at + 1


def _named(glob: bytes, at: int) -> tuple[set[int], int] | None:
    """``[:name:]`` from after its colon; None when it is not closed like one."""
    end = glob.find(b"]", at)
    if end < 0:
        raise _Never
    if end == at or glob[end - 1 : end] != b":":
        return None
    if (found := _CLASSES.get(glob[at : end - 1])) is None:
        raise _Never
    return set(found.encode()), end + 1


def _literal(glob: bytes, at: int) -> tuple[bytes, int]:
    byte = _at(glob, at)
    return (_at(glob, at + 1), at + 2) if byte == b"\\" else (byte, at + 1)


def _at(glob: bytes, at: int) -> bytes:
    if at >= len(glob):
        raise _Never
    return glob[at : at + 1]
