"""Getting rid of what nobody will read, in bounded time and memory.

A sender that is cut off in the middle of its request never reads why it was refused; so it may finish.
"""

import asyncio
from contextlib import suppress

SKIP_BYTES = 64 * 1024 * 1024
SKIP_S = 5.0
_CHUNK = 64 * 1024


async def skip(reader: asyncio.StreamReader, until: bytes | None = None) -> bool:
    """Reads and forgets, to the next ``until`` or else to the end; False when that is too far away."""
    with suppress(TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(SKIP_S):
            return await (_to_end(reader) if until is None else _to_mark(reader, until))
    return False


async def _to_mark(reader: asyncio.StreamReader, mark: bytes) -> bool:
    left = SKIP_BYTES
    while left > 0:
        try:
            await reader.readuntil(mark)
        except asyncio.LimitOverrunError as over:
            left -= len(await reader.readexactly(over.consumed))
        else:
            return True
    return False


async def _to_end(reader: asyncio.StreamReader) -> bool:
    left = SKIP_BYTES
    while left > 0:
        some = await reader.read(_CHUNK)
        if not some:
            return True
        left -= len(some)
    return False
