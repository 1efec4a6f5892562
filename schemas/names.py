"""File names as text, byte for byte.

A name on Linux is bytes. One that is valid UTF-8 stands in an event as it is. Any other is written as NUL,
then the name with ``\\xHH`` for each byte that is not UTF-8 and ``\\\\`` for a backslash: NUL cannot occur in
a name, so the two forms never meet, and both come back exactly.
"""

import re
import shlex

MARK = "\x00"
_ESCAPE = re.compile(rb"\\(\\|x[0-9a-f]{2})")


def name_to_text(name: bytes) -> str:
    """The text that stands for ``name`` in events, tables and answers."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return MARK + name.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


def text_to_name(text: str) -> bytes:
    """The bytes the file system knows; the inverse of `name_to_text`."""
    if not text.startswith(MARK):
        return text.encode()
    return _ESCAPE.sub(
        lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1][1:], 16)]), text[len(MARK) :].encode()
    )


def shown(text: str) -> str:
    """``text`` for a person: no NUL mark, control characters escaped."""
    bare = text.removeprefix(MARK)
    if bare.isprintable():
        return bare
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in bare)


def word(what: object) -> str:
    """A path or another name as one word of a command that a person copies into a shell."""
    return shlex.quote(shown(str(what)))
