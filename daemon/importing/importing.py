"""The verbs of importing: reads other tools' files and appends what they say, as events of ours.

The files stay as they are. Damage is listed and passed over; entries of folders that are no projects are
counted and left out.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from navlog.daemon.hosts.hooking import Hooking
from navlog.daemon.importing.agentnavi import Mapped, Refused, Tracker, read_entry
from navlog.daemon.importing.judgements import Corrections, Judgement
from navlog.daemon.importing.lines import LINE_BYTES, read_objects
from navlog.daemon.importing.transcripts import Call, Transcript
from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.daemon.projects import Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import IdReused, NavlogError, UsageError
from navlog.schemas.importing import NAMED, Damaged, Elsewhere, ImportArgs, ImportReply
from navlog.schemas.overlays import OverlayWithdrawn
from navlog.schemas.wire import HookArgs

EVENTS, OVERLAYS = "events.jsonl", "semantic-overlays.jsonl"
SOURCE = "import:agentnavi"
HOST = "claude-code"
BATCH = 200
ROW_BYTES = 16 * 1024 * 1024
OVER_S = 86_400.0  # a session whose last row is older than this has ended


class Importing:
    """``now`` is in seconds since the epoch."""

    def __init__(
        self,
        events: Journal,
        overlays: Journal,
        projects: Projects,
        hooking: Hooking,
        now: Callable[[], float],
    ) -> None:
        self._events = events
        self._overlays = overlays
        self._projects = projects
        self._hooking = hooking
        self._now = now

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {
            "import-agentnavi": Verb(self.agentnavi, ImportArgs, looks=False, timeout_s=None),
            "import-transcripts": Verb(self.transcripts, ImportArgs, looks=False, timeout_s=None),
        }

    # --- AgentNavi --------------------------------------------------------------------------------------

    def agentnavi(self, args: ImportArgs, _trace: str, report: Report) -> ImportReply:
        """A folder with AgentNavi's two logs; raises `UsageError` where there is neither."""
        folder = Path(args.path)
        count = _Count(self._place(args.project))
        files = [path for name in (EVENTS, OVERLAYS) if (path := folder / name).is_file()]
        if not files:
            raise UsageError(
                f"There is neither {EVENTS} nor {OVERLAYS} in {folder}.",
                hint="AgentNavi keeps them in ~/.agentnavi:  navlog import agentnavi ~/.agentnavi",
            )
        for path in files:
            if path.name == EVENTS:
                self._tasks(path, count, report)
            else:
                self._judgements(path, count)
        return count.reply(len(files))

    def _tasks(self, path: Path, count: "_Count", report: Report) -> None:
        tracker, waiting = Tracker(), list[Draft]()
        for line, value in count.objects(path):
            try:
                entry = read_entry(value)
                mapped = tracker.map(entry)
            except Refused as fault:
                count.harm(path, line, str(fault))
                continue
            if project := count.project(entry.root):
                waiting += [_drafted(one, project) for one in mapped]
            if len(waiting) >= BATCH:
                self._append(self._events, waiting, count, path)
                waiting.clear()
                report("importing", count.entries)
        self._append(self._events, waiting, count, path)

    def _judgements(self, path: Path, count: "_Count") -> None:
        corrections = Corrections(self._events.position)
        for line, value in count.objects(path):
            try:
                corrections.add(read_entry(value))
            except Refused as fault:
                count.harm(path, line, str(fault))
        made = [one for one in corrections.made() if self._overlays.find(one.id) is None]
        count.known += len(corrections.made()) - len(made)
        drafts = [_judged(one, project) for one in made if (project := count.project(one.root))]
        self._append(self._overlays, drafts, count, path)
        withdrawn = [self._withdrawn(id_) for id_ in corrections.removed]
        self._append(self._overlays, [one for one in withdrawn if one], count, path)

    def _withdrawn(self, id_: str) -> Draft | None:
        """What takes back a judgement that an earlier import made."""
        made = self._overlays.find(id_)
        if made is None or self._overlays.find(f"{id_}:withdrawn"):
            return None
        overlay = OverlayWithdrawn(position=made.position, after_event=self._events.position, who="agentnavi")
        return draft(overlay, project=made.project, source=SOURCE, id=f"{id_}:withdrawn")

    @staticmethod
    def _append(journal: Journal, drafts: list[Draft], count: "_Count", path: Path) -> None:
        """One append; where an id is taken by another payload, one by one, so that the others come in."""
        if not drafts:
            return
        before = journal.position
        try:
            journal.append(drafts).result()
        except IdReused as fault:
            if len(drafts) == 1:
                count.harm(path, 0, fault.message)
                return
            for one in drafts:
                Importing._append(journal, [one], count, path)
            return
        added = min(len(drafts), journal.position - before)
        count.added += added
        count.known += len(drafts) - added

    # --- transcripts ------------------------------------------------------------------------------------

    def transcripts(self, args: ImportArgs, _trace: str, report: Report) -> ImportReply:
        """A folder of Claude Code's transcripts, or one of them; raises `UsageError` where there is none."""
        place = Path(args.path)
        files = sorted(place.rglob("*.jsonl")) if place.is_dir() else [place]
        if not files or not files[0].is_file():
            raise UsageError(
                f"There is no transcript (*.jsonl) in {place}.",
                hint="Claude Code keeps them in ~/.claude/projects:  navlog import claude-transcripts",
            )
        count = _Count(self._place(args.project))
        for number, path in enumerate(files):
            report("importing", number, len(files))
            self._transcript(path, count)
        return count.reply(len(files))

    def _transcript(self, path: Path, count: "_Count") -> None:
        transcript, live, last = Transcript(str(path)), dict[str, bool](), ""
        for _, row in count.objects(path, ROW_BYTES):
            last = max(last, str(row.get("timestamp") or ""))
            for call in transcript.calls(row):
                self._hear(call, path, count, live)
        for call in transcript.end(over=self._now() - _seconds(last) > OVER_S):
            self._hear(call, path, count, live)

    def _hear(self, call: Call, path: Path, count: "_Count", live: dict[str, bool]) -> None:
        session = call.payload["session_id"]
        if session not in live:
            live[session] = self._is_live(session)
            if live[session]:
                count.skipped.append(f"{session}: its hooks were heard while it ran")
        if live[session] or not count.project(call.cwd):
            return
        payload = msgspec.Raw(msgspec.json.encode(call.payload))
        before = self._events.position
        try:
            self._hooking.again(HookArgs(host=HOST, id=call.id, payload=payload, at=call.at, spooled=True))
        except NavlogError as fault:
            count.harm(path, 0, fault.message)
            return
        grown = self._events.position > before
        count.added += grown
        count.known += not grown

    def _is_live(self, session: str) -> bool:
        """Whether hooks told of the session: they know more, and it would come in twice."""
        first = next(iter(self._events.select([Item(tags=(f"session:{session}",))])), None)
        return first is not None and "transcript:" not in first.id and not first.id.startswith(f"{HOST}:")

    def _place(self, project: str | None) -> Callable[[str], str]:
        """Folder -> the registered project's id, "" for none."""
        only = self._projects.find(project).id if project else ""

        def place(folder: str) -> str:
            try:
                return only or self._projects.find(folder).id
            except UsageError:
                return ""

        return place


