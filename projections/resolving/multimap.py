"""A map from a key to some values, frugal where most keys have one: a lone value stands without a set."""

from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Hashable)


class Multimap(Generic[K, V]):
    """Values must not be sets."""

    def __init__(self) -> None:
        self._held: dict[K, V | set[V]] = {}

    def get(self, key: K) -> Collection[V]:
        """What stands under ``key``; do not keep it across changes."""
        held = self._held.get(key)
        if held is None:
            return ()
        return held if isinstance(held, set) else (held,)

    def add(self, key: K, value: V) -> None:
        """Adds once."""
        held = self._held.setdefault(key, value)
        if isinstance(held, set):
            held.add(value)
        elif held != value:
            self._held[key] = {held, value}

    def discard(self, key: K, value: V) -> None:
        """Takes away, if it is there."""
        held = self._held.get(key)
        if isinstance(held, set):
            held.discard(value)
            if len(held) == 1:
                self._held[key] = held.pop()
        elif held == value:
            del self._held[key]

    def __len__(self) -> int:
        return len(self._held)
