"""A queue in Redis Streams: a stream for each project, a consumer group for each named reader.

    navlog:{NAME}:msu     the stream; NAME is what all machines call the project (`naming`)
    navlog:{NAME}:seen    ids of the records in it, so that one that is put again stands once
    navlog:{NAME}:token   drawn when the stream is made: another one tells that it was lost

A position is a stream id as one number. Times of ids are the server's. What is read was written by others: it
is decoded, its secrets are taken out, and what is no record is passed over.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from typing import Annotated, Any
from uuid import uuid4

import msgspec
import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu.queue import AGAIN_S, HOURS, KEPT, Reading
from navlog.projections.msu.state import Entry
from navlog.projections.slicing.speaking import gist
from navlog.schemas.errors import Degraded
from navlog.schemas.slices import MsuFormed

ANSWER_S = 2.0  # how long Redis may take; nobody who waits for an answer waits for it
AT_ONCE = 100  # records put by one script
SEQUENCES = 4096  # ids of one millisecond; a position stays below 2**53, which every JSON reader knows
START = "0-0"  # before every id
RECORD_BYTES = 256 * 1024  # of a record with its texts; a larger one is no record of ours
_PUT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local day = tonumber(ARGV[2])
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', KEYS[2], KEYS[3]) end
redis.call('SET', KEYS[3], ARGV[1], 'NX')
for at = 4, #ARGV, 2 do
  if redis.call('ZADD', KEYS[2], 'NX', now, ARGV[at]) == 1 then
    redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], '*', 'record', ARGV[at + 1])
  end
end
redis.call('XTRIM', KEYS[1], 'MINID', now - day)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 2 * day)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, 2 * day) end
"""
_EMBEDDER = HashingEmbedder()
log = structlog.get_logger()


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """A record on its way: when it was formed, on which machine, and its texts by hash."""

    msu: MsuFormed
    at: float
    machine: Annotated[str, msgspec.Meta(max_length=100)]
    texts: dict[str, str] = {}


_shared = msgspec.json.Decoder(Shared)


