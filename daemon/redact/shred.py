"""Taking back a secret that got in: one known string, out of lines, in every dress, and the seals made anew.

Pure: lines in, lines out. It opens no file, and it is the one place where stored bytes are rewritten; who
holds the log (events, overlays, quarantine, backups) brings the lines and writes them back. A line that does
not hold the secret and follows no rewritten one comes back byte for byte; fields nobody knows are kept.
"""

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote, quote_plus

import msgspec

from navlog.daemon.redact.dresses import RUN, run_end, unbroken
from navlog.daemon.redact.hiding import walk
from navlog.daemon.redact.redactor import id_without
from navlog.projections.terms import terms
from navlog.schemas.errors import UsageError

MARK = "[redacted:shred]"
SHORTEST = 8  # characters: a shorter one would be found in innocent text
_IDS = ("id", "cause", "trace")
_KEPT = ("position", "at", "version", "batch", "critical", "prev", "h", "first", "segment", "format")
_FRAME = ',"h":"'
_END = '"}\n'

Digest = Callable[[bytes], str]


class Shredded(NamedTuple):
    """A line to write back; ``taken`` says that the secret was in it, ``seal`` is its new hash."""

    line: bytes
    taken: bool
    seal: str


class _Words(msgspec.Struct):
    words: dict[str, str] = {}


class _Line(msgspec.Struct):
    data: _Words = msgspec.field(default_factory=_Words)


class Secret:
    """A string to be found in any dress: plain, lowered, escaped, percent-encoded, hexadecimal, base64."""

    def __init__(self, secret: str) -> None:
        if len(secret) < SHORTEST:
            raise UsageError(
                f"A secret of {len(secret)} characters would take innocent text along.",
                hint=f"Give at least {SHORTEST} characters of it.",
            )
        self._forms = _forms(secret)
        self._cores = _cores(secret.encode(errors="surrogateescape"))
        self._bytes = [form.encode(errors="surrogateescape") for form in (*self._forms, *self._cores)]
        self._terms = frozenset(terms(secret))

    def within(self, line: bytes) -> bool:
        """Whether the line holds the secret. A line without an escape is decided by its bytes alone."""
        if any(form in line for form in self._bytes) or self._in_pieces(line):
            return True
        return b"\\" in line and self.without_bytes(line) != line

    def without(self, text: str) -> str:
        """``text`` with a mark wherever the secret stands; base64 that holds it goes as a whole."""
        for form in self._forms:
            text = text.replace(form, MARK)
        parts: list[str] = []
        done = 0
        for match in RUN.finditer(text):
            end = run_end(text, match.end())
            if match.start() >= done and self._encoded_in(text[match.start() : end]):
                parts += text[done : match.start()], MARK
                done = end
        return "".join([*parts, text[done:]])

    def without_bytes(self, data: bytes) -> bytes:
        """Bytes that are no whole line (a torn tail in quarantine), or a JSON line, without the secret."""
        try:
            value = msgspec.json.decode(data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return self.without(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        walked = self.walk(value)
        return data if walked == value else msgspec.json.encode(walked) + b"\n" * data.endswith(b"\n")

    def walk(self, value: object) -> object:
        """A decoded JSON value with the secret taken out of every string in it."""
        return walk(value, lambda text, _: self.without(text), Counter())

    def without_pieces(self, data: object) -> object:
        """An outline's payload whose words no longer say the secret piece by piece."""
        if not isinstance(data, dict) or not isinstance(words := data.get("words"), dict):
            return data
        kept = {
            count: " ".join(word for word in str(group).split(" ") if word not in self._terms)
            for count, group in words.items()
        }
        return data | {"words": {count: group for count, group in kept.items() if group}}

    def _in_pieces(self, line: bytes) -> bool:
        """Whether an outline's words hold every piece of the secret, and there are several."""
        if len(self._terms) < 2 or b'"words":' not in line:
            return False
        if not all(term.encode() in line for term in self._terms):
            return False
        try:
            data = msgspec.json.decode(line, type=_Line).data
        except msgspec.MsgspecError:
            return False  # no outline
        said = {word for group in data.words.values() for word in group.split(" ")}
        return self._terms <= said

    def _encoded_in(self, run: str) -> bool:
        whole = unbroken(run)
        return any(core in whole for core in self._cores)


def shred(lines: Iterable[bytes], secret: Secret, prev: str, digest: Digest) -> Iterator[Shredded]:
    """The lines of a log in their order, headers among them; ``prev`` is the seal before the first.

    ``digest`` gives the hash of the bytes before the seal's frame. Each line is linked to the one before as
    that is now, so every line after the first rewritten one gets a new seal.
    """
    for line in lines:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        taken = secret.within(line)
        changed = _taken_from(fields, secret) if taken else {}
        before = msgspec.json.decode(fields["prev"], type=str)
        same = not changed and before == prev
        written = line if same else relink(line, digest, **changed, prev=prev)
        prev = written[-len(_END) - 16 : -len(_END)].decode()
        yield Shredded(written, bool(changed), prev)


def relink(line: bytes, digest: Digest, **values: object) -> bytes:
    """The line with some of its top-level fields replaced (a header's ``previous_bytes``), sealed anew."""
    fields: dict[str, object] = dict(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    fields.pop("h")
    body = msgspec.json.encode(fields | values)[:-1]
    return b"%b%b%b%b" % (body, _FRAME.encode(), digest(body).encode(), _END.encode())


def _taken_from(fields: dict[str, msgspec.Raw], secret: Secret) -> dict[str, object]:
    """The top-level fields that hold the secret, as they are to be."""
    changed: dict[str, object] = {}
    for name, raw in fields.items():
        if name in _KEPT:
            continue
        before = msgspec.json.decode(raw)
        after = secret.walk(before)
        if name == "data":
            after = secret.without_pieces(after)
        if after != before:
            changed[name] = id_without(str(before)) if name in _IDS else after
    return changed


def _forms(secret: str) -> list[str]:
    """How the secret may stand in a text, longest first: a longer form may contain a shorter one."""
    plain = {secret, secret.lower()}
    forms = set(plain)
    for text in plain:
        encoded = quote(text, safe="", errors="surrogateescape")
        forms |= {encoded, encoded.lower(), quote_plus(text, errors="surrogateescape")}
        forms |= {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
        forms.add(text.encode(errors="surrogateescape").hex())
    forms |= {form.replace("/", "\\/") for form in forms}
    forms |= {json.dumps(form, ensure_ascii=False)[1:-1] for form in forms}
    return sorted(forms, key=lambda form: (-len(form), form))


def _cores(data: bytes) -> list[str]:
    """What of the secret's base64 is the same wherever it begins in the encoded bytes, in both alphabets."""
    cores: set[str] = set()
    for shift, skip in ((0, 0), (1, 2), (2, 3)):
        encoded = base64.b64encode(b"\0" * shift + data)[skip : (shift + len(data)) * 8 // 6].decode()
        cores |= {encoded, encoded.replace("+", "-").replace("/", "_")}
    return sorted(cores)
