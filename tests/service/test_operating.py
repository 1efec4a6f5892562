"""What somebody who operates a real daemon sees: the page of metrics, the log by trace, the export."""

import http.client
import json
import socket
import time
from pathlib import Path

import duckdb
import pytest
from service.conftest import Installation

from support.scraping import families, page
from support.shop import make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(120)]
TRACE = "4f0c4f0c4f0c4f0c"
MODULE = """
def load_N(path):
    with open(path) as file_N:
        return file_N.read()


def keep_N(path, text):
    with open(path, "w") as file_N:
        file_N.write(text)
"""


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
    until = time.monotonic() + 30  # the answer goes out before it is logged
    while TRACE not in (said := installation.home.daemon_log.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    lines = [json.loads(line) for line in said.splitlines()]
    assert all(line["trace"] for line in lines)
    (asked,) = [line for line in lines if line["trace"] == TRACE]
    assert (asked["event"], asked["verb"]) == ("request", "context")
    (start,) = {line["trace"] for line in lines if line["event"].startswith("daemon_")}
    assert start.startswith("daemon-")


def test_what_changed_is_exported_once_however_often(installation: Installation, tmp_path: Path) -> None:
    shop, out = make_shop(tmp_path / "shop"), tmp_path / "out"
    assert installation.run("up", str(shop)).returncode == 0
    changed = next(shop.rglob("cookies.py"))
    changed.write_text(f"{changed.read_text()}\n\ndef crumble(cookie):\n    return cookie.half\n")
    tailed = installation.run("msu", "tail", "--once", "--after", "0", "--project", str(shop), "--json")
    assert tailed.returncode == 0, tailed.stderr
    until = time.monotonic() + 60
    while "crumble" not in tailed.stdout and time.monotonic() < until:
        tailed = installation.run("msu", "tail", "--once", "--after", "0", "--project", str(shop), "--json")
    named = ("msu", "tail", "--project", str(shop), "--once", "--reader")
    assert installation.run(*named, "codex").stdout.count("cookies.py") == 1
    assert installation.run(*named, "codex").stdout == ""
    for words in (("codex", "--after", "0"), ("no name",)):
        assert installation.run(*named, *words).returncode == 2
    for since in ((), (), ("--since", "0")):
        assert installation.run("export", "--parquet", str(out), *since).returncode == 0
    query = "SELECT DISTINCT text FROM read_parquet(?) WHERE part = 'core'"
    with duckdb.connect() as db:
        texts = db.execute(query, [f"{out}/msu_members-*.parquet"]).fetchall()
        (records,) = db.execute("SELECT count(*) FROM read_parquet(?)", [f"{out}/msus-*.parquet"]).fetchall()
    assert "def crumble(cookie):" in "".join(text for (text,) in texts)
    assert records == (1,)
    refused = installation.run("export", "--parquet", str(out), "--since", "1")
    assert refused.returncode == 2
    assert "--since 0" in refused.stderr


def test_calibrating_is_plotted_and_written_down(installation: Installation, tmp_path: Path) -> None:
    root = tmp_path / "many"
    for number in range(60):
        folder = root / f"part_{number}"
        folder.mkdir(parents=True)
        (folder / "module.py").write_text(MODULE.replace("N", str(number)))
    assert installation.run("up", str(root)).returncode == 0
    shown = installation.run("embed", "calibrate", "--pairs", "100", "--project", str(root))
    assert shown.returncode == 0, shown.stderr
    assert "<- threshold" in shown.stdout
    query = "SELECT data FROM events WHERE type = 'embedding_calibrated'"
    (row,) = json.loads(installation.run("sql", query, "--json").stdout)
    assert f"fold from {row['data']['fold']:.2f}" in shown.stdout
    assert row["data"]["pairs"] == 100
    assert installation.run("embed", "calibrate", "--pairs", "20").returncode == 2
