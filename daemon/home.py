"""Where navlog keeps its data, its socket and its settings, and whether those places are safe.

Refuses folders of other people, folders others may enter, and network file systems: `UnsafeHome` says which
rule and which command mends it. Creates nothing until `prepare` is called.
"""

import fcntl
import os
import shlex
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from navlog.daemon.mounts import file_system, is_network
from navlog.schemas.errors import AlreadyRunning, UnsafeHome, UsageError
from navlog.schemas.names import word
from navlog.schemas.settings import Settings, parse_settings

SOCKET_PATH_BYTES = 107  # sockaddr_un.sun_path without its NUL: unix(7)


@dataclass(frozen=True)
class Home:
    """The three places of one installation; everything else has its name below ``data``."""

    data: Path
    socket: Path
    settings: Path

    @property
    def log(self) -> Path:
        """The logs: the only folder that cannot be computed again."""
        return self.data / "log"

    @cached_property
    def read_only(self) -> bool:
        """Whether ``data`` is there and may not be written: the log still answers."""
        return self.data.is_dir() and not os.access(self.data, os.W_OK)

    @property
    def passing(self) -> Path:
        """Where everything lies that may be lost: in ``data``, beside the socket while that is read-only."""
        return self.socket.parent if self.read_only else self.data

    @property
    def derived(self) -> Path:
        """Projections; may be deleted while the daemon is down."""
        return self.passing / "derived"

    @property
    def spool(self) -> Path:
        """Hook calls that could not be handed over yet."""
        return self.data / "spool"

    @property
    def daemon_log(self) -> Path:
        """What the daemon says of itself, one JSON object a line."""
        return self.passing / "daemon.log"

    @property
    def daemon_stderr(self) -> Path:
        """What a daemon without a terminal printed last: tracebacks of a start that failed."""
        return self.passing / "daemon.stderr"


def find_home(environ: Mapping[str, str]) -> Home:
    """The home these variables name: NAVLOG_HOME, else the XDG base directories; touches nothing."""
    user = Path(environ.get("HOME") or "~").expanduser()
    named = environ.get("NAVLOG_HOME")
    data = (
        Path(named).expanduser().absolute()
        if named
        else _xdg(environ, "XDG_DATA_HOME", user / ".local/share")
    )
    run = environ.get("XDG_RUNTIME_DIR", "")
    sockets = Path(run) / "navlog" if run.startswith("/") else data / "run"
    return Home(
        data=data,
        socket=sockets / "navlog.sock",
        settings=_xdg(environ, "XDG_CONFIG_HOME", user / ".config") / "config.toml",
    )


def _xdg(environ: Mapping[str, str], name: str, default: Path) -> Path:
    value = environ.get(name, "")  # the specification: relative paths are invalid and ignored
    return (Path(value) if value.startswith("/") else default) / "navlog"


def prepare(home: Home) -> None:
    """Makes the folders where they are missing and checks them all; raises `UnsafeHome`."""
    for folder in reversed(home.data.parents):
        _make(folder)
    _make(home.data)
    check_private(home.data)
    check_local(home.data)
    if home.read_only and home.data in home.socket.parents:
        raise UnsafeHome(
            f"{home.data} is read-only, and the socket would have to lie in it.",
            hint="Name another folder for it:  XDG_RUNTIME_DIR=/run/user/$(id -u) navlog up",
        )
    _make(home.socket.parent)
    check_private(home.socket.parent, link_allowed=False)
    check_socket_path(home.socket)
    for folder in (home.log, home.derived):
        _make(folder)
        check_private(folder)


def check_private(folder: Path, *, link_allowed: bool = True) -> None:
    """Raises `UnsafeHome` unless ``folder`` is a folder of ours that nobody else may enter."""
    try:
        found = folder.stat() if link_allowed else folder.lstat()
    except OSError as fault:
        raise UnsafeHome(f"{folder} cannot be looked at: {fault.strerror}.") from fault
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafeHome(f"{folder} is not a folder.", hint=f"Look at it:  ls -ld {shlex.quote(str(folder))}")
    if found.st_uid != os.geteuid():
        raise UnsafeHome(
            f"{folder} belongs to user {found.st_uid}, navlog runs as {os.geteuid()}.",
            hint="Name a folder of your own:  NAVLOG_HOME=~/.local/share/navlog navlog up",
        )
    if found.st_mode & 0o077:
        raise UnsafeHome(
            f"{folder} is open to others (mode {stat.S_IMODE(found.st_mode):04o}).",
            hint=f"Close it:  chmod 700 {shlex.quote(str(folder))}",
        )


def check_local(folder: Path) -> None:
    """Raises `UnsafeHome` where the log's locks and renames cannot be trusted."""
    kind = file_system(folder)
    if is_network(kind):
        raise UnsafeHome(
            f"{folder} lies on a network file system ({kind}), where the log's lock and renames do not hold.",
            hint="Name a folder on a local disk:  NAVLOG_HOME=/var/tmp/navlog-$(id -u) navlog up",
        )


def check_socket_path(path: Path) -> None:
    """Raises `UnsafeHome` for a path the kernel would cut or refuse."""
    length = len(os.fsencode(path))
    if length > SOCKET_PATH_BYTES:
        raise UnsafeHome(
            f"The socket's path has {length} bytes, Linux allows {SOCKET_PATH_BYTES}: {path}",
            hint="Name a short folder of your own:  XDG_RUNTIME_DIR=/run/user/$(id -u) navlog up",
        )


def load_settings(home: Home) -> Settings:
    """The settings, defaults where there is no file; raises `UsageError` naming file and place."""
    try:
        text = home.settings.read_bytes()
    except FileNotFoundError:
        return Settings()
    except OSError as fault:
        raise UsageError(
            f"{home.settings} cannot be read: {fault.strerror}.", hint=f"ls -l {word(home.settings)}"
        ) from fault
    try:
        return parse_settings(text)
    except UsageError as fault:
        raise UsageError(f"{home.settings}: {fault.message}", hint=fault.hint) from fault


def hold(folder: Path) -> int:
    """Locks ``folder`` for this process and gives the descriptor to close; raises `AlreadyRunning`.

    The folder itself is locked, not a file in it: a file can be deleted and then has two holders.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise AlreadyRunning(
            f"Another navlog process holds {folder}.",
            safe="It goes on as before.",
            hint="See which:  navlog status    end it:  navlog down",
        ) from None
    return descriptor


def _make(folder: Path) -> None:
    """Makes one private folder, durable before anything is acknowledged in it."""
    try:
        if folder.is_dir():
            return
        folder.mkdir(mode=0o700, exist_ok=True)
        _fsync(folder.parent)
    except OSError as fault:
        raise UnsafeHome(
            f"{folder} cannot be made: {fault.strerror}.",
            hint="Name other folders with NAVLOG_HOME and XDG_RUNTIME_DIR.",
        ) from fault


def _fsync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
