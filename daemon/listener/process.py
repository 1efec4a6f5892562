"""Running git: bounded in time, reaped, and with no effect but its output.

Refuses to let git take locks, run hooks or a file system monitor, page, ask for a password, use the network
(a partial clone would fetch what it lacks) or follow the caller's ``GIT_DIR`` and the like. Which
configuration files git reads stays the user's choice: ignore rules come from there.
"""

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from navlog.schemas.errors import GitFailed
from navlog.schemas.names import word

TIMEOUT_S = 60.0
_KEPT = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_FIXED = {
    "GIT_OPTIONAL_LOCKS": "0",  # `git status` and its kind would write the index
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "",  # no transport at all, so no lazy fetch either
    "GIT_NO_LAZY_FETCH": "1",
    "LC_ALL": "C",  # messages are read
}
_OPTIONS = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false",
    "-c", "log.showRoot=true", "-c", "diff.external=", "-c", "core.quotePath=false",
)  # fmt: skip
_CHUNK = 1 << 16


def git(root: Path, *args: str, timeout: float = TIMEOUT_S) -> bytes:
    """What ``git args`` prints when run in ``root``; raises `GitFailed`."""
    return git_with_warnings(root, *args, timeout=timeout)[0]


def git_with_warnings(
    root: Path, *args: str, say: bytes = b"", fine: tuple[int, ...] = (0,), timeout: float = TIMEOUT_S
) -> tuple[bytes, str]:
    """Like `git`, with what it said on standard error; ``say``: its input, ``fine``: exit codes to accept."""
    try:
        done = subprocess.run(
            _command(args), cwd=root, env=_environment(), input=say, capture_output=True, timeout=timeout,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as fault:
        late = f"git {args[0]} took longer than {timeout:g} s in {root}."
        raise GitFailed(late, hint=f"See how long it takes:  time git -C {word(root)} status") from fault
    except OSError as fault:
        raise _not_started(root, fault) from fault
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode not in fine:
        raise _failed(root, args, said)
    return done.stdout, said


def git_fields(root: Path, *args: str, timeout: float = TIMEOUT_S) -> Iterator[bytes]:
    """The NUL-terminated fields git prints, as they come; git ends when the iterator does.

    Raises `GitFailed` at the end when git failed or ran out of time: what came before was still said.
    """
    with open(os.memfd_create("said"), "w+b") as said:  # noqa: PTH123  no pipe: nobody reads it meanwhile
        try:
            child = subprocess.Popen(
                _command(args), cwd=root, env=_environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=said,
            )  # fmt: skip
        except OSError as fault:
            raise _not_started(root, fault) from fault
        clock = threading.Timer(timeout, child.kill)
        clock.daemon = True
        clock.start()
        try:
            yield from _split(child)
            if child.wait() != 0:
                said.seek(0)
                raise _failed(root, args, said.read().decode(errors="replace").strip())
        finally:
            clock.cancel()
            child.kill()
            child.wait()
            if child.stdout:
                child.stdout.close()


def _split(child: "subprocess.Popen[bytes]") -> Iterator[bytes]:
    assert child.stdout is not None  # noqa: S101 - asked for in Popen
    rest = b""
    while chunk := os.read(child.stdout.fileno(), _CHUNK):
        *fields, rest = (rest + chunk).split(b"\0")
        yield from fields


def _command(args: tuple[str, ...]) -> list[str]:
    return ["git", "--no-pager", *_OPTIONS, *args]


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT}
    return kept | _FIXED


def _failed(root: Path, args: tuple[str, ...], said: str) -> GitFailed:
    if "dubious ownership" in said:
        return GitFailed(
            f"git refuses {root}: it belongs to another user.",
            hint=f"If you trust it: git config --global --add safe.directory {word(root)}",
            dubious=True,
        )
    last = said.splitlines()[-1] if said else "it gave no reason"
    return GitFailed(f"git {args[0]} failed in {root}: {last}", hint=f"Look at it: git -C {word(root)} fsck")


def _not_started(root: Path, fault: OSError) -> GitFailed:
    if root.is_dir():
        return GitFailed(f"git cannot be run: {fault.strerror}.", hint="Install git, or put it on the PATH.")
    return GitFailed(f"{root} is gone.", hint="navlog project list")
