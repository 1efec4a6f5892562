"""Arguments and errors on their way over the wire."""

import msgspec
import pytest

from navlog.daemon.verbs import Verb, error_of, fault_of, read_args, read_query, usable_trace
from navlog.schemas import errors
from navlog.schemas.errors import NavlogError, RequestRefused
from navlog.schemas.wire import PLACES, STEPS, ContextArgs, Fault, ImpactArgs

CONTEXT = Verb(lambda _args, _trace, _report: None, ContextArgs)


def every_error() -> list[type[NavlogError]]:
    kinds = (kind for kind in vars(errors).values() if isinstance(kind, type))
    return [kind for kind in kinds if issubclass(kind, NavlogError)]


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_comes_back_as_itself(kind: type[NavlogError]) -> None:
    sent = kind("what happened", hint="what next")
    got = error_of(msgspec.json.decode(msgspec.json.encode(fault_of(sent)), type=Fault))
    assert type(got) is kind
    assert str(got) == str(sent)
    assert got.exit_code == sent.exit_code


def test_an_error_of_a_newer_daemon_keeps_its_words_and_exit_code() -> None:
    got = error_of(Fault(code="Tomorrow", message="m", safe="s", hint="h", exit=75))
    assert (got.code, got.message, got.safe, got.hint, got.exit_code) == ("Tomorrow", "m", "s", "h", 75)


@pytest.mark.parametrize("code", ["NavlogError.__class__", "ClassVar", "__name__", ""])
def test_a_code_that_is_no_error_is_not_looked_up(code: str) -> None:
    assert isinstance(error_of(Fault(code=code, message="m")), NavlogError)


def test_arguments_are_typed_and_the_faulty_field_is_named() -> None:
    assert read_args(CONTEXT, b'{"task": "x", "limit": 3}') == ContextArgs(task="x", limit=3)
    with pytest.raises(RequestRefused, match="limit"):
        read_args(CONTEXT, b'{"task": "x", "limit": "many"}')
    with pytest.raises(RequestRefused, match="task"):
        read_args(CONTEXT, b"{}")


def test_a_query_is_text_and_is_read_as_what_the_field_wants() -> None:
    assert read_query(CONTEXT, {"task": "12", "limit": "3"}) == ContextArgs(task="12", limit=3)
    with pytest.raises(RequestRefused, match="limit"):
        read_query(CONTEXT, {"task": "x", "limit": "many"})


def test_arguments_nested_too_deep_are_refused() -> None:
    with pytest.raises(RequestRefused):
        read_args(CONTEXT, b'{"task": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


def test_a_trace_that_cannot_stand_in_a_log_line_is_replaced() -> None:
    assert usable_trace("claude:12.3_x-Y") == "claude:12.3_x-Y"
    for bad in ("", "a b", "a\n", "x" * 129, "é"):
        assert usable_trace(bad) != bad


def test_an_argument_in_a_query_that_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(RequestRefused, match="'projct'") as error:
        read_query(CONTEXT, {"task": "x", "projct": "1"})
    assert error.value.hint == "Known are: task, project, limit, budget."


@pytest.mark.parametrize(
    ("kind", "field", "least", "most"),
    [
        (ContextArgs, "limit", 1, None),
        (ContextArgs, "budget", 1, None),
        (ImpactArgs, "limit", 1, PLACES),
        (ImpactArgs, "depth", 1, STEPS),
    ],
)
def test_a_number_outside_its_range_is_refused(
    kind: type[msgspec.Struct], field: str, least: int, most: int | None
) -> None:
    verb = Verb(lambda _args, _trace, _report: None, kind)
    named = {"task": "x"} if kind is ContextArgs else {"target": "x"}
    outside = [least - 1] if most is None else [least - 1, most + 1]
    for number in (least, most or 10**6):
        assert getattr(read_query(verb, {**named, field: str(number)}), field) == number
    for number in outside:
        with pytest.raises(RequestRefused, match=field):
            read_query(verb, {**named, field: str(number)})
        with pytest.raises(RequestRefused, match=field):
            read_args(verb, msgspec.json.encode({**named, field: number}))
