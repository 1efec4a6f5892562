"""Why a file is in the answer, in a few words a person can check."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from navlog.projections.ranking.query import Query
from navlog.projections.ranking.words import forms
from navlog.projections.terms import terms
from navlog.projections.views import ProjectView

# So many reasons, and so many words or names in each.
MOST, WORDS = 3, 3
# What adds less than this to the score is no reason.
LEAST = 0.05
# What a person can check at a glance is told first, however little it adds.
EXACT = {"places", "modules", "frames", "title_names", "prose_names", "code_names"}
NOTHING = "the nearest of what was found"


class Reasons:
    """Tells why, for the files of one answer; ``hits`` are those that brought others along."""

    def __init__(self, view: ProjectView, query: Query, paths: Sequence[str], hits: Iterable[str]) -> None:
        self._view, self._query, self._hits = view, query, list(hits)
        self._words = _body_words(view, query, paths)

    def of(self, path: str, added: Mapping[str, float]) -> str:
        """The reasons for ``path``; ``added`` is what each signal adds to its score, the largest first."""
        telling = sorted(added, key=lambda signal: signal not in EXACT)  # sorted() keeps the order of worth
        tellers = dict.fromkeys(
            tell for signal in telling if added[signal] >= LEAST and (tell := _TELLERS.get(signal))
        )
        told = _distinct(said for tell in tellers if (said := tell(self, path)))
        return "; ".join(islice(told, MOST)) or NOTHING

    def path_words(self, path: str) -> str:
        """Words of the task in the path."""
        return _listed("path says", self._said(terms(path)))

    def symbol_words(self, path: str) -> str:
        """Words of the task in the names of symbols."""
        names = (symbol.name for symbol in self._view.files[path].symbols)
        return _listed("symbols say", self._said(term for name in names for term in terms(name)))

    def body_words(self, path: str) -> str:
        """The rarest words of the task in the text."""
        return _listed("text says", self._words.get(path, ()))

    def named(self, path: str) -> str:
        """Symbols the task names and the file defines."""
        query = self._query
        said = [*query.title_names, *query.prose_names, *query.frames, *query.code_names]
        parts = dict.fromkeys(part.casefold() for name in said for part in name.replace("::", ".").split("."))
        defined = {symbol.name.casefold(): symbol.name for symbol in self._view.files[path].symbols}
        return _listed("defines", (defined[part] for part in parts if part in defined))

    def company(self, path: str, how: str) -> str:
        """The first hit the file goes with."""
        return next((f"{how} {hit.rpartition('/')[2]}" for hit in self._hits if hit != path), "")

    def _said(self, words: Iterable[str]) -> Iterable[str]:
        said = self._query.words
        return (
            word for word in _distinct(words) if word in said or any(form in said for form in forms(word))
        )


def _body_words(view: ProjectView, query: Query, paths: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The words of the query that each file's text holds, those that tell most first."""
    known, found = view.index.matches("body", query.words)
    wanted = {slot: path for path in paths if (slot := view.index.slots.get(path)) is not None}
    words: dict[str, list[tuple[float, str]]] = {}
    for term, doc, worth in zip(*(column.tolist() for column in found), strict=True):
        if doc in wanted:
            words.setdefault(wanted[doc], []).append((-worth, known[term]))
    return {path: [word for _, word in sorted(mine)] for path, mine in words.items()}


def _distinct(words: Iterable[str]) -> Iterator[str]:
    """Each once, no further than somebody asks: a large file defines hundreds of names."""
    seen: set[str] = set()
    for word in words:
        if word not in seen:
            seen.add(word)
            yield word


def _listed(how: str, words: Iterable[str]) -> str:
    few = list(islice(words, WORDS))
    return f"{how} {', '.join(few)}" if few else ""


def _fixed(text: str) -> Callable[[Reasons, str], str]:
    return lambda _reasons, _path: text


def _company(how: str) -> Callable[[Reasons, str], str]:
    return lambda reasons, path: reasons.company(path, how)


_TELLERS: Mapping[str, Callable[[Reasons, str], str]] = {
    "places": _fixed("path is in the task"),
    "modules": _fixed("module is in the task"),
    "frames": _fixed("in the traceback"),
    "title_names": Reasons.named,
    "prose_names": Reasons.named,
    "code_names": Reasons.named,
    "title_path": Reasons.path_words,
    "prose_path": Reasons.path_words,
    "stem": Reasons.path_words,
    "title_symbols": Reasons.symbol_words,
    "prose_symbols": Reasons.symbol_words,
    "code_symbols": Reasons.symbol_words,
    "title_body": Reasons.body_words,
    "prose_body": Reasons.body_words,
    "code_body": Reasons.body_words,
    "title_votes": _fixed("changed by commits with these words"),
    "prose_votes": _fixed("changed by commits with these words"),
    "imports": _company("next to"),
    "together": _company("changes together with"),
    "sibling": _company("beside"),
    "namesake": _company("namesake of"),
}
