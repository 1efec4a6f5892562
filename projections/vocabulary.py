"""Terms and their numbers in few bytes: as Python's strings a project's hundred thousand terms would be a
third of the memory it takes.

Most terms lie in `Words`, which does not change; the newest, and those asked for since, in a dict above it
until `Vocabulary.join`. Knows nothing of what the terms stand in.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray


class Words:
    """Distinct terms numbered from 0: ``text`` is all of them, ``ends`` where each ends in it.

    ``hashes`` are sorted, and ``numbers`` says whose they are.
    """

    def __init__(
        self,
        text: NDArray[np.uint8],
        ends: NDArray[np.int32],
        hashes: NDArray[np.uint32],
        numbers: NDArray[np.int32],
    ) -> None:
        self._arrays = text, ends, hashes, numbers
        # What is looked at in a view is an int, in an array an object that is slow to compare.
        self._text, self._ends = text.data, ends.data
        self._hashes, self._numbers = hashes.data, numbers.data

    def __reduce__(self) -> tuple[object, ...]:
        return Words, self._arrays

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[str]:
        """By number."""
        start = 0
        for end in self._ends:
            yield _decoded(self._text[start:end])
            start = end

    def find(self, term: str) -> int | None:
        """The term's number."""
        wanted = _encoded(term)
        hash_ = crc32(wanted)
        for at in range(bisect_left(self._hashes, hash_), len(self._hashes)):
            if self._hashes[at] != hash_:
                break
            number: int = self._numbers[at]
            if self._text[self._ends[number - 1] if number else 0 : self._ends[number]] == wanted:
                return number
        return None

    def joined(self, terms: Sequence[str]) -> "Words":
        """These, and then ``terms``, none of which is among them."""
        text, ends, hashes, numbers = self._arrays
        new = [_encoded(term) for term in terms]
        by_number = np.empty_like(hashes)
        by_number[numbers] = hashes
        by_number = np.append(by_number, np.fromiter(map(crc32, new), np.uint32, len(new)))
        order = np.argsort(by_number, kind="stable").astype(np.int32)
        return Words(
            np.append(text, np.frombuffer(b"".join(new), np.uint8)),
            np.append(ends, len(text) + np.cumsum([*map(len, new)], dtype=np.int32)),
            by_number[order],
            order,
        )


NO_WORDS = Words(np.empty(0, np.uint8), np.empty(0, np.int32), np.empty(0, np.uint32), np.empty(0, np.int32))


class _Lately(dict[str, int]):
    """A term asked for by ``[...]`` that stands in none of both gets the number ``count``."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words, self.count = words, len(words)

    def __missing__(self, term: str) -> int:
        number = self.words.find(term)
        if number is None:
            number, self.count = self.count, self.count + 1
        self[term] = number
        return number


class Vocabulary:
    """Term -> number, in the order in which they came."""

    def __init__(self, terms: Iterable[str] = ()) -> None:
        self._lately = _Lately(NO_WORDS)
        self.numbers(terms)

    def __getstate__(self) -> Words:
        self.join()
        return self._lately.words

    def __setstate__(self, words: Words) -> None:
        self._lately = _Lately(words)

    def __len__(self) -> int:
        return self._lately.count

    def __iter__(self) -> Iterator[str]:
        """By number."""
        self.join()
        return iter(self._lately.words)

    def find(self, term: str) -> int | None:
        """The term's number, if it has one."""
        number = self._lately.get(term)
        if number is None and (number := self._lately.words.find(term)) is not None:
            self._lately[term] = number  # a question asks for it once a field
        return number

    def numbers(self, terms: Iterable[str]) -> list[int]:
        """The terms' numbers; those that have none get the next ones."""
        return [*map(self._lately.__getitem__, terms)]

    def grouped(self, counts: Mapping[str, int]) -> dict[int, list[int]]:
        """The numbers of terms, by how often each occurs."""
        groups: dict[int, list[str]] = {}
        for term, count in counts.items():
            groups.setdefault(count, []).append(term)
        return {count: self.numbers(terms) for count, terms in groups.items()}

    def join(self) -> None:
        """The terms of the dict become words: at rest, since while files come most are asked for again."""
        words = self._lately.words
        new = sorted((number, term) for term, number in self._lately.items() if number >= len(words))
        self._lately = _Lately(words.joined([term for _, term in new]) if new else words)


def _encoded(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")


def _decoded(text: memoryview) -> str:
    return str(text, "utf-8", "surrogatepass")
