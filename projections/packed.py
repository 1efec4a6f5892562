"""A list of small structs kept as the bytes it is written as: a tenth of the memory, decoded when looked at.

The outlines of a large project hold a hundred thousand symbols and chunks, and an answer looks at those of
ten files. What was looked at last stays decoded for a while. Holds nothing that can be changed.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar, overload

import msgspec

from navlog.schemas.events import Chunk, Symbol

T = TypeVar("T", Symbol, Chunk)
KEPT = 64  # lists that stay decoded: those of a few answers

_encode = msgspec.msgpack.Encoder().encode
_DECODERS: dict[type[Symbol] | type[Chunk], msgspec.msgpack.Decoder[Any]] = {
    Symbol: msgspec.msgpack.Decoder(list[Symbol]),
    Chunk: msgspec.msgpack.Decoder(list[Chunk]),
}


class Packed(Sequence[T]):
    """``kind`` says of what; equal to any sequence of the same."""

    __slots__ = ("_data", "_kind")

    def __init__(self, kind: type[T], items: Sequence[T]) -> None:
        self._kind: type[T] = kind
        self._data = _encode(list(items))

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self._items()[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self._items())

    def __len__(self) -> int:
        return len(self._items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _items(self) -> list[T]:
        return _decoded(self._kind, self._data)


def packed(kind: type[T], items: Sequence[T]) -> Sequence[T]:
    """``items`` packed; the many empty lists are one."""
    return Packed(kind, items) if items else _NONE[kind]


@lru_cache(maxsize=KEPT)
def _decoded(kind: type[T], data: bytes) -> list[T]:
    decoded: list[T] = _DECODERS[kind].decode(data)
    return decoded


_NONE: dict[type[Symbol] | type[Chunk], Packed[Any]] = {kind: Packed(kind, ()) for kind in (Symbol, Chunk)}
