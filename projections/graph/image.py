"""The graph's state and views as one file beside its tables, so that a start need not make them again.

A cache of the tables and no more: the table ``image`` holds the file's sum for as long as the tables say what
the file says, and loses it in the transaction that changes anything else. A file of another sum, of other
code, torn or absent is no image. Its large arrays are mapped, not read. See
docs/adr/0013-an-image-of-the-graph.md.
"""

import hashlib
import io
import mmap
import pickle
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from navlog import projections, schemas
from navlog.projections.store import Connection

ENDING = ".image"
ALIGNED = 64  # bytes: where an array may begin
SIZE = 8  # bytes of each number in the contents
_PATH = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
# What an image is made of beside classes of navlog's own; none of these does anything but hold data.
_ROOMS = ("navlog.projections.", "navlog.schemas.")
_HOLDERS = {
    ("array", "_array_reconstructor"),
    ("array", "array"),
    ("collections", "Counter"),
    ("numpy", "dtype"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.numeric", "_frombuffer"),
}


class Taken(NamedTuple):
    """What an image is written of: what was held when it was taken, and the large arrays beside it."""

    body: bytes
    arrays: list[pickle.PickleBuffer]


def take(held: object) -> Taken:
    """``held`` as it is now, but for its large arrays: nobody may change these until `write` has ended."""
    arrays: list[pickle.PickleBuffer] = []
    return Taken(pickle.dumps(held, 5, buffer_callback=arrays.append), arrays)


def write(db: Connection, taken: Taken) -> None:
    """Puts the image beside the file of ``db``, which must say the same, and its sum into it."""
    body = zlib.compress(taken.body, 1)
    place = _place(db)
    new = place.with_name(f"{place.name}.new")
    total = CODE.copy()
    with new.open("wb") as file:
        for piece in _framed([memoryview(body), *(array.raw() for array in taken.arrays)]):
            total.update(piece)
            file.write(piece)
    new.replace(place)
    db.execute("INSERT INTO image VALUES (?)", [total.hexdigest()])


def is_written(db: Connection) -> bool:
    """Whether there is an image of what the tables say now."""
    return _sum(db) is not None


def forget(db: Connection) -> None:
    """Deletes the image, whatever it says."""
    _place(db).unlink(missing_ok=True)
    db.execute("DELETE FROM image")


def read(db: Connection) -> Any | None:
    """What `write` was given, if the tables still say the same; None where there is no image of that.

    One that cannot be used is deleted, to be written again.
    """
    expected = _sum(db)
    held = _read(_place(db), expected) if expected else None
    if expected and held is None:
        forget(db)
    return held


def _read(place: Path, expected: str) -> Any | None:
    try:
        with place.open("rb") as file:
            # What is written to an array stays in memory: the file is as it was.
            image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        total = CODE.copy()
        total.update(image)
        if total.hexdigest() != expected:
            return None
        body, *arrays = _parts(image)
        held = _Reader(zlib.decompress(body), arrays).load()
    except (OSError, ValueError, zlib.error, pickle.UnpicklingError):
        return None
    # Nothing is written yet. Of what was read once for the sum only that comes back which is looked at again.
    image.madvise(mmap.MADV_DONTNEED)
    return held


class _Reader(pickle.Unpickler):
    """Makes nothing but what holds data."""

    def __init__(self, body: bytes, arrays: Sequence[memoryview]) -> None:
        super().__init__(io.BytesIO(body), buffers=arrays)

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _HOLDERS:
            return super().find_class(module, name)
        if module.startswith(_ROOMS) and isinstance(found := super().find_class(module, name), type):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of an image")


def _framed(parts: Sequence[memoryview]) -> Iterator[memoryview | bytes]:
    """The contents (how many parts, and how long each is), then the parts, each where an array may begin."""
    contents = np.array([len(parts), *map(len, parts)], "<i8").tobytes()
    yield contents
    yield bytes(-len(contents) % ALIGNED)
    for piece in parts:
        yield piece
        yield bytes(-len(piece) % ALIGNED)


def _parts(image: mmap.mmap) -> Iterator[memoryview]:
    """What `_framed` was given."""
    count = int(np.frombuffer(image, "<i8", 1)[0])
    at = _aligned(SIZE * (count + 1))
    for size in np.frombuffer(image, "<i8", count, SIZE).tolist():
        yield memoryview(image)[at : at + size]
        at += _aligned(size)


def _aligned(size: int) -> int:
    return size + -size % ALIGNED


def _sum(db: Connection) -> str | None:
    row = db.execute("SELECT sum FROM image").fetchone()
    return str(row[0]) if row else None


def _place(db: Connection) -> Path:
    ((path,),) = db.execute(_PATH).fetchall()
    return Path(f"{path}{ENDING}")


def _sum_of_code() -> hashlib.blake2b:
    total = hashlib.blake2b(digest_size=16)
    for version in (sys.version, np.__version__, msgspec.__version__):
        total.update(version.encode())
    for room in (projections, schemas):
        for source in sorted(Path(str(room.__file__)).parent.rglob("*.py")):
            total.update(source.read_bytes())
    return total


# Every sum begins with it: other code has other classes, or sees the same tables otherwise. Taken when the
# code is loaded: by the time an image is written, an upgrade may have put another one in its place.
CODE = _sum_of_code()
