"""The table of verbs: what a room has to offer to the socket, and how a request becomes its arguments.

Knows no socket and no thread: the server runs what stands in the table.
"""

import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import msgspec

from navlog.schemas import errors
from navlog.schemas.control import Nothing
from navlog.schemas.errors import NavlogError, RequestRefused
from navlog.schemas.wire import Fault


class Report(Protocol):
    """Tells the asker how far a long verb is; raises `TimedOut` once nobody waits any more."""

    def __call__(self, stage: str, done: int, total: int = 0) -> None: ...


Handler = Callable[[Any, str, Report], object]


class Verb(NamedTuple):
    """One verb: ``handle(args, trace, report)`` runs in a thread and gives what msgspec can encode.

    ``looks``: it changes nothing, so GET may ask for it. ``record``: what POST does instead of ``handle``.
    ``timeout_s`` bounds the asker's wait; None: as long as it takes. ``waits``: for something to happen, so
    it takes no thread from those that are answered at once.
    """

    handle: Handler
    args: type[msgspec.Struct] = Nothing
    looks: bool = True
    record: Handler | None = None
    timeout_s: float | None = 30.0
    waits: bool = False


Verbs = Mapping[str, Verb]
_TRACE = re.compile(r"[\w.:-]{1,128}", re.ASCII)


def find_verb(verbs: Verbs, name: str) -> Verb:
    """The verb of that name; raises `RequestRefused`."""
    try:
        return verbs[name]
    except KeyError:
        raise unknown_verb(verbs, name) from None


def unknown_verb(verbs: Verbs, name: str) -> RequestRefused:
    """The error for a verb nobody offers."""
    return RequestRefused(f"There is no verb {name[:80]!r}.", hint=f"Known are: {', '.join(sorted(verbs))}.")


def read_args(verb: Verb, data: bytes | msgspec.Raw) -> msgspec.Struct:
    """The verb's arguments from JSON; raises `RequestRefused` naming the faulty field."""
    try:
        return msgspec.json.decode(data, type=verb.args)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise _bad_args(fault) from fault


def read_query(verb: Verb, query: Mapping[str, str]) -> msgspec.Struct:
    """The verb's arguments from an HTTP query, where every value is text; raises `RequestRefused`.

    A name that the verb does not know is refused: in a query it is a slip, and would be passed over unseen.
    """
    known = verb.args.__struct_fields__
    if strange := sorted(query.keys() - set(known)):
        names = ", ".join(repr(name[:80]) for name in strange)
        raise RequestRefused(
            f"There is no argument {names}.", hint=f"Known are: {', '.join(known) or 'none'}."
        )
    try:
        return msgspec.convert(query, type=verb.args, strict=False)
    except msgspec.ValidationError as fault:
        raise _bad_args(fault) from fault


def usable_trace(wanted: str) -> str:
    """``wanted`` when it can stand in a log line and a header, else a new one."""
    return wanted if _TRACE.fullmatch(wanted) else uuid.uuid4().hex


def fault_of(error: NavlogError) -> Fault:
    """The error as it goes over the wire."""
    return Fault(
        code=error.code, message=error.message, safe=error.safe, hint=error.hint, exit=error.exit_code
    )


def error_of(fault: Fault) -> NavlogError:
    """The error a fault on the wire stands for; one of a newer daemon keeps its exit code."""
    kind = getattr(errors, fault.code, None)
    if not (isinstance(kind, type) and issubclass(kind, NavlogError)):
        kind = type(fault.code, (NavlogError,), {"exit_code": fault.exit})
    error: NavlogError = kind(fault.message, hint=fault.hint)
    error.safe = fault.safe
    return error


def _bad_args(fault: Exception) -> RequestRefused:
    return RequestRefused(f"The arguments cannot be read: {fault}.", hint="docs/wire.md describes each verb.")
