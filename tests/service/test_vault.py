"""The vault beside a real daemon: kept up live, the same bytes after the loss of everything, no feedback."""

import json
import shutil
import time
from pathlib import Path

import pytest
from service.conftest import Installation

from navlog.daemon.launch import start
from support.shop import git, make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]


def wants(installation: Installation, vault: Path, language: str = "en") -> None:
    settings = installation.home.settings
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'[vault]\npath = "{vault}"\nlanguage = "{language}"\n')


def bytes_of(vault: Path) -> dict[str, bytes]:
    return {str(path.relative_to(vault)): path.read_bytes() for path in vault.rglob("*") if path.is_file()}


def until(page: Path, text: str) -> None:
    while not page.is_file() or text not in page.read_text():
        time.sleep(0.02)  # the test's own timeout ends it


def test_a_save_is_on_its_pages_and_everything_comes_back_byte_for_byte(
    installation: Installation, tmp_path: Path
) -> None:
    shop, vault = make_shop(tmp_path / "shop"), tmp_path / "vault"
    wants(installation, vault)
    start(installation.home, installation.environ)
    installation.index(shop)
    page = vault / "Files/shop/shop.pricing.total.py (shop).md"
    until(page, "order_total")
    with (shop / "shop/pricing/total.py").open("a") as file:
        file.write("\n\ndef rounded(amount):\n    return round(amount, 2)\n")
    until(page, "`rounded`")
    until(vault / "Home.md", "changed: [[Files/shop/shop.pricing.total.py (shop)")
    for words in (["start", "Round it"], ["note", "Half a cent goes up"], ["close"]):
        assert installation.run("task", *words, "--project", str(shop)).returncode == 0
    until(vault / "Home.md", "task completed: [[Tasks/shop/")
    until(vault / "Projects/shop.md", "|Half a cent goes up]]")
    (vault / "mine.md").write_text("my own words")
    checked = installation.run("vault", "check", "--json")
    assert json.loads(checked.stdout)["faults"] == []
    assert any(one.name == "vault" for one in installation.status().projectors)
    installation.run("vault", "write")
    before = bytes_of(vault)
    assert installation.run("down").returncode == 0
    shutil.rmtree(vault)
    shutil.rmtree(installation.home.derived)
    start(installation.home, installation.environ)
    replayed = json.loads(installation.run("replay", "--from", "0", "--json").stdout)
    assert [one["name"] for one in replayed["projections"]][-1] == "vault"
    after = bytes_of(vault)
    assert before.pop("mine.md") == b"my own words"
    assert after == before
    again = json.loads(installation.run("replay", "--only", "vault", "--json").stdout)["projections"]
    assert [(one["name"], one["changed"]) for one in again] == [("vault", False)]
    assert again[0]["digest"] == replayed["projections"][-1]["digest"]


def test_a_vault_inside_a_watched_project_does_not_come_back(
    installation: Installation, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")
    vault = shop / "notes/navlog"
    wants(installation, vault, "zh")
    start(installation.home, installation.environ)
    installation.index(shop)
    until(vault / "首页.md", "shop")
    with (shop / "web/format.js").open("a") as file:
        file.write("export function more() {}\n")
    until(vault / "文件/shop/web.format.js (shop).md", "more")
    installation.run("vault", "write")
    settled = installation.status().position
    time.sleep(1.5)
    assert installation.status().position == settled
    found = installation.run("sql", "--json", "select path from files where path like 'notes/%'")
    assert json.loads(found.stdout) == []
    assert "web/format.js" in git(shop, "status", "--porcelain")


def test_without_a_setting_there_is_no_vault_and_a_wrong_one_is_said(
    installation: Installation, tmp_path: Path
) -> None:
    assert "There is no vault." in installation.run("vault", "path").stderr
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    wants(installation, tmp_path / "link")
    start(installation.home, installation.environ)
    while not installation.status().degraded:
        time.sleep(0.05)
    assert "is a link" in installation.status().degraded[0].reason
    assert not list((tmp_path / "real").iterdir())