class RedisQueue(Reading):
    """See `navlog.projections.msu.queue.MsuQueue`. Raises `Degraded` when Redis does not answer.

    ``name_of`` gives what all machines call a project, "" for one that is not shared; ``texts_of`` the texts
    with these hashes.
    """

    def __init__(
        self,
        client: "Redis",
        name_of: Callable[[str], str],
        machine: str,
        texts_of: Callable[[set[str]], dict[str, str]],
        redact: Callable[[str], str],
        again_s: float = AGAIN_S,
    ) -> None:
        self._client: Any = client  # its annotations mix the answers with those of its asynchronous twin
        self._name_of = name_of
        self._machine = machine
        self._texts_of = texts_of
        self._redact = redact
        self._again_ms = int(again_s * 1000)
        self._fetched: dict[str, _Fetched] = {}
        self._dropped: set[str] = set()
        self._lock = Lock()

    def shares(self, project: str) -> bool:
        """Whether other machines could call the project by the same name."""
        return project not in self._dropped and bool(self._name_of(project))

    def put(self, project: str, entries: Iterable[Entry]) -> None:
        """In one script for each hundred; texts come from the tables."""
        self._dropped.discard(project)
        if not self.shares(project):
            return
        waiting = iter(entries)
        while some := list(islice(waiting, AT_ONCE)):
            hashes = {member.text for one in some for member in (*one.msu.core, *one.msu.radius)} - {""}
            texts = self._texts_of(hashes)
            words = [word for one in some for word in (one.msu.msu, self._told(one, texts))]
            day = int(HOURS * 3_600_000)
            with self._asked():
                self._client.eval(_PUT, 3, *self._keys(project), uuid4().hex, day, KEPT, *words)

    def drop(self, project: str) -> None:
        """Others go on sharing it; here it is not told any more."""
        self._dropped.add(project)
        with self._lock:
            self._fetched.pop(project, None)

    def version(self, project: str) -> int:
        """See `MsuQueue`."""
        if not self.shares(project):
            return 0
        with self._asked():
            newest = self._client.xrevrange(self._keys(project)[0], count=1)
        return _position(newest[0][0]) if newest else 0

    def state(self, project: str) -> Hashable:
        """See `MsuQueue`: of what has been fetched."""
        with self._lock:
            held = self._fetched.get(project)
            return held.cursor if held else START

    def since(self, project: str, at: float) -> list[Entry]:
        """See `MsuQueue`; fetches what is new first."""
        self.fetch(project)
        return self.fetched(project, at)

    def fetch(self, project: str) -> None:
        """Reads what has come since the last time; what Redis lost meanwhile is still known here."""
        if not self.shares(project):
            return
        with self._lock:
            held = self._fetched.setdefault(project, _Fetched())
        with self._asked():
            rows = self._client.xrange(self._keys(project)[0], min=f"({held.cursor}", count=KEPT)
        with self._lock:
            held.take(rows, self._entries(rows))

    def fetch_anew(self, project: str) -> None:
        """The next `fetch` reads the whole stream: a server whose clock went back gives smaller ids."""
        with self._lock:
            if held := self._fetched.get(project):
                held.cursor = START

    def fetched(self, project: str, at: float) -> list[Entry]:
        """The records formed at ``at`` or later as far as they have been fetched, in the stream's order."""
        with self._lock:
            held = self._fetched.get(project)
            return [one for one, _ in held.entries.values() if one.at >= at] if held else []

    def texts(self, project: str, hashes: Iterable[str]) -> dict[str, str]:
        """The texts that came with fetched records."""
        with self._lock:
            held = self._fetched.get(project)
            entries = list(held.entries.values()) if held else []
        came = {name: text for _, texts in entries for name, text in texts.items()}
        return {name: came[name] for name in hashes if name in came}

    def take(self, project: str, reader: str, now: float, limit: int = KEPT) -> list[Entry]:
        """See `MsuQueue`: a consumer group for each reader, in which this machine is a consumer."""
        if not self.shares(project):
            return []
        stream, group = self._keys(project)[0], f"agent:{reader}"
        with self._asked():
            rows = self._rows(stream, group, limit)
        entries = [one for one, _ in self._entries(rows)]
        fine = [one for one in entries if one.at >= now - HOURS * 3600]
        left = {id_ for id_, _ in rows} - {_id(one.position) for one in fine}
        if left:  # too old, or no record: nobody wants it again
            with self._asked():
                self._client.xack(stream, group, *left)
        return fine

    def confirm(self, project: str, reader: str, positions: Iterable[int]) -> None:
        """See `MsuQueue`."""
        ids = [_id(position) for position in positions]
        if ids and self.shares(project):
            with self._asked():
                self._client.xack(self._keys(project)[0], f"agent:{reader}", *ids)

    def generation(self, project: str) -> tuple[object, ...]:
        """Another one as soon as Redis may have lost something: a new process, a flush, an eviction."""
        stream, _, token = self._keys(project)
        with self._asked():
            run = self._client.info("server")["run_id"]
            return run, self._client.get(token), self._client.exists(stream)

    def close(self) -> None:
        """Lets the connections go."""
        self._client.close()

    # --- inside -----------------------------------------------------------------------------------------

    def _rows(self, stream: str, group: str, limit: int) -> list[Any]:
        """What was given and not confirmed in time, then what is new; makes a group that is missing."""
        try:
            claimed = self._client.xautoclaim(
                stream, group, self._machine, min_idle_time=self._again_ms, count=limit
            )
        except ResponseError as fault:
            if "NOGROUP" not in str(fault):
                raise
            with _made_already():
                self._client.xgroup_create(stream, group, id="0", mkstream=True)
            return self._new(stream, group, limit)
        rows = [row for row in claimed[1] if row[0] is not None]
        return rows + (self._new(stream, group, limit - len(rows)) if len(rows) < limit else [])

    def _new(self, stream: str, group: str, limit: int) -> list[Any]:
        answer = self._client.xreadgroup(group, self._machine, {stream: ">"}, count=limit)
        return list(answer[0][1]) if answer else []

    def _entries(self, rows: Sequence[Any]) -> list[tuple[Entry, dict[str, str]]]:
        read = (self._entry(id_, (fields or {}).get(b"record", b"")) for id_, fields in rows)
        return [one for one in read if one is not None]

    def _entry(self, id_: bytes, data: bytes) -> tuple[Entry, dict[str, str]] | None:
        try:
            if len(data) > RECORD_BYTES:
                raise msgspec.ValidationError("too long")
            told = _shared.decode(data)
        except (msgspec.DecodeError, RecursionError) as fault:
            log.warning("shared_record_unreadable", id=id_.decode("ascii", "replace"), fault=str(fault))
            return None
        texts = {name: self._redact(text) for name, text in told.texts.items()}
        vector = _EMBEDDER.embed([gist(told.msu, texts)])[0]
        machine = "" if told.machine == self._machine else told.machine
        return Entry(_position(id_), told.at, told.msu, vector, machine), texts

    def _told(self, entry: Entry, texts: dict[str, str]) -> bytes:
        used = {member.text for member in (*entry.msu.core, *entry.msu.radius)}
        mine = {name: text for name, text in texts.items() if name in used}
        return msgspec.json.encode(
            Shared(msu=entry.msu, at=entry.at, machine=entry.machine or self._machine, texts=mine)
        )

    def _keys(self, project: str) -> tuple[str, str, str]:
        """In braces: a cluster keeps the keys of one project together."""
        name = f"navlog:{{{self._name_of(project)}}}"
        return f"{name}:msu", f"{name}:seen", f"{name}:token"

    @contextmanager
    def _asked(self) -> Iterator[None]:
        try:
            yield
        except (RedisError, OSError) as fault:
            raise Degraded(
                f"The shared queue does not answer: {fault}",
                safe="The log has every record; what Redis loses is put there again.",
                hint="Look at [queue] url; this machine's own records are there without it.",
            ) from fault


class _Fetched:
    """What has been read of one stream: by the record's id, in the order of the stream."""

    def __init__(self) -> None:
        self.cursor = START
        self.entries: OrderedDict[str, tuple[Entry, dict[str, str]]] = OrderedDict()

    def take(self, rows: Sequence[Any], read: Iterable[tuple[Entry, dict[str, str]]]) -> None:
        """A record that comes again after a loss stands where it came last."""
        if rows:
            self.cursor = rows[-1][0].decode()
        for entry, texts in read:
            self.entries[entry.msu.msu] = entry, texts
            self.entries.move_to_end(entry.msu.msu)
        while len(self.entries) > KEPT:
            self.entries.popitem(last=False)


def connect(url: str, password: str | None) -> "Redis":
    """A client that gives up soon; it connects when it is first asked. Raises `ValueError` for no address."""
    more = {"password": password} if password else {}
    return Redis.from_url(
        url, protocol=2, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S,
        retry=Retry(NoBackoff(), 1), **more,
    )  # fmt: skip


@contextmanager
def _made_already() -> Iterator[None]:
    """Another machine's group of the same name is the same group."""
    try:
        yield
    except ResponseError as fault:
        if "BUSYGROUP" not in str(fault):
            raise


def _position(id_: bytes) -> int:
    time, _, sequence = id_.partition(b"-")
    return int(time) * SEQUENCES + int(sequence)


def _id(position: int) -> bytes:
    return b"%d-%d" % divmod(position, SEQUENCES)
