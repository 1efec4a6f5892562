"""What a readme says first, in words: without headings, badges, links, lists, tables and code."""

import re

SAID = 300  # characters: a sentence or two
_MARKUP = re.compile(
    r"\s*(([#=*~+`|<>!\[\]_.-]+|\d+\.)(\s|$)|```|~~~|:::|\.\.|<|!\[|\[!|\[[\w-]+\]:|\||:[\w-]+:)"
)
_UNDERLINE = re.compile(r"\s*[=\-~^\"#*]{3,}\s*")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<[^>\n]+>")
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")  # Markdown's
_ROLE = re.compile(r"`([^`<]*?)\s*<[^>]*>`_{1,2}")  # reStructuredText's
_SIGNS = re.compile(r"[`*]|(?<!\w)_|_(?!\w)")
_CJK = re.compile(r"[\u3400-\u9fff]")


def first_prose(text: str) -> str:
    """The first sentences that are words; "" where there are none."""
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        plain = _plain(block)
        letters = sum(map(str.isalpha, plain))
        if letters > len(plain) / 2 and (len(plain.split()) >= 5 or len(_CJK.findall(plain)) >= 8):
            return _beginning(plain)
    return ""


def _plain(block: str) -> str:
    lines = block.strip().split("\n")
    if _UNDERLINE.fullmatch(lines[-1]) or _MARKUP.match(lines[0]):
        return ""
    text = _ROLE.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", " ".join(lines))))
    return " ".join(_SIGNS.sub("", text).split())


def _beginning(text: str) -> str:
    if len(text) <= SAID:
        return text
    end = max(text.rfind(stop, 0, SAID) for stop in (". ", "。", "! ", "? "))
    return text[: end + 1] if end > SAID / 3 else text[:SAID].rsplit(" ", 1)[0] + " …"
