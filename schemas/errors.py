"""Every error navlog raises on purpose.

    NavlogError
    ├── UsageError              2   the request cannot be meant like this
    │   ├── RequestRefused      2   not a request, too large, an unknown verb, another data home
    │   ├── UnknownProject      2   no registered project there
    │   ├── UnsafeQuery         2   `sql` was asked for more than reading
    │   └── ProjectRefused      2   $HOME, /, a folder that cannot be watched
    ├── LogDamaged              1   bytes in the log that are not what was written
    │   └── LineDamaged         1   one line: framing, hash or shape
    ├── Degraded               75   not now; a retry may go through
    │   ├── WriterPoisoned     75   a write or fsync failed; waiters of that write fail with it
    │   ├── ReadOnlyLog        75   damage or an unknown critical event: reads go on, writes are refused
    │   ├── DaemonAway         75   nothing answers on the socket
    │   │   └── SocketForbidden 75  a sandbox forbids the connection, or the socket is another user's
    │   ├── GitFailed          75   git refused, was too slow, or is not there
    │   ├── EmbeddingFailed    75   the embedder is away, too slow, or answers nonsense
    │   └── TimedOut           75   a bounded wait ran out
    ├── StartRefused           78   the daemon must not start like this
    │   ├── LogBehindMark      78   records that were durable once are gone
    │   ├── AlreadyRunning     78   another process holds the log
    │   └── UnsafeHome         78   wrong owner, mode or file system for the data home
    ├── ConditionFailed         1   a conditional append found what it must not find
    ├── IdReused                1   the same id with another payload
    └── Internal                1   a fault of navlog's own

An error says what happened, what is safe, and what to do next; the exit code is the command's.
"""

from typing import ClassVar


class NavlogError(Exception):
    """``message``: what happened. ``safe``: what was not harmed. ``hint``: the next step, a command."""

    exit_code: ClassVar[int] = 1
    safe_by_default: ClassVar[str] = "Nothing was changed."

    def __init__(self, message: str, *, hint: str = "", safe: str = "", position: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.safe = safe or self.safe_by_default
        self.position = position

    @property
    def code(self) -> str:
        """The stable name of the error on the wire."""
        return type(self).__name__

    def __str__(self) -> str:
        return "\n".join(part for part in (self.message, self.safe, self.hint) if part)


class UsageError(NavlogError):
    """The request cannot be meant like this."""

    exit_code = 2


class RequestRefused(UsageError):
    """What came over the socket is no request, or not one for this daemon."""


class UnknownProject(UsageError):
    """No registered project covers the given path or id."""


class UnsafeQuery(UsageError):
    """``sql`` was asked for something else than reading."""


class ProjectRefused(UsageError):
    """The folder must not become a project."""


class LogDamaged(NavlogError):
    """Bytes in the log are not what was written; ``segment`` and ``offset`` name the place."""

    exit_code = 1
    safe_by_default = "Every intact record is kept and still answers."

    def __init__(
        self, message: str, *, segment: str = "", offset: int = 0, hint: str = "", position: int | None = None
    ) -> None:
        super().__init__(message, hint=hint, position=position)
        self.segment = segment
        self.offset = offset


class LineDamaged(LogDamaged):
    """One line fails its framing, its hash or its shape."""


class Degraded(NavlogError):
    """Not now; a retry may go through."""

    exit_code = 75


class WriterPoisoned(Degraded):
    """A write or an fsync failed. What was not acknowledged may come back: retry with the same id."""

    safe_by_default = "Everything acknowledged before is safe."


class ReadOnlyLog(Degraded):
    """Reads go on, writes are refused."""

    safe_by_default = "Everything readable is still answered."


class DaemonAway(Degraded):
    """Nothing answers on the socket."""


class SocketForbidden(DaemonAway):
    """The kernel refuses the connection: a sandbox does, or the socket is another user's."""


class GitFailed(Degraded):
    """git could not answer; ``dubious``: the repository belongs to another user, and git says so."""

    safe_by_default = "The files are still read; what only git knows is missing."

    def __init__(self, message: str, *, hint: str = "", dubious: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.dubious = dubious


class EmbeddingFailed(Degraded):
    """The embedder gave no vectors; ``retry_s``: how long it asks to be left alone, 0 for no word of it."""

    safe_by_default = "Hashing finds what it finds meanwhile."

    def __init__(self, message: str, *, hint: str = "", retry_s: float = 0.0) -> None:
        super().__init__(message, hint=hint)
        self.retry_s = retry_s


class TimedOut(Degraded):
    """A bounded wait ran out."""


class StartRefused(NavlogError):
    """The daemon must not start like this."""

    exit_code = 78


class LogBehindMark(StartRefused):
    """The log ends before a position that was durable once."""


class AlreadyRunning(StartRefused):
    """Another process holds the log."""


class UnsafeHome(StartRefused):
    """The data home has the wrong owner, mode or file system."""


class ConditionFailed(NavlogError):
    """A conditional append found an event that must not be there; ``position`` is that event's."""


class IdReused(NavlogError):
    """The id is taken by an event with another payload; ``position`` is that event's."""


class Internal(NavlogError):
    """A fault of navlog's own."""
