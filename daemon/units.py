"""The systemd user units: written with this installation's interpreter, and taken away exactly.

Touches only files that bear our mark, and leaves no folder behind that it made.
"""

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

from navlog.daemon.home import find_home
from navlog.schemas.errors import UsageError

UNITS = ("navlog.service", "navlog.socket")
SANDBOX = "navlog.service.d/navlog-sandbox.conf"
MARK = "# Written by: navlog install service"
_MADE = "# Folders made: "
_SHIPPED = "ExecStart=/usr/bin/env navlog up --foreground"
_SHIPPED_DATA = "ReadWritePaths=-%h/.local/share/navlog"
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
    return resources.files("navlog.systemd").joinpath(unit.rpartition("/")[2]).read_text(encoding="utf-8")


def unit_text(unit: str, environ: Mapping[str, str], made: Sequence[str] = ()) -> str:
    """The unit for this installation: the interpreter by its path, the homes this shell names."""
    command = " ".join(quoted(part) for part in (sys.executable, "-I", "-m", "navlog.daemon"))
    lines = "\n".join([f"ExecStart={command} up --foreground", *kept_environment(environ)])
    data = quoted(f"-{find_home(environ).data}")
    text = shipped(unit).replace(_SHIPPED, lines).replace(_SHIPPED_DATA, f"ReadWritePaths={data}")
    return marked(text, made)


def marked(text: str, made: Sequence[str]) -> str:
    """``text`` as ours, with the folders that had to be made for it."""
    return f"{MARK}\n{_MADE}{' '.join(made)}\n{text}"


def kept_environment(environ: Mapping[str, str]) -> list[str]:
    """The homes that this shell names, as lines of a unit."""
    return [f"Environment={quoted(f'{name}={environ[name]}')}" for name in _KEPT if environ.get(name)]


def install_units(environ: Mapping[str, str], *, sandbox: bool = False) -> list[Path]:
    """Writes the units, with the sandbox or without it; gives the files that changed.

    Raises `UsageError` for a file that is not ours; nothing was changed then.
    """
    folder = units_folder(environ)
    names = (*UNITS, SANDBOX) if sandbox else UNITS
    existing = {name: ours(folder / name) for name in (*UNITS, SANDBOX)}
    wanted = {name: unit_text(name, environ, folders_for(folder, name, existing[name])) for name in names}
    changed = [name for name in names if existing[name] != wanted[name]]
    for name in changed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(wanted[name], encoding="utf-8")
    removed = [] if sandbox or not existing[SANDBOX] else remove(folder, {SANDBOX: existing[SANDBOX]})
    return [folder / name for name in changed] + removed


def uninstall_units(environ: Mapping[str, str]) -> list[Path]:
    """Removes what `install_units` wrote, folders included; gives the files removed."""
    folder = units_folder(environ)
    return remove(folder, {name: text for name in (SANDBOX, *UNITS) if (text := ours(folder / name))})


def installed(environ: Mapping[str, str]) -> bool:
    """Whether our units lie where systemd finds them."""
    folder = units_folder(environ)
    return all((folder / unit).exists() for unit in UNITS)


def sandboxed(environ: Mapping[str, str]) -> bool:
    """Whether the sandbox is installed with them."""
    return (units_folder(environ) / SANDBOX).exists()


def given_up() -> bool:
    """Whether systemd stopped listening for us: a crash loop fails the socket too."""
    return systemctl("is-failed", "navlog.socket") == ""


def is_current(environ: Mapping[str, str]) -> bool:
    """Whether the installed units are the ones this build would write."""
    folder = units_folder(environ)
    names = (*UNITS, SANDBOX) if sandboxed(environ) else UNITS
    written = {name: (folder / name).read_text(encoding="utf-8", errors="replace") for name in names}
    return all(_body(text) == _body(unit_text(name, environ)) for name, text in written.items())


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


def ours(path: Path) -> str:
    """The file's text, "" where there is none; raises `UsageError` where it is somebody else's."""
    if not path.exists():
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.startswith(MARK):
        raise UsageError(
            f"{path} was not written by navlog.", hint=f"Move it away first:  mv {shlex.quote(str(path))} …"
        )
    return text


def remove(folder: Path, existing: Mapping[str, str]) -> list[Path]:
    """Takes these files of ours away, by name with their texts, and the folders made for them."""
    for name, text in existing.items():
        (folder / name).unlink()
        for made in _above(folder, name):
            if made.name in _made(text) and not any(made.iterdir()):
                made.rmdir()
    return [folder / name for name in existing]


def folders_for(folder: Path, name: str, existing: str) -> list[str]:
    """The folders we made, or are about to make, for this file; the last of our files takes them away."""
    above = _above(folder, name)
    missing = [place.name for place in reversed(above) if not place.exists()]
    beside = (
        path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(above[0].glob("navlog*.*"))
        if path.is_file()
    )
    shared = next((made for text in beside if text.startswith(MARK) and (made := _made(text))), [])
    return _made(existing) or missing or shared


def _above(folder: Path, name: str) -> list[Path]:
    """The folders a file may need, the deepest first; the units' own folder is the units' business."""
    above = (folder / name).parent
    return [above, above.parent] if above == folder else [above]


def _made(text: str) -> list[str]:
    line = next((line for line in text.splitlines() if line.startswith(_MADE)), "")
    return line.removeprefix(_MADE).split()


def _body(text: str) -> str:
    """A unit without what differs from place to place."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(_MADE))


def quoted(word: str) -> str:
    """One word of a unit file: systemd.syntax(7); % and $ mean themselves."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return plain if plain == word and " " not in word else f'"{plain}"'
