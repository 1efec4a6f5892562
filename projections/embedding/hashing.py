"""The default embedder: which words a text has, hashed into a vector. No model, no download, no state.

A text's terms (`navlog.projections.terms`), each once and weighed by how often it stands there, fall into
`DIMENSIONS` buckets with a sign, both taken from the term's CRC-32: the same vector on any machine. It knows
no synonyms: a prompt in other words than the code's finds nothing by it.
"""

from collections.abc import Sequence
from math import log1p
from zlib import crc32

import numpy as np

from navlog.projections.commonplace import COMMON
from navlog.projections.embedding import Vectors, unit
from navlog.projections.terms import count_terms

DIMENSIONS = 384


class HashingEmbedder:
    """Deterministic; the cosine of two texts is about that of the words they share."""

    provider = "hashing"
    model = f"terms-{DIMENSIONS}-1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row a text; one without a term is all zeros."""
        rows = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term, count in count_terms(text).items():
                if term not in COMMON:
                    code = crc32(term.encode("utf-8", "replace"))
                    row[code % DIMENSIONS] += (1 if code >> 31 else -1) * (1 + log1p(count - 1))
        return unit(rows)
