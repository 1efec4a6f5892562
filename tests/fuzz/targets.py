"""The three doors through which bytes of others come: a line of the log, a request, a file's text.

Each target takes any bytes and may raise nothing; what it promises beyond that, it asserts.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from navlog.daemon.extract import EXTRACTOR, decode_outline, outline
from navlog.schemas.envelope import is_sealed, seal, unseal
from navlog.schemas.errors import LineDamaged
from navlog.schemas.payloads import decode_payload
from navlog.schemas.settings import Extract
from navlog.schemas.wire import ContextArgs, Request

CORPUS = Path(__file__).parent / "corpus"
NAMES = ("a.py", "a.ts", "a.js", "a.tsx", "a.md", "a.rst", "a.rs", "a.go", "a.c", "a", "Makefile", "a.json")


def line(data: bytes) -> None:
    """Any line is a record or `LineDamaged`; a record keeps its bytes, and its payload is known or kept."""
    try:
        record = unseal(data)
    except LineDamaged:
        return
    assert is_sealed(data)
    decode_payload(record)
    again = seal(msgspec.structs.replace(record, h=""))
    assert unseal(again).data == record.data


def request(data: bytes) -> None:
    """Any line is a request or a decoding error."""
    try:
        found = msgspec.json.decode(data, type=Request)
        msgspec.json.decode(found.args, type=ContextArgs)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return


def text(data: bytes) -> None:
    """The first byte chooses the file's name; any bytes have an outline, which comes back from its JSON."""
    if not data:
        return
    found = outline(NAMES[data[0] % len(NAMES)], data[1:], Extract())
    assert found.extractor == EXTRACTOR
    assert decode_outline(msgspec.json.encode(found)) == found


TARGETS: dict[str, Callable[[bytes], None]] = {"line": line, "request": request, "outline": text}
