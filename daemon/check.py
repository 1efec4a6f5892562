"""One line of `navlog doctor`."""

from typing import Literal

import msgspec


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """``hint``: the command that mends it or says more."""

    name: str
    state: Literal["ok", "warn", "fail"]
    detail: str
    hint: str = ""


def ok(name: str, detail: str, hint: str = "") -> Check:
    """As it should be."""
    return Check(name=name, state="ok", detail=detail, hint=hint)


def warn(name: str, detail: str, hint: str = "") -> Check:
    """It works, less well than it could."""
    return Check(name=name, state="warn", detail=detail, hint=hint)


def fail(name: str, detail: str, hint: str = "") -> Check:
    """It does not work."""
    return Check(name=name, state="fail", detail=detail, hint=hint)
