"""The default summariser: the four elements taken out of a document's own sentences, without a model.

Deterministic: the same text and graph give the same elements. It quotes and shortens, and refuses to word
anything anew, so nothing is said that the document does not say. What a document does not have stays empty.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from navlog.projections.knowledge.elements import LIMITS, SHARE, TOKENS, Elements, count_words, cut, fitted
from navlog.projections.knowledge.prose import Block, blocks, plain, sentences
from navlog.projections.knowledge.recognising import is_over, status
from navlog.schemas.knowledge import DocumentKind

SUMMARISER = "extractive-3"
SLUG_CHARS = 40
SAYINGS = 400  # sentences of a document that are weighed against one another
ASKING, TELLING = 0.9, 0.7  # what a sentence that asks, or only tells, counts beside one that forbids
PARTS = 200  # documents that one file of rules gives at most

# What forbids counts more than what asks for: a red line is what must not be done.
_FORBIDS = re.compile(
    r"\b(?:must not|mustn't|may not|never|do(?:es)? not|don't|not (?:currently )?accept\w*|cannot be"
    r"|not allowed|no longer|refuse[sd]?|forbid\w*|prohibit\w*|without exception|under no circumstances"
    r"|will not|won't|should not|shouldn't|avoid|there (?:is|are) no|instead of|rather than"
    r"|no (?:new|other|more)|ha(?:ve|s) no)\b"
    r"|^(?:no|avoid)\b|禁止|不要|不得|不能|不应|不允许|不可|切勿|严禁|避免|请勿|不再|不保存|而非|不是",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:must|only|always|required?|requires|shall|should|needs? to|have to|ensure|make sure|every|each|all"
    r"|prefer|important|warning|use|keep|run|follow)\b|必须|只能|应当|应该|务必|一律|统一|需要|优先|始终|仅",
    re.IGNORECASE,
)
# What of a guide binds and is no explanation: it obliges, or begins with what is to be done.
_BINDS = re.compile(
    r"\b(?:must|should|shall|always|only|required|ensure|make sure|prefer\w*|recommend\w*|expect\w*"
    r"|(?:dis|en)courage\w*|please|needs? to|have to)\b"
    r"|^\W*(?:(?:if|when|before|after|for) [^,]{1,120}, )?(?:use|add|write|keep|follow|include|place|put"
    r"|create|open|update|document|name|test|limit|wrap|split|break|run|check|explain|describe)\b"
    r"|请|必须|只能|应当|应该|务必|一律|统一|需要|优先|尽量|建议|始终|确保",
    re.IGNORECASE,
)
_SOLVES = re.compile(
    r"\b(?:is an?|provides?|lets|allows?|helps?|aims?|enables?|solves?|for (?:people|those|humans))\b"
    r"|是一|用于|帮助|提供|解决|让",
    re.IGNORECASE,
)
_PAIN = re.compile(
    r"context|problem|motivation|why|background|issue|about|overview|introduction|what is"
    r"|背景|问题|原因|动机|缘由|为什么|简介|一句话",
    re.IGNORECASE,
)
_GUIDE = re.compile(
    r"contribut|coding style|code style|style guide|贡献|开发规范|代码规范|编码规范", re.IGNORECASE
)
_DECISION = re.compile(r"decision|outcome|resolution|决定|决策|结论|決定", re.IGNORECASE)
_RED = re.compile(
    r"rule|constraint|must|limit|caveat|warning|important|non-goal|security|consequence|principle|guideline|compatib|约束|原则|要求|禁止|注意|规则|限制|边界|后果|代价",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"\b(?:deprecat\w+|as of|since (?:version|v?\d)|no longer|removed in"
    r"|requires? (?:python|node|go|rust|java|php|ruby|at least)|new in|superseded|maintained"
    r"|maintenance mode|officially supports?)\b|目前|当前|不再|弃用",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=[;；，、])|(?<=[,:—–])(?= )")
_LABEL = re.compile(r"^[^.。]{0,40}[:：]$")
_META_TALK = re.compile(
    r"^(?:date|日期|status|状态|author|deciders|tags?)\b\W*[:：]|^(?:status|状态)[:：]", re.IGNORECASE
)
_ADVERT = re.compile(r"sponsor|donat|announc|excited|赞助|badge|table of contents|目录", re.IGNORECASE)
_DEFINES = re.compile(r"\W*(?:the )?([\w.-]+)\W.{0,40}?(?:\b(?:is|are|lets|sells|provides|helps)\b|是)")
_NAVIGATION = re.compile(r"(?:[·•|/]|\] \[).*(?:[·•|/]|\] \[)")
_CODE = re.compile(r"`[^`]*`")
_OPENINGS = re.compile(
    r"^(?:thank|welcome|if you|please (?:read|see)|this (?:document|guide|file|page)|see |table of)",
    re.IGNORECASE,
)


class Document(NamedTuple):
    """``name`` is a path, or path#part; ``read`` its blocks."""

    name: str
    kind: DocumentKind
    title: str
    read: Sequence[Block]
    project: str = ""

    @property
    def path(self) -> str:
        """The file it is from."""
        return self.name.partition("#")[0]


