"""A replay gives the same tables in another time zone, language, hash seed, batch size and year (R15)."""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping

import pytest
from service.conftest import Installation, running

from navlog.daemon.launch import READY_FD, start
from support.shop import git, make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]

# Without -I, which would not let PYTHONHASHSEED through.
DAEMON = (sys.executable, "-m", "navlog.daemon", "up", "--foreground", "--ready-fd", str(READY_FD))
ELSEWHERE = {
    "Kathmandu": {"TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"},
    "Newfoundland": {"TZ": "America/St_Johns", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    "Kiritimati": {"TZ": "Pacific/Kiritimati", "LC_ALL": "POSIX", "PYTHONHASHSEED": "4294967295"},
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, dict[str, str]]]:
    """A log that came to be step by step, the daemon down; and the digests that its tables had."""
    with running(tmp_path_factory) as one:
        shop = make_shop(tmp_path_factory.mktemp("p") / "shop")
        start(one.home, one.environ)
        one.index(shop)
        (shop / "shop/stock.py").rename(shop / "shop/store.py")
        one.context("stock", shop)
        (shop / "web/cart.js").write_text("export function another() {}\n")
        one.context("another", shop)
        git(shop, "add", "-A")
        git(shop, "commit", "-q", "-m", "another cart")
        one.context("another", shop)
        digests = replayed(one)
        assert one.run("down").returncode == 0
        yield one, digests


def replayed(one: Installation) -> dict[str, str]:
    done = one.run("replay", "--from", "0", "--json")
    assert done.returncode == 0, done.stdout
    projections = json.loads(done.stdout)["projections"]
    assert not any(projection["changed"] for projection in projections)
    return {projection["name"]: projection["digest"] for projection in projections}


def elsewhere(
    one: Installation, more: Mapping[str, str], command: tuple[str, ...] = DAEMON
) -> dict[str, str]:
    """The digests of a daemon that has the log alone, in another environment."""
    shutil.rmtree(one.home.derived)
    start(one.home, {**one.environ, **more}, command)
    try:
        return replayed(one)
    finally:
        one.run("down")


@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_replay_gives_the_same_tables_in_another_zone_language_and_seed(
    recorded: tuple[Installation, dict[str, str]], place: str
) -> None:
    one, digests = recorded
    assert elsewhere(one, ELSEWHERE[place]) == digests


@pytest.mark.parametrize("size", [1, 7])
def test_a_replay_gives_the_same_tables_whatever_a_batch_holds(
    recorded: tuple[Installation, dict[str, str]], size: int
) -> None:
    one, digests = recorded
    one.home.settings.parent.mkdir(parents=True, exist_ok=True)
    one.home.settings.write_text(f"[store]\nbatch = {size}\n")
    try:
        assert elsewhere(one, {}) == digests
    finally:
        one.home.settings.unlink()


@pytest.mark.parametrize("jump", ["+10y", "-1h"])
def test_a_replay_gives_the_same_tables_in_another_year(
    recorded: tuple[Installation, dict[str, str]], jump: str
) -> None:
    one, digests = recorded
    faketime = shutil.which("faketime")
    if faketime is None:
        pytest.skip("faketime is not here")
    lasting = {"DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1"}
    assert elsewhere(one, lasting, (faketime, "-f", jump, *DAEMON)) == digests
