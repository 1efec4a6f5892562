"""Is this value a secret, or does it only stand where one could? Pure judgements on single values.

The generic rules (an assignment, a password in a URL) know the place, not the format: what stands there is
redacted only if it looks drawn at random and is neither a placeholder nor a name of the program.
"""

import base64
import binascii
import math
import re
from collections import Counter

_PLACEHOLDER = re.compile(
    r"""(?ix) ^ (?: [$<{*\[&] | %(?:[sdr]$|\w+%$) | \.{3} | x{4} | (?:your|my|some|the|new|old)[-_]
      | (?:pass(?:word|wd|phrase)?|pwd|pw|secret|token|user(?:name)?|key|test(?:ing)?|foo|bar|baz|none|null
         |true|false|admin|root|guest|login|auth|undefined|hunter2|letmein) \d{0,3} $ )
      | example | placeholder | change[-_]?me | redacted | dummy | insert[-_] | replace[-_] | \.\.\. | x{6}
      | \*{3} | \$\{ | \{\{ | \$\( | %\( | 12345678"""
)
_IDENTIFIER_PART = re.compile(r"[A-Z]?[a-z]+\d{0,3}|[A-Z]+\d{0,3}|\d{1,4}|")
_PART_BREAK = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[A-Za-z]+\d{0,3}|(?:[a-z_]+\.){2,}\w+")
MIN_BITS = 2.8  # per character; eight different characters have 3.0, an English word of eight about 2.7


def is_placeholder(value: str) -> bool:
    """True for what documentation, templates and tests put where a secret would stand."""
    return _PLACEHOLDER.search(value) is not None


def entropy(value: str) -> float:
    """Shannon's entropy of the characters, in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def is_identifier(value: str) -> bool:
    """True for names in a program: words joined by case or signs, with small numbers; import paths."""
    if _WORD.fullmatch(value):
        return True
    return all(_IDENTIFIER_PART.fullmatch(part) for part in _PART_BREAK.split(value))


def looks_random(value: str) -> bool:
    """True for a value a person would not have chosen as a name: letters, digits, entropy."""
    return (
        any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not is_placeholder(value)
        and not is_identifier(value)
        and entropy(value) >= MIN_BITS
    )


def is_token(value: str) -> bool:
    """True where a vendor's short prefix needs support: a long value that mixes digits and letters."""
    return len(set(value)) >= 10 and any(map(str.isdigit, value)) and not is_identifier(value)


def is_basic(value: str) -> bool:
    """True for base64 of ``user:password``, the form of HTTP Basic and of Docker's ``auth``."""
    decoded = unbase64(value)
    user, colon, password = decoded.partition(b":")
    return bool(user and colon and password) and decoded.isascii() and decoded.decode().isprintable()


def unbase64(value: str) -> bytes:
    """The bytes behind base64 in either alphabet, padding optional; b"" for what is not base64."""
    body = value.rstrip("=").replace("-", "+").replace("_", "/")
    body = body[: len(body) - 1] if len(body) % 4 == 1 else body
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""
