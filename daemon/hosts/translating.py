"""Any host's payload -> what it means; and a block -> what that host wants to read. Pure, and never raises.

A host of a name nobody here knows speaks the format of `generic`.
"""

from types import ModuleType
from typing import Protocol, cast

from navlog.daemon.hosts import claude_code, codex
from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.schemas.sessions import HookCalled


class _Host(Protocol):
    def cwd(self, payload: Payload) -> str: ...
    def translate(self, payload: Payload, place: Place) -> Heard: ...
    def spoken(self, hook: str, block: str) -> str: ...


_MODULES: tuple[ModuleType, ...] = (claude_code, codex)
_HOSTS = {module.HOST: cast("_Host", module) for module in _MODULES}


def cwd_of(host: str, payload: Payload) -> str:
    """The folder the payload is about, "" where it names none."""
    return _host(host).cwd(payload)


def translate(host: str, payload: Payload, place: Place) -> Heard:
    """What the host said; at least one event."""
    heard = _host(host).translate(payload, place)
    return heard if heard.events else heard._replace(events=(HookCalled(session="", host=host, hook=""),))


def spoken(host: str, hook: str, block: str) -> str:
    """``block`` as the host's hook has to print it; "" stays ""."""
    return _host(host).spoken(hook, block) if block else ""


def _host(name: str) -> _Host:
    return _HOSTS.get(name) or _HOSTS[claude_code.HOST]
