"""Which documents a prompt needs to know: coarse by vectors, then by words and places, three at most.

Pure: the vectors, the threshold and the settings are arguments. A YAML is one vector and never split. Refuses
to give something for the sake of giving: where nothing reaches the least score, nothing is chosen.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from navlog.projections.knowledge.elements import Elements, as_yaml
from navlog.projections.knowledge.kinship import voices, weighed
from navlog.projections.knowledge.recognising import is_over
from navlog.schemas.knowledge import DocumentKind

Vectors = NDArray[np.float32]

COARSE = 20
# How much evidence makes a score: at this sum of weights times rarities it is 0.63.
EVIDENCE = 3.2
FIELDS = {
    "title": 1.2,
    "key_constraint": 1.2,
    "latest_decision": 1.0,
    "core_problem": 0.8,
    "entry_pointer": 0.7,
}
LOUDEST = 2.0  # of a word in several elements
AGAIN = 0.4  # what a second word of the prompt adds that is found in the same word of the document
LONG = 0.3  # how much a document's length counts, 0 to 1
NAMED = 0.35  # the prompt names the pointer's file or definition
OVER = 0.5  # a decision that no longer holds
KINDS: Mapping[DocumentKind, float] = {
    "rules": 1.0, "decision": 1.0, "contributing": 0.9, "readme": 0.8, "issues": 0.85,
}  # fmt: skip
LEAST_PAIRS = 20  # below that a quantile says nothing
UNRELATED = (
    0.8  # the share of unrelated pairs that the coarse look may let through: the fine one tells them apart
)


class Known(NamedTuple):
    """A document as retrieval sees it; ``version`` is the position of its summary."""

    document: str
    kind: DocumentKind
    version: int
    title: str
    elements: Elements
    fields: Mapping[str, Mapping[str, float]]

    @property
    def text(self) -> str:
        """What its vector is made of, for a model that knows what words mean."""
        return f"{self.title}\n{as_yaml(self.elements)}"

    @property
    def words(self) -> str:
        """What its vector is made of where only equal words count: with all that they may stand for."""
        return spelt(word for said in self.fields.values() for word in said)


class Chosen(NamedTuple):
    """``score`` in [0, 1]; ``cosine`` by the embedder; ``why``: the words that spoke for it."""

    known: Known
    score: float
    cosine: float
    why: tuple[str, ...] = ()


def known(document: str, kind: DocumentKind, version: int, title: str, elements: Elements) -> Known:
    """A summary ready for retrieval; its words are looked up once."""
    texts = {
        "title": f"{title} {document}",
        **{name: getattr(elements, name) for name in elements.__struct_fields__},
    }
    return Known(
        document, kind, version, title, elements, {name: weighed(text) for name, text in texts.items()}
    )


class Question(NamedTuple):
    """A prompt; ``voices`` are what each of its words may stand for, see `kinship.voices`."""

    text: str
    voices: Sequence[Mapping[str, float]]

    @property
    def words(self) -> str:
        """As `Known.words`."""
        return spelt(word for voice in self.voices for word in voice)


def question(prompt: str) -> Question:
    """A prompt ready for retrieval."""
    return Question(prompt, voices(prompt))


def spelt(words: Iterable[str]) -> str:
    """Words as a text; a family is a word of its own."""
    return " ".join(word.replace("~", "kinof") for word in dict.fromkeys(words))


def coarse(
    query: Vectors, rows: Vectors, least: float, named: Sequence[int] = (), limit: int = COARSE
) -> list[tuple[int, float]]:
    """(row, cosine) of at most ``limit`` rows that are ``least`` near; ``named`` ones come in any case."""
    if not len(rows):
        return []
    worth = rows @ query.reshape(-1)
    order: list[int] = np.argsort(-worth, kind="stable").tolist()
    near = [row for row in order if worth[row] >= least or row in named][:limit]
    return [(row, float(worth[row])) for row in dict.fromkeys([*near, *named])]


def rerank(asked: Question, found: Sequence[tuple[Known, float]], among: Sequence[Known]) -> list[Chosen]:
    """The candidates by what of the prompt's words and places is in them, best first.

    A word counts by how few of the documents ``among`` which they were found have it, and less in a long one.
    """
    sizes = {one.document: sum(map(len, one.fields.values())) for one in among}
    usual = sum(sizes.values()) / max(1, len(sizes))
    rarities = rarity(among)
    chosen = [
        _chosen(asked, one, cosine, rarities, 1 - LONG + LONG * sizes[one.document] / usual)
        for one, cosine in found
    ]
    return sorted(chosen, key=lambda one: (-one.score, -one.cosine, one.known.document))


def rarity(among: Sequence[Known]) -> dict[str, float]:
    """How much each word tells: of few documents more than of many."""
    holders = Counter(
        word for one in among for word in {word for said in one.fields.values() for word in said}
    )
    return {word: math.log(1 + len(among) / count) for word, count in holders.items()}


def calibrate(rows: Vectors, sentences: Vectors, owners: Sequence[int]) -> float:
    """The least cosine of the coarse look for this embedder and these documents.

    ``sentences`` are said by the documents ``owners``; against every other document they are unrelated, and
    the threshold is what `UNRELATED` of those pairs stay above. Too few pairs tell nothing: 0.0, all pass.
    """
    if not len(rows) or not len(sentences):
        return 0.0
    worth = sentences @ rows.T
    apart = [
        float(worth[row, column])
        for row, own in enumerate(owners)
        for column in range(len(rows))
        if column != own
    ]
    return round(float(np.quantile(apart, 1 - UNRELATED)), 4) if len(apart) >= LEAST_PAIRS else 0.0


def names_of(one: Known) -> set[str]:
    """What a prompt would call the pointer of a document: path, file name, definition."""
    path, _, symbol = one.elements.entry_pointer.partition(":")
    return {name for name in (path, path.rpartition("/")[2], symbol) if len(name) > 3}


def _chosen(
    asked: Question, one: Known, cosine: float, rarities: Mapping[str, float], length: float
) -> Chosen:
    heard: dict[str, float] = {}
    for voice in asked.voices:
        worth = {word: weight * rarities.get(word, 0.0) * _said(one, word) for word, weight in voice.items()}
        best = max(worth, key=lambda word: worth[word])
        before = heard.get(best, 0.0)
        heard[best] = max(before, worth[best]) + AGAIN * min(before, worth[best])
    score = 1 - math.exp(-sum(heard.values()) / length / EVIDENCE)
    score += NAMED * any(name in asked.text for name in names_of(one))
    score *= KINDS[one.kind] * (OVER if is_over(one.elements.latest_decision[:40]) else 1.0)
    why = tuple(word.strip("~") for word in sorted(heard, key=lambda word: -heard[word])[:3] if heard[word])
    return Chosen(one, round(min(score, 1.0), 4), round(cosine, 4), why)


def _said(one: Known, word: str) -> float:
    """How loudly a document says a word; 0.0 if it does not."""
    return min(LOUDEST, sum(FIELDS[name] * said.get(word, 0.0) for name, said in one.fields.items()))
