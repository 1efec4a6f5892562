"""Which files are documents worth knowing: README, decision records, rules for contributors and for agents.

By name and folder; a decision record also by its shape. Refuses translations beside an original, templates,
indexes, and what lies among tests, examples and other people's code.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from navlog.projections.knowledge.prose import Block
from navlog.schemas.knowledge import DocumentKind

READMES = 20  # of one project, those nearest to its root first
DECISIONS = 200
RULES = 40

_PAGE = r"(?:\.(?:md|mdx|markdown|rst|txt|adoc|org))?"
_README = re.compile(
    r"readme|readme(?:[._-]([a-z]{2,3}(?:[._-][a-z]{2,4})?))?\.(?:md|mdx|markdown|rst|txt|adoc|org)",
    re.IGNORECASE,
)
_CONTRIBUTING = re.compile(
    rf"(?:contributing|hacking|pull_request_template|(?:code_|coding_)?style_?guide|coding_(?:style|standards|guidelines)){_PAGE}",
    re.IGNORECASE,
)
_RULES = re.compile(
    r"(?:agents?|claude|gemini|codex|copilot-instructions|conventions)\.md|\.(?:cursor|windsurf|cline)rules|[\w-]+\.mdc",
    re.IGNORECASE,
)
_DECISION_FOLDERS = frozenset({"adr", "adrs", "decisions", "rfcs", "rfc", "decision-records"})
_ELSEWHERE = frozenset({
    "test", "tests", "testing", "testdata", "fixtures", "fixture", "examples", "example", "node_modules",
    "vendor", "third_party", "deps", "extern", "external", "demo", "demos", "snapshots", "benchmarks",
    "asv_bench",
})  # fmt: skip
_NO_RECORD = re.compile(r"readme|index|template|0+-.*template|_.*|summary|toc|log4brains.*", re.IGNORECASE)
_DOCUMENT = re.compile(r"\.(?:md|mdx|markdown|rst|txt|adoc)$", re.IGNORECASE)
_DECIDED = re.compile(
    r"^(?:\d+[.)]\s*)?(?:decision(?:s| outcome| drivers)?|resolution)\b|^(?:决定|决策|结论|決定)"
)
_STATE = re.compile(
    r"(?:status|state|状态|狀態)\W{0,6}(accepted|approved|proposed|draft|implemented|rejected|deprecated|superseded"
    r"|withdrawn|已接受|已批准|提议|草案|已拒绝|已废弃|已取代)",
    re.IGNORECASE,
)
_OVER = re.compile(r"rejected|deprecated|superseded|withdrawn|已拒绝|已废弃|已取代", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|[^\d])(\d{1,5})[-_. ]|(\d{4}-\d{2}-\d{2})")
_DATE = re.compile(r"\b(20\d{2}-\d{2}-\d{2})\b")


def kind_of(path: str) -> DocumentKind | None:
    """What a path is by its name and folders alone."""
    *folders, name = path.split("/")
    low = [folder.lower() for folder in folders]
    if _ELSEWHERE.intersection(low):
        return None
    if _RULES.fullmatch(name) and _is_for_agents(low, name):
        return "rules"
    if _CONTRIBUTING.fullmatch(name.replace("-", "_")):
        return "contributing"
    stem = name.partition(".")[0]
    if _DECISION_FOLDERS.intersection(low) and _DOCUMENT.search(name) and not _NO_RECORD.fullmatch(stem):
        return "decision"
    return "readme" if _README.fullmatch(name) else None


def _is_for_agents(folders: Sequence[str], name: str) -> bool:
    """docs/agents.md is a chapter about agents: theirs is in capitals, at the root or in a hidden folder."""
    if name.endswith(".mdc"):
        return "rules" in folders
    return (
        name.partition(".")[0].isupper() or not folders or name.startswith(".") or folders[0].startswith(".")
    )


def documents(paths: Iterable[str], shaped: Collection[str] = ()) -> dict[str, DocumentKind]:
    """The documents among a project's paths; ``shaped`` are those that read like decision records.

    A README in another language is left out where its folder or the root has one without a language.
    """
    found: dict[str, DocumentKind] = {
        path: kind for path in paths if (kind := "decision" if path in shaped else kind_of(path))
    }
    readmes = _first(_originals([path for path, kind in found.items() if kind == "readme"]), READMES)
    rules = _first([path for path, kind in found.items() if kind in ("rules", "contributing")], RULES)
    decisions = sorted((path for path, kind in found.items() if kind == "decision"), key=newest)[-DECISIONS:]
    return {path: found[path] for path in (*readmes, *rules, *decisions)}


def is_page(path: str) -> bool:
    """Whether a path is a page of text that could be a decision record."""
    *folders, name = path.split("/")
    return bool(
        _DOCUMENT.search(name)
        and not _ELSEWHERE.intersection(folder.lower() for folder in folders)
        and not _NO_RECORD.fullmatch(name.rpartition(".")[0])
    )


def may_decide(headings: Iterable[str]) -> bool:
    """Whether a page may have the shape of a decision record: it has a heading for the decision."""
    return any(_DECIDED.match(heading.lower()) for heading in headings)


def decides(path: str, read: Sequence[Block]) -> bool:
    """The shape of a decision record: a number or a date, a status, and a heading for the decision."""
    headings = {heading for block in read for heading in block.headings}
    top = next(iter(read), Block((), "text", "", 1))
    named = " ".join([path.rpartition("/")[2], *top.headings[:1]])
    dated = _NUMBERED.search(named) or any(_DATE.search(block.text) for block in read[:12])
    return bool(dated and status(read) and any(_DECIDED.match(heading.lower()) for heading in headings))


def status(read: Sequence[Block]) -> str:
    """The status of a decision record in its own word, lower-case; "" without one."""
    for block in read[:20]:
        head = block.headings[-1] if block.headings else ""
        if hit := _STATE.search(f"{head}: {block.text}") or _STATE.search(block.text):
            return hit[1].lower()
    return ""


def is_over(word: str) -> bool:
    """Whether a status says that the decision no longer holds."""
    return bool(_OVER.search(word))


def newest(path: str) -> tuple[str, str]:
    """Sorts decision records by the number or date in their names, then by path; the newest last."""
    hit = _NUMBERED.search(path.rpartition("/")[2])
    number = hit[2] or hit[1].zfill(10) if hit else ""
    return number, path


def _originals(readmes: Collection[str]) -> list[str]:
    """Without the translations of a README of the same folder, or of the project's own."""
    plain = {path.rpartition("/")[0] for path in readmes if not _language(path)}
    first: dict[str, str] = {}
    for path in sorted(readmes):
        first.setdefault(path.rpartition("/")[0], path)
    alone = {path for folder, path in first.items() if not plain & {folder, ""}}
    return [path for path in readmes if not _language(path) or path in alone]


def _language(path: str) -> str:
    hit = _README.fullmatch(path.rpartition("/")[2])
    return (hit[1] or "") if hit else ""


def _first(paths: Iterable[str], limit: int) -> list[str]:
    return sorted(paths, key=lambda path: (path.count("/"), path))[:limit]