Entry = Callable[[Document], str]  # its pointer, "" if there is none


def documents_of(path: str, kind: DocumentKind, text: str, project: str = "") -> list[Document]:
    """A file of ``project`` (its name) as documents: one; of rules, one for as many as fit into an element.

    A README is one, and more for the sections that guide contributors. Forty words cannot hold twenty rules,
    and a rule that was cut off can never be found again.
    """
    read = blocks(text)
    title = next((block.headings[0] for block in read if block.headings and not _is_advert(block)), "")
    if kind == "readme" and read and not read[0].headings:
        title = project if "/" not in path else path.rpartition("/")[0]
    whole = Document(path, kind, title or path.rpartition("/")[2], read, project)
    if kind == "readme":
        guide = [block for block in read if any(map(_GUIDE.search, block.headings[1:]))]
        return [whole, *list(_parts(whole._replace(kind="contributing", read=guide)))[:PARTS]]
    if kind not in ("rules", "contributing"):
        return [whole]
    return list(_parts(whole))[:PARTS] or [whole]


def summarise(document: Document, entry: Entry) -> Elements:
    """The four elements, within their limits."""
    parts = {"decision": _of_decision, "rules": _of_rules, "contributing": _of_rules}
    problem, constraint, latest = parts.get(document.kind, _of_readme)(document)
    found = Elements(problem or document.title, constraint, latest, entry(document))
    return fitted(found, SHARE if document.kind in ("readme", "decision") else TOKENS)


def tone(sentence: str) -> float:
    """How much a sentence sounds like a rule, 0 to 1: it forbids, it asks, or it tells."""
    return 1.0 if _FORBIDS.search(sentence) else ASKING if _ASKS.search(sentence) else TELLING


def _parts(whole: Document) -> Iterator[Document]:
    sections: dict[tuple[str, ...], list[Block]] = {}
    for block in whole.read:
        sections.setdefault(block.headings, []).append(block)
    names: set[str] = set()
    for headings, section in sections.items():
        for group in _groups(section, whole.kind):
            title = " / ".join(headings[1:]) or whole.title
            yield whole._replace(name=f"{whole.name}#{_slug(headings, names)}", title=title, read=group)


def _groups(section: Sequence[Block], kind: DocumentKind) -> Iterator[list[Block]]:
    """The blocks of a section, so many together as one element can hold; one that is longer is divided."""
    group: list[Block] = []
    taken = 0
    for block in (part for whole in section for part in _divided(whole, kind)):
        words = sum(count_words(one) for one in _rules_of(block, kind))
        if group and taken and words and taken + words > LIMITS["key_constraint"]:
            yield group
            group, taken = [], 0
        group.append(block)
        taken += words
    if taken:
        yield group


def _divided(block: Block, kind: DocumentKind) -> Iterator[Block]:
    """A block, or the rules in it one by one where they are more than an element holds together."""
    limit = LIMITS["key_constraint"]
    if sum(count_words(one) for one in _rules_of(block, kind)) <= limit:
        yield block
        return
    for one in sentences(block.text):
        red = _is_rule(plain(one), block, kind)
        for part in _clauses(one, limit):
            yield block._replace(kind="item" if red else block.kind, text=part)


def _clauses(sentence: str, limit: int) -> Iterator[str]:
    """A sentence in parts of at most ``limit`` words, where it has signs to divide it at."""
    part = ""
    for clause in _CLAUSE.split(sentence):
        if part and count_words(part + clause) > limit:
            yield part.strip()
            part = ""
        part += clause
    yield part.strip()


def _rules_of(block: Block, kind: DocumentKind) -> list[str]:
    return [one for one in _told(block) if _is_rule(one, block, kind)]


def _of_readme(document: Document) -> tuple[str, str, str]:
    told = _sayings(document.read)
    names = {name for name in (_first_word(document.title), document.project.lower()) if len(name) > 1}
    return (
        _best(told, lambda block, one, order: _problem(block, one, order) + 1.5 * _defines(one, names)),
        _joined(told, _redness_in),
        _best(told, lambda block, one, _: 1.0 if _SETTLED.search(one) and block.kind != "meta" else 0.0),
    )


def _of_decision(document: Document) -> tuple[str, str, str]:
    sections = [(block, _below_title(block)) for block in document.read]
    decided = _sayings(block for block, below in sections if _heads(below, _DECISION))
    why = _sayings(block for block, below in sections if _heads(below, _PAIN))
    others = (block for block, below in sections if not _heads(below, _DECISION))
    problem = why[0][1] if why else _best(_sayings(others), _problem)
    latest = _run_on([one for _, one in decided] or [document.title], LIMITS["latest_decision"])
    state = status(document.read)
    red = _joined(_sayings(document.read), _redness_in)
    return problem, red, f"({state}) {latest}" if is_over(state) else latest


