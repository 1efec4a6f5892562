"""What people have on their disks and send to sockets: none of it stops the daemon, each is named.

A second daemon is in test_daemon.py.
"""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from service.conftest import Installation, running

from navlog.daemon.client import connect
from navlog.daemon.launch import daemon_command, start, stop_daemon
from navlog.schemas.names import text_to_name
from navlog.schemas.wire import Item
from support.shop import git, make_shop
from support.zoo import SOURCES, STRANGE, make_zoo

DAEMON = daemon_command()
pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(60)]
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can do that")


class Zoo(NamedTuple):
    """A project full of odd files, and the one daemon that lives through all of them."""

    at: Installation
    root: Path
    pid: int

    def best(self, task: str) -> Item:
        return self.at.context(task, self.root).items[0]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zoo]:
    with running(tmp_path_factory) as at:
        root = make_zoo(tmp_path_factory.mktemp("zoo") / "zoo")
        pid = start(at.home, at.environ)
        at.index(root)
        yield Zoo(at, root, pid)
        assert at.status().pid == pid
        assert git(root, "status", "--porcelain", "plain.py") == ""


def test_what_is_no_text_is_known_by_name_and_named_by_the_doctor(zoo: Zoo) -> None:
    expected = {
        "circle": "link", "loop": "link", "outside": "link", "pipe": "fifo", "sparse.py": "too_large",
        **({"device": "device"} if os.geteuid() == 0 else {}),
    }  # fmt: skip
    (check,) = zoo.at.doctor("skipped")
    assert "1 fifo, 3 link, 1 too_large" in check.detail
    query = check.hint.removeprefix('navlog sql "').removesuffix('"')
    rows = json.loads(zoo.at.run("sql", query, "--json").stdout)
    assert {row["path"]: row["reason"] for row in rows} == expected
    found = zoo.at.context("root:x:0:0 daemon nologin", zoo.root)
    assert not [item for item in found.items if item.path == "outside"]


def test_a_one_line_bundle_does_not_hang_the_indexer_and_is_said_to_be_partial(zoo: Zoo) -> None:
    assert zoo.best("bundle.js").path == "bundle.js"
    (check,) = zoo.at.doctor("partial")
    assert "zoo 1 minified" in check.detail


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_in_another_encoding_keeps_its_symbols(zoo: Zoo, name: str) -> None:
    text = SOURCES[name][0]
    symbol = text.partition("def ")[2].partition("(")[0]
    best = zoo.best(symbol)
    assert (best.path, best.symbol, best.state) == (name, symbol, "FRESH")
    assert best.text.splitlines()[-1].strip() == text.splitlines()[-1].strip()


def test_a_name_that_is_not_utf8_is_found_and_shown(zoo: Zoo) -> None:
    assert text_to_name(zoo.best("strangely_named").path) == STRANGE
    shown = zoo.at.run("context", "--project", str(zoo.root), "strangely_named")
    assert shown.stdout.startswith(r"caf\xe9 \xff.py:1  strangely_named")


@pytest.mark.parametrize("folder", ["/", "~"])
def test_a_folder_of_everything_is_no_project(zoo: Zoo, folder: str) -> None:
    refused = zoo.at.run("up", folder.replace("~", zoo.at.environ["HOME"]))
    assert refused.returncode == 2
    message, safe, step = refused.stderr.splitlines()
    assert "holds everything you have" in message
    assert safe.strip() == "Nothing was changed."
    assert "git init" in step


@only_root
@pytest.mark.root
def test_a_repository_of_another_user_is_read_and_git_s_refusal_named(zoo: Zoo, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "theirs")
    for path in (shop, *shop.rglob("*")):
        os.lchown(path, 12345, 12345)
    zoo.at.index(shop)
    assert zoo.at.context("expire_session_cookie", shop).items[0].path == "shop/sessions/cookies.py"
    status = zoo.at.run("status")
    assert status.returncode == 75
    assert "belongs to another user" in status.stdout
    (check,) = zoo.at.doctor("project")
    assert "theirs" in check.detail
    assert "git config --global --add safe.directory" in check.hint
    assert zoo.at.run("project", "remove", str(shop)).returncode == 0
    assert zoo.at.status().degraded == []


def test_a_project_that_went_away_is_named_and_can_be_taken_off(zoo: Zoo, tmp_path: Path) -> None:
    project = zoo.at.index(make_shop(tmp_path / "gone"))
    shutil.rmtree(tmp_path / "gone")
    until(lambda: bool(zoo.at.doctor("project")))
    (check,) = zoo.at.doctor("project")
    assert "gone" in check.detail
    assert f"navlog project remove {project.id}" in check.hint
    assert zoo.at.run("project", "remove", project.id).returncode == 0
    assert zoo.at.status().degraded == []


