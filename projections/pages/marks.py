"""How our files are told from a person's: each says its own path where only we would write it.

A copy that a person made says another file's path, and so is theirs; a page whose mark was taken out, too.
"""

import msgspec

from navlog.projections.pages.sheet import MARK

HEAD_BYTES = 4096  # of a file; the mark stands further ahead
FOLDER_MARK = (
    ".navlog-vault"  # a file in the vault's top folder: it is a derived folder, and no project's text
)


def bears_mark(path: str, head: bytes) -> bool:
    """Whether the file at ``path`` (in our folder) that begins with ``head`` is one that we wrote."""
    text = head[:HEAD_BYTES].decode("utf-8", "replace")
    if path.endswith(".canvas"):
        return msgspec.json.encode(f"{MARK}:{path}").decode() in text
    if path.endswith(".base"):
        return text.partition("\n")[0] == f"# {MARK}: {path}"
    return path.endswith(".md") and _said(text) == path


def _said(text: str) -> str | None:
    """The page's own path by its properties, quoted or not: Obsidian writes them anew when one is edited."""
    lines = text.split("\n")
    if lines[0] != "---":
        return None
    for line in lines[1:]:
        if line == "---":
            break
        name, _, value = line.partition(": ")
        if name == MARK:
            return _bare(value.strip())
    return None


def _bare(value: str) -> str:
    if value.startswith("'"):
        return value.strip("'").replace("''", "'")
    try:
        return msgspec.json.decode(value, type=str)
    except msgspec.DecodeError:
        return value
