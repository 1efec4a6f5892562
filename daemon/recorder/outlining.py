"""Outlines on their way from a worktree's text into the log."""

import threading
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import msgspec
import structlog

from navlog.daemon.extract.languages import language_of, precedence
from navlog.daemon.journal import Receipt
from navlog.daemon.recorder.appending import Appending
from navlog.daemon.recorder.outliner import Outliner, Wanted
from navlog.daemon.recorder.worktree import reason_of
from navlog.schemas.control import DegradedReason

MEMORY = 1_000  # contents beside twice those in use: some hundred KB
AGAIN_S = (2.0, 5.0, 15.0)  # before the next try of an outline that could not be made or appended
log = structlog.get_logger()


class Extracts(Protocol):
    """The extractor, as far as it is needed here."""

    def submit(self, path: str, data: bytes) -> Future[bytes]: ...


class _Said(msgspec.Struct):
    """As much of an outline as is needed here."""

    language: str = ""


class Outlining:
    """``version`` names the extractor.

    A content has one outline. Where its names speak of several languages (a.py copied to a.txt), it is read
    in the one that comes first in the extractor's list: whichever name came first, the outline is the same.
    ``read`` gives the bytes of (project, path) if they are still that content; ``recorded`` the language of
    the outline that counts in the tables, "" for none; ``in_use`` the contents that files have now. What is
    remembered here is of these: the others are forgotten now and then, as a start forgets them. The text is
    read again for its outline: holding every text of a first index until its turn comes would cost more.
    """

    def __init__(
        self,
        appending: Appending,
        extractor: Extracts,
        version: str,
        read: Callable[[str, str, str], bytes | None],
        recorded: Callable[[str], str],
        in_use: Callable[[], AbstractSet[str]],
    ) -> None:
        self._appending = appending
        self._extractor = extractor
        self._version = version
        self._outlined: dict[str, str] = {}  # content -> language of its outline in the log
        self._best: dict[str, int] = {}  # content -> precedence of what was appended, durable or not
        self._faults: dict[Wanted, DegradedReason] = {}  # why the last try of what is tried again went wrong
        self._turn = threading.Lock()
        self._read = read
        self._recorded = recorded
        self._in_use = in_use
        self._room = MEMORY  # how many contents are remembered before those not in use are forgotten
        self._outliner = Outliner(self._make)
        self.pending = self._outliner.pending
        self.urgent = self._outliner.urgent
        self.forget = self._outliner.forget
        self.wait = self._outliner.wait
        self.held = self._outliner.held
        self.close = self._outliner.close

    def fault(self, project: str) -> DegradedReason | None:
        """Why an outline of the project could not be made yet."""
        with self._turn:
            return next((why for wanted, why in self._faults.items() if wanted.project == project), None)

    def known(self, outlined: Mapping[str, str]) -> None:
        """The outlines of these contents are in the log already, each in its language."""
        with self._turn:
            self._outlined.update(outlined)

    def want(self, project: str, path: str, content: str, *, urgent: bool = False) -> None:
        """If the outline has to be made, it will be; it is in use already."""
        language = language_of(path).name
        with self._turn:
            self._forget_unused()
            known = self._outlined.get(content)
        if known is None or precedence(known) > precedence(language):
            self._outliner.want(Wanted(content, project, path, language), urgent=urgent)

    def _forget_unused(self) -> None:
        if len(self._outlined) < self._room:
            return
        used = self._in_use()
        for memory in (self._outlined, self._best):
            for content in memory.keys() - used:
                del memory[content]
        self._room = 2 * len(self._outlined) + MEMORY

    def _make(self, wanted: Wanted) -> Future[bool]:
        making = _Making(wanted)
        self._try(making)
        return making.done

    def _try(self, making: "_Making") -> None:
        wanted = making.wanted
        data = self._read(wanted.project, wanted.path, wanted.content)
        if data is None:
            self._end(making, there=False)  # it changed meanwhile, and whoever changed it left a hint
        else:
            made = self._extractor.submit(wanted.path, data)
            made.add_done_callback(partial(self._append, making))

    def _append(self, making: "_Making", made: Future[bytes]) -> None:
        self._outliner.made(making.wanted.key)
        if made.cancelled():  # the daemon is ending: the next start reads the file again
            making.done.set_result(True)
            return
        try:
            making.data = made.result()
            making.language = msgspec.json.decode(making.data, type=_Said).language
            receipt = self._append_better(making)
        except Exception as fault:  # noqa: BLE001 - said, and tried again; the file is known by name
            self._again(making, fault)
            return
        self._follow(making, receipt)

    def _follow(self, making: "_Making", receipt: Future[Receipt] | None) -> None:
        if receipt:
            receipt.add_done_callback(partial(self._appended, making))
        else:
            self._end(making)

    def _append_better(self, making: "_Making") -> Future[Receipt] | None:
        """The last outline in the log counts: none comes after one that takes precedence."""
        wanted, rank = making.wanted, precedence(making.language)
        with self._turn:
            if self._best.get(wanted.content, rank) < rank:
                return None
            self._best[wanted.content] = rank
            name = f"outline:{self._version}:{wanted.content}:{wanted.language}"
            return self._appending.append_outline(
                wanted.project, name, making.data, anew=making.outdone, unhurried=self._outliner.is_busy
            )

    def _appended(self, making: "_Making", receipt: Future[Receipt]) -> None:
        content = making.wanted.content
        if fault := receipt.exception():
            self._again(making, fault)
        elif receipt.result().repeated and self._is_outdone(content, making.language):
            making.outdone = True
            self._follow(making, self._append_better(making))
        else:
            with self._turn:
                self._outlined[content] = making.language
            self._end(making)

    def _is_outdone(self, content: str, language: str) -> bool:
        """Of an outline that is in the log already: whether one that counts for less stands behind it."""
        last = self._outlined.get(content) or self._recorded(content)
        return bool(last) and precedence(last) > precedence(language)

    def _again(self, making: "_Making", fault: BaseException) -> None:
        """No worker, or a disk that took nothing: until it goes the file is pending, and answers say so."""
        log.warning("outline_failed", path=making.wanted.path, fault=str(fault))
        with self._turn:
            self._best.pop(making.wanted.content, None)
            self._faults[making.wanted] = reason_of(fault)
        again = threading.Timer(AGAIN_S[min(making.tries, len(AGAIN_S) - 1)], self._try, [making])
        making.tries += 1
        again.daemon = True
        again.start()

    def _end(self, making: "_Making", *, there: bool = True) -> None:
        with self._turn:
            self._faults.pop(making.wanted, None)
        making.done.set_result(there)


@dataclass
class _Making:
    """An outline on its way. ``outdone``: it is in the log, and has to come behind another one once more."""

    wanted: Wanted
    done: Future[bool] = field(default_factory=Future)
    tries: int = 0
    language: str = ""
    data: bytes = b""
    outdone: bool = False
