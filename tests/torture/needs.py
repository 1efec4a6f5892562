"""What the trials need of the machine; root gets it installed, anybody else is told what was skipped."""

import os
import shutil
import subprocess
from collections.abc import Iterable

PACKAGES = {"strace": "strace", "mkfs.ext4": "e2fsprogs", "fusermount3": "fuse3", "unshare": "util-linux"}


def install(tools: Iterable[str]) -> None:
    """Installs what is missing through apt-get; what cannot be installed stays missing."""
    missing = sorted({PACKAGES[tool] for tool in tools if not _found(tool)})
    if not missing or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print("installing:", *missing, flush=True)
    for command in (["update"], ["install", "-y", "--no-install-recommends", *missing]):
        subprocess.run(["apt-get", *command], capture_output=True, check=False)


def why_not(tools: Iterable[str], *, root: bool) -> str:
    """Why a trial cannot run here, or ""."""
    if root and os.geteuid() != 0:
        return "needs root"
    return ", ".join(f"{tool} is missing" for tool in tools if not _found(tool))


def _found(tool: str) -> bool:
    return shutil.which(tool, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is not None
