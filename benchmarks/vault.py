"""The vault of a large tree: all of it at once, the pages of one save, and a look at what has not changed.

python benchmarks/vault.py PROJECT        (a folder that will be copied)
"""

import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import machine, median, table

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.daemon.launch import start
from navlog.schemas.control import Indexed, ProjectAdd, ProjectInfo, ProjectName, Stopping, VaultReply

SAVES = 7


def main() -> None:
    with TemporaryDirectory(prefix="nv") as scratch:
        print(machine())
        measured(Path(sys.argv[1]), Path(scratch))


def measured(source: Path, scratch: Path) -> None:
    environ, vault, root = prepared(scratch), scratch / "vault", scratch / "project"
    shutil.copytree(source, root, symlinks=True)
    home = find_home(environ)
    start(home, environ)
    try:
        project = ask(home, "project-add", ProjectInfo, ProjectAdd(path=str(root)))
        indexed = ask(home, "indexed", Indexed, ProjectName(project=project.id), silence_s=None)
        ask(home, "vault-write", VaultReply, silence_s=None)
        same = ask(home, "vault-write", VaultReply, silence_s=None)
        shutil.rmtree(vault)
        whole = ask(home, "vault-write", VaultReply, silence_s=None)
        saves = [saved(root, vault, number) for number in range(SAVES)]
    finally:
        ask(home, "down", Stopping)
    rows = [
        (
            f"the whole vault, {whole.pages:,} pages of {indexed.project.files:,} files",
            f"{whole.elapsed_s:.1f} s",
        ),
        (f"a look at what is unchanged: {same.written} written", f"{same.elapsed_s:.1f} s"),
        ("one save to its page, median", f"{median(saves):.2f} s"),
        ("one save to its page, worst", f"{max(saves):.2f} s"),
    ]
    print(table(("what", "took"), rows))


def prepared(scratch: Path) -> dict[str, str]:
    (scratch / "run").mkdir(mode=0o700)
    settings = scratch / "config/navlog/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[vault]\npath = "{scratch / "vault"}"\n')
    return {
        "PATH": "/usr/bin:/bin", "HOME": str(scratch), "NAVLOG_HOME": str(scratch / "data"),
        "XDG_RUNTIME_DIR": str(scratch / "run"), "XDG_CONFIG_HOME": str(scratch / "config"),
    }  # fmt: skip


def saved(root: Path, vault: Path, number: int) -> float:
    """Seconds from a save of the first file that has a page to the page that says so."""
    page = next(
        path for path in sorted((vault / "Files").rglob("*.py (project).md")) if path.stat().st_size < 2500
    )
    path = root / page.read_text().partition('path: "')[2].partition('"')[0]
    with path.open("a") as file:
        file.write(f"\n\ndef saved_{number}():\n    pass\n")
    began = time.monotonic()
    while f"saved_{number}" not in page.read_text():
        time.sleep(0.01)
    took = time.monotonic() - began
    time.sleep(2 * took + 1)
    return took


if __name__ == "__main__":
    main()
