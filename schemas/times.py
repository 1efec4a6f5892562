"""Times as text: RFC 3339 in UTC, in whatever zone and form they came."""

from datetime import UTC, datetime


def utc(at: str) -> str:
    """``2026-11-30T03:58:04Z`` for a time of any zone, UTC where it names none; "" for what is no time."""
    try:
        moment = datetime.fromisoformat(at)
        return f"{moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (ValueError, OverflowError):  # the last: a time of the year 1 or 9999, in another zone
        return ""
