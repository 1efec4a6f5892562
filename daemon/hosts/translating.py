"""Any host's payload -> what it means; and a block -> what that host wants to read. Pure, and never raises.

A host of a name nobody here knows speaks the format of `generic`, and its events bear its own name.
"""

from typing import Protocol

from navlog.daemon.hosts import claude_code, codex, generic, opencode, pi
from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload


class _Host(Protocol):
    """What a host's module has."""

    def cwd(self, payload: Payload) -> str: ...
    def translate(self, payload: Payload, place: Place) -> Heard: ...
    def spoken(self, hook: str, block: str) -> str: ...


_GENERIC: _Host = generic
_HOSTS: dict[str, _Host] = {
    claude_code.HOST: claude_code,
    codex.HOST: codex,
    opencode.HOST: opencode,
    pi.HOST: pi,
}


def cwd_of(host: str, payload: Payload) -> str:
    """The folder the payload is about, "" where it names none."""
    return _HOSTS.get(host, _GENERIC).cwd(payload)


def translate(host: str, payload: Payload, place: Place) -> Heard:
    """What the host said; at least one event."""
    if host in _HOSTS:
        return _HOSTS[host].translate(payload, place)
    return generic.translate(payload, place, host)


def spoken(host: str, hook: str, block: str) -> str:
    """``block`` as the host's hook has to print it; "" stays ""."""
    return _HOSTS.get(host, _GENERIC).spoken(hook, block) if block else ""
