"""Clients that die at any moment leave nothing behind in the daemon: docs/complaints.md, first row."""

import json
import random
import socket
import time
from pathlib import Path

import pytest
from service.conftest import Installation

from navlog.daemon.launch import start
from support.shop import make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]

CLIENTS = 500
WARM = 200  # the baseline is a daemon that has answered and heard saves: its rooms have filled their caches
GROWTH = 24 * 1024 * 1024  # a leak of one answer for each client would be more


def test_after_500_killed_clients_processes_descriptors_and_memory_are_at_the_baseline(
    installation: Installation, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")
    pid = start(installation.home, installation.environ)
    installation.index(shop)
    drawn = random.Random(1)
    work(installation, shop, drawn, range(WARM))
    until_quiet(installation, pid)
    processes, descriptors, memory = children(pid), open_files(pid), installation.status().memory
    work(installation, shop, drawn, range(WARM, WARM + CLIENTS))
    until_quiet(installation, pid)
    assert children(pid) <= processes
    assert open_files(pid) <= descriptors
    assert installation.status().memory < memory + GROWTH
    assert installation.context("renderCart", shop).items[0].path == "web/cart.js"


def work(one: Installation, shop: Path, drawn: random.Random, numbers: range) -> None:
    """Clients that die, and a save among ten of them."""
    for number in numbers:
        if number % 10 == 0:
            (shop / "web/format.js").write_text(f"export const price = {number};\n")
        ask_and_die(one, shop, drawn)


def ask_and_die(one: Installation, shop: Path, drawn: random.Random) -> None:
    """A request cut anywhere, or whole and its answer not awaited, or awaited in part."""
    request = json.dumps({"verb": "context", "args": {"task": "render cart", "project": str(shop)}}) + "\n"
    said = request.encode()
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(10)
        channel.connect(str(one.home.socket))
        cut = drawn.choice([0, drawn.randrange(len(said)), len(said), len(said)])
        channel.sendall(said[:cut])
        if cut == len(said) and drawn.random() < 0.3:
            channel.recv(drawn.randrange(1, 100))


def until_quiet(one: Installation, pid: int) -> None:
    """Every handler has ended: for a while the number of open files stays as it is."""
    seen: list[int] = []
    while len(seen) < 5 or len(set(seen[-5:])) > 1:
        one.status()
        seen.append(open_files(pid))
        time.sleep(0.1)


def children(pid: int) -> int:
    return len(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def open_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
