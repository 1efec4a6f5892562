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

from navlog.projections.knowledge import acting
from navlog.projections.knowledge.elements import Elements, as_yaml
from navlog.projections.knowledge.kinship import KIN, is_plain, tells, voices, weighed
from navlog.projections.knowledge.prose import sentences
from navlog.projections.knowledge.recognising import is_over
from navlog.projections.knowledge.summarising import tone
from navlog.schemas.knowledge import DocumentKind

Vectors = NDArray[np.float32]

COARSE = 20
RANKS = 60  # of reciprocal rank fusion, as its authors have it: how little the very first ranks stand out
# How much evidence makes a score: at this sum of weights times rarities it is 0.63.
EVIDENCE = 1.2
FIELDS = {"core_problem": 0.8, "key_constraint": 1.2, "latest_decision": 1.0, "entry_pointer": 0.7}
TITLE = 0.6  # a word of the title speaks for every sentence below it
LOUDEST = 1.5  # of a word in a sentence and in the title
AGAIN = 0.3  # what a second word of the prompt adds that is found in the same word of the document
REST = 0.4  # what is said elsewhere in the document, beside the sentence that says most
SHARE = 0.5  # how much it counts how much of the prompt a document knows of, 0 to 1
LONG = 0.15  # how much a document's length counts, 0 to 1
ACT = 1.2  # what a rule and a prompt have in common that are about the same act, beside a word in common
HEARD = 0.08  # below that a word is no evidence of its own
KINDS_NEEDED = 2  # of evidence; with less of it a document speaks for `ALONE` of its score
ALONE = 0.3
NEIGHBOUR = 0.4  # of what another part of the same section has more: a section is about one thing
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
    heading: Mapping[str, float]
    sayings: Sequence[Mapping[str, float]]

    @property
    def text(self) -> str:
        """What its vector is made of, for a model that knows what words mean."""
        return f"{self.title}\n{as_yaml(self.elements)}"

    @property
    def words(self) -> str:
        """What its vector is made of where only equal words count: with all that they may stand for."""
        return spelt(word for said in (self.heading, *self.sayings) for word in said)


class Chosen(NamedTuple):
    """``score`` in [0, 1]; ``cosine`` by the embedder; ``why``: the words that spoke for it."""

    known: Known
    score: float
    cosine: float
    why: tuple[str, ...] = ()


def known(document: str, kind: DocumentKind, version: int, title: str, elements: Elements) -> Known:
    """A summary ready for retrieval; its words are looked up once, sentence by sentence."""
    sayings = [
        {word: worth * tone(said) * weight for word, weight in _heard_in(said).items()}
        for name, worth in FIELDS.items()
        for said in sentences(getattr(elements, name))
    ]
    return Known(document, kind, version, title, elements, weighed(f"{title} {document}"), sayings)


class Question(NamedTuple):
    """A prompt; ``voices`` are what each of its words may stand for, see `kinship.voices`, and its acts."""

    text: str
    voices: Sequence[Mapping[str, float]]

    @property
    def words(self) -> str:
        """As `Known.words`."""
        return spelt(word for voice in self.voices for word in voice)


def _heard_in(said: str) -> dict[str, float]:
    return weighed(said) | dict.fromkeys(acting.told(said), ACT)


def question(prompt: str) -> Question:
    """A prompt ready for retrieval: its words, and the acts that it asks for."""
    return Question(prompt, [*voices(prompt), *({act: 1.0} for act in acting.asked(prompt))])


def spelt(words: Iterable[str]) -> str:
    """Words as a text; a family or an act is a word of its own."""
    return " ".join(word.replace("~", "kinof").replace(acting.MARK, "actof") for word in dict.fromkeys(words))


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


def merged(
    looks: Sequence[Sequence[tuple[int, float]]], named: Sequence[int] = (), limit: int = COARSE
) -> list[tuple[int, float]]:
    """Several coarse looks as one: (row, cosine of the first look that has it), what two looks see first.

    By reciprocal ranks. A model alone loses what only words know, the name of a file or of an option: with a
    small one the rule was among the three for 70 of 98 prompts, with both looks for 77.
    """
    worth: dict[int, float] = {}
    cosines: dict[int, float] = {}
    for found in looks:
        for rank, (row, cosine) in enumerate(found):
            worth[row] = worth.get(row, 0.0) + 1 / (RANKS + rank)
            cosines.setdefault(row, cosine)
    order = sorted(worth, key=lambda row: (-worth[row], row))[:limit]
    return [(row, cosines[row]) for row in dict.fromkeys([*order, *named])]


class Among(NamedTuple):
    """The documents a choice is made among: how much each word tells there, and their usual length."""

    rarities: Mapping[str, float]
    length: float


def among(documents: Sequence[Known]) -> Among:
    """What `rerank` has to know of all documents; made once for as long as they stay.

    A word tells 0 to 1: one of few documents more than one of many, and one of few projects, too.
    """
    holders = Counter(word for one in documents for word in set(one.heading).union(*one.sayings))
    rarest = math.log(1 + len(documents))
    rarities = {
        word: math.log(1 + len(documents) / count) / rarest * tells(word) for word, count in holders.items()
    }
    return Among(rarities, max(1.0, sum(map(_length, documents)) / max(1, len(documents))))


