"""The hook client: hands one call of a host's hook to the daemon and prints what comes back.

    python -I -S hook.py HOST < PAYLOAD          (or, as Codex's notify does: hook.py HOST PAYLOAD)

It never breaks the agent: whatever happens it exits 0, prints the daemon's word or nothing, and is gone
`END_S` seconds after its process was started. What the daemon did not acknowledge goes to a file in the
spool, which the daemon reads later (`navlog.daemon.hosts.spool`); without a data home it goes nowhere. What
is not in that file by then is finished by a child, for which no agent waits.

A process of its own for every call, so it imports what costs nothing to import. It reads neither settings nor
tables and looks at no environment variable but the four that say where navlog lives. The spool is on a disk,
so secrets are taken out first, by the daemon's own rules; if there is no time left for that, the texts stay
out. docs/adr/0010 says why.
"""

import os
import sys
import time
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal
from _socket import AF_UNIX, SOCK_STREAM, socket

PROTOCOL = 1  # navlog.schemas.wire.PROTOCOL
# Seconds from the start of the process: when it no longer just waits and prepares the spool meanwhile, until
# when the daemon may answer, when it is gone: an answer of the last moment still has its way to go. Where the
# machine is so busy that it got to run late, it takes READ_S to read and ASK_S to ask all the same, and
# LEAST_S for each of the others; CHILD_S are the child's, short of when the daemon settles what lies there.
IDLE_S, WAIT_S, END_S = 0.11, 0.2, 0.23
READ_S, ASK_S, LEAST_S = 0.06, 0.05, 0.01
AGAIN_S = 0.05
CHILD_S = 1.8
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
        sys.unraisablehook = _unsaid
        began = _began()
        signal(SIGALRM, _late)
        _call(sys.argv[1:], began)
    except BaseException:  # noqa: BLE001, S110 - there is nobody to tell: an agent shows what a hook prints
        pass
    os._exit(0)


def _call(arguments: list[str], began: float) -> None:
    _alarm(began + IDLE_S, READ_S)
    host = arguments[0] if arguments else "generic"
    at, call = time.time_ns(), os.urandom(16).hex()
    payload = os.fsencode(arguments[1]) if len(arguments) > 1 else _stdin()
    if not payload.strip():
        return
    data, path = _places()
    channel, said, reply = None, None, bytearray()
    try:
        _alarm(began + IDLE_S, ASK_S)
        wait_ms = int((began + WAIT_S - time.monotonic()) * 1000)
        channel = _asked(path, _request(data, call, _args(host, call, at, wait_ms) + _line(payload)))
        said = _heard(channel, reply)
    except Late:
        pass
    if said is None and os.path.isdir(data):
        name = f"{data}/spool/.{at:020d}-{call}"
        said = _spooled(name, _args(host, call, at, 0), payload, channel, reply, began)
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


def _alarm(when: float, least: float = LEAST_S) -> None:
    """`Late` is raised then, and again: inside a callback of the interpreter it can go unnoticed."""
    setitimer(ITIMER_REAL, max(least, when - time.monotonic()), AGAIN_S)


def _late(_signal: int, _frame: object) -> None:
    raise Late


def _unsaid(_unraisable: object) -> None:
    """Such an exception would be printed."""


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
    """The payload; of one that is too long, or does not end in time, the beginning in an object of ours."""
    parts: list[bytes] = []
    size, ended = 0, False
    try:
        while size < STDIN_BYTES and (part := os.read(0, 1 << 20)):
            size += len(part)
            if size <= PAYLOAD_BYTES or not parts:
                parts.append(part)
        ended = True
    except Late:
        setitimer(ITIMER_REAL, 0)  # nobody else has it: to look at what came takes as long as it takes
    payload = b"".join(parts)
    if size <= PAYLOAD_BYTES and (ended or _is_whole(payload)):
        return payload
    return b'{"navlog_head":%b}' % _quoted(payload[:HEAD_BYTES].decode(errors="replace"))


def _is_whole(payload: bytes) -> bool:
    """Of a host that leaves its end open."""
    import json  # noqa: PLC0415

    try:
        json.loads(payload or b"{}")
    except ValueError:
        return False
    return True


