"""Times from elsewhere: one form, or refused at the door, since later rules count with them."""

from typing import Any

import msgspec
import pytest

from navlog.daemon.hosts.hooking import Hooking
from navlog.schemas.errors import RequestRefused
from navlog.schemas.times import utc
from navlog.schemas.wire import HookArgs


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z"),
        ("2026-11-30T12:00:00.123+08:00", "2026-11-30T04:00:00Z"),
        ("2026-11-30 12:00", "2026-11-30T12:00:00Z"),
        ("2026-02-30T12:00:00Z", ""),
        ("0001-01-01T00:00:00+08:00", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_a_time_of_any_zone_is_told_in_utc(said: str, meant: str) -> None:
    assert utc(said) == meant


@pytest.mark.parametrize("at", ["2026-11-30T12:00:00+08:00", "2026-02-30T12:00:00Z", "9999-99-99T99:99:99Z"])
def test_a_hook_call_at_no_time_is_refused_before_anything_is_written_down(at: str) -> None:
    nobody: Any = None  # none of the rooms is asked
    hooking = Hooking(nobody, nobody, nobody, nobody, nobody)
    with pytest.raises(RequestRefused, match="no time"):
        hooking.again(HookArgs(host="generic", id="0" * 32, payload=msgspec.Raw(b"{}"), at=at))
