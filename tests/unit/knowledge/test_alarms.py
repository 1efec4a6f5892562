"""An alarm is said once when its time has come, and once when it is over."""

from types import SimpleNamespace
from typing import Any

from structlog.testing import capture_logs

from navlog.daemon.knowing.alarms import Alarms


class Watch:
    """Measures and a clock that are set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.recall: float | None = 0.9
        measures = SimpleNamespace(values=lambda: {"": {"injection_recall": self.recall}})
        knowing: Any = SimpleNamespace(measures=measures)
        self.alarms = Alarms(knowing, lambda: self.now)

    def at(self, seconds: float, recall: float | None) -> list[str]:
        self.now, self.recall = seconds, recall
        with capture_logs() as said:
            self.alarms.look()
        return [line["event"] for line in said]


def test_it_is_said_after_five_minutes_and_once() -> None:
    watch = Watch()
    assert watch.at(0, 0.9) == []
    assert watch.at(10, 0.5) == []
    assert watch.at(309, 0.5) == []
    assert watch.at(310, 0.5) == ["alert_raised"]
    assert watch.at(400, 0.4) == []
    assert watch.alarms.values()[""]["alert_injection_recall"] == 1.0
    assert watch.at(401, 0.7) == ["alert_cleared"]
    assert watch.alarms.values()[""]["alert_injection_recall"] == 0.0


def test_a_value_that_was_good_in_between_begins_anew() -> None:
    watch = Watch()
    assert [watch.at(*step) for step in ((0, 0.5), (200, 0.9), (201, 0.5), (499, 0.5))] == [[]] * 4
    assert watch.at(501, 0.5) == ["alert_raised"]
