"""`navlog shred`: after it no file of the data home or of a named backup holds the secret, in any dress."""

import base64
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from navlog.daemon.cli.main import navlog
from navlog.daemon.home import Home, find_home, prepare
from navlog.daemon.journal import Journal, RealStorage
from navlog.daemon.journal.backup import backup, restore
from navlog.daemon.journal.exchange import exchange
from navlog.daemon.journal.shredding import BESIDE, shred_folder
from navlog.daemon.journal.storage import AppendFile
from navlog.daemon.journal.verify import verify
from navlog.daemon.redact.shred import MARK, Secret
from navlog.daemon.shredding import shred_home
from navlog.daemon.vault.folder import VaultFolder
from navlog.projections.pages import Page
from navlog.schemas.envelope import draft
from navlog.schemas.errors import LogDamaged, NavlogError, UsageError
from navlog.schemas.events import ProjectRegistered
from navlog.schemas.overlays import AliasAdded
from navlog.schemas.settings import Log
from support.journal import gone
from support.listening import write

PASSWORD = 'correct/horse "battery" staple'  # noqa: S105 - the secret of this page
ENCODED = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
SECRET = Secret(PASSWORD)
SETTINGS = Log(segment_bytes=2500)
COUNT = 30


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Both logs in several segments with the secret in some events, a torn tail, tables, a daemon's log."""
    place = find_home({"NAVLOG_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")})
    prepare(place)
    _write(place.log, "events")
    with (place.log / "events-00000001.jsonl").open("rb") as file:
        assert SECRET.within(file.read())
    newest = max(place.log.glob("events-*.jsonl"))
    with newest.open("ab") as file:
        file.write(b'{"position":99,"data":{"path":' + json.dumps(PASSWORD).encode())
    (place.derived / "graph-1.duckdb").write_text(PASSWORD)
    place.daemon_log.write_text(json.dumps({"event": "request", "task": PASSWORD}) + "\n")
    (place.spool / "damaged").mkdir(parents=True)
    (place.spool / "damaged" / "1.json").write_text(f"torn {PASSWORD}")
    return place


def _write(folder: Path, log: str) -> None:
    journal = Journal.open(folder, log, settings=SETTINGS, redact=lambda one: one)
    for number in range(COUNT):
        text = {5: PASSWORD, 11: ENCODED, 12: f"in {PASSWORD} between"}.get(number, f"innocent {number}")
        tags = (f"k:{PASSWORD}",) if number == 20 else ()
        journal.append([gone(text, tags=tags)]).result()
    journal.close()
    overlays = Journal.open(folder, "overlays", settings=SETTINGS, redact=lambda one: one)
    alias = AliasAdded(concept="c1", alias=PASSWORD, after_event=0, who="me")
    overlays.append([draft(alias, project="p", source="test", id="o1")]).result()
    overlays.close()


