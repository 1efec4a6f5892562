"""Texts as vectors: the protocol of a provider, the default that hashes words, thresholds, and recall.

Pure: it computes, and refuses to fetch anything. Providers that ask a model over HTTP are in
`navlog.daemon.embedding`. A cosine means something only within one (provider, model).
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """One (provider, model). `embed` gives a row of length 1 for each text; raises what its provider says."""

    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> Vectors: ...


def unit(rows: Vectors) -> Vectors:
    """Each row at length 1; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled
