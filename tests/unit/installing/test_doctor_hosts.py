"""What `navlog doctor` says of the coding agents, on homes made for it."""

import json
import sys
from pathlib import Path

import pytest

from navlog.daemon.check import Check
from navlog.daemon.doctor_hosts import TRIED, examine_hosts
from navlog.daemon.home import Home
from navlog.daemon.hosts.installing.adapters import CODEX_EVENTS, HOSTS


class Machine:
    """A person's home with agents in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir()
        self.environ = {"HOME": str(folder), "PATH": str(folder / "bin")}
        self.home = Home(folder / "data", folder / "run/navlog.sock", folder / "config.toml")

    def program(self, name: str, says: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!{sys.executable}\nprint({says!r})\n")
        path.chmod(0o755)

    def install(self, host: str) -> None:
        for place in HOSTS[host](self.environ):
            place.path.parent.mkdir(parents=True, exist_ok=True)
            place.path.write_text(place.document.put("")[0])

    def says(self) -> dict[str, Check]:
        return {check.name: check for check in examine_hosts(self.home, self.environ)}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("HOME", str(tmp_path))
    return Machine(tmp_path)


def test_an_agent_that_is_not_there_has_no_line(machine: Machine) -> None:
    assert machine.says() == {}


def test_an_agent_without_navlog_is_told_the_command(machine: Machine) -> None:
    machine.program("codex", "codex-cli 0.171.0")
    found = machine.says()
    assert (found["codex"].state, found["codex"].hint) == ("ok", "navlog install codex")
    assert "codex client" not in found


@pytest.mark.parametrize(
    ("host", "program", "says", "old"),
    [
        ("claude-code", "claude", "2.0.14 (Claude Code)", True),
        ("claude-code", "claude", "2.1.300 (Claude Code)", False),
        ("claude-code", "claude", "3.0.0 (Claude Code)", False),
        ("codex", "codex", "codex-cli 0.99.0", True),
        ("codex", "codex", "no number at all", False),
        ("opencode", "opencode", "1.2.3", True),
        ("pi", "pi", "0.9", True),
    ],
)
def test_a_client_older_than_what_was_tried_has_a_line_of_its_own(
    machine: Machine, host: str, program: str, says: str, old: bool
) -> None:
    machine.program(program, says)
    machine.install(host)
    found = machine.says()
    assert (f"{host} client" in found) == old
    if old:
        check = found[f"{host} client"]
        assert check.state == "warn"
        assert ".".join(map(str, TRIED[host])) in check.detail
        assert program in check.hint


def test_a_client_that_cannot_be_run_has_none(machine: Machine) -> None:
    (machine.folder / "bin/claude").write_text("no program")
    (machine.folder / "bin/claude").chmod(0o755)
    assert "claude-code client" not in machine.says()


def test_hooks_that_codex_was_not_told_to_trust_are_counted(machine: Machine) -> None:
    machine.install("codex")
    said = machine.says()["codex"]
    assert (said.state, said.hint) == ("warn", "In Codex:  /hooks")
    assert said.detail.startswith(f"{len(CODEX_EVENTS)} of its hooks are not approved")
    hooks = machine.folder / ".codex/hooks.json"
    keys = "".join(
        f'[hooks.state.{json.dumps(f"{hooks}:{event}:0:0")}]\ntrusted_hash = "x"\n' for event in CODEX_EVENTS
    )
    (machine.folder / ".codex/config.toml").write_text(keys)
    assert machine.says()["codex"].state == "ok"


@pytest.mark.parametrize(
    ("config", "told"),
    [("", "read-only"), ('sandbox_mode = "workspace-write"\n', "workspace-write"),
     ('sandbox_mode = "danger-full-access"\n', None), ("no toml [", "read-only")],
)  # fmt: skip
def test_codex_in_its_sandbox_is_told_what_that_costs(
    machine: Machine, config: str, told: str | None
) -> None:
    (machine.folder / ".codex").mkdir()
    (machine.folder / ".codex/config.toml").write_text(config)
    found = machine.says().get("codex sandbox")
    assert (found.detail.partition(":")[0] if found else None) == told


def test_a_build_that_is_not_the_installed_one_is_named(machine: Machine) -> None:
    machine.install("codex")
    hooks = machine.folder / ".codex/hooks.json"
    hooks.write_text(hooks.read_text().replace(sys.executable, "/old/python"))
    assert machine.says()["codex"].state == "warn"


def test_who_is_not_told_what_is_spent_is_named_with_the_command(machine: Machine) -> None:
    assert "nudges" not in machine.says()
    machine.install("claude-code")
    found = machine.says()["nudges"]
    assert "claude-code have no ctx_reduce" in found.detail
    assert found.hint == "navlog install mcp"
    machine.install("mcp")
    assert "takes effect at the next compaction" in machine.says()["nudges"].detail