def holding(folder: Path) -> list[str]:
    """Every file below that holds the secret."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(folder)) for path in files if SECRET.within(path.read_bytes()))


def said(folder: Path) -> list[tuple[int, str]]:
    """Positions and payloads."""
    journal = Journal.open(folder, "events", settings=SETTINGS, redact=lambda one: one)
    found = [(record.position, bytes(record.data).decode()) for record in journal.read()]
    journal.close()
    return found


def test_no_file_holds_the_secret_afterwards_and_everything_else_is_there(home: Home, tmp_path: Path) -> None:
    kept = sorted(path.read_bytes() for path in home.log.glob("quarantine/*"))
    assert kept == []
    reply = shred_home(home, SECRET)
    assert holding(tmp_path) == []
    assert verify(home.log).ok
    taken = reply.folders[str(home.log)]
    assert taken.records == 5  # four events, one overlay
    assert {name.split("-")[0] for name in taken.files} == {"events", "overlays", "quarantine/events"}
    assert reply.others == (str(home.daemon_log), str(home.spool / "damaged" / "1.json"))
    assert list(home.data.glob("derived/*")) == []
    records = said(home.log)
    assert [position for position, _ in records][:COUNT] == list(range(1, COUNT + 1))
    assert json.loads(records[5][1]) == {"path": MARK}
    assert json.loads(records[6][1]) == {"path": "innocent 6"}
    (torn,) = (home.log / "quarantine").iterdir()
    assert MARK.encode() in torn.read_bytes()


def test_the_log_goes_on_after_it(home: Home) -> None:
    shred_home(home, SECRET)
    before = len(said(home.log))
    journal = Journal.open(home.log, "events", settings=SETTINGS, redact=lambda one: one)
    assert journal.append([gone("after")]).result().last > before - 1
    assert journal.append([gone("innocent 3")]).result().repeated == ("id-innocent 3",)
    journal.close()
    assert verify(home.log).ok


def test_a_named_backup_is_rewritten_and_still_restores(home: Home, tmp_path: Path) -> None:
    said(home.log)  # a start: the torn tail goes to quarantine
    copy = tmp_path / "backup"
    backup(home.log, copy)
    assert holding(copy)
    reply = shred_home(home, SECRET, [copy])
    assert holding(tmp_path) == []
    assert reply.folders[str(copy)].records == reply.folders[str(home.log)].records
    restore(copy, tmp_path / "restored")
    assert said(tmp_path / "restored") == said(home.log)


def test_files_of_projects_that_still_hold_it_are_named(home: Home, tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, {"a.py": f"KEY = {PASSWORD!r}", "d/b.txt": ENCODED, "c.py": "KEY = None", "e.log": PASSWORD})
    write(root, {".gitignore": "*.log\n"})
    register(home, root, "p")
    register(home, tmp_path / "gone", "q")
    reply = shred_home(home, SECRET)
    assert reply.worktrees == (str(root / "a.py"), str(root / "d/b.txt"))
    assert (root / "a.py").read_text() == f"KEY = {PASSWORD!r}"
    again = shred_home(home, SECRET)
    assert (again.found, again.worktrees) == (False, reply.worktrees)


def register(home: Home, root: Path, project: str) -> None:
    journal = Journal.open(home.log, "events", settings=SETTINGS, redact=lambda one: one)
    event = ProjectRegistered(root=str(root), name=root.name, kind="folder")
    journal.append([draft(event, project=project, source="test", id=f"{project}-registered")]).result()
    journal.close()


def test_snapshots_and_pages_are_rewritten_and_a_log_that_was_put_aside_is_named(
    home: Home, tmp_path: Path
) -> None:
    """docs/recovery.md has a damaged log put aside in the data home; it is only read."""
    home.settings.parent.mkdir(parents=True)
    home.settings.write_text(f"[vault]\npath = '{tmp_path}/vault'\n")
    pages = VaultFolder(tmp_path / "vault")
    pages.prepare()
    ours = Page("Home.md", f'---\nnavlog: "Home.md"\n---\n\n# Home\n\n{PASSWORD}\n')
    assert pages.put(*ours) == "written"
    (theirs := tmp_path / "vault" / "mine.md").write_text(PASSWORD)
    (snapshot := home.data / "snapshots" / "p.json").parent.mkdir()
    snapshot.write_text(json.dumps({"about": PASSWORD}))
    (damaged := home.data / "log.damaged" / "events-00000001.jsonl").parent.mkdir()
    damaged.write_text(f"torn {PASSWORD}")
    (home.data / "elsewhere").symlink_to(theirs)
    done = shred_home(home, SECRET)
    assert done.left == (str(damaged),)
    assert {str(snapshot), str(tmp_path / "vault/Home.md")} <= set(done.others)
    assert not [path for path in (snapshot, tmp_path / "vault/Home.md") if SECRET.within(path.read_bytes())]
    assert (theirs.read_text(), list(pages.ours())) == (PASSWORD, ["Home.md"])
    again = shred_home(home, SECRET)
    assert (again.found, again.left) == (False, (str(damaged),))


def test_what_is_nowhere_changes_nothing(home: Home) -> None:
    said(home.log)
    files = {path: path.read_bytes() for path in home.data.rglob("*") if path.is_file()}
    reply = shred_home(home, Secret("not in any file of this home"))
    assert not reply.found
    assert {path: path.read_bytes() for path in home.data.rglob("*") if path.is_file()} == files


def test_twice_is_once(home: Home) -> None:
    shred_home(home, SECRET)
    assert not shred_home(home, SECRET).found


def test_a_damaged_log_is_refused_and_left_alone(home: Home) -> None:
    first = home.log / "events-00000001.jsonl"
    first.write_bytes(first.read_bytes().replace(b"innocent 2", b"innocent X"))
    before = first.read_bytes()
    with pytest.raises(LogDamaged, match="damaged"):
        shred_home(home, SECRET)
    assert first.read_bytes() == before
    assert (home.derived / "graph-1.duckdb").exists()


def test_a_strange_file_in_the_folder_is_refused_and_not_lost(home: Home) -> None:
    said(home.log)
    (home.log / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"notes\.txt"):
        shred_home(home, SECRET)
    assert (home.log / "notes.txt").read_text() == "mine"


class Killed(BaseException):
    """The process is gone."""


class Mortal(RealStorage):
    """Dies at the call after ``calls`` others that change something."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def _live(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def create(self, path: Path) -> AppendFile:
        self._live()
        return super().create(path)

    def rename(self, source: Path, target: Path) -> None:
        self._live()
        super().rename(source, target)

    def fsync_dir(self, folder: Path) -> None:
        self._live()
        super().fsync_dir(folder)


def test_killed_anywhere_the_log_is_the_old_one_or_the_new_and_doing_it_again_ends_it(home: Home) -> None:
    said(home.log)  # a start: the torn tail goes to quarantine
    before = holding(home.log)
    calls, finished = 0, False
    while not finished:
        try:
            shred_folder(home.log, SECRET, storage=Mortal(calls))
            finished = True
        except Killed:
            assert verify(home.log).ok
            assert holding(home.log) in ([], before)
        calls += 2
    assert calls > 20
    shred_folder(home.log, SECRET)
    assert holding(home.data / "log") == []
    assert not home.log.with_name("log" + BESIDE).exists()


def test_folders_change_places(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "file").read_text() == "other"
    with pytest.raises(FileNotFoundError, match="other"):
        exchange(tmp_path / "missing", tmp_path / "other")


def test_the_command_reads_the_secret_from_its_input_and_never_shows_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVLOG_HOME", str(home.data))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    done = CliRunner().invoke(navlog, ["shred", "-"], input=PASSWORD + "\n")
    assert done.exit_code == 0, done.output
    assert "5 events" in done.output
    assert PASSWORD not in done.output
    assert holding(home.data) == []


def test_too_short_a_secret_is_refused(home: Home) -> None:
    with pytest.raises(NavlogError, match="7 characters"):
        shred_home(home, Secret("1234567"))
