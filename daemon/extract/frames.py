"""Messages over a stream socket: four bytes of length, then that many bytes."""

import struct
from socket import socket

LENGTH = struct.Struct(">I")


def send(line: socket, message: bytes) -> None:
    """Raises OSError when the other side is gone or does not read in time.

    All at once: whoever reads is not to be woken for the length alone.
    """
    line.sendall(LENGTH.pack(len(message)) + message)


def receive(line: socket) -> bytes | None:
    """The next message; None at the end of the stream, also in the middle of a message."""
    head = exactly(line, LENGTH.size)
    return exactly(line, LENGTH.unpack(head)[0]) if head else None


def exactly(line: socket, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = line.recv(min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)
