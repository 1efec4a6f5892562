"""Pages that are as they were are not made again: most of a vault is untouched by most changes."""

from collections.abc import Callable
from typing import Any

from navlog.projections.pages.sheet import Page


class Memo:
    """What the last pass made each page of. A page is made again when any of that is another one."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[tuple[Any, ...], Page]] = {}
        self._now: dict[str, tuple[tuple[Any, ...], Page]] = {}

    def page(self, make: Callable[..., Page], path: str, *given: Any) -> Page:
        """``make(path, *given)``, or what that gave the last time; ``make`` depends on these alone."""
        known = self._last.get(path)
        if known is None or known[0] != (make, *given):
            known = (make, *given), make(path, *given)
        self._now[path] = known
        return known[1]

    def turn(self) -> None:
        """A pass has ended: what it did not ask for is forgotten."""
        self._last, self._now = self._now, {}