def _args(host: str, call: str, at: int, wait_ms: int) -> bytes:
    """`navlog.schemas.wire.HookArgs` up to its payload."""
    return b'{"host":%b,"id":"%b","at":"%b","wait_ms":%d,"pid":%d,"payload":' % (
        _quoted(host), call.encode(), _written(at).encode(), max(0, wait_ms), os.getppid(),
    )  # fmt: skip


def _line(payload: bytes) -> bytes:
    """The rest of it, in one line: a newline in JSON stands only between its words."""
    return payload.replace(b"\n", b" ").replace(b"\r", b" ") + b"}"


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


def _heard(channel: socket | None, reply: bytearray) -> bytes | None:
    """What the daemon says, b"" for nothing; None as long as it has not acknowledged.

    ``reply`` holds what has come of it: who is interrupted asks again and loses nothing.
    """
    if channel is None:
        return None
    try:
        while not reply.endswith(b"\n") and len(reply) < REPLY_BYTES and (part := channel.recv(1 << 16)):
            reply += part
        return b"" if reply.endswith(SILENCE) else _stdout(reply)
    except Exception:  # noqa: BLE001 - late, gone, or no reply of ours
        return None


def _stdout(reply: bytearray) -> bytes | None:
    import json  # noqa: PLC0415 - ten milliseconds that silence does not need

    answer = json.loads(reply)
    said: str = answer["result"].get("stdout", "")
    return said.encode()


def _print(said: bytes) -> None:
    while said:
        said = said[os.write(1, said) :]


# --- the spool ------------------------------------------------------------------------------------------


def _spooled(
    name: str, args: bytes, payload: bytes, channel: socket | None, reply: bytearray, began: float
) -> bytes | None:
    """Keeps the call, and waits on; what the daemon says in the end, None where it says nothing.

    What is kept lies under a hidden name until it is settled. It is there early, without any text, so that
    neither the end of the time nor of this process can take it away, and is replaced once secrets are out.
    """
    hidden, late = f"{name}.open", False
    try:
        _alarm(began + WAIT_S, LEAST_S)
        _keep(name, hidden, args, payload)
    except Late:
        late = True
    except Exception:  # noqa: BLE001, S110 - no room, no rules, no JSON
        pass
    _alarm(began + END_S, LEAST_S)
    # At the end however the time went: the daemon has written down that it gave this.
    said = _heard(channel, reply)
    if said is not None:
        try:  # noqa: SIM105 - contextlib is not free
            os.unlink(hidden)
        except OSError:  # there was no room for it, or no time: what was heard is said all the same
            pass
        return said
    if late:
        try:
            if _parted(channel):
                return None
            _keep(name, hidden, args, payload)
        except Exception:  # noqa: BLE001, S110 - nobody else can do it: what is there has to do
            pass
    folder, _, last = name.rpartition("/")
    os.rename(hidden, f"{folder}/{last[1:]}.json")
    return None


def _keep(name: str, hidden: str, args: bytes, payload: bytes) -> None:
    """What says which call it was, then all of it: the rules against secrets take their time."""
    _write(name, hidden, args + _line(_bare(payload)))
    _write(name, hidden, args + _line(_without_secrets(payload)))


def _parted(channel: socket | None) -> bool:
    """Whether a child goes on with what is not kept yet: True here, where nothing is left to do, False there.

    An agent waits for the end of this process and of its streams, so the child has none of them.
    """
    setitimer(ITIMER_REAL, 0)
    if channel is not None:
        channel.close()
    nothing = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    if os.fork():
        return True
    os.setsid()  # whoever ends the hook's group does not mean this one
    _alarm(0, CHILD_S)
    return False


def _write(name: str, path: str, args: bytes) -> None:
    """One file, whole or not at all; a spool that is full takes nothing more."""
    folder = os.path.dirname(name)
    if not os.path.isdir(folder):
        os.mkdir(folder, 0o700)
    if not _has_room(folder):
        raise OSError
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(f"{name}.tmp", flags, 0o600)
    try:
        while args:
            args = args[os.write(file, args) :]
        os.rename(f"{name}.tmp", path)
    except BaseException:
        os.unlink(f"{name}.tmp")
        raise
    finally:
        os.close(file)


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
