"""Two machines and a Redis that is killed, flushed and filled with rubbish: nothing is lost, nobody waits."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.daemon.sharing.redis_queue import RedisQueue, connect
from navlog.daemon.sharing.shared import SharedQueue
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu.queue import Queue
from navlog.projections.msu.state import Entry
from navlog.schemas.errors import Degraded
from navlog.schemas.giving import GiveArgs, GiveReply
from navlog.schemas.slices import Member, MsuFormed
from support.listening import run_git
from support.redis import Server, needs_redis, serving
from support.shop import make_shop

pytestmark = [needs_redis]
HIDDEN = "hunter2"


class Machine:
    """One that has the project as ``p-NAME``; `look` is a round of its thread."""

    def __init__(self, server: Server, name: str) -> None:
        self.project = f"p-{name}"
        self.name = name
        self.local = Queue()
        self.remote = RedisQueue(
            connect(server.url, None), {self.project: "shop", "own": ""}.__getitem__, name,
            lambda hashes: {name: f"text {name}" for name in hashes},
            lambda text: text.replace(HIDDEN, "***"),
        )  # fmt: skip
        self.queue = SharedQueue(lambda: self.local, self.remote, lambda: [self.project, "own"])

    def form(self, number: int, project: str = "") -> None:
        core = [Member("a.py", 1, 1, "", "changed", "", 3, f"{number} {HIDDEN}")]
        msu = MsuFormed(
            msu=f"{self.name}{number}",
            path="a.py",
            content="c",
            before="",
            basis="none",
            slicer="t",
            core=core,
        )
        vector = HashingEmbedder().embed([f"record {number}"])[0]
        self.local.put(project or self.project, [Entry(number, time.time(), msu, vector)])

    @property
    def knows(self) -> list[str]:
        return sorted(one.msu.msu for one in self.queue.since(self.project, 0))

    def given(self, reader: str) -> list[str]:
        """Taken and confirmed."""
        taken = self.queue.take(self.project, reader, time.time())
        self.queue.confirm(self.project, reader, [one.position for one in taken])
        return [one.msu.msu for one in taken]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as one:
        yield one


@pytest.fixture
def machines(server: Server) -> Iterator[tuple[Machine, Machine]]:
    one, two = Machine(server, "a"), Machine(server, "b")
    yield one, two
    for machine in (one, two):
        machine.remote.close()


def rounds(*machines: Machine) -> None:
    """Two: what one puts in the first the others have after the second."""
    for _ in range(2):
        for machine in machines:
            machine.queue.look()


def test_what_one_machine_forms_the_other_is_told_with_texts_and_without_secrets(
    machines: tuple[Machine, Machine],
) -> None:
    one, two = machines
    one.form(1)
    states = [two.queue.state(two.project)]
    two.form(1)
    states.append(two.queue.state(two.project))
    rounds(one, two)
    states.append(two.queue.state(two.project))
    assert len(set(states)) == 3
    assert one.knows == two.knows == ["a1", "b1"]
    (theirs,) = [found for found in two.queue.since(two.project, 0) if found.machine]
    assert (theirs.machine, theirs.msu.path) == ("a", "a.py")
    assert two.queue.texts(two.project, [f"1 {HIDDEN}", "unknown"]) == {f"1 {HIDDEN}": "text 1 ***"}
    assert sorted(two.given("codex")) == ["a1", "b1"]
    assert two.given("codex") == []
    assert two.queue.version(two.project) == one.queue.version(one.project) > 1


def test_a_folder_that_is_not_shared_stays_here(machines: tuple[Machine, Machine], server: Server) -> None:
    one, _ = machines
    one.form(7, project="own")
    one.queue.look()
    assert server.client.dbsize() == 0
    assert [found.position for found in one.queue.after("own", 0, time.time())] == [7]
    assert one.queue.version("own") == 7
    assert len(one.queue.take("own", "codex", time.time())) == 1


def flush(server: Server) -> None:
    server.client.flushall()


def kill(server: Server) -> None:
    server.kill()
    server.start()


def evict(server: Server) -> None:
    server.client.delete("navlog:{shop}:msu")


def evict_token(server: Server) -> None:
    server.client.delete("navlog:{shop}:token")


@pytest.mark.parametrize("lose", [flush, kill, evict, evict_token])
def test_whatever_redis_loses_is_put_there_again(
    machines: tuple[Machine, Machine], server: Server, lose: Callable[[Server], None]
) -> None:
    one, two = machines
    for number in range(1, 151):
        one.form(number)
    two.form(1)
    rounds(one, two)
    assert len(one.given("codex")) == 100 + 51
    lose(server)
    one.form(151)
    rounds(one, two)
    everything = sorted([*(f"a{number}" for number in range(1, 152)), "b1"])
    assert one.knows == two.knows == everything
    assert server.client.xlen("navlog:{shop}:msu") == len(everything)
    late = Machine(server, "c")
    late.queue.look()
    assert late.knows == everything
    late.remote.close()
    assert set(one.given("codex")) >= {"a151"}


def test_a_new_server_whose_clock_is_behind_is_read_from_its_beginning(
    machines: tuple[Machine, Machine], server: Server
) -> None:
    one, two = machines
    one.form(1)
    rounds(one, two)
    two.remote._fetched[two.project].cursor = "9999999999999-0"
    kill(server)
    one.form(2)
    rounds(one, two)
    assert two.knows == ["a1", "a2"]


def test_while_redis_is_away_nothing_is_lost_and_it_is_said(
    machines: tuple[Machine, Machine], server: Server
) -> None:
    one, two = machines
    one.form(1)
    two.form(1)
    rounds(one, two)
    server.kill()
    one.form(2)
    with pytest.raises(Degraded):
        one.queue.look()
    one.queue._failed(Degraded("gone"))
    assert [reason.reason for reason in one.queue.degraded()] == [
        "only this machine's changes are told: gone"
    ]
    assert one.knows == ["a1", "a2", "b1"]
    assert len(one.queue.hot(one.project, time.time(), None)) == 3
    assert one.queue.version(one.project) == 2
    assert [found.msu.msu for found in one.queue.after(one.project, 1, time.time())] == ["a2"]
    assert one.given("codex") == ["a1", "a2"]
    server.start()
    one.queue.fault = ""
    rounds(one, two)
    assert one.knows == two.knows == ["a1", "a2", "b1"]
    assert sorted(one.given("codex")) == ["a1", "a2", "b1"]


def test_what_is_no_record_is_passed_over(machines: tuple[Machine, Machine], server: Server) -> None:
    one, two = machines
    for fields in ({"record": b"{"}, {"record": b"x" * 300_000}, {"other": b"1"}, {"record": b"\xff" * 9}):
        server.client.xadd("navlog:{shop}:msu", fields)  # type: ignore[arg-type]
    one.form(1)
    rounds(one, two)
    assert two.knows == ["a1"]
    assert two.given("codex") == ["a1"]
    assert server.client.xpending("navlog:{shop}:msu", "agent:codex")["pending"] == 0


def test_redis_keeps_a_day_and_forgets_a_project_nobody_works_on(
    machines: tuple[Machine, Machine], server: Server
) -> None:
    one, _ = machines
    stream = "navlog:{shop}:msu"
    server.client.xadd(stream, {"record": b"{}"}, id="1000-0")
    one.form(1)
    one.queue.look()
    assert server.client.xlen(stream) == 1
    day_ms = 24 * 3_600_000
    for key in ("msu", "seen", "token"):
        left = server.client.pttl(f"navlog:{{shop}}:{key}")
        assert isinstance(left, int)
        assert day_ms < left <= 2 * day_ms


def test_a_project_that_is_removed_here_stays_with_the_others(machines: tuple[Machine, Machine]) -> None:
    one, two = machines
    one.form(1)
    rounds(one, two)
    one.queue.drop(one.project)
    rounds(one, two)
    assert one.knows == []
    assert two.knows == ["a1"]


# --- real daemons ---------------------------------------------------------------------------------------


@pytest.fixture
def daemons(
    tmp_path_factory: pytest.TempPathFactory, server: Server, tmp_path: Path
) -> Iterator[list[tuple[Installation, Path]]]:
    shop = make_shop(tmp_path / "shop")
    run_git(tmp_path, "clone", "-q", str(shop), "other")
    with running(tmp_path_factory) as one, running(tmp_path_factory) as two:
        pairs = [(one, shop), (two, tmp_path / "other")]
        for installation, root in pairs:
            settings = Path(installation.environ["XDG_CONFIG_HOME"]) / "navlog" / "config.toml"
            settings.parent.mkdir(parents=True)
            settings.write_text(f'[queue]\nurl = "{server.url}"\n')
            done = installation.run("up", str(root))
            assert done.returncode == 0, done.stderr
        yield pairs


def until(look: Callable[[], Any]) -> Any:
    """What ``look`` gives once it gives something."""
    end = time.monotonic() + 60
    while not (found := look()):
        assert time.monotonic() < end
        time.sleep(0.2)
    return found


def listed(installation: Installation, path: str) -> list[dict[str, Any]]:
    found = json.loads(installation.run("msu", "list", "--json").stdout)["msus"]
    return [one for one in found if one["path"] == path]


@pytest.mark.slow_start
@pytest.mark.timeout(240)
def test_daemons_tell_each_other_what_changed_whatever_happens_to_redis(
    daemons: list[tuple[Installation, Path]], server: Server
) -> None:
    (one, shop), (two, other) = daemons
    (shop / "new.py").write_text("def crumble(cookie):\n    return cookie.half\n")
    (theirs,) = until(lambda: listed(two, "new.py"))
    assert theirs["machine"]
    assert listed(one, "new.py")[0]["machine"] == ""
    assert "def crumble" in two.run("msu", "show", "new.py").stdout
    assert f"new.py on {theirs['machine']}" in two.run("msu", "list").stdout
    for reader in ("codex", "pi"):
        assert "new.py" in two.run("msu", "tail", "--reader", reader, "--once").stdout
        assert two.run("msu", "tail", "--reader", reader, "--once").stdout == ""
    args = GiveArgs(
        task="what does crumble in new.py do",
        project=str(other),
        session="s",
        moment="prompt",
        wait_ms=20_000,
    )
    block = ask(two.home, "give", GiveReply, args).block
    assert f"on {theirs['machine']}, not here" in block
    assert "def crumble(cookie):" in block
    server.kill()
    until(lambda: [why for why in one.status().degraded if "shared queue does not answer" in why.reason])
    assert listed(two, "new.py")
    (shop / "more.py").write_text("def bake(flour):\n    return flour\n")
    until(lambda: listed(one, "more.py"))
    server.start()
    until(lambda: listed(two, "more.py"))
    until(lambda: not one.status().degraded)
    server.client.flushall()
    until(lambda: server.client.exists(*server.client.keys("navlog:*:msu") or ["none"]))
    assert "more.py" in until(lambda: two.run("msu", "tail", "--reader", "codex", "--once").stdout)


def test_a_redis_that_is_no_address_is_said_at_the_start(installation: Installation, tmp_path: Path) -> None:
    settings = Path(installation.environ["XDG_CONFIG_HOME"]) / "navlog" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[queue]\nurl = "queue.example:6379"\n')
    done = installation.run("up", str(make_shop(tmp_path / "shop2")))
    assert done.returncode != 0
    assert "[queue] url is no address" in done.stderr
