"""A repository in which nearly everything is odd."""

import os
import stat
from pathlib import Path

from support.shop import git

BUNDLE_BYTES = 700_000
SPARSE_BYTES = 1 << 30
SOURCES = {
    "gbk.py": ('def load_invoice():\n    """读取发票"""\n', "gbk"),
    "latin1.py": ('# -*- coding: latin-1 -*-\ndef load_cafe():\n    """Le café"""\n', "latin-1"),
    "utf16.py": ('def load_wide():\n    """Wide characters"""\n', "utf-16"),
    "bom.py": ('def load_marked():\n    """Begins with a mark"""\n', "utf-8-sig"),
}
STRANGE = b"caf\xe9 \xff.py"


def make_zoo(folder: Path) -> Path:
    """The repository, with one commit of one plain file; the folder is made."""
    folder.mkdir(parents=True)
    (folder / "plain.py").write_text('def feed_animals(keeper):\n    """Gives every animal its food."""\n')
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "The gates open")
    for name, (text, encoding) in SOURCES.items():
        (folder / name).write_bytes(text.encode(encoding))
    strange = os.fsdecode(os.fsencode(folder) + b"/" + STRANGE)
    Path(strange).write_text("def strangely_named():\n    return 1\n")
    os.mkfifo(folder / "pipe")
    (folder / "outside").symlink_to("/etc/passwd")
    (folder / "loop").symlink_to(folder)
    (folder / "circle").symlink_to(folder / "circle")
    with (folder / "sparse.py").open("wb") as sparse:
        sparse.truncate(SPARSE_BYTES)
    statement = "function a(b){return b+1};"
    (folder / "bundle.js").write_text(statement * (BUNDLE_BYTES // len(statement)))
    if os.geteuid() == 0:
        os.mknod(folder / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero has no end
    return folder
