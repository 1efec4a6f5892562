"""The log kept safe while a daemon writes it: proven, copied, brought back elsewhere."""

import json
import threading
from pathlib import Path

import pytest
from service.conftest import Installation, running

from navlog.daemon.launch import start
from support.shop import make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(60)]


def test_a_backup_of_a_running_daemon_answers_the_same_elsewhere(
    installation: Installation, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shop, out = make_shop(tmp_path / "shop"), tmp_path / "backup"
    pid = start(installation.home, installation.environ)
    installation.index(shop)
    busy = threading.Event()
    saving = threading.Thread(target=save_all_the_time, args=(shop, busy))
    saving.start()
    try:
        for _ in range(3):
            assert installation.run("verify").returncode == 0
        made = installation.run("backup", "--out", str(out), "--json")
        assert made.returncode == 0, made.stdout
    finally:
        busy.set()
        saving.join()
    assert installation.status().pid == pid
    assert installation.run("verify", str(out)).returncode == 0
    with running(tmp_path_factory) as other:
        assert other.run("restore", str(out)).returncode == 0
        reach = {fence["log"]: fence["position"] for fence in json.loads(made.stdout)["fences"]}
        start(other.home, other.environ)
        assert other.status().position >= reach["events"]
        other.index(shop)
        for task in ("expire the session cookie", "库存不足时报错"):
            here, there = installation.context(task, shop), other.context(task, shop)
            assert [(item.path, item.line) for item in here.items] == [
                (item.path, item.line) for item in there.items
            ]


def test_a_running_daemon_keeps_a_restore_out(installation: Installation, tmp_path: Path) -> None:
    start(installation.home, installation.environ)
    assert installation.run("backup", "--out", str(tmp_path / "backup")).returncode == 0
    refused = installation.run("restore", str(tmp_path / "backup"))
    assert refused.returncode == 78
    assert "navlog status" in refused.stderr


def save_all_the_time(shop: Path, ended: threading.Event) -> None:
    number = 0
    while not ended.wait(0.02):
        number += 1
        (shop / "web/format.js").write_text(f"export const price = {number};\n")


def test_a_folder_without_a_log_proves_nothing_and_a_data_home_is_looked_into(
    installation: Installation, tmp_path: Path
) -> None:
    nothing = installation.run("verify", str(tmp_path))
    assert nothing.returncode == 2
    assert "no log" in nothing.stderr
    start(installation.home, installation.environ)
    installation.index(make_shop(tmp_path / "shop"))
    assert installation.run("down").returncode == 0
    found = installation.run("verify", str(installation.home.data), "--json")
    assert json.loads(found.stdout)["logs"][0]["records"] > 0
