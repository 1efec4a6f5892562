"""`install` and `uninstall` as a person types them, in a home of its own."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from navlog.daemon.cli.main import navlog
from navlog.daemon.hosts.installing.adapters import HOSTS

SETTINGS = (
    '{\n    // mine\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"command": "fmt"}]}]},\n}\n'
)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "PI_CODING_AGENT_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NAVLOG_HOME", str(tmp_path / "nav"))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(navlog, words)


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "nav" not in path.relative_to(folder).parts[:1]
    }


def there(user: Path) -> None:
    for name, text in {
        ".claude/settings.json": SETTINGS, ".claude.json": '{"n": 1}', ".codex/config.toml": "a = 1 # mine\n",
        ".config/opencode/opencode.jsonc": '{\n  // mine\n  "theme": "dark"\n}',
    }.items():  # fmt: skip
        (user / name).parent.mkdir(parents=True, exist_ok=True)
        (user / name).write_text(text)


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("files", [True, False], ids=["with settings", "without"])
def test_uninstall_gives_every_byte_back(user: Path, host: str, files: bool) -> None:
    if files:
        there(user)
    before = tree(user)
    assert run("install", host).exit_code == 0
    assert (tree(user) != before) == (files or host != "mcp")
    assert run("uninstall", host).exit_code == 0
    assert tree(user) == before


@pytest.mark.parametrize("host", HOSTS)
def test_repeated_it_changes_nothing(user: Path, host: str) -> None:
    there(user)
    run("install", host)
    after = tree(user)
    again = run("install", host)
    assert "Nothing to change" in again.output
    assert tree(user) == after


@pytest.mark.parametrize("host", HOSTS)
def test_a_dry_run_shows_the_change_and_makes_none(user: Path, host: str) -> None:
    there(user)
    before = tree(user)
    shown = run("install", host, "--dry-run")
    assert "+++" in shown.output
    assert tree(user) == before
    assert not (user / "nav").exists()


def test_a_file_that_cannot_be_read_stops_everything(user: Path) -> None:
    there(user)
    (user / ".codex/config.toml").write_text("a = \n")
    before = tree(user)
    refused = run("install", "mcp")
    assert refused.exit_code == 2
    assert "config.toml" in refused.output
    assert tree(user) == before


def test_what_was_added_since_stays(user: Path) -> None:
    there(user)
    run("install", "claude-code")
    path = user / ".claude/settings.json"
    path.write_text(path.read_text().replace('"model": "opus"', '"model": "sonnet"'))
    run("uninstall", "claude-code")
    assert path.read_text() == SETTINGS.replace("opus", "sonnet")


def test_the_settings_of_a_person_are_not_kept_elsewhere(user: Path) -> None:
    there(user)
    (user / ".claude/settings.json").write_text('{"env": {"TOKEN": "hush"}}')
    run("install", "claude-code")
    assert "hush" not in (user / "nav/installed.json").read_text()


@pytest.mark.parametrize(("files", "word"), [(True, "restored"), (False, "removed")])
def test_uninstall_says_whether_the_file_is_still_there(user: Path, files: bool, word: str) -> None:
    if files:
        there(user)
    run("install", "claude-code")
    assert run("uninstall", "claude-code").stdout == f"{word}: ~/.claude/settings.json\n"
    assert (user / ".claude/settings.json").exists() is files


def test_a_link_stays_a_link_and_the_mode_stays(user: Path) -> None:
    (user / "dot").mkdir()
    (user / ".claude").mkdir()
    (user / "dot/settings.json").write_text(SETTINGS)
    (user / "dot/settings.json").chmod(0o640)
    (user / ".claude/settings.json").symlink_to("../dot/settings.json")
    run("install", "claude-code")
    assert (user / ".claude/settings.json").is_symlink()
    assert "hook.py" in (user / "dot/settings.json").read_text()
    assert (user / "dot/settings.json").stat().st_mode & 0o777 == 0o640


def test_the_hosts_own_variables_are_honoured(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.setenv(name, str(user / name.lower()))
    for host in ("claude-code", "codex", "opencode", "pi"):
        run("install", host)
    assert (user / "claude_config_dir/settings.json").exists()
    assert (user / "codex_home/hooks.json").exists()
    assert (user / "xdg_config_home/opencode/plugin/navlog.js").exists()
    assert (user / "pi_coding_agent_dir/extensions/navlog.js").exists()


def test_hooks_run_this_installations_interpreter(user: Path) -> None:
    run("install", "codex")
    hooks = json.loads((user / ".codex/hooks.json").read_text())["hooks"]
    command = hooks["PreToolUse"][0]["hooks"][0]["command"]
    assert command.startswith(f"NAVLOG_HOME={user}/nav ")
    python, *options, client, host = command.split()[1:]
    assert os.access(python, os.X_OK)
    assert Path(client).is_file()
    assert (options, host) == (["-I", "-S"], "codex")


def test_what_the_plugin_of_opencode_offers_its_mcp_server_leaves_out(user: Path) -> None:
    there(user)
    run("install", "mcp")
    settings = (user / ".config/opencode/opencode.jsonc").read_text().replace("// mine", "")
    command = json.loads(settings)["mcp"]["navlog"]["command"]
    asked = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}\n'
    said = subprocess.run(command, input=asked, capture_output=True, check=True, cwd=user).stdout
    names = [tool["name"] for tool in json.loads(said)["result"]["tools"]]
    assert "context" in names
    assert "ctx_reduce" not in names
    claude = json.loads((user / ".claude.json").read_text())["mcpServers"]["navlog"]
    assert "ctx_reduce" not in claude["args"]  # there it is the only one


def test_a_plugin_folder_has_what_claude_code_looks_for(user: Path) -> None:
    assert run("install", "claude-code", "--plugin", str(user / "plug")).exit_code == 0
    assert json.loads((user / "plug/.claude-plugin/plugin.json").read_text())["name"] == "navlog"
    assert "UserPromptSubmit" in json.loads((user / "plug/hooks/hooks.json").read_text())["hooks"]
    assert "navlog" in json.loads((user / "plug/.mcp.json").read_text())["mcpServers"]
    assert not (user / ".claude").exists()


@pytest.mark.parametrize(
    ("host", "file"),
    [("opencode", ".config/opencode/plugin/navlog.js"), ("pi", ".pi/agent/extensions/navlog.js")],
)
def test_a_plugin_knows_its_host_and_the_client_that_keeps_what_nobody_heard(
    user: Path, host: str, file: str
) -> None:
    there(user)
    assert run("install", host).exit_code == 0
    text = (user / file).read_text()
    assert f'const HOST = "{host}";' in text
    assert f"daemon/hosts/hook.py {host}" in text
    assert '= "";' not in text.partition("function")[0]
