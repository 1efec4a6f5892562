"""The systemd user units: written with this installation's interpreter, and taken away exactly.

Touches only files that bear our mark, and leaves no folder behind that it made.
"""

import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

from navlog.schemas.errors import UsageError

UNITS = ("navlog.service", "navlog.socket")
MARK = "# Written by: navlog install service"
_MADE = "# Folders made: "
_SHIPPED = "ExecStart=/usr/bin/env navlog up --foreground"
_KEPT = ("NAVLOG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")


def units_folder(environ: Mapping[str, str]) -> Path:
    """Where the user manager looks: systemd.unit(5)."""
    config = environ.get("XDG_CONFIG_HOME", "")
    base = (
        Path(config) if config.startswith("/") else Path(environ.get("HOME") or "~").expanduser() / ".config"
    )
    return base / "systemd" / "user"


def shipped(unit: str) -> str:
    """The unit as it comes with navlog."""
    return resources.files("navlog.systemd").joinpath(unit).read_text(encoding="utf-8")


def unit_text(unit: str, environ: Mapping[str, str], made: Sequence[str] = ()) -> str:
    """The unit for this installation: the interpreter by its path, the homes this shell names."""
    command = " ".join(_quoted(part) for part in (sys.executable, "-I", "-m", "navlog.daemon"))
    kept = [f"Environment={_quoted(f'{name}={environ[name]}')}" for name in _KEPT if environ.get(name)]
    lines = "\n".join([f"ExecStart={command} up --foreground", *kept])
    head = f"{MARK}\n{_MADE}{' '.join(made)}\n"
    return head + shipped(unit).replace(_SHIPPED, lines)


def install_units(environ: Mapping[str, str]) -> list[Path]:
    """Writes both units; gives those that changed. Raises `UsageError` for a file that is not ours."""
    folder = units_folder(environ)
    existing = {unit: _ours(folder / unit) for unit in UNITS}
    made = _made(existing.values()) or [p.name for p in (folder.parent, folder) if not p.exists()]
    wanted = {unit: unit_text(unit, environ, made) for unit in UNITS}
    changed = [unit for unit in UNITS if existing[unit] != wanted[unit]]
    folder.mkdir(parents=True, exist_ok=True)
    for unit in changed:
        (folder / unit).write_text(wanted[unit], encoding="utf-8")
    return [folder / unit for unit in changed]


def uninstall_units(environ: Mapping[str, str]) -> list[Path]:
    """Removes what `install_units` wrote, folders included; gives the files removed."""
    folder = units_folder(environ)
    existing = {unit: text for unit in UNITS if (text := _ours(folder / unit))}
    for unit in existing:
        (folder / unit).unlink()
    for made in (folder, folder.parent):
        if made.name in _made(existing.values()) and made.is_dir() and not any(made.iterdir()):
            made.rmdir()
    return [folder / unit for unit in existing]


def installed(environ: Mapping[str, str]) -> bool:
    """Whether our units lie where systemd finds them."""
    folder = units_folder(environ)
    return all((folder / unit).exists() for unit in UNITS)


def systemctl(*words: str) -> str:
    """Asks the user manager; "" when it did as told, else why not."""
    try:
        done = subprocess.run(
            ["systemctl", "--user", *words], capture_output=True, text=True, timeout=30, check=False
        )
    except FileNotFoundError:
        return "systemctl is not installed"
    except subprocess.TimeoutExpired:
        return "systemctl did not answer"
    return "" if done.returncode == 0 else (done.stderr or done.stdout).strip() or f"exit {done.returncode}"


def _ours(path: Path) -> str:
    """The file's text, "" where there is none; raises `UsageError` where it is somebody else's."""
    if not path.exists():
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.startswith(MARK):
        raise UsageError(
            f"{path} was not written by navlog.", hint=f"Move it away first:  mv {shlex.quote(str(path))} …"
        )
    return text


def _made(texts: Iterable[str]) -> list[str]:
    for text in texts:
        for line in text.splitlines():
            if line.startswith(_MADE):
                return line.removeprefix(_MADE).split()
    return []


def _quoted(word: str) -> str:
    """One word of a unit file: systemd.syntax(7); % and $ mean themselves."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return plain if plain == word and " " not in word else f'"{plain}"'
