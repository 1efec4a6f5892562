"""An external provider of concepts: a command that reads and writes JSON, or an OpenAI-compatible endpoint.

It is shown names only (concepts, paths, titles of documents), never texts. Its whole answer is an event, and
so is its failure; it never overrides a rule or a person. It is asked again when what it is shown has changed,
and not more often than the setting says.
"""

import os
from collections.abc import Callable, Mapping
from hashlib import blake2b
from urllib.parse import urlsplit

import msgspec

from navlog.daemon import programs
from navlog.daemon.journal import Journal
from navlog.daemon.knowing.endpoint import post
from navlog.daemon.reacting import SOURCE
from navlog.projections.concepts.state import Project, State
from navlog.schemas.concepts import ConceptProviderFailed, ConceptsProposed, ProposedConcept
from navlog.schemas.envelope import draft
from navlog.schemas.errors import Degraded, NavlogError, UsageError
from navlog.schemas.events import Event
from navlog.schemas.settings import Concepts

SHOWN_FILES, SHOWN_TITLES = 2000, 300
ANSWER_BYTES = 256 * 1024  # an event's line has room for four times as much
WHY_CHARS = 300
PROMPT = """You name the concepts of a software project: the parts its maintainers talk about. You get JSON
with the concepts found by rules, file paths and titles of documents. Answer with JSON only:
{"concepts": [{"label": "...", "aliases": ["..."], "confidence": 0.8, "why": "...", "files": [{"path": "...",
"relation": "implemented_by|contains|tested_by|documented_by|configured_by", "confidence": 0.8}]}]}
Use only paths from the list. Name at most 20 concepts, only those that are missing or lack files."""


class _Answer(msgspec.Struct):
    concepts: list[ProposedConcept]


class _Message(msgspec.Struct):
    content: str


class _Choice(msgspec.Struct):
    message: _Message


class _Chat(msgspec.Struct):
    choices: list[_Choice]


class Proposing:
    """``state``: the concepts' projection; ``elapsed`` counts seconds."""

    def __init__(
        self, settings: Concepts, events: Journal, state: Callable[[], State], elapsed: Callable[[], float]
    ) -> None:
        self._settings = settings
        self._events = events
        self._state = state
        self._elapsed = elapsed
        self._asked_at: dict[str, float] = {}

    @property
    def provider(self) -> str:
        """What it is called in events, "" when none is configured."""
        settings = self._settings
        if settings.command:
            return f"command:{os.path.basename(settings.command[0])}"  # noqa: PTH119 - a name, not a file
        place = urlsplit(settings.endpoint).netloc.rpartition("@")[2]  # what stands before it is a secret
        return f"endpoint:{settings.model or place}" if settings.endpoint else ""

    def react(self) -> None:
        """Asks about every project whose names changed and whose time has come."""
        for name, project in list(self._state().items()):
            now = self._elapsed()
            last = self._asked_at.get(name)
            if project.name is not None and (last is None or now - last >= self._settings.every_s):
                question = _question(project)
                known = project.proposals.get(self.provider)
                if project.concepts and (known is None or known.asked != _digest(question)):
                    self._asked_at[name] = now
                    self.ask(name, project)

    def ask(self, name: str, project: Project) -> Event:
        """Asks now; what became of it is in the log when this returns."""
        if not self.provider:
            raise UsageError("No provider is configured.", hint="Set concepts.command: docs/settings.md")
        question = _question(project)
        asked = _digest(question)
        event: Event
        try:
            event = ConceptsProposed(provider=self.provider, asked=asked, concepts=self._answer(question))
        except (NavlogError, OSError, ValueError) as fault:
            said = fault.message if isinstance(fault, NavlogError) else str(fault)
            why = " ".join(said.split())[:WHY_CHARS] or type(fault).__name__
            event = ConceptProviderFailed(provider=self.provider, asked=asked, why=why)
            if project.failed.get(self.provider) == why:
                return event  # it is in the log, and in `status`
        self._events.append([draft(event, project=name, source=SOURCE, id=os.urandom(16).hex())]).result()
        return event

    def _answer(self, question: bytes) -> list[ProposedConcept]:
        settings = self._settings
        if settings.command:
            said = programs.run(settings.command, settings.timeout_s, question, limit=ANSWER_BYTES)
        else:
            said = self._post(question)
        if len(said) > ANSWER_BYTES:
            raise Degraded(f"The answer has {len(said):,} bytes; {ANSWER_BYTES:,} are read.")
        try:
            return msgspec.json.decode(said, type=_Answer).concepts
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise Degraded(f"Its answer cannot be read: {fault}") from None

    def _post(self, question: bytes) -> bytes:
        settings = self._settings
        key = os.environ.get(settings.key_variable, "")
        said = post(
            settings.endpoint.rstrip("/") + "/chat/completions", self._body(question), settings.timeout_s, key
        )
        return _content(said)

    def _body(self, question: bytes) -> Mapping[str, object]:
        return {
            "model": self._settings.model,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": [
                {"role": "system", "content": PROMPT},
                {"role": "user", "content": question.decode()},
            ],
        }


def _question(project: Project) -> bytes:
    pages = project.facts.pages.values() if project.facts else ()
    own = [one for one in project.concepts if one.source != "provider"]
    return msgspec.json.encode({
        "navlog": 1,
        "project": project.name,
        "concepts": [
            {"label": one.label, "aliases": one.aliases, "files": [claim.path for claim in one.files[:3]]}
            for one in own if one.shown
        ],
        "rejected": [one.label for one in own if not one.shown],
        "files": [page.path for page in pages if page.kind in ("source", "document")][:SHOWN_FILES],
        "documents": [
            {"path": page.path, "title": page.title.name} for page in pages if page.title
        ][:SHOWN_TITLES],
    })  # fmt: skip


def _digest(question: bytes) -> str:
    return blake2b(question, digest_size=8).hexdigest()


def _content(said: bytes) -> bytes:
    """The text of the first choice, without the fence that some models put around it."""
    try:
        reply = msgspec.json.decode(said, type=_Chat)
        text = reply.choices[0].message.content
    except (msgspec.DecodeError, UnicodeDecodeError, IndexError):
        raise Degraded("Its answer is not that of a chat completion.") from None
    return text.strip().removeprefix("```json").strip("`").encode()
