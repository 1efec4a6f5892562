"""The units of the nightly export: written for one folder and this interpreter, taken away exactly.

Touches only files that bear our mark.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from navlog.daemon.units import (
    folders_for,
    kept_environment,
    marked,
    ours,
    quoted,
    remove,
    shipped,
    units_folder,
)

UNITS = ("navlog-export.service", "navlog-export.timer")
_SHIPPED = "ExecStart=/usr/bin/env navlog export --parquet %h/navlog-export"


def install_export(environ: Mapping[str, str], out: Path) -> list[Path]:
    """Writes the units; gives the files that changed. Raises `UsageError` for a file that is not ours."""
    folder = units_folder(environ)
    existing = {name: ours(folder / name) for name in UNITS}
    wanted = {
        name: marked(_text(name, environ, out), folders_for(folder, name, existing[name])) for name in UNITS
    }
    changed = [name for name in UNITS if existing[name] != wanted[name]]
    folder.mkdir(parents=True, exist_ok=True)
    for name in changed:
        (folder / name).write_text(wanted[name], encoding="utf-8")
    return [folder / name for name in changed]


def uninstall_export(environ: Mapping[str, str]) -> list[Path]:
    """Removes what `install_export` wrote, folders included; gives the files removed."""
    folder = units_folder(environ)
    return remove(folder, {name: text for name in UNITS if (text := ours(folder / name))})


def _text(unit: str, environ: Mapping[str, str], out: Path) -> str:
    words = (sys.executable, "-I", "-m", "navlog.daemon", "export", "--parquet", str(out))
    command = " ".join(quoted(word) for word in words)
    lines = "\n".join([f"ExecStart={command}", *kept_environment(environ)])
    return shipped(unit).replace(_SHIPPED, lines)
