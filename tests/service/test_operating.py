"""What somebody who operates a real daemon sees: the page of metrics, the log by trace, the export."""

import http.client
import json
import socket
from pathlib import Path

import pytest
from service.conftest import Installation

from support.scraping import families, page
from support.shop import make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(120)]
TRACE = "4f0c4f0c4f0c4f0c"


class Wire(http.client.HTTPConnection):
    """HTTP over the daemon's socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("navlog")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._path))


def fetched(installation: Installation, method: str, target: str, trace: str = "") -> str:
    wire = Wire(installation.home.socket)
    wire.request(method, target, headers={"navlog-trace": trace} if trace else {})
    reply = wire.getresponse().read().decode()
    wire.close()
    return reply


def test_a_scrape_shows_every_metric_that_is_documented(installation: Installation, tmp_path: Path) -> None:
    assert installation.run("up", str(make_shop(tmp_path / "shop"))).returncode == 0
    asked = fetched(
        installation, "POST", "/v1/give?session=s&moment=prompt&wait_ms=5000&task=expire+the+session+cookie"
    )
    assert "cookie" in json.loads(asked)["block"]
    shown = fetched(installation, "GET", "/metrics")
    assert families(shown) == families(page())
    assert 'navlog_injections_total{moment="prompt",outcome="given",variant=""} 1.0' in shown
    assert 'navlog_injection_tokens_count{moment="prompt",variant=""} 1.0' in shown
    fsyncs = next(line for line in shown.splitlines() if 'fsync_seconds_count{log="events"}' in line)
    assert float(fsyncs.split()[1]) > 0


def test_every_line_of_the_daemons_log_bears_a_trace(installation: Installation, tmp_path: Path) -> None:
    assert installation.run("up", str(make_shop(tmp_path / "shop"))).returncode == 0
    fetched(installation, "GET", "/v1/context?task=cookie", TRACE)
    lines = [json.loads(line) for line in installation.home.daemon_log.read_text().splitlines()]
    assert all(line["trace"] for line in lines)
    (asked,) = [line for line in lines if line["trace"] == TRACE]
    assert (asked["event"], asked["verb"]) == ("request", "context")
    (start,) = {line["trace"] for line in lines if line["event"].startswith("daemon_")}
    assert start.startswith("daemon-")
