"""Numbers with their nouns, for people."""


def counted(count: int, thing: str, things: str = "") -> str:
    """1 -> "1 file", 1200 -> "1,200 files"; ``things`` where an s alone does not do."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"
