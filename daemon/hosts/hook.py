"""The hook client: hands one call of a host's hook to the daemon and prints what comes back.

    python -I -S hook.py HOST < PAYLOAD          (or, as Codex's notify does: hook.py HOST PAYLOAD)

It never breaks the agent: whatever happens it exits 0, prints the daemon's word or nothing, and is gone
`END_S` seconds after its process was started. What the daemon did not acknowledge goes to a file in the
spool, which the daemon reads later (`navlog.daemon.hosts.spool`); without a data home it goes nowhere.

A process of its own for every call, so it imports what costs nothing to import. It reads neither settings nor
tables and looks at no environment variable but the four that say where navlog lives. The spool is on a disk,
so secrets are taken out first, by the daemon's own rules; if there is no time left for that, the texts stay
out. docs/adr/0012 says why.
"""

import os
import sys
import time
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal
from _socket import AF_UNIX, SOCK_STREAM, socket

PROTOCOL = 1  # navlog.schemas.wire.PROTOCOL
# Seconds from the start of the process: when it no longer just waits, when the spool is prepared and nobody
# is waited for, when it is gone. However late it got to run, it takes LEAST_S for each.
IDLE_S, WAIT_S, END_S = 0.11, 0.23, 0.26
LEAST_S = 0.02
PAYLOAD_BYTES = 2 * 1024 * 1024
HEAD_BYTES = 32 * 1024  # what is sent of a longer one
STDIN_BYTES = 256 * 1024 * 1024  # is read, so that the host does not write into a closed pipe
REPLY_BYTES = 1024 * 1024
SPOOL_FILES = 2_000
SPOOL_BYTES = 64 * 1024 * 1024
# What says which call it was: kept where there was no time to look for secrets in the rest.
BARE = (
    "session_id", "hook_event_name", "cwd", "tool_name", "tool_use_id", "turn_id", "prompt_id", "source",
    "reason", "trigger", "agent_id", "type", "thread-id", "turn-id", "session", "hook", "tool", "call",
)  # fmt: skip
SILENCE = b'"result":{}}\n'


class Late(Exception):
    """The time is over."""


def main() -> None:
    """One call, and the end of the process."""
    try:
        began = _began()
        signal(SIGALRM, _late)
        _call(sys.argv[1:], began)
    except BaseException:  # noqa: BLE001, S110 - there is nobody to tell: an agent shows what a hook prints
        pass
    os._exit(0)


def _call(arguments: list[str], began: float) -> None:
    _alarm(began + IDLE_S)
    host = arguments[0] if arguments else "generic"
    at, call = time.time_ns(), os.urandom(16).hex()
    payload = arguments[1].encode() if len(arguments) > 1 else _stdin()
    if not payload.strip():
        return
    data, path = _places()
    wait_ms = int((began + WAIT_S - time.monotonic()) * 1000)
    channel = _asked(path, _request(data, call, _args(host, call, at, payload, wait_ms)))
    said = _heard(channel)
    if said is None and os.path.isdir(data):
        kept = _kept(payload, began + WAIT_S)  # while the daemon may still be about to answer
        _alarm(began + END_S)
        said = _heard(channel, wait=False)
        if said is None:
            _spool(f"{data}/spool", f"{at:020d}-{call}", _args(host, call, at, kept, 0))
    _print(said or b"")


# --- time -----------------------------------------------------------------------------------------------


def _began() -> float:
    """When this process was started, on the monotonic clock; a busy machine needs a while to get here."""
    now = time.monotonic()
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        spent = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return now
    return now - spent if 0 <= spent < 1 else now


def _alarm(when: float) -> None:
    setitimer(ITIMER_REAL, max(LEAST_S, when - time.monotonic()))


def _late(_signal: int, _frame: object) -> None:
    raise Late


# --- the daemon -----------------------------------------------------------------------------------------


def _places() -> tuple[str, str]:
    """The data home and the socket, as `navlog.daemon.home.find_home` finds them."""
    environ = os.environ
    user = os.path.expanduser(environ.get("HOME") or "~").rstrip("/")
    if named := environ.get("NAVLOG_HOME"):
        data = os.path.join(os.getcwd(), os.path.expanduser(named))
    else:
        shared = environ.get("XDG_DATA_HOME", "")
        data = (shared if shared.startswith("/") else f"{user}/.local/share") + "/navlog"
    run = environ.get("XDG_RUNTIME_DIR", "")
    return data, (f"{run}/navlog" if run.startswith("/") else f"{data}/run") + "/navlog.sock"


def _stdin() -> bytes:
    """The payload; of one that is too long its beginning, as a text in an object of ours."""
    parts: list[bytes] = []
    size = 0
    while size < STDIN_BYTES and (part := os.read(0, 1 << 20)):
        size += len(part)
        if size <= PAYLOAD_BYTES or not parts:
            parts.append(part)
    payload = b"".join(parts)
    if size <= PAYLOAD_BYTES:
        return payload
    return b'{"navlog_head":%b}' % _quoted(payload[:HEAD_BYTES].decode(errors="replace"))


