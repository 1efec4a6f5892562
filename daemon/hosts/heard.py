"""What a host's hook means: events, and whether something can be said in return."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from navlog.daemon.hosts.payload import Payload
from navlog.schemas.events import Event
from navlog.schemas.sessions import Moment


class Ask(NamedTuple):
    """A moment at which ``session`` can be given something; ``task``: the prompt's words, redacted.

    ``hook`` is the host's name of the moment, which its answer has to repeat.
    """

    session: str
    host: str
    moment: Moment
    task: str = ""
    hook: str = ""


class Heard(NamedTuple):
    """``call``: the host's own name of what happened, by which a hook that runs twice says it once."""

    events: tuple[Event, ...]
    ask: Ask | None = None
    call: str = ""


class Place(NamedTuple):
    """Where a hook was called: the project's ``root``, the folder ``cwd`` in it, both without links.

    ``said`` is that folder as the host called it. ``redact`` takes the secrets out of a text.
    """

    root: str
    cwd: str
    said: str
    redact: Callable[[str], str]


class Injector(Protocol):
    """Chooses what a session is given."""

    def give(self, ask: Ask, project: str, trace: str, until: float) -> str:
        """The block to give, "" for nothing; its `InjectionGiven` is in the log before it returns.

        ``until``: the reading of `time.monotonic` after which nobody listens.
        """

    def unheard(self, session: str, project: str, trace: str) -> None:
        """Nobody heard what was given under ``trace``: it may come again. Raises what the journal raises."""


class Call(NamedTuple):
    """A call of a hook as it came, and the ``events`` it became; they are in the log.

    ``id`` names it. ``spooled``: nobody heard what was said to it. ``pid`` is the process that called the
    hook, ``until`` as in `Injector.give`.
    """

    id: str
    host: str
    project: str
    pid: int
    payload: Payload
    events: tuple[Event, ...]
    trace: str
    until: float
    spooled: bool = False


Nudged = Callable[[Call], str]  # what the reply says of the session's tail, "" for nothing; never raises


def silent(_call: Call) -> str:
    """Says nothing."""
    return ""
