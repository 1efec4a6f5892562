"""Why a file is in the answer, in a few words a person can check."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from navlog.projections.ranking.lookup import Lookup
from navlog.projections.ranking.query import Query
from navlog.projections.views import ProjectView
from navlog.schemas.names import shown

# So many reasons, and so many words or names in each.
MOST, WORDS = 3, 3
# What adds less than this to the score is no reason.
LEAST = 0.05
# What a person can check at a glance is told first, however little it adds.
EXACT = {"places", "modules", "frames", "title_names", "prose_names", "code_names"}
_SAYS = {"path": "path says", "symbols": "symbols say", "body": "text says"}
NOTHING = "the nearest of what was found"


class Reasons:
    """Tells why, for the files of one answer; ``hits`` are those that brought others along."""

    def __init__(
        self, view: ProjectView, query: Query, lookup: Lookup, paths: Sequence[str], hits: Iterable[str]
    ) -> None:
        self._view, self._query, self._hits = view, query, list(hits)
        self._words = {field: lookup.words(field, paths) for field in _SAYS}

    def of(self, path: str, added: Mapping[str, float]) -> str:
        """The reasons for ``path``; ``added`` is what each signal adds to its score, the largest first."""
        telling = sorted(added, key=lambda signal: signal not in EXACT)  # sorted() keeps the order of worth
        tellers = dict.fromkeys(
            tell for signal in telling if added[signal] >= LEAST and (tell := _TELLERS.get(signal))
        )
        told = _distinct(said for tell in tellers if (said := tell(self, path)))
        return "; ".join(islice(told, MOST)) or NOTHING

    def telling(self, path: str) -> list[str]:
        """The words of the task that the file's text or its symbols hold."""
        return sorted({*self._words["body"].get(path, ()), *self._words["symbols"].get(path, ())})

    def words(self, path: str, field: str) -> str:
        """The words of the task that are found in a field of the file, those that tell most first."""
        return _listed(_SAYS[field], self._words[field].get(path, ()))

    def named(self, path: str) -> str:
        """Symbols the task names and the file defines."""
        query = self._query
        said = [*query.title_names, *query.prose_names, *query.frames, *query.code_names]
        parts = dict.fromkeys(part.casefold() for name in said for part in name.replace("::", ".").split("."))
        defined = {symbol.name.casefold(): symbol.name for symbol in self._view.files[path].symbols}
        return _listed("defines", (defined[part] for part in parts if part in defined))

    def company(self, path: str, how: str) -> str:
        """The first hit the file goes with."""
        return next((f"{how} {shown(hit).rpartition('/')[2]}" for hit in self._hits if hit != path), "")


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


def _words(field: str) -> Callable[[Reasons, str], str]:
    return lambda reasons, path: reasons.words(path, field)


def _company(how: str) -> Callable[[Reasons, str], str]:
    return lambda reasons, path: reasons.company(path, how)


_TELLERS: Mapping[str, Callable[[Reasons, str], str]] = {
    "places": _fixed("path is in the task"),
    "modules": _fixed("module is in the task"),
    "frames": _fixed("in the traceback"),
    "title_names": Reasons.named,
    "prose_names": Reasons.named,
    "code_names": Reasons.named,
    "title_path": _words("path"),
    "prose_path": _words("path"),
    "stem": _words("path"),
    "title_symbols": _words("symbols"),
    "prose_symbols": _words("symbols"),
    "code_symbols": _words("symbols"),
    "title_body": _words("body"),
    "prose_body": _words("body"),
    "code_body": _words("body"),
    "title_votes": _fixed("changed by commits with these words"),
    "prose_votes": _fixed("changed by commits with these words"),
    "imports": _company("next to"),
    "together": _company("changes together with"),
    "sibling": _company("beside"),
    "namesake": _company("namesake of"),
}
