"""Outlines on their way from a worktree's text into the log."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Protocol

import structlog

from navlog.daemon.journal import Receipt
from navlog.daemon.recorder.appending import Appending
from navlog.daemon.recorder.outliner import Outliner, Wanted

log = structlog.get_logger()


class Extracts(Protocol):
    """The extractor, as far as it is needed here."""

    def submit(self, path: str, data: bytes) -> Future[bytes]: ...


class Outlining:
    """``version`` names the extractor.

    ``read`` gives the bytes of (project, path) if they are still that content. The text is read again for its
    outline: holding every text of a first index until its turn comes would cost more.
    """

    def __init__(
        self,
        appending: Appending,
        extractor: Extracts,
        version: str,
        read: Callable[[str, str, str], bytes | None],
    ) -> None:
        self._appending = appending
        self._extractor = extractor
        self._version = version
        self._outlined: set[str] = set()
        self._read = read
        self._outliner = Outliner(self._make)
        self.pending = self._outliner.pending
        self.forget = self._outliner.forget
        self.wait = self._outliner.wait
        self.close = self._outliner.close

    def known(self, outlined: Iterable[str]) -> None:
        """The outlines of these contents are in the log already."""
        self._outlined.update(outlined)

    def want(self, project: str, path: str, content: str, *, urgent: bool = False) -> bool:
        """Whether the outline has to be made; then it will be."""
        if content in self._outlined:
            return False
        self._outliner.want(Wanted(content, project, path), urgent=urgent)
        return True

    def _make(self, wanted: Wanted) -> Future[None]:
        done: Future[None] = Future()
        data = self._read(wanted.project, wanted.path, wanted.content)
        if data is None:
            done.set_result(None)  # it changed meanwhile, and whoever changed it left a hint
        else:
            made = self._extractor.submit(wanted.path, data)
            made.add_done_callback(lambda made: self._append(wanted, made, done))
        return done

    def _append(self, wanted: Wanted, made: Future[bytes], done: Future[None]) -> None:
        try:
            receipt = self._appending.append_outline(
                wanted.project, wanted.content, self._version, made.result()
            )
        except Exception as fault:  # noqa: BLE001 - one outline less, said in the log; the file is known
            log.warning("outline_failed", path=wanted.path, fault=str(fault))
            done.set_result(None)
        else:
            receipt.add_done_callback(lambda receipt: self._appended(wanted, receipt, done))

    def _appended(self, wanted: Wanted, receipt: Future[Receipt], done: Future[None]) -> None:
        if fault := receipt.exception():
            log.warning("outline_failed", path=wanted.path, fault=str(fault))
        else:
            self._outlined.add(wanted.content)
        done.set_result(None)
