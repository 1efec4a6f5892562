"""Neighbouring chunks that are about the same, folded: the second of the dual thresholds.

Two neighbours join while the cosine of their words is at least the threshold and the fold has at most
`CAP` tokens. The cosine is the one that hashing them would give, taken before the hash: a chunk is the set of
its words as they stand (whole identifiers, lower-cased, common words left out), so folding a file costs a
fortieth of outlining it. A fold is named by the index of its first chunk; a chunk alone has none.
"""

from collections.abc import Callable, Sequence
from math import sqrt

from navlog.projections.commonplace import COMMON
from navlog.schemas.events import Chunk

CAP = 512  # tokens of a fold
# More than 99 of 100 pairs of chunks from different folders stay below, in Django and in flask.
THRESHOLD = 0.25
_WORDS = bytes(range(0x100)).lower()
_WORDS = bytes(one if chr(one).isalnum() or one in b"_" or one >= 0x80 else 0x20 for one in _WORDS)
_COMMON = frozenset(word.encode() for word in COMMON)


def words(text: bytes) -> frozenset[bytes]:
    """The words of a chunk that tell what it is about."""
    return frozenset(text.translate(_WORDS).split()) - _COMMON


def cosine(left: frozenset[bytes], right: frozenset[bytes]) -> float:
    """Of two sets; 0 where one is empty."""
    if not left or not right:
        return 0.0
    return len(left & right) / sqrt(len(left) * len(right))


def fold(
    chunks: Sequence[Chunk], text: Callable[[Chunk], bytes], threshold: float = THRESHOLD, cap: int = CAP
) -> list[Chunk]:
    """The chunks, each with the fold it joined."""
    folds = [-1] * len(chunks)
    total, before = 0, frozenset[bytes]()
    for index, chunk in enumerate(chunks):
        room = index > 0 and total + chunk.tokens <= cap
        if room or (index + 1 < len(chunks) and chunk.tokens + chunks[index + 1].tokens <= cap):
            now = words(text(chunk))
        else:
            now = frozenset()
        if room and cosine(before, now) >= threshold:
            first = folds[index - 1] if folds[index - 1] >= 0 else index - 1
            folds[index - 1] = folds[index] = first
            total += chunk.tokens
        else:
            total = chunk.tokens
        before = now
    return [
        chunk if into < 0 else Chunk(chunk.line, chunk.end_line, chunk.tokens, chunk.symbol, into)
        for chunk, into in zip(chunks, folds, strict=True)
    ]
