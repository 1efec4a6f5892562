"""What a part is worth by itself, and who speaks in a message."""

import base64
import struct
from typing import Any

import pytest

from navlog.projections.nudging.images import image_tokens
from navlog.projections.nudging.tail import (
    is_placeholder,
    is_user_turn,
    read,
    stable_json,
    without_reminders,
)
from navlog.projections.nudging.wording import Facts, full, line, message
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message, Part

NUDGE = Nudge()
OURS = [full("urgent", Facts(30_000, 3)), line("firm", Facts(30_000, 3)), message(Facts(60_000, 3))]


def said(*parts: Part, role: str = "user", **values: Any) -> Message:
    return Message(id="m", role=role, parts=parts, **values)  # type: ignore[arg-type]


def code(part: Part, **values: Any) -> str:
    return read(said(part, **values), len, NUDGE)[0].code


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Part(kind="text", text="hello"), ""),
        (Part(kind="text", text=" \n"), "empty"),
        (Part(kind="result", text=""), "empty"),
        (Part(kind="file", text=""), "empty"),
        (Part(kind="reasoning", text="so"), "reasoning"),
        (Part(kind="other", text="step"), "other"),
        (Part(kind="text", text="x", synthetic=True), "synthetic"),
        (Part(kind="text", text="x", ignored=True), "ignored"),
        (Part(kind="result", text="  §12§ [DROPPED §12§]"), "placeholder"),
        (Part(kind="text", text="[truncated §1§] tail"), "placeholder"),
        (Part(kind="file", text="[dropped §2§]"), "placeholder"),
        (Part(kind="text", text="it says [dropped"), ""),
        (Part(kind="call", input={"text": "[dropped §2§]"}), ""),
    ],
)
def test_every_part_has_its_reason(part: Part, expected: str) -> None:
    found = read(said(part, Part(kind="text", text="and more")), len, NUDGE)[0]
    assert found.code == expected
    assert (found.tokens > 0) == (expected == "")


def test_nothing_of_a_synthetic_message_counts() -> None:
    assert code(Part(kind="text", text="x"), synthetic=True) == "synthetic"
    assert code(Part(kind="text", text="x"), summary=True) == "synthetic"


def test_a_tools_input_is_counted_as_sorted_compact_json() -> None:
    part = Part(kind="call", input={"b": [1, "ü"], "a": None}, call="c", tool="bash")
    assert stable_json(part.input) == '{"a":null,"b":[1,"ü"]}'
    found = read(said(part), len, NUDGE)[0]
    assert (found.block, found.unit, found.tokens, found.call, found.tool) == ("m#0", "tool", 22, "c", "bash")


@pytest.mark.parametrize("ours", OURS)
def test_our_own_text_read_back_is_not_counted_and_is_no_turn(ours: str) -> None:
    assert without_reminders(f"output{ours}{ours}\n") == "output"
    assert code(Part(kind="text", text=ours)) == "empty"
    assert not is_user_turn(said(Part(kind="text", text=ours)))
    assert read(said(Part(kind="result", text="12345" + ours)), len, NUDGE)[0].tokens == 5


def test_only_a_span_at_the_end_is_cut_off() -> None:
    text = "see <system-reminder>a</system-reminder> above"
    assert without_reminders(text) == text
    assert without_reminders("<system-reminder>open") == "<system-reminder>open"


def test_a_real_user_turn_is_the_users_own() -> None:
    own, made = Part(kind="text", text="do it"), Part(kind="text", text="x", synthetic=True)
    result = Part(kind="result", text="done", call="1")
    messages = [
        said(own),
        said(made),
        said(made, own),
        said(result),
        said(result, made),
        said(own, role="assistant"),
        said(own, synthetic=True),
        said(own, summary=True),
        said(),
        said(Part(kind="file", text="notes.txt", mime="text/plain")),
        said(Part(kind="text", text="hidden", ignored=True)),
    ]
    assert [is_user_turn(one) for one in messages] == [True, False, True, *[False] * 6, True, False]


def test_placeholders_are_known_by_their_beginning() -> None:
    assert is_placeholder("[Dropped")
    assert is_placeholder("§3§[truncated]")
    assert not is_placeholder("§3§ §3§ [dropped]")  # one prefix is ours, two are somebody's text
    assert not is_placeholder("dropped")


def url(data: bytes, mime: str = "image/png") -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)


def jpeg(width: int, height: int) -> bytes:
    comment = b"\xff\xfe\0\x06text"
    return b"\xff\xd8" + comment + b"\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width)


def webp(form: bytes, rest: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + form + b"\0\0\0\0" + rest


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        (png(1, 1), 1),
        (png(750, 1), 1),
        (png(751, 1), 2),
        (png(0, 9), 1),
        (png(1500, 2250), 4500),
        (png(1500, 2251), 4500),
        (b"GIF89a" + struct.pack("<HH", 75, 30), 3),
        (jpeg(75, 40), 4),
        (webp(b"VP8X", b"\0" * 4 + bytes([74, 0, 0, 49, 0, 0])), 5),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 74 | 59 << 14)), 6),
        (webp(b"VP8 ", b"\0" * 6 + struct.pack("<HH", 75, 70)), 7),
        (b"\x89PNG\r\n\x1a\n", 1200),
        (b"\xff\xd8\xff", 1200),
        (b"\xff\xd8\0\0", 1200),
        (webp(b"VP9 ", b""), 1200),
        (b"BM no format of ours", 1200),
    ],
)
def test_an_image_costs_its_pixels(data: bytes, tokens: int) -> None:
    assert image_tokens(url(data), NUDGE) == tokens


@pytest.mark.parametrize(
    "address", ["https://example.org/a.png", "data:image/png,raw", "data:image/png;base64,é", ""]
)
def test_an_image_that_cannot_be_read_costs_what_is_set(address: str) -> None:
    assert image_tokens(address, NUDGE) == 1200


def test_an_image_is_counted_by_its_pixels_and_another_file_as_text() -> None:
    image = Part(kind="file", text=url(png(75, 20)), mime="image/png")
    text = Part(kind="file", text="twelve signs", mime="text/plain")
    assert [(one.unit, one.tokens) for one in read(said(image, text), len, NUDGE)] == [
        ("image", 2),
        ("prose", 12),
    ]
