"""What every event is."""

from typing import ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A payload; ``TYPE`` and ``VERSION`` are what the envelope carries."""

    TYPE: ClassVar[str]
    VERSION: ClassVar[int] = 1
