"""A model is asked in one of two ways: OpenAI's ``/v1/embeddings`` or Ollama's ``/api/embed``.

What is given is checked: as many vectors as texts, all of one length, finite numbers. A wrong answer is an
error, never a vector.
"""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from navlog.daemon.embedding.asking import post, told
from navlog.projections.embedding import Vectors, unit
from navlog.schemas.errors import EmbeddingFailed

BATCH = 32  # texts a request
TEXT_CHARS = 8000  # of a text: models cut what is longer anyway


class _Row(msgspec.Struct):
    embedding: list[float]
    index: int


class _OpenAi(msgspec.Struct):
    data: list[_Row]


class _Ollama(msgspec.Struct):
    embeddings: list[list[float]]


class HttpEmbedder:
    """``provider`` is openai or ollama; ``url`` the server's base, ``key`` a bearer token or "".

    With ``dimensions`` the vectors have at most so many numbers: models made for that keep what matters
    in the first ones (Qwen3-Embedding). Another number is another model to whoever keeps them.
    """

    def __init__(
        self, provider: str, url: str, model: str, key: str, timeout: float, dimensions: int = 0
    ) -> None:
        self.provider = provider
        self.model = f"{model}@{dimensions}" if dimensions else model
        self._asked = {"model": model, **({"dimensions": dimensions} if dimensions else {})}
        self._dimensions = dimensions
        self._url = url.rstrip("/") + _PATHS[provider]
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout = timeout

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row a text; raises `EmbeddingFailed`."""
        rows: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            rows += self._ask([text[:TEXT_CHARS] or " " for text in texts[start : start + BATCH]])
        return checked([row[: self._dimensions or None] for row in rows], len(texts))

    def _ask(self, texts: list[str]) -> list[list[float]]:
        reply = post(self._url, {**self._asked, "input": texts}, self._headers, self._timeout)
        try:
            return _READERS[self.provider](reply)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise EmbeddingFailed(
                f"{told(self._url)} answered no embedding: {fault}",
                hint="Look at [embed] provider and url.",
            ) from fault


def checked(rows: Sequence[Sequence[float]], count: int) -> Vectors:
    """Unit vectors; raises `EmbeddingFailed` for what can be none."""
    if len(rows) != count or len({len(row) for row in rows}) > 1 or (rows and not rows[0]):
        raise EmbeddingFailed(f"{count} texts gave {len(rows)} vectors, or of several lengths.")
    made = np.array(rows, np.float32).reshape(count, -1)
    if not np.isfinite(made).all():
        raise EmbeddingFailed("A vector has numbers that are none.")
    return unit(made)


def _openai(reply: bytes) -> list[list[float]]:
    data = msgspec.json.decode(reply, type=_OpenAi).data
    return [row.embedding for row in sorted(data, key=lambda row: row.index)]


def _ollama(reply: bytes) -> list[list[float]]:
    return msgspec.json.decode(reply, type=_Ollama).embeddings


_PATHS = {"openai": "/v1/embeddings", "ollama": "/api/embed"}
_READERS: dict[str, Callable[[bytes], list[list[float]]]] = {"openai": _openai, "ollama": _ollama}
