"""The embedder that the settings name."""

from collections.abc import Mapping
from pathlib import Path

from navlog.daemon.embedding.keeping import Kept
from navlog.daemon.embedding.providers import HttpEmbedder
from navlog.projections.embedding import Embedder
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.schemas.errors import UsageError
from navlog.schemas.settings import Embed

FILE = "vectors.sqlite"  # in the folder of what is derived


def embedder_of(settings: Embed, derived: Path, environ: Mapping[str, str]) -> Embedder:
    """Hashing, or a model over HTTP with its vectors kept; raises `UsageError` where settings are missing."""
    if settings.provider == "hashing":
        return HashingEmbedder()
    if not settings.url or not settings.model:
        raise UsageError(
            f"[embed] provider = {settings.provider!r} needs a url and a model.",
            hint='For Ollama:  url = "http://127.0.0.1:11434", model = "nomic-embed-text"',
        )
    key = environ.get(settings.key_env, "") if settings.key_env else ""
    inner = HttpEmbedder(
        settings.provider, settings.url, settings.model, key, settings.timeout_s, settings.dimensions
    )
    return Kept(inner, derived / FILE)
