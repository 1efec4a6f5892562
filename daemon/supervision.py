"""What systemd and navlog say to each other: passed sockets, readiness, the watchdog.

sd_listen_fds(3) and sd_notify(3) in a few lines; without systemd everything here does nothing.
"""

import os
import socket
from collections.abc import MutableMapping
from contextlib import suppress

FIRST_PASSED = 3  # SD_LISTEN_FDS_START


def take_passed_socket(environ: MutableMapping[str, str]) -> socket.socket | None:
    """The listening socket systemd passed to this very process, or None; the variables are taken away."""
    pid, count = environ.pop("LISTEN_PID", ""), environ.pop("LISTEN_FDS", "")
    environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or count != "1":
        return None
    os.set_inheritable(FIRST_PASSED, False)
    return socket.socket(fileno=FIRST_PASSED)


def watchdog_s(environ: MutableMapping[str, str]) -> float | None:
    """How often systemd wants to hear from this process, in seconds, or None."""
    pid, usec = environ.get("WATCHDOG_PID", str(os.getpid())), environ.get("WATCHDOG_USEC", "")
    return int(usec) / 1e6 if pid == str(os.getpid()) and usec.isdecimal() and int(usec) else None


def notify(environ: MutableMapping[str, str], *lines: str) -> None:
    """Tells systemd, e.g. "READY=1"; a supervisor that is gone is no reason to fail."""
    address = environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto("\n".join(lines).encode(), address.replace("@", "\0", 1))
