"""Who holds a data home: the process that has its log, and the socket that it answers on.

Reads /proc and asks nobody; where the kernel does not say, nobody is named.
"""

from pathlib import Path

from navlog.daemon.home import Home, find_home
from navlog.schemas.errors import AlreadyRunning
from navlog.schemas.names import word

PROC = Path("/proc")


def refuse_elsewhere(home: Home) -> None:
    """Raises `AlreadyRunning` where the log's holder answers on another socket: no wait brings it to ours."""
    pid = holder(home.log)
    environ = _environ(pid) if pid else {}
    if environ and (socket := find_home(environ).socket) != home.socket:
        named = environ.get("XDG_RUNTIME_DIR", "")
        raise AlreadyRunning(
            f"The daemon of {home.data} (pid {pid}) answers on {socket}, not on {home.socket}.",
            safe="It goes on as before.",
            hint=f"Ask it:  XDG_RUNTIME_DIR={word(named)} navlog status    or end it:  kill {pid}",
        )


def holder(folder: Path) -> int:
    """The pid that has locked ``folder``, 0 for nobody that is known: proc_locks(5)."""
    try:
        inode = f":{folder.stat().st_ino}"
        lines = (PROC / "locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    locks = (line.split() for line in lines)
    return next((int(one[4]) for one in locks if one[1] == "FLOCK" and one[5].endswith(inode)), 0)


def _environ(pid: int) -> dict[str, str]:
    try:
        said = (PROC / str(pid) / "environ").read_bytes().decode(errors="surrogateescape")
    except OSError:
        return {}
    return dict(one.partition("=")[::2] for one in said.split("\0") if "=" in one)
