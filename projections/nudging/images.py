"""What an image costs: its pixels, read from the head of its data URL; no image library, no network."""

import base64
import binascii
import struct

from navlog.schemas.settings import Nudge

_HEAD = 64 * 1024  # characters of base64: every format below says its size long before that


def image_tokens(url: str, settings: Nudge) -> int:
    """Tokens of an image: ceil(width * height / 750), at most 4,500; 1,200 where the size is unknown."""
    size = _size(_head(url))
    if size is None:
        return settings.image_unknown
    return min(max(-(-size[0] * size[1] // settings.image_pixels), 1), settings.image_most)


def _head(url: str) -> bytes:
    """The first bytes of a data URL in base64; b"" for every other address."""
    scheme, comma, body = url.partition(",")
    if not (comma and scheme.startswith("data:") and scheme.endswith(";base64")):
        return b""
    body = body[: min(_HEAD, len(body) // 4 * 4)]
    try:
        return base64.b64decode(body)
    except (binascii.Error, ValueError):
        return b""


def _size(head: bytes) -> tuple[int, int] | None:
    try:
        if head.startswith(b"\x89PNG\r\n\x1a\n"):
            return struct.unpack(">II", head[16:24])
        if head.startswith((b"GIF87a", b"GIF89a")):
            return struct.unpack("<HH", head[6:10])
        if head.startswith(b"\xff\xd8"):
            return _jpeg(head)
        if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
            return _webp(head)
    except (struct.error, IndexError):
        pass
    return None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    """Segments are walked up to the frame header (SOF), which holds height and width."""
    at = 2
    while head[at] == 0xFF:
        marker, length = head[at + 1], struct.unpack(">H", head[at + 2 : at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None


def _webp(head: bytes) -> tuple[int, int] | None:
    """The three forms of a WebP: extended, lossless, lossy."""
    form = head[12:16]
    if form == b"VP8X":
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    if form == b"VP8L":
        bits = struct.unpack("<I", head[21:25])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 ":
        width, height = struct.unpack("<HH", head[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None