def test_what_is_no_request_is_refused_and_the_connection_goes_on(zoo: Zoo) -> None:
    with connect(zoo.at.home) as wire, wire.makefile("rb") as replies:
        for sent in (b"\x00\xff rubbish\n", b'{"verb": 1}\n', b'["status"]\n', b"[" * 100_000 + b"\n"):
            wire.sendall(sent)
            fault = json.loads(replies.readline())["error"]
            assert (fault["code"], bool(fault["hint"])) == ("RequestRefused", True)
        wire.sendall(b'{"verb": "context", "args": {"task": "' + b"x" * 10_000_000 + b'"}}\n')
        assert "at most" in json.loads(replies.readline())["error"]["message"]
        wire.sendall(b'{"verb": "status"}\n')
        assert json.loads(replies.readline())["result"]["pid"] == zoo.pid


def test_an_unreadable_folder_is_named_and_the_rest_answers(
    installation: Installation, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")
    (shop / "shop/mail").chmod(0)
    try:
        start(installation.home, installation.environ, (*without_rights(), *DAEMON))
        installation.index(shop)
        assert best(installation, "renderCart", shop) == "web/cart.js"
        (check,) = installation.doctor("skipped")
        assert "1 unreadable" in check.detail
    finally:
        (shop / "shop/mail").chmod(0o755)


def without_rights() -> tuple[str, ...]:
    """Root may read everything, so it gives that up."""
    tool = shutil.which("setpriv")
    if os.geteuid() != 0:
        return ()
    if not tool:
        pytest.skip("setpriv is not here, and root can read everything")
    return (tool, "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all")


def test_a_damaged_line_is_named_and_the_rest_answers(installation: Installation, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    start(installation.home, installation.environ)
    installation.index(shop)
    stop_daemon(installation.home)
    segment = min(installation.home.log.glob("events-*.jsonl"))
    text = bytearray(segment.read_bytes())
    text[len(text) // 2] ^= 4
    segment.write_bytes(text)
    start(installation.home, installation.environ)
    status = installation.run("status")
    assert status.returncode == 75
    assert segment.name in status.stdout
    assert "navlog verify" in status.stdout
    assert best(installation, "renderCart", shop) == "web/cart.js"
    verified = installation.run("verify")
    assert verified.returncode == 1
    assert segment.name in verified.stdout
    assert "navlog salvage --out" in verified.stdout
    assert segment.read_bytes() == text


@only_root
@pytest.mark.root
def test_a_full_disk_is_said_survived_and_forgotten(installation: Installation, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    installation.home.data.mkdir(mode=0o700)
    pid = start(installation.home, installation.environ, (*on_a_disk_of(12, installation.home.data), *DAEMON))
    installation.index(shop)
    filler = Path(f"/proc/{pid}/root{installation.home.data}/filler")
    fill(filler)
    for number in range(3):
        edit(shop, number)
        installation.context(f"refill_{number}", shop)
    status = installation.run("status")
    assert status.returncode == 75
    assert "No space left on device" in status.stdout
    assert "Make room on the disk" in status.stdout
    assert best(installation, "renderCart", shop) == "web/cart.js"
    filler.unlink()
    until(lambda: not installation.status().degraded)
    edit(shop, 3)
    assert best(installation, "refill_3", shop) == "shop/stock.py"
    assert installation.status().pid == pid


def on_a_disk_of(megabytes: int, folder: Path) -> tuple[str, ...]:
    """What runs a command with a small file system at ``folder``, which nobody else sees."""
    tool, shell = shutil.which("unshare"), shutil.which("sh")
    if not tool or not shell:
        pytest.skip("unshare is not here")
    script = (
        'mount --make-rprivate / && mount -t tmpfs -o "size=$1m,mode=700" tmpfs "$2" && shift 2 && exec "$@"'
    )
    return (tool, "-m", shell, "-c", script, "sh", str(megabytes), str(folder))


def edit(shop: Path, number: int) -> None:
    with (shop / "shop/stock.py").open("a") as file:
        file.write(f"\n\ndef refill_{number}():\n    pass\n")


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)) == 4096:
            pass


def until(holds: Callable[[], bool], within: float = 20) -> None:
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def best(at: Installation, task: str, root: Path) -> str:
    return at.context(task, root).items[0].path
