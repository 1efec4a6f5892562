"""Numbers with bounds, as settings, events and arguments declare them.

Each stands once, and in one spelling: ``typing`` takes bounds of 0 and of 0.0 for the same, so that which of
them a schema shows would hang on what was imported first.
"""

from typing import Annotated, TypeAlias

import msgspec

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Positive: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]
Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]
Period: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]  # 0 would be all the time, or no time at all
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Weight: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]
