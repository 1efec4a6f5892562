"""Terms and the documents they stand in, as sorted runs of numbers: what index and history are made of.

Adding a document appends to a buffer; the next look-up sorts the buffer into a small run, and runs of like
size are merged, so a change costs what it touches and a look-up stays a handful of binary searches. A
document that is gone is not removed: its owner says which are alive, and merging leaves the others out.
Scores depend on the live documents only, never on the order of the changes. Knows nothing of files, paths
or ranking.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

# Robertson's usual saturation; a file's length is held against it less than a web page's.
K1, B = 1.2, 0.6
# A term in more of the documents than this says nothing; tiny collections have no such terms.
COMMON, TINY = 0.5, 40
MAX_COUNT, MAX_LENGTH = 65535, 2**31 - 1


class Matches(NamedTuple):
    """Parallel arrays, a row per (term asked for, live document): which term, which document, its worth."""

    term: Ints
    doc: Ints
    worth: Floats


class _Run(NamedTuple):
    """Postings sorted by term: those of ``terms[i]`` are at ``starts[i]:starts[i + 1]``."""

    terms: Ints
    starts: Ints
    docs: Ints
    counts: NDArray[np.uint16]


class Postings:
    """One field of a collection. Documents are numbers the owner gives; each is added once."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._buffer = (array("i"), array("i"), array("H"))
        self._lengths = array("i")
        self._total = 0

    def add(self, doc: int, counts: Mapping[int, Sequence[int]]) -> None:
        """``doc`` holds these terms, grouped by how often."""
        terms, docs, tallies = self._buffer
        before, length = len(terms), 0
        for count, numbers in counts.items():
            terms.extend(numbers)
            tallies.extend(array("H", (min(count, MAX_COUNT),)) * len(numbers))
            length += count * len(numbers)
        docs.extend(array("i", (doc,)) * (len(terms) - before))
        self._lengths.extend(array("i", (0,)) * (doc + 1 - len(self._lengths)))
        self._lengths[doc] = min(length, MAX_LENGTH)
        self._total += self._lengths[doc]

    def forget(self, doc: int) -> None:
        """``doc`` no longer counts for the average length; one that was never added does not anyhow."""
        if doc < len(self._lengths):
            self._total -= self._lengths[doc]
            self._lengths[doc] = 0

    def matches(self, query: Sequence[tuple[int, float]], alive: NDArray[np.bool_]) -> Matches:
        """BM25 of each (term, live document); ``query``: (term number, weight), ``term``: an index into it.

        A document's worth adds up in the order of the query: ask in one that does not change.
        """
        term, doc, count = self._find(np.array([number for number, _ in query], np.int32), alive)
        live = int(alive.sum())
        frequency = np.bincount(term, minlength=len(query))
        idf = np.log1p((live - frequency + 0.5) / (frequency + 0.5))
        if live > TINY:
            idf[frequency > COMMON * live] = 0.0
        idf *= np.array([weight for _, weight in query], np.float64)
        kept = idf[term] > 0
        term, doc, count = term[kept], doc[kept], count[kept]
        lengths = np.frombuffer(self._lengths, np.int32)[doc] if len(self._lengths) else doc
        norm = K1 * (1 - B + B * lengths * (live / max(self._total, 1)))
        return Matches(term, doc, idf[term] * (count * (K1 + 1) / (count + norm)))

    def holding(self, term: int, alive: NDArray[np.bool_]) -> Ints:
        """The live documents that hold the term, ascending."""
        return np.sort(self._find(np.array([term], np.int32), alive)[1])

    def compact(self, documents: Ints, terms: Ints) -> None:
        """New numbers for all: ``documents[old]`` and ``terms[old]``, -1 for what goes."""
        self.settle(documents >= 0)
        run = _merge(self._runs, documents >= 0)
        self._runs = [_sorted(terms[_spread(run)], documents[run.docs], run.counts)]
        lengths = np.frombuffer(self._lengths, np.int32)[: len(documents)]
        kept = lengths[documents[: len(lengths)] >= 0]
        self._lengths = array("i", kept.astype(np.int32).tobytes())

    def used(self, size: int, alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of the ``size`` term numbers a live document still holds."""
        self.settle(alive)
        found = np.zeros(size, np.bool_)
        for run in self._runs:
            found[_spread(run)[alive[run.docs]]] = True
        return found

    def _find(self, ids: Ints, alive: NDArray[np.bool_]) -> tuple[Ints, Ints, NDArray[np.float64]]:
        """(index into ids, document, count) of every live posting, in the order of ids, then of documents."""
        self.settle(alive)
        terms, docs, counts = [np.empty(0, np.int32)], [np.empty(0, np.int32)], [np.empty(0, np.uint16)]
        for run in filter(_has_terms, self._runs):
            at = np.searchsorted(run.terms, ids)
            hit = np.flatnonzero(run.terms[np.minimum(at, len(run.terms) - 1)] == ids)
            low, high = run.starts[at[hit]], run.starts[at[hit] + 1]
            sizes = high - low
            terms.append(np.repeat(hit.astype(np.int32), sizes))
            for start, end in zip(low.tolist(), high.tolist(), strict=True):
                docs.append(run.docs[start:end])
                counts.append(run.counts[start:end])
        term, doc, count = np.concatenate(terms), np.concatenate(docs), np.concatenate(counts)
        if not alive.all():
            kept = alive[doc]
            term, doc, count = term[kept], doc[kept], count[kept]
        return term, doc, count.astype(np.float64)

    def settle(self, alive: NDArray[np.bool_]) -> None:
        """The buffer becomes a run; a run at least half as long as the one before joins it."""
        terms, docs, counts = self._buffer
        if not terms:
            return
        self._buffer = (array("i"), array("i"), array("H"))
        self._runs.append(
            _sorted(
                np.frombuffer(terms, np.int32),
                np.frombuffer(docs, np.int32),
                np.frombuffer(counts, np.uint16),
            )
        )
        while len(self._runs) > 1 and 2 * len(self._runs[-1].docs) >= len(self._runs[-2].docs):
            self._runs[-2:] = [_merge(self._runs[-2:], alive)]


def _sorted(terms: Ints, docs: Ints, counts: NDArray[np.uint16]) -> _Run:
    order = np.argsort(terms, kind="stable")
    distinct, starts = np.unique(terms[order], return_index=True)
    return _Run(
        distinct.astype(np.int32),
        np.append(starts, len(terms)).astype(np.int32),
        docs[order],
        counts[order],
    )


def _merge(runs: list[_Run], alive: NDArray[np.bool_]) -> _Run:
    terms = np.concatenate([_spread(run) for run in runs] or [np.empty(0, np.int32)])
    docs = np.concatenate([run.docs for run in runs] or [np.empty(0, np.int32)])
    counts = np.concatenate([run.counts for run in runs] or [np.empty(0, np.uint16)])
    kept = alive[docs]
    return _sorted(terms[kept], docs[kept], counts[kept])


def _has_terms(run: _Run) -> bool:
    """Whether anything is left of the run: all its documents may have gone."""
    return len(run.terms) > 0


def _spread(run: _Run) -> Ints:
    """The term of each posting."""
    return np.repeat(run.terms, np.diff(run.starts))
