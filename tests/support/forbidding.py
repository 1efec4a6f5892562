"""A sandbox that forbids sockets: a seccomp filter, put on before another program takes the process over."""

import platform
import subprocess
import sys

# The numbers of (socket, connect): what sandboxes of coding clients refuse.
CALLS = {"x86_64": (41, 42), "aarch64": (198, 203)}.get(platform.machine(), ())
_RUN = """
import ctypes, os, struct, sys
LOAD, JUMP_IF, RETURN, ALLOW, REFUSE = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050001  # errno 1: EPERM
steps = [(LOAD, 0, 0, 0), (JUMP_IF, 0, 1, int(sys.argv[1])), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
code = b"".join(struct.pack("HBBI", *step) for step in steps)
buffer = ctypes.create_string_buffer(code)
program = struct.pack("HL", len(steps), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
if libc.prctl(22, 2, program, 0, 0):  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
    sys.exit(99)
os.execv(sys.argv[2], sys.argv[2:])
"""


def without(call: int, *command: str) -> list[str]:
    """``command`` in a process that the kernel refuses the system call ``call``."""
    return [sys.executable, "-I", "-c", _RUN, str(call), *command]


def can_forbid() -> bool:
    """Whether this kernel takes filters."""
    done = subprocess.run(without(CALLS[0], sys.executable, "-c", ""), check=False) if CALLS else None
    return done is not None and done.returncode == 0
