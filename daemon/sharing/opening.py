"""Opens the queue that several machines share, where the settings name one."""

import hashlib
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from navlog.daemon.projects import Projects
from navlog.daemon.sharing.metrics import SharingMetrics
from navlog.daemon.sharing.naming import shared_name
from navlog.projections.msu.queue import Queue
from navlog.schemas.errors import UnknownProject, UsageError
from navlog.schemas.settings import Queue as QueueSettings

if TYPE_CHECKING:
    from navlog.daemon.sharing.shared import SharedQueue

Texts = Callable[[set[str]], dict[str, str]]
_MACHINE_ID = Path("/etc/machine-id")


def open_sharing(
    settings: QueueSettings,
    environ: Mapping[str, str],
    data: Path,
    projects: Projects,
    local: Callable[[], Queue],
    texts_of: Texts,
    redact: Callable[[str], str],
    stack: ExitStack,
) -> tuple["SharedQueue | None", SharingMetrics]:
    """None where no Redis is named. Raises `UsageError` for an address that is none, or a missing extra.

    A Redis that does not answer stops nobody: `status` says so.
    """
    metrics = SharingMetrics()
    if not settings.url:
        return None, metrics
    try:
        from navlog.daemon.sharing.redis_queue import RedisQueue, connect  # noqa: PLC0415
        from navlog.daemon.sharing.shared import SharedQueue  # noqa: PLC0415
    except ImportError:
        raise UsageError(
            "[queue] url needs the client of Redis.", hint="pip install 'navlog[redis]'"
        ) from None
    try:
        client = connect(settings.url, environ.get(settings.password_env) if settings.password_env else None)
    except ValueError as fault:
        raise UsageError(f"[queue] url is no address: {fault}", hint="redis://HOST:6379/0") from None

    @cache
    def named(root: Path) -> str:
        return shared_name(root)

    def name_of(project: str) -> str:
        with suppress(UnknownProject):
            return named(projects.find(project).root)
        return ""

    remote = RedisQueue(client, name_of, machine_of(data), texts_of, redact)
    queue = SharedQueue(local, remote, lambda: [one.id for one in projects.all()], metrics.put)
    metrics.watch(lambda: not queue.fault)
    stack.callback(queue.close)
    queue.start()
    return queue, metrics


def machine_of(data: Path) -> str:
    """The host's name, and what tells two data homes with one name apart."""
    host = socket.gethostname()[:60]
    with suppress(OSError):
        host_id = _MACHINE_ID.read_bytes()
        return f"{host}-{hashlib.sha256(host_id + os.fsencode(data)).hexdigest()[:6]}"
    return f"{host}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:6]}"
