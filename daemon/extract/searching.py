"""By what a text is searched for secrets, as a name: whoever finds it on an outline need not search again.

It is a digest over the code that reads a file's bytes as text and of the rules that the text is searched by,
so a release that knows more believes nothing that an older one found.
"""

import hashlib
from functools import cache
from pathlib import Path

from navlog.daemon import redact
from navlog.daemon.extract import decoding
from navlog.schemas.settings import Security

DIGITS = 12  # hexadecimal: enough to tell one release from all others


def search_of(settings: Security) -> str:
    """The name of the search; "", which no outline is believed for, where none is made."""
    return _name() if settings.redact else ""


@cache
def _name() -> str:
    """No name where the rules' text is not installed with them: then two releases could not be told apart."""
    rules = sorted(Path(redact.__file__).parent.glob("*.py"))
    texts = [code.read_bytes() for code in (Path(decoding.__file__), *rules)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:DIGITS] if rules else ""
