"""An answer as plain lines of text, for a terminal or a pipe. Colour is the command's matter.

django/http/response.py:221  HttpResponseBase.set_cookie  path says response; defines set_cookie  FRESH
    def set_cookie(self, key, value="", …
10 files · 1,940 tokens · 6 ms · position 7,012
"""

from navlog.projections.quoting import neutral
from navlog.schemas.counting import counted
from navlog.schemas.names import shown
from navlog.schemas.wire import ContextReply, Item

INDENT = "    "


def render(reply: ContextReply) -> list[str]:
    """The lines of an answer, without newlines at their ends."""
    lines = [line for item in reply.items for line in block(item).split("\n")]
    if not reply.items:
        lines.append(
            "Nothing in the project speaks for any file. Name a symbol, a path or a word from the code."
        )
    if reply.stale:
        lines.append(f"stale: {neutral(reply.stale)}")
    return [*lines, footer(reply)]


def block(item: Item) -> str:
    """One item: its pointer, then its text, indented. What an item costs in tokens is what this costs."""
    return "\n".join([pointer(item), *indented(item.text)])


def indented(text: str) -> list[str]:
    """The lines of an item's text as they are shown; none for no text."""
    return [(INDENT + line).rstrip() for line in neutral(text).split("\n")] if text else []


def pointer(item: Item) -> str:
    """Where, what, why and whether it still holds."""
    place = f"{shown(item.path)}:{item.line}" if item.line else shown(item.path)
    parts = (place, neutral(item.symbol), neutral(item.reason), item.state)
    return "  ".join(part.replace("\n", " ") for part in parts if part)


def footer(reply: ContextReply) -> str:
    """What the answer cost and how new it is."""
    size = f"{counted(len(reply.items), 'file')} · {counted(reply.tokens, 'token')}"
    return f"{size} · {reply.elapsed_ms:.0f} ms · position {reply.position:,}"
