"""A text of the task as weighted search terms: without stop words, with the forms and translations a code
base may use for the same thing.

The index knows terms as they are written; what a term may stand for is decided here, on the side of the
query.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from navlog.projections.terms import terms


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of English and of issue templates that say nothing about where to look.
STOP = _words(
    """
    a about above actual actually after again all also always am an and any anything are as at be
    because been before behavior behaviour being below between both bug but by bugs can cannot code
    could currently describe description detail details did do does doesn don done down during each
    either else etc even every example expect expected expecting feature few first fix fixed fixes
    following for found from further get gets getting give given gives go goes going got had happen
    happened happening happens has hasn have having he hello help her here hi hope how however http
    https if in information instead into is isn issue issues it its itself just know last latest let
    like ll look looking looks made make makes making may maybe me might minimal more most must my need
    needed needs never new no nor not note nothing now occur occurs of off ok old on once one only or
    other our out output over own perhaps please possible previous previously problem provide pull
    question re really related report reproduce reproducible reproduction request result results run
    running same say says see seem seems shall she should show shows since so solution some something
    sometimes still such sure system take than thank thanks that the their them then there these they
    thing things think this those though through thus to too try trying two under until up upon us use
    used useful user users uses using ve version very via want wanted wants was wasn way we well were
    what when where which while who why will with within without won work worked working works would
    wrong yes yet you your
    """
)
# Chinese pairs that say as little: a fix, a problem, to add, to change …
STOP_CJK = _words("修复 问题 增加 添加 修改 优化 支持 更新 新增 使用 可以 进行 一个 没有 这个 时候 无法 不能")

# What a form of a word counts beside the word as written.
FORM = 0.4
# What a translation counts.
TRANSLATED = 0.5


def weigh(text: str) -> dict[str, float]:
    """The terms of ``text`` with their weights: 1 for one mention, growing slowly with more."""
    said = {
        term: 1 + math.log(count)
        for term, count in Counter(terms(text)).items()
        if term not in STOP and term not in STOP_CJK
    }
    weights = dict(said)
    for term, weight in said.items():
        for form in forms(term):
            weights[form] = max(weights.get(form, 0.0), FORM * weight)
    for term in translated(text):
        weights[term] = max(weights.get(term, 0.0), TRANSLATED)
    return weights


def translated(text: str) -> Iterator[str]:
    """What code may call the Chinese words of ``text``; of words within words the longest counts."""
    if text.isascii():
        return
    for word, names in glossary().items():
        if word in text:
            text = text.replace(word, " ")
            yield from names


@cache
def glossary() -> Mapping[str, Sequence[str]]:
    """Chinese word -> English names, the longest words first."""
    text = files("navlog.projections.ranking").joinpath("glossary.toml").read_text(encoding="utf-8")
    words = {word: names.split() for group in tomllib.loads(text).values() for word, names in group.items()}
    return dict(sorted(words.items(), key=lambda item: (-len(item[0]), item[0])))


def forms(term: str) -> Iterator[str]:
    """Other forms of an English word, by the commonest endings; some of them are no words at all."""
    if not (term.isascii() and term.isalpha()) or len(term) < 4:
        return
    for ending, replacements in _ENDINGS:
        if term.endswith(ending):
            stem = term[: len(term) - len(ending)]
            yield from (stem + replacement for replacement in replacements)
            break
    if not term.endswith("s"):
        yield term + "s"


_ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ies", ("y", "ie")),
    ("sses", ("ss",)),
    ("es", ("e", "")),
    ("ss", ()),
    ("s", ("",)),
    ("ings", ("ing", "", "e")),
    ("ing", ("", "e", "er")),
    ("ations", ("ation", "ate", "e")),
    ("ation", ("ate", "e")),
    ("ions", ("ion", "e", "")),
    ("ion", ("e", "")),
    ("ied", ("y",)),
    ("ed", ("e", "", "ing")),
    ("er", ("e", "", "ing")),
    ("or", ("e", "")),
    ("ly", ("",)),
    ("e", ("ing", "ed", "er")),
    ("", ("ing", "ed")),
)
