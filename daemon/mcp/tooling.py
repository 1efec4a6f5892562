"""The verb `tool`: what a call of an MCP client means here. An answer is an injection, and recorded.

A failure is said to the model in words: it can ask again otherwise. Nothing here changes a judgement: a
proposal waits for a person.
"""

import secrets
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import msgspec

from navlog.daemon.answers import Answers
from navlog.daemon.awaiting import Awaiting
from navlog.daemon.hosts.heard import Ask
from navlog.daemon.hosts.tasks import Tasks
from navlog.daemon.impacts import Impacts
from navlog.daemon.injecting.injector import Injector
from navlog.daemon.nudging.reducing import Reducing, Wish
from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.injecting.block import Found
from navlog.projections.injecting.pointing import pointed
from navlog.projections.injecting.recalling import recalled
from navlog.projections.nudging.tags import REDUCE
from navlog.projections.sessions.past import Past
from navlog.projections.store import Store
from navlog.schemas.errors import NavlogError, UsageError
from navlog.schemas.giving import ToolArgs, ToolReply
from navlog.schemas.sessions import JudgementProposed
from navlog.schemas.tasks import TaskNote
from navlog.schemas.wire import ContextArgs, ImpactArgs

ANSWER_S = 2.0
TASKS = 5
NOTHING = "Nothing in the project speaks for it. Name a symbol, a path or a word from the code."
_COMMITS = """
SELECT commit, committed_at[:10], author, subject FROM commits WHERE project = $1 AND commit IN (
  SELECT commit FROM commit_files WHERE project = $1 AND (path = $2 OR starts_with(path, $2 || '/')))
ORDER BY committed_at DESC LIMIT $3"""


class _Context(msgspec.Struct, frozen=True):
    task: str


class _Search(msgspec.Struct, frozen=True):
    words: str
    limit: int = 10


class _Impact(msgspec.Struct, frozen=True):
    target: str
    depth: int = 2
    limit: int = 30


class _History(msgspec.Struct, frozen=True):
    path: str
    limit: int = 10


class _Note(msgspec.Struct, frozen=True):
    text: str
    task: str = ""


class _Propose(msgspec.Struct, frozen=True):
    judgement: str
    fields: dict[str, str]
    why: str


class _Project(msgspec.Struct, frozen=True):
    project: str | None = None


class Tooling:
    """One method a tool."""

    def __init__(
        self,
        projects: Projects,
        answers: Answers,
        impacts: Impacts,
        tasks: Tasks,
        past: Past,
        store: Store,
        awaiting: Awaiting,
        injector: Injector,
        reducing: Reducing,
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self._projects = projects
        self._answers = answers
        self._impacts = impacts
        self._tasks = tasks
        self._past = past
        self._store = store
        self._awaiting = awaiting
        self._injector = injector
        self._reducing = reducing
        self._new_id = new_id
        self._tools: Mapping[str, tuple[type[Any], Callable[[Any, Project, Ask, str], str]]] = {
            "context": (_Context, self._context),
            "search": (_Search, self._search),
            "impact": (_Impact, self._impact),
            "history": (_History, self._history),
            "note": (_Note, self._note),
            "propose": (_Propose, self._propose),
        }

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {"tool": Verb(self.tool, ToolArgs, looks=False)}

    def tool(self, args: ToolArgs, trace: str, _report: Report) -> ToolReply:
        """One call; never raises what its arguments or its project are to blame for."""
        try:
            wanted = _read(args.arguments, _Project).project or args.folder
            project = self._projects.find(wanted or None)
            if args.name == REDUCE:
                wish = _read(args.arguments, Wish)
                return ToolReply(text=self._reducing.reduce(wish, args, project.id, trace))
            kind, handle = self._tool(args.name)
            ask = Ask("", args.client, "asked")
            return ToolReply(text=handle(_read(args.arguments, kind), project, ask, trace) or NOTHING)
        except NavlogError as fault:
            return ToolReply(text=" ".join(filter(None, (fault.message, fault.hint))), failed=True)

    def _tool(self, name: str) -> tuple[type[Any], Callable[[Any, Project, Ask, str], str]]:
        try:
            return self._tools[name]
        except KeyError:
            raise UsageError(
                f"There is no tool {name[:80]!r}.", hint=f"Known: {', '.join((*self._tools, REDUCE))}."
            ) from None

    def _context(self, args: _Context, project: Project, ask: Ask, trace: str) -> str:
        return self._injector.give(ask._replace(task=args.task), project.id, trace, monotonic() + ANSWER_S)

    def _search(self, args: _Search, project: Project, ask: Ask, trace: str) -> str:
        limit = max(1, min(args.limit, 50))
        reply = self._answers.context(ContextArgs(task=args.words, project=project.id, limit=limit), trace)
        files = self._answers.view(project).files
        found = [pointed(item, files.get(item.path), whole=False) for item in reply.items]
        return self._injector.tell(ask, project.id, trace, found)

    def _impact(self, args: _Impact, project: Project, ask: Ask, trace: str) -> str:
        depth, limit = max(1, min(args.depth, 4)), max(1, min(args.limit, 100))
        wanted = ImpactArgs(target=args.target, project=project.id, depth=depth, limit=limit)
        found = [
            Found(
                f"impact:{hit.path}:{hit.line}:{hit.symbol}", "routing", f"{hit.path}:{hit.line}", "",
                "; ".join(filter(None, (hit.symbol, hit.reason, f"{hit.distance} away"))),
            )
            for hit in self._impacts.ask(wanted).hits
        ]  # fmt: skip
        return self._injector.tell(ask, project.id, trace, found)

    def _history(self, args: _History, project: Project, ask: Ask, trace: str) -> str:
        path = args.path.strip("/").removeprefix("./")
        with self._store.cursor() as db:
            rows = db.execute(_COMMITS, [project.id, path, max(1, min(args.limit, 50))]).fetchall()
        tasks = self._past.tasks(project.id, path)[:TASKS]
        found = [recalled(task) for task in tasks]
        found += [
            Found(f"commit:{commit}", "note", commit[:10], "", f"{day} {author}: {subject}")
            for commit, day, author, subject in rows
        ]
        return self._injector.tell(ask, project.id, trace, found)

    def _note(self, args: _Note, project: Project, ask: Ask, trace: str) -> str:
        if not args.text.strip():
            raise UsageError("The note is empty.")
        note = TaskNote(project=project.id, task=args.task, text=args.text, who=ask.host)
        task = self._tasks.note(note, trace, _unheard)
        return f"Kept with the task {task.task}: {task.title}"

    def _propose(self, args: _Propose, project: Project, ask: Ask, trace: str) -> str:
        if not args.why.strip():
            raise UsageError("A proposal says why.")
        proposal = self._new_id()
        said = JudgementProposed(
            proposal=proposal, overlay=args.judgement, fields=args.fields, why=args.why, host=ask.host
        )
        self._awaiting.propose(project, said, trace)
        return f"Proposed as {proposal}. It counts once a person has accepted it."


def _unheard(stage: str, done: int, total: int = 0) -> None:
    """Nobody waits for progress."""


def _read(arguments: msgspec.Raw, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(arguments, type=kind)
    except msgspec.DecodeError as fault:
        raise UsageError(f"The arguments cannot be read: {fault}.") from None
