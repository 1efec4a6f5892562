"""An item of an answer as plain lines of text: what a model reads of it, and what it costs.

django/http/response.py:221  HttpResponseBase.set_cookie  path says response; defines set_cookie  FRESH
    def set_cookie(self, key, value="", …
"""

from navlog.projections.quoting import neutral
from navlog.schemas.names import shown
from navlog.schemas.wire import Item

INDENT = "    "


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