def rerank(asked: Question, found: Sequence[tuple[Known, float]], those: Among) -> list[Chosen]:
    """The candidates by what of the prompt's words and places is in them, best first."""
    chosen = [_chosen(asked, one, cosine, those) for one, cosine in found]
    best: dict[tuple[str, str], float] = {}
    for one in chosen:
        best[_section(one)] = max(best.get(_section(one), 0.0), one.score)
    near = [
        one._replace(score=round(one.score + NEIGHBOUR * (best[_section(one)] - one.score), 4))
        for one in chosen
    ]
    return sorted(near, key=lambda one: (-one.score, -one.cosine, one.known.document))


def _length(one: Known) -> int:
    return sum(map(len, one.sayings))


def _section(one: Chosen) -> tuple[str, str]:
    return one.known.document.partition("#")[0], one.known.title


def calibrate(rows: Vectors, sentences: Vectors, owners: Sequence[int]) -> float:
    """The least cosine of the coarse look for this embedder and these documents.

    ``sentences`` are said by the documents ``owners``; against every other document they are unrelated, and
    the threshold is what `UNRELATED` of those pairs stay above. Too few pairs tell nothing: 0.0, all pass.
    """
    if not len(rows) or not len(sentences):
        return 0.0
    apart = np.ones((len(sentences), len(rows)), bool)
    apart[np.arange(len(sentences)), np.asarray(owners)] = False
    worth = (sentences @ rows.T)[apart]
    return round(float(np.quantile(worth, 1 - UNRELATED)), 4) if worth.size >= LEAST_PAIRS else 0.0


def names_of(one: Known) -> set[str]:
    """What a prompt would call the pointer of a document: path, file name, definition."""
    path, _, symbol = one.elements.entry_pointer.partition(":")
    return {name for name in (path, path.rpartition("/")[2], symbol) if len(name) > 3}


class _Heard(NamedTuple):
    """One word of the prompt in one document: where it is found best, and as which word there."""

    word: str
    worth: float
    said: Sequence[tuple[int, str, float]]  # (sentence, word, worth)
    is_plain: bool  # there is no doubt what is meant


def _chosen(asked: Question, one: Known, cosine: float, those: Among) -> Chosen:
    found = [hit for voice in asked.voices if (hit := _hear(voice, one, those.rarities))]
    length = 1 - LONG + LONG * _length(one) / those.length
    evidence = _evidence(found, len(one.sayings)) * _share(asked.voices, found) ** SHARE / length
    score = (1 - math.exp(-evidence / EVIDENCE)) * (1.0 if _kinds(found) >= KINDS_NEEDED else ALONE)
    score += NAMED * any(name in asked.text for name in names_of(one))
    score *= KINDS[one.kind] * (OVER if is_over(one.elements.latest_decision[:40]) else 1.0)
    best = sorted(found, key=lambda hit: -hit.worth)
    why = tuple(dict.fromkeys(hit.word.strip(f"~{acting.MARK}") for hit in best))[:3]
    return Chosen(one, round(min(score, 1.0), 4), round(cosine, 4), why)


def _hear(voice: Mapping[str, float], one: Known, rarities: Mapping[str, float]) -> _Heard | None:
    """What a document says of a word of the prompt; None if nothing."""
    known = {word: weight * rarities[word] for word, weight in voice.items() if word in rarities}
    said = []
    for row, saying in enumerate(one.sayings if known else ()):
        loud = {
            word: worth * min(LOUDEST, saying.get(word, 0.0) + TITLE * one.heading.get(word, 0.0))
            for word, worth in known.items()
        }
        word = max(loud, key=lambda one: loud[one])
        if loud[word]:
            said.append((row, word, loud[word]))
    if not said:
        return None
    _, word, worth = max(said, key=lambda one: one[2])
    return _Heard(word, worth, said, is_plain(voice, word))


def _evidence(found: Sequence[_Heard], sentences: int) -> float:
    """The sum of what the loudest sentence says and, for less, of what the others do."""
    whole = _summed((hit.word, hit.worth) for hit in found)
    rows: list[list[tuple[str, float]]] = [[] for _ in range(sentences)]
    for hit in found:
        for row, word, worth in hit.said:
            rows[row].append((word, worth))
    loudest = max(map(_summed, rows), default=0.0)
    return loudest + REST * max(0.0, whole - loudest)


def _summed(found: Iterable[tuple[str, float]]) -> float:
    """A second word of the prompt that is found in the same word of the document adds little."""
    heard: dict[str, float] = {}
    for word, worth in found:
        before = heard.get(word, 0.0)
        heard[word] = max(before, worth) + AGAIN * min(before, worth)
    return sum(heard.values())


def _share(voices: Sequence[Mapping[str, float]], found: Sequence[_Heard]) -> float:
    """How much of what the prompt says the document knows of, 0 to 1."""
    whole = sum(map(_telling, voices))
    return min(1.0, sum(min(1.0, 2 * hit.worth) for hit in found) / whole) if whole else 0.0


def _telling(voice: Mapping[str, float]) -> float:
    own = [word for word, weight in voice.items() if weight == 1.0]
    return tells(own[-1]) if own else KIN


def _kinds(found: Sequence[_Heard]) -> int:
    """How many independent things speak for a document: each word, and that a word is one of the trade.

    Overlapping pairs of Chinese are one word.
    """
    number, before = 0, ""
    for hit in found:
        if hit.worth < HEARD:
            continue
        overlaps = not hit.word.isascii() and before and before[-1] == hit.word[0]
        number += 0 if overlaps else 1
        before = "" if hit.word.isascii() else hit.word
    return number + any(hit.is_plain for hit in found)
