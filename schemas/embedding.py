"""What the verbs around embedders take and give."""

from typing import Annotated

import msgspec

from navlog.schemas.slices import EmbeddingCalibrated


class CalibrateArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``pairs``: how many unrelated pairs of the project's own chunks are compared."""

    project: str | None = None
    pairs: Annotated[int, msgspec.Meta(ge=100, le=5000)] = 400


class CalibrateReply(msgspec.Struct, frozen=True, kw_only=True):
    """``plot``: the cosines of unrelated pairs and of neighbours, as lines of text."""

    project: str
    position: int
    found: EmbeddingCalibrated
    plot: list[str]
