"""Embedders that ask a model over HTTP, the vectors that are kept of it, and which one the settings name.

The answering path embeds one query at most, and falls back to hashing when the model is slow or away; texts
are embedded beside it. It refuses to download a model, and to send a text anywhere the settings do not name.
"""

from navlog.daemon.embedding.choosing import embedder_of

__all__ = ["embedder_of"]
