"""What all machines call a project: their ids are made of places, and each has its own.

The address of ``origin`` says it, without who is logged in there; a repository without one is known by its
first commit; a folder that has neither is not shared. The name is a hash: it tells nobody an address.
"""

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from navlog.daemon.listener.process import git
from navlog.schemas.errors import GitFailed

DIGITS = 24


def shared_name(root: Path) -> str:
    """ "" for a folder that is not shared."""
    said = _said(root, "config", "--get", "remote.origin.url")
    if said and (address := plain_address(said)):
        return _digest(f"origin {address}")
    roots = sorted(_said(root, "rev-list", "--max-parents=0", "HEAD").split())
    return _digest(f"commit {roots[0]}") if roots else ""


def plain_address(url: str) -> str:
    """``git@host:owner/name.git`` and ``https://user:token@host/owner/name`` are one: ``host/owner/name``.

    "" for a path: it names another repository on each machine.
    """
    if url.startswith("file:") or ("://" not in url and not re.match(r"[^/]+:", url)):
        return ""
    rest = url.partition("://")[2] or url.replace(":", "/", 1)
    host, _, path = rest.partition("/")
    host = re.sub(r":\d+$", "", host.rpartition("@")[2]).lower()
    return f"{host}/{path.strip('/').removesuffix('.git')}"


def _said(root: Path, *words: str) -> str:
    with suppress(GitFailed):
        return git(root, *words).decode("utf-8", "replace").strip()
    return ""


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:DIGITS]