def _of_rules(document: Document) -> tuple[str, str, str]:
    told = _sayings(document.read)
    red = [one for block, one in told if _is_rule(one, block, document.kind)]
    opening = next((one for _, one in told if one not in red and not _OPENINGS.match(one)), "")
    problem = f"{document.title}: {opening}" if opening else document.title
    return problem, _run_on(red, LIMITS["key_constraint"]), ""


def _sayings(read: Iterable[Block]) -> list[tuple[Block, str]]:
    """The first `SAYINGS` sentences with their blocks: what nobody reads to its end need not be weighed."""
    return list(islice(((block, one) for block in read for one in _told(block)), SAYINGS))


def _told(block: Block) -> Iterator[str]:
    """What a block says, sentence by sentence, without labels, navigation and what is about the document."""
    if block.kind in ("code", "meta"):
        return
    for one in sentences(block.plain):
        if (
            count_words(one) > 1
            and not _LABEL.match(one)
            and not _META_TALK.match(one)
            and not _is_navigation(one)
        ):
            yield one


def _problem(block: Block, one: str, order: int) -> float:
    """How well a sentence says what a document is for: early, a definition, of a section that is about it."""
    words = count_words(one)
    return (
        2.0 / (1 + order / 2)
        + (0.8 if _SOLVES.search(one) else 0.0)
        - (1.5 if _ADVERT.search(one) or _is_advert(block) else 0.0)
        - (0.5 if words > LIMITS["core_problem"] else 0.0)
        + (0.5 if _heads(block, _PAIN) else 0.0)
        - (1.0 if one.endswith((":", "：", "?", "？")) or words < 4 else 0.0)
        - (0.8 if _OPENINGS.match(one) else 0.0)
        - (0.5 if block.kind == "item" else 0.0)
    )


def _defines(one: str, names: Collection[str]) -> bool:
    """Whether a sentence says what the thing of that name is: "Gin is a …"."""
    begun = _DEFINES.match(one.lower())
    return bool(begun and begun[1] in names)


def _first_word(title: str) -> str:
    return next(iter(re.findall(r"[\w.-]+", title.lower())), "")


def _is_advert(block: Block) -> bool:
    return any(_ADVERT.search(heading) for heading in block.headings)


def _redness_in(block: Block, one: str, order: int) -> float:
    red = _redness(one, block)
    return red + 0.2 / (1 + order / 10) if red >= 1.0 else 0.0


def _is_rule(one: str, block: Block, kind: DocumentKind) -> bool:
    """What agents are told point by point is a rule, whatever its tone; what contributors are told is one
    where it forbids or binds."""
    if one.endswith(("?", "？")):
        return False
    red = _redness(one, block)
    if kind == "contributing":
        return red > 1.0 or bool(_BINDS.search(one))
    return red > 0 or block.kind == "item"


def _redness(one: str, block: Block) -> float:
    """How much a sentence is a red line; 0: not at all."""
    forbids, asks = bool(_FORBIDS.search(one)), bool(_ASKS.search(one))
    if one.endswith(("?", "？")) or not (forbids or asks or (block.kind == "item" and _heads(block, _RED))):
        return 0.0
    return 1.2 * forbids + 0.6 * asks + 0.4 * _heads(block, _RED) + 0.2 * (block.kind == "item")


def _best(told: Sequence[tuple[Block, str]], worth: Callable[[Block, str, int], float]) -> str:
    scored = [(worth(block, one, order), -order, one) for order, (block, one) in enumerate(told)]
    top = max(scored, default=(0.0, 0, ""))
    return top[2] if top[0] > 0 else ""


def _joined(told: Sequence[tuple[Block, str]], worth: Callable[[Block, str, int], float]) -> str:
    """The reddest sentence, and the next ones while they fit."""
    scored = [(worth(block, one, order), -order, one) for order, (block, one) in enumerate(told)]
    ranked = [one for score, _, one in sorted(scored, reverse=True) if score > 0]
    return _run_on(ranked, LIMITS["key_constraint"])


def _run_on(told: Sequence[str], limit: int) -> str:
    """As many of the sentences as fit, in this order; the first one is cut if it must be."""
    found: list[str] = []
    for one in dict.fromkeys(told):
        if found and count_words(" ".join([*found, one])) > limit:
            continue
        found.append(cut(one, limit))
    return " ".join(found)


def _heads(block: Block, what: re.Pattern[str]) -> bool:
    return any(what.search(heading) for heading in block.headings[-2:])


def _below_title(block: Block) -> Block:
    """Without the document's title: "A decision on contexts" says nothing of what stands in its sections."""
    return block._replace(headings=block.headings[1:])


def _is_navigation(one: str) -> bool:
    return bool(_NAVIGATION.search(_CODE.sub("", one))) and not re.search(r"[.。!]$", one)


def _slug(headings: Sequence[str], taken: set[str]) -> str:
    """A part's name from its headings: stable while they are, whatever happens to other sections."""
    words = re.findall(r"\w+", " ".join(headings[1:]).lower() or "top")
    base = "-".join(words)[:SLUG_CHARS].rstrip("-")
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name