def _args(host: str, call: str, at: int, payload: bytes, wait_ms: int) -> bytes:
    """`navlog.schemas.wire.HookArgs`: one line, since a newline in JSON stands only between its words."""
    line = payload.replace(b"\n", b" ").replace(b"\r", b" ")
    return b'{"host":%b,"id":"%b","at":"%b","wait_ms":%d,"payload":%b}' % (
        _quoted(host), call.encode(), _written(at).encode(), max(0, wait_ms), line,
    )  # fmt: skip


def _request(data: str, call: str, args: bytes) -> bytes:
    return b'{"verb":"hook","navlog":%d,"home":%b,"trace":"%b","args":%b}\n' % (
        PROTOCOL, _quoted("" if "/.." in data else os.path.normpath(data)), call.encode(), args,
    )  # fmt: skip


def _asked(path: str, request: bytes) -> socket | None:
    """The connection on which the daemon was asked; None where it could not be."""
    channel = socket(AF_UNIX, SOCK_STREAM)
    try:
        channel.connect(path)
        channel.sendall(request)
    except Exception:  # noqa: BLE001 - whatever it is: nobody was asked
        channel.close()
        return None
    return channel


def _heard(channel: socket | None, *, wait: bool = True) -> bytes | None:
    """What the daemon says, b"" for nothing; None as long as it has not acknowledged."""
    if channel is None:
        return None
    reply = b""
    try:
        channel.setblocking(wait)
        while not reply.endswith(b"\n") and len(reply) < REPLY_BYTES and (part := channel.recv(1 << 16)):
            reply += part
        return b"" if reply.endswith(SILENCE) else _stdout(reply)
    except Exception:  # noqa: BLE001 - late, gone, or no reply of ours
        return None


def _stdout(reply: bytes) -> bytes | None:
    import json  # noqa: PLC0415 - ten milliseconds that silence does not need

    answer = json.loads(reply)
    said: str = answer["result"].get("stdout", "")
    return said.encode()


def _print(said: bytes) -> None:
    while said:
        said = said[os.write(1, said) :]


# --- the spool ------------------------------------------------------------------------------------------


def _kept(payload: bytes, until: float) -> bytes:
    """What of the payload may lie on a disk."""
    _alarm(until)
    try:
        return _without_secrets(payload)
    except Exception:  # noqa: BLE001 - no time, no rules, no JSON: then without any text
        _alarm(until + LEAST_S)
        return _bare(payload)


def _spool(folder: str, name: str, args: bytes) -> None:
    """One file a call, whole or not at all; a spool that is full takes nothing more."""
    if not os.path.isdir(folder):
        os.mkdir(folder, 0o700)
    if not _has_room(folder):
        return
    draft = f"{folder}/.{name}.tmp"
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        while args:
            args = args[os.write(file, args) :]
        os.rename(draft, f"{folder}/{name}.json")
    except BaseException:
        os.unlink(draft)
        raise


def _has_room(folder: str) -> bool:
    with os.scandir(folder) as entries:
        sizes = [entry.stat(follow_symlinks=False).st_size for entry in entries]
    return len(sizes) < SPOOL_FILES and sum(sizes) < SPOOL_BYTES


def _without_secrets(payload: bytes) -> bytes:
    """The payload as the daemon would have kept its texts. Imports the rules, and not what is around them."""
    import json  # noqa: PLC0415 - only where the daemon is away
    from collections import Counter  # noqa: PLC0415

    _know_rooms()
    from navlog.daemon.redact.hiding import hide, walk  # noqa: PLC0415

    return json.dumps(walk(json.loads(payload), hide, Counter())).encode()


def _know_rooms() -> None:
    """The folders of the packages without what importing a package runs: `-S` finds no installation."""
    if "navlog" in sys.modules:
        return
    daemon = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    kind = type(sys)
    for name, path in (
        ("navlog", ""), ("navlog.daemon", daemon), ("navlog.daemon.redact", f"{daemon}/redact"),
    ):  # fmt: skip
        sys.modules[name] = room = kind(name)
        room.__path__ = [path]


def _bare(payload: bytes) -> bytes:
    import json  # noqa: PLC0415

    fields = json.loads(payload)
    known = {name: fields[name] for name in BARE if isinstance(fields.get(name), str)}
    return json.dumps({name: value for name, value in known.items() if len(value) < 1024}).encode()


# --- text -----------------------------------------------------------------------------------------------


def _quoted(text: str) -> bytes:
    """``text`` as JSON; without the json module where it is plain."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return b'"%b"' % text.encode()
    import json  # noqa: PLC0415

    return json.dumps(text).encode()


def _written(ns: int) -> str:
    seconds, rest = divmod(ns, 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1_000_000:03d}Z"


if __name__ == "__main__":
    main()
