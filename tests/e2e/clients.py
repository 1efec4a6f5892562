"""The clients: what is installed from npm, how each is told where its model is, how it is asked.

Versions are those that docs/hosts was measured with. A client's settings are written into a HOME that is
thrown away; nothing of the machine's own is read.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PLUGIN = "@opencode-ai/plugin@1.18.33"
KEY = "dummy"
MODEL = "scripted"
Body = Mapping[str, object]


@dataclass(frozen=True)
class Client:
    """``calls`` are the inputs of the tool it is made to use, by name, for a file of the project.

    ``prepare(home, url, cache)`` writes its settings; ``command(folder, prompt, again)`` asks it,
    ``again`` going on with its last session; ``environ(url)`` is added to a bare environment. ``reduce`` is
    what our reduce tool is called there, "" where none of its own is.
    """

    name: str
    package: str
    binary: str
    calls: Callable[[Path], Mapping[str, Body]]
    prepare: Callable[[Path, str, Path], None]
    command: Callable[[Path, str, bool], Sequence[str]]
    environ: Callable[[str], Mapping[str, str]]
    reduce: str = ""

    def install(self, cache: Path) -> Path:
        """The client's program, installed into ``cache`` once; raises where npm cannot."""
        program = _folder(self.package, cache) / "node_modules" / self.binary
        _npm(self.package, cache)
        program.chmod(program.stat().st_mode | 0o111)
        return program


def _folder(package: str, cache: Path) -> Path:
    return cache / package.replace("/", "+")


def _npm(package: str, cache: Path) -> None:
    """The package in a folder of its own, once; none of its scripts runs."""
    folder = _folder(package, cache)
    if (folder / "node_modules").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            "npm",
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--prefix",
            ".",
            "--save-exact",
            package,
        ],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=300,
    )


def _claude(program: Path, prompt: str, again: bool) -> Sequence[str]:
    more = ["--continue"] if again else []
    return [
        str(program),
        "-p",
        prompt,
        "--output-format",
        "json",
        "--allowedTools",
        "Read,Bash,mcp__navlog__ctx_reduce",
        *more,
    ]


def _codex(program: Path, prompt: str, again: bool) -> Sequence[str]:
    how = ["--dangerously-bypass-hook-trust", "--skip-git-repo-check", "--json"]
    return [str(program), "exec", *how, *(["resume", "--last"] if again else []), prompt]


def _codex_settings(home: Path, url: str, _cache: Path) -> None:
    _write(
        home / ".codex/config.toml",
        f'model = "{MODEL}"\nmodel_provider = "x"\n\n[model_providers.x]\nname = "x"\nbase_url = "{url}/v1"\n'
        'wire_api = "responses"\nenv_key = "X_KEY"\n',
    )


def _opencode(program: Path, prompt: str, again: bool) -> Sequence[str]:
    return [str(program), "run", "--model", f"x/{MODEL}", *(["--continue"] if again else []), prompt]


def _opencode_settings(home: Path, url: str, cache: Path) -> None:
    """Its plugins' library lies there already: without a network it would try to fetch that for 72 s."""
    _npm(PLUGIN, cache)
    for folder in (home / ".config/opencode", home / ".opencode"):
        shutil.copytree(_folder(PLUGIN, cache), folder, dirs_exist_ok=True)

    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "x",
        "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
        "models": {MODEL: {"name": MODEL, "tool_call": True}},
    }
    settings = {
        "$schema": "https://opencode.ai/config.json",
        "provider": {"x": provider},
        "autoupdate": False,
        "model": f"x/{MODEL}",
        "small_model": f"x/{MODEL}",
    }
    _write(home / ".config/opencode/opencode.json", json.dumps(settings))


def _pi(program: Path, prompt: str, again: bool) -> Sequence[str]:
    return [
        "node",
        str(program),
        "--provider",
        "x",
        "--model",
        MODEL,
        *(["--continue"] if again else []),
        "-p",
        prompt,
    ]


def _pi_settings(home: Path, url: str, _cache: Path) -> None:
    model = {
        "id": MODEL,
        "name": MODEL,
        "reasoning": False,
        "input": ["text"],
        "contextWindow": 200000,
        "maxTokens": 4096,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
    }
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": KEY, "models": [model]}
    _write(home / ".pi/agent/models.json", json.dumps({"providers": {"x": provider}}))


def _nothing(_home: Path, _url: str, _cache: Path) -> None:
    """Everything is said by the environment."""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


CLIENTS: Sequence[Client] = (
    Client(
        name="claude-code",
        package="@anthropic-ai/claude-code@2.1.332",
        binary="@anthropic-ai/claude-code-linux-x64/claude",
        calls=lambda file: {"Read": {"file_path": str(file)}},
        prepare=_nothing,
        command=_claude,
        environ=lambda url: {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
    Client(
        name="codex",
        package="@openai/codex@0.171.0",
        binary="@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
        calls=lambda file: {
            "exec_command": {"cmd": f"cat {file}"},
            "shell_command": {"command": f"cat {file}"},
            "shell": {"command": ["cat", str(file)]},
        },
        prepare=_codex_settings,
        command=_codex,
        environ=lambda _url: {"X_KEY": KEY},
    ),
    Client(
        name="opencode",
        package="opencode-ai@1.18.33",
        binary="opencode-linux-x64/bin/opencode",
        calls=lambda file: {"read": {"filePath": str(file)}},
        prepare=_opencode_settings,
        command=_opencode,
        environ=lambda _url: {
            f"OPENCODE_DISABLE_{what}": "1"
            for what in ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        },
        reduce="ctx_reduce",
    ),
    Client(
        name="pi",
        package="@mariozechner/pi-coding-agent@0.73.1",
        binary="@mariozechner/pi-coding-agent/dist/cli.js",
        calls=lambda file: {"read": {"path": str(file)}},
        prepare=_pi_settings,
        command=_pi,
        environ=lambda _url: {"PI_OFFLINE": "1"},
        reduce="ctx_reduce",
    ),
)


def bare(home: Path) -> dict[str, str]:
    """An environment with nothing of this machine's but the path to its programs."""
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    return {
        "HOME": str(home),
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "TMPDIR": str(temporary),
        "CLAUDE_CODE_TMPDIR": str(temporary),
        "NO_COLOR": "1",
        "CI": "1",
        "XDG_RUNTIME_DIR": str(temporary),
    }
