"""What the recorder's tests share: a journal and an extractor that need neither a disk nor a process."""

import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

import msgspec

from navlog.daemon.extract.languages import language_of
from navlog.daemon.journal import Receipt
from navlog.daemon.listener.paths import blob_id
from navlog.daemon.recorder.recorder import Recorder
from navlog.schemas.envelope import Draft
from navlog.schemas.errors import WriterPoisoned


class Memory:
    """A journal that keeps batches in a list, and refuses as often as it is told to."""

    def __init__(self) -> None:
        self.batches: list[Sequence[Draft]] = []
        self.ids: set[str] = set()
        self.refusals = 0
        self.spared = ""
        self.appended = threading.Condition()

    def append(self, drafts: Sequence[Draft], *, unhurried: bool = False) -> Future[Receipt]:  # noqa: ARG002
        done: Future[Receipt] = Future()
        with self.appended:
            if self.refusals and drafts[0].type != self.spared:
                self.refusals -= 1
                done.set_exception(WriterPoisoned("The disk is full."))
                return done
            repeated = tuple(draft.id for draft in drafts if draft.id in self.ids)
            self.ids.update(draft.id for draft in drafts)
            self.batches.append([draft for draft in drafts if draft.id not in repeated])
            self.appended.notify_all()
        done.set_result(Receipt(first=1, last=sum(map(len, self.batches)), repeated=repeated))
        return done

    @property
    def types(self) -> list[str]:
        return [draft.type for batch in self.batches for draft in batch]

    def said(self, type_: str) -> list[dict[str, object]]:
        return [msgspec.json.decode(d.data) for batch in self.batches for d in batch if d.type == type_]


class Echo:
    """An extractor that ends at once and says only whose outline it is."""

    def submit(self, path: str, data: bytes) -> Future[bytes]:
        done: Future[bytes] = Future()
        language = language_of(path).name
        done.set_result(msgspec.json.encode({"content": blob_id(data), "path": path, "language": language}))
        return done


def settle(recorder: Recorder) -> None:
    """Every hint so far is in the log."""
    assert recorder.settle("p", 5) is not None


def faults(recorder: Recorder) -> dict[str, str]:
    """What `status` would say of each project."""
    return {project: fault.reason for project, fault in recorder.faults().items()}


def git(root: Path, *args: str) -> str:
    """What git says, as somebody with a name."""
    told = ["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", *args]
    return subprocess.run(told, cwd=root, check=True, capture_output=True, text=True).stdout.strip()
