"""The doors of the room: a text, a file's bytes, an event's draft, each without its secrets.

The mark ``[redacted:RULE]`` is inert (no quote, no backslash, no keyword's place) and stable: redacting
twice changes nothing. Line ends inside a secret stay, so line numbers hold. A file is to be redacted BEFORE
it is outlined: an outline holds the parts of words, in which no rule would know a secret again.
"""

import codecs
import hashlib
import threading
from collections import Counter

import msgspec

from navlog.daemon.redact import payload
from navlog.daemon.redact.dresses import NONE, find_all, signs
from navlog.daemon.redact.hiding import hide
from navlog.schemas.envelope import Draft
from navlog.schemas.settings import Security

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_NAMES = ("id", "source", "cause", "trace")


class Redacted(msgspec.Struct, frozen=True):
    """A text without its secrets, and how many each rule found."""

    text: str
    found: Counter[str]


class Redactor:
    """Thread-safe. ``totals`` counts what was found since the start, by rule; never what it was."""

    def __init__(self, settings: Security) -> None:
        self._on = settings.redact
        self._lock = threading.Lock()
        self.totals: Counter[str] = Counter()

    def text(self, text: str) -> Redacted:
        """``text`` with each secret replaced by its mark."""
        found: Counter[str] = Counter()
        if self._on:
            text = hide(text, found)
            self._count(found)
        return Redacted(text, found)

    def content(self, data: bytes) -> tuple[bytes, Counter[str]]:
        """A file's bytes without secrets, line for line; bytes that are no text stay as they are."""
        encoding, errors = _encoding(data)
        try:
            redacted = self.text(data.decode(encoding, errors))
        except UnicodeDecodeError:
            return data, Counter()
        return (redacted.text.encode(encoding, errors) if redacted.found else data), redacted.found

    def draft(self, draft: Draft) -> Draft:
        """The draft without secrets in payload, tags and ids; the very same object where there are none."""
        if not self._on:
            return draft
        raw = draft.data.decode("utf-8", "surrogateescape")
        names = {name: value for name in _NAMES if (value := getattr(draft, name))}
        whole = "\n".join((raw, *names.values(), *draft.tags))
        # JSON without an escape is its own text; with one, it has to be read before the rules can judge.
        if signs(whole) == NONE or ("\\" not in raw and not find_all(whole)):
            return draft
        found: Counter[str] = Counter()
        data = payload.redacted(draft.data, hide, found)
        tags = tuple(hide(tag, found) for tag in draft.tags)
        hidden = {name: _hidden_id(value, found) for name, value in names.items()}
        if not found:
            return draft
        self._count(found)
        return msgspec.structs.replace(draft, data=data, tags=tags, **hidden)

    def _count(self, found: Counter[str]) -> None:
        if found:
            with self._lock:
                self.totals.update(found)


def _hidden_id(value: str, found: Counter[str]) -> str:
    return value if hide(value, found) == value else id_without(value)


def id_without(value: str) -> str:
    """The id that stands for one with a secret in it: ids that held different secrets stay different."""
    return "redacted-" + hashlib.sha256(value.encode(errors="surrogatepass")).hexdigest()[:32]


def _encoding(data: bytes) -> tuple[str, str]:
    """How to read the bytes so that they come back: by their mark, else as UTF-8 with stray bytes kept."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding, "strict"
    return "utf-8", "surrogateescape"
