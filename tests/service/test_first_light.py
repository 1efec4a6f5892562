"""From a repository to an answer, and back from the log: what a new user does in the first minutes."""

import json
import shutil
from pathlib import Path

import pytest
from service.conftest import Installation

from navlog.schemas.wire import ContextReply
from support.shop import git, make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]

COOKIE = "expire the session cookie"
STOCK = "库存不足时报错"
TASKS = (COOKIE, STOCK, "charge the card for an order", "购物车的会员折扣怎么计算", "renderCart")


def test_first_light(installation: Installation, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    up = installation.run("up", str(shop), "--sample")
    assert up.returncode == 0, up.stderr
    assert [line.split(" .")[0].strip() for line in up.stdout.splitlines() if " ..." in line][:3] == [
        "daemon", "indexed shop", "try it",
    ]  # fmt: skip
    shown = installation.run("context", "--project", str(shop), COOKIE)
    assert shown.stdout.startswith("shop/sessions/cookies.py:4  expire_session_cookie  ")
    cookies = shop / "shop/sessions/cookies.py"
    assert best(installation.context(COOKIE, shop)) == (
        "shop/sessions/cookies.py", 4, "expire_session_cookie",
    )  # fmt: skip
    assert best(installation.context(STOCK, shop)) == ("shop/stock.py", 4, "reserve")

    cookies.write_text(cookies.read_text() + "    response.forget_everything()\n")
    edited = installation.context("forget everything cookie", shop)
    assert (edited.stale, edited.items[0].state) == ("", "FRESH")
    assert "response.forget_everything()" in edited.items[0].text

    before = [pointers(installation.context(task, shop)) for task in TASKS]
    digest = replayed(installation)
    assert installation.run("down").returncode == 0
    assert len(list(installation.home.derived.glob("graph-*.duckdb.image"))) == 1
    assert installation.run("up", str(shop)).returncode == 0
    assert [pointers(installation.context(task, shop)) for task in TASKS] == before
    assert installation.run("down").returncode == 0
    shutil.rmtree(installation.home.derived)
    assert installation.run("up", str(shop)).returncode == 0
    assert [pointers(installation.context(task, shop)) for task in TASKS] == before
    assert replayed(installation) == digest

    assert git(shop, "status", "--porcelain", "--ignored") == " M shop/sessions/cookies.py\n"
    assert installation.run("verify").returncode == 0
    assert installation.run("down").returncode == 0
    segment, offset, position = flip_a_byte(installation.home.log)
    damaged = installation.run("verify")
    assert damaged.returncode == 1
    assert all(word in damaged.stdout for word in (segment, f"{offset:,}", f"position {position}"))


def pointers(reply: ContextReply) -> list[tuple[str, int, int]]:
    return [(item.path, item.line, item.end_line) for item in reply.items]


def best(reply: ContextReply) -> tuple[str, int, str]:
    item = reply.items[0]
    return item.path, item.line, item.symbol


def replayed(installation: Installation) -> dict[str, str]:
    """Each projection's digest; the replay found nothing to change."""
    done = installation.run("replay", "--from", "0", "--json")
    assert done.returncode == 0, done.stdout
    projections = json.loads(done.stdout)["projections"]
    assert projections
    assert not any(one["changed"] for one in projections)
    return {one["name"]: one["digest"] for one in projections}


def flip_a_byte(log: Path) -> tuple[str, int, int]:
    """Damages a line in the middle; its segment, offset and position."""
    segment = min(log.glob("events-*.jsonl"))
    lines = segment.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    offset = sum(map(len, lines[:middle]))
    with segment.open("r+b") as file:
        file.seek(offset + 40)
        byte = file.read(1)
        file.seek(offset + 40)
        file.write(bytes([byte[0] ^ 1]))
    return segment.name, offset, json.loads(lines[middle])["position"]
