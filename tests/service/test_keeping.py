"""The log kept safe while a daemon writes it: proven, copied, brought back elsewhere."""

import json
import threading
from pathlib import Path

import pytest
from service.conftest import Installation, running

from navlog.daemon.launch import start, stop_daemon
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


def test_a_secret_is_taken_out_under_a_running_daemon_which_then_goes_on(
    installation: Installation, tmp_path: Path
) -> None:
    word = "zebra-quartz-lantern"  # of a form no rule knows
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text(f'def open_door():\n    """The key is {word}."""\n')
    before = start(installation.home, installation.environ)
    project = installation.index(root)
    assert holding(installation.home.data, word)
    done = installation.run("shred", word)
    assert done.returncode == 0, done.stdout
    assert f"  {root / 'a.py'}\n" in done.stdout
    after = installation.index(root)
    assert (after.id, after.files) == (project.id, 1)
    assert installation.status().pid != before
    (item,) = installation.context("open door", root).items
    assert (item.symbol, item.state) == ("open_door", "FRESH")
    assert holding(installation.home.data, word) == []
    (root / "a.py").write_text("def open_door():\n    pass\n")
    assert "Nothing was changed" in installation.run("shred", word).stdout


def holding(folder: Path, word: str) -> list[str]:
    """The files below that hold it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if word.encode() in path.read_bytes()]


def test_what_changed_is_told_and_not_waited_for_when_the_log_is_read_only(
    installation: Installation, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")
    start(installation.home, installation.environ)
    installation.index(shop)
    stop_daemon(installation.home)
    segment = min(installation.home.log.glob("events-*.jsonl"))
    text = bytearray(segment.read_bytes())
    text[len(text) // 2] ^= 4
    segment.write_bytes(text)
    (shop / "web/format.js").write_text("export const price = 17;\n")
    refused = installation.run("up", str(shop))
    assert refused.returncode == 75
    assert f"{shop} has changed, which cannot be written down: damage in {segment.name}" in refused.stderr
    reply = installation.context("renderCart", shop)
    assert "the log is read-only" in reply.stale.lower()


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