class _Count:
    """What an import has come to."""

    def __init__(self, place: Callable[[str], str]) -> None:
        self._place = place
        self._places: dict[str, str] = {}
        self._elsewhere: Counter[str] = Counter()
        self._damaged: list[Damaged] = []
        self._damage = 0
        self.entries = self.added = self.known = 0
        self.skipped: list[str] = []

    def objects(self, path: Path, limit: int = LINE_BYTES) -> Iterator[tuple[int, dict[str, Any]]]:
        """(line, object); what is none is counted."""
        for found in read_objects(path, limit):
            if found.value is None:
                self.harm(path, found.line, found.wrong)
            else:
                self.entries += 1
                yield found.line, found.value

    def harm(self, path: Path, line: int, why: str) -> None:
        """One damaged place."""
        self._damage += 1
        if len(self._damaged) < NAMED:
            self._damaged.append(Damaged(file=str(path), line=line, why=why))

    def project(self, folder: str) -> str:
        """The project of a folder; "" and counted for none."""
        if folder not in self._places:
            self._places[folder] = self._place(folder)
        if not self._places[folder]:
            self._elsewhere[folder] += 1
        return self._places[folder]

    def reply(self, files: int) -> ImportReply:
        """All of it."""
        elsewhere = [Elsewhere(root=root, entries=n) for root, n in self._elsewhere.most_common(NAMED)]
        return ImportReply(
            files=files, entries=self.entries, added=self.added, known=self.known, damage=self._damage,
            damaged=self._damaged, elsewhere=elsewhere, skipped=self.skipped[:NAMED],
        )  # fmt: skip


def _drafted(one: Mapped, project: str) -> Draft:
    return draft(
        one.event, project=project, source=SOURCE, id=one.id, tags=one.tags, occurred_at=one.at or None
    )


def _judged(one: Judgement, project: str) -> Draft:
    return draft(one.overlay, project=project, source=SOURCE, id=one.id)


def _seconds(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0
