"""What each host lets through to its model, as measured with real clients (docs/hosts)."""

from collections.abc import Mapping
from typing import NamedTuple

from navlog.projections.injecting.block import Limit
from navlog.schemas.settings import Inject


class HostLimit(NamedTuple):
    """0: the host has no limit of its own."""

    tokens: int = 0
    characters: int = 0


# Claude Code shows the model a preview of 2 KB of anything over 10,000 characters; Codex cuts at a handler's
# additionalContextLimit, which is 2,500 tokens unless it is set.
HOSTS: Mapping[str, HostLimit] = {
    "claude-code": HostLimit(characters=9_500),
    "codex": HostLimit(tokens=2_500),
}


def limit_of(host: str, settings: Inject) -> Limit:
    """The tighter of the settings and the host."""
    own = HOSTS.get(host, HostLimit())
    tokens = min(settings.cap, own.tokens or settings.cap)
    return Limit(tokens, settings.bytes, own.characters)
