"""What a row of a transcript does to the tail, whichever host wrote it; pure."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from navlog.schemas.tails import Message

ALL = -1


class Changed(NamedTuple):
    """Of the messages before, the first ``keep`` stay (`ALL`: every one); ``messages`` come after them."""

    keep: int = ALL
    messages: tuple[Message, ...] = ()


class Rows(Protocol):
    """Reads one transcript from its beginning."""

    def take(self, row: Mapping[str, Any], offset: int) -> Changed:
        """``offset``: where the row begins in the file, in bytes."""
        ...


def blocks_of(content: Any) -> Iterator[Mapping[str, Any]]:
    """The blocks of a content, which may be a bare text."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (one for one in content if isinstance(one, dict))


def text_of(content: Any) -> str:
    """The texts of a content, joined."""
    return "\n".join(str(one["text"]) for one in blocks_of(content) if isinstance(one.get("text"), str))


def data_url(mime: str, data: str) -> str:
    """An image's data as `navlog.projections.nudging.images` reads it."""
    return f"data:{mime};base64,{data}"
