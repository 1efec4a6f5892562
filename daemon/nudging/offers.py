"""Which session has the reduce tool: the MCP server's parent is the agent that its hooks come from.

Hosts do not tell their hooks which tools there are, nor their servers which session calls. But both are
started by the same process: so a server says its parent's number, a hook its own parent's, and the kernel
says who descends from whom. In another namespace of processes nothing is found, and nothing is said.
"""

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import NamedTuple

PROC = Path("/proc")
DEPTH = 8  # from a hook up to the agent: a shell or two, a wrapper
KEPT = 64


class Process(NamedTuple):
    """``started``: in ticks since the machine did, so that a number that is used again is another one."""

    pid: int
    started: int


class Expected(NamedTuple):
    """A call of the reduce tool that a hook has announced."""

    session: str
    project: str
    call: str
    drop: str


class Offers:
    """Thread-safe, and kept as long as this process lives: what was judged by it is in the log."""

    def __init__(self, proc: Path = PROC) -> None:
        self._proc = proc
        self._agents: OrderedDict[Process, str] = OrderedDict()  # -> the session it hooked for last
        self._expected: OrderedDict[str, Expected] = OrderedDict()
        self._lock = Lock()

    def offered(self, pid: int) -> None:
        """A server told its client, the process ``pid``, what tools there are."""
        agent = self._process(pid)
        if agent:
            with self._lock:
                self._agents.setdefault(agent, "")
                while len(self._agents) > KEPT:
                    self._agents.popitem(last=False)

    def heard(self, pid: int, session: str) -> bool:
        """A hook for ``session``, started by ``pid``: whether its agent was offered the tool."""
        agent = self._agent(pid)
        if agent is None:
            return False
        with self._lock:
            self._agents[agent] = session
        return True

    def session_of(self, pid: int) -> str:
        """The session of the agent ``pid``, "" where none is known."""
        agent = self._process(pid)
        with self._lock:
            return self._agents.get(agent, "") if agent else ""

    def expect(self, one: Expected) -> None:
        """A hook says that the call comes."""
        with self._lock:
            self._expected[one.call] = one
            while len(self._expected) > KEPT:
                self._expected.popitem(last=False)

    def taken(self, project: str, call: str, drop: str) -> Expected | None:
        """The announced call of that name; without a name, the only one that asks for the same."""
        with self._lock:
            if call in self._expected:
                return self._expected.pop(call)
            same = [one for one in self._expected.values() if (one.project, one.drop) == (project, drop)]
            if len({one.session for one in same}) != 1:
                return None
            return self._expected.pop(same[0].call)

    def _agent(self, pid: int) -> Process | None:
        """The nearest ancestor of a hook that a server has named."""
        with self._lock:
            known = bool(self._agents)
        for _ in range(DEPTH if known else 0):
            found = self._process(pid)
            if found is None:
                return None
            with self._lock:
                if found in self._agents:
                    return found
            pid = self._parent(pid)
        return None

    def _process(self, pid: int) -> Process | None:
        fields = self._fields(pid)
        return Process(pid, int(fields[19])) if len(fields) > 19 else None

    def _parent(self, pid: int) -> int:
        fields = self._fields(pid)
        return int(fields[1]) if len(fields) > 1 else 0

    def _fields(self, pid: int) -> list[bytes]:
        """Of /proc/PID/stat, what stands behind the name, which may hold anything."""
        if pid < 2:
            return []
        try:
            return (self._proc / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return []
