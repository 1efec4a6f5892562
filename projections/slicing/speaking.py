"""What a record says in words: for a person, and for an embedder."""

from collections.abc import Mapping

from navlog.schemas.slices import MsuFormed, SymbolChange

TOLD = 3  # changes in a summary


def summary(msu: MsuFormed) -> str:
    """One line: ``signature of parse_cookie, body of Cookie.load``."""
    if not msu.content:
        return "removed"
    said = [_told(change) for change in msu.changes[:TOLD]]
    more = len(msu.changes) + msu.left.get("change", 0) - len(said)
    if more > 0:
        said.append(f"{more} more")
    if msu.previous:
        said.insert(0, f"moved from {msu.previous}")
    return ", ".join(said) or ("new file" if not msu.before else "changed")


def gist(msu: MsuFormed, texts: Mapping[str, str]) -> str:
    """What an embedder reads: where it is, what changed, and the text of the core."""
    names = " ".join(change.name for change in msu.changes)
    told = [texts[member.text] for member in msu.core if member.text in texts]
    return "\n".join([msu.path, names, *told])


def _told(change: SymbolChange) -> str:
    name = change.name.partition("#")[0]
    if change.how == "moved" and change.before != change.after:
        return f"{name} moved to {change.after}"
    return {"signature": f"signature of {name}", "body": f"body of {name}"}.get(
        change.how, f"{name} {change.how}"
    )
