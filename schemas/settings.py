"""Every setting with its default. ``config.toml`` may name any of them; docs/settings.md describes each.

Durations are in seconds, sizes in bytes, budgets in tokens, unless the name says otherwise.
"""

from typing import Literal

import msgspec

from navlog.schemas.errors import UsageError


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table in the file; a name nobody knows is an error, so a typo is not a silent default."""


class Log(Section, frozen=True, kw_only=True):
    """``[log]``"""

    segment_bytes: int = 16 * 1024 * 1024
    line_bytes: int = 1024 * 1024
    anchor_every_s: float = 5.0
    slow_fsync_s: float = 0.5


class Listen(Section, frozen=True, kw_only=True):
    """``[listen]``"""

    settle_s: float = 0.01
    reconcile_every_s: float = 900.0
    poll_every_s: float = 5.0
    index_lock_s: float = 5.0
    index_hold_s: float = 60.0
    commit_depth: int = 2000
    commit_files: int = 300
    branches: int = 50


class Extract(Section, frozen=True, kw_only=True):
    """``[extract]``"""

    workers: int = 1
    file_bytes: int = 2 * 1024 * 1024
    line_chars: int = 20_000
    parse_s: float = 0.1
    kill_s: float = 10.0
    idle_s: float = 10.0
    ready_s: float = 300.0


class Answer(Section, frozen=True, kw_only=True):
    """``[answer]``"""

    files: int = 10
    budget: int = 3600
    fresh_s: float = 0.15
    first_s: float = 3.0


class Inject(Section, frozen=True, kw_only=True):
    """``[inject]``: what a session is given. ``worth`` is a score, the other two shares of the best one.

    Above ``target`` tokens there are only pointers, above ``cap`` nothing. ``…_share`` are shares of the cap.
    """

    target: int = 2800
    cap: int = 3600
    msu_share: float = 0.5
    knowledge_share: float = 0.25
    task_share: float = 0.1
    msus: int = 7
    recent_s: float = 300.0
    degrade: bool = True
    invented_share: float = 0.05
    invented_references: int = 20
    good_replies: int = 3
    bytes: int = 16_000
    files: int = 8
    texts: int = 2
    routing_tokens: int = 1200
    orientation_tokens: int = 700
    worth: float = 2.5
    worth_of_best: float = 0.25
    text_of_best: float = 0.45
    keep_s: float = 300.0


class Concepts(Section, frozen=True, kw_only=True):
    """``[concepts]``: who may propose concepts beside the rules; without command and endpoint nobody."""

    command: list[str] = []
    endpoint: str = ""
    model: str = ""
    key_variable: str = "NAVLOG_CONCEPTS_KEY"
    timeout_s: float = 60.0
    every_s: float = 3600.0


class Store(Section, frozen=True, kw_only=True):
    """``[store]``"""

    memory_mb: int = 128
    threads: int = 1
    batch: int = 8000
    sql_s: float = 10.0
    sql_rows: int = 10_000


class Nudge(Section, frozen=True, kw_only=True):
    """``[nudge]``: every threshold of a session's tail; they are judgements, so all of them can be set."""

    profile: Literal["parity", "calm"] = "parity"
    tail_tokens: int = 60_000
    reclaimable_tokens: int = 25_000
    gentle: float = 0.20
    firm: float = 0.40
    urgent: float = 0.60
    message_severity: float = 0.75
    message_tokens: int = 50_000
    cadence_tokens: int = 25_000
    cadence_share: float = 0.08
    repeat_turns: int = 5
    lease_s: int = 600
    calm_severity: float = 0.02
    calm_turns: int = 1
    recent_tools: int = 3
    recent_reduces: int = 3
    floor_share: float = 0.05
    floor_low_share: float = 0.08
    floor_low_tokens: int = 16_000
    floor_high_tokens: int = 64_000
    hints: int = 4
    hint_tokens: int = 250
    image_pixels: int = 750
    image_most: int = 4500
    image_unknown: int = 1200
    window: int = 200_000
    apply_share: float = 0.40
    reclaim: bool = False
    reclaim_from: float = 0.60
    reclaim_to: float = 0.40


class Slice(Section, frozen=True, kw_only=True):
    """``[slice]``: the caps of an MSU, and how many changes at once get one."""

    core_tokens: int = 512
    radius_tokens: int = 1024
    radius_text: int = 400
    at_once: int = 64
    hours: float = 24.0


class Queue(Section, frozen=True, kw_only=True):
    """``[queue]``: ``zone`` is the time zone in which "today" is counted, "" for the machine's.

    ``url`` is a Redis that several machines share, "" for none; ``password_env`` names the variable with its
    password.
    """

    zone: str = ""
    url: str = ""
    password_env: str = ""


class Embed(Section, frozen=True, kw_only=True):
    """``[embed]``: which model turns texts into vectors. ``key_env`` names the variable with its key.

    ``dimensions``: 0 takes the model's own; fewer of them are asked for, and cut to where a server gives all.
    """

    provider: Literal["hashing", "openai", "ollama"] = "hashing"
    url: str = ""
    model: str = ""
    dimensions: int = 0
    key_env: str = ""
    timeout_s: float = 10.0


class Knowledge(Section, frozen=True, kw_only=True):
    """``[knowledge]``: who summarises, and how much is given. 0 and "" mean off, or calibrated."""

    summariser: Literal["extractive", "endpoint", "command"] = "extractive"
    endpoint: str = ""
    model: str = ""
    key_file: str = ""
    command: list[str] = []
    ask_s: float = 60.0
    pieces: int = 3
    similarity: float = 0.0
    score: float = 0.25
    budget: int = 4000
    window: int = 200_000
    rerank: str = ""
    rerank_s: float = 0.15
    keep_s: float = 300.0
    rollback_days: float = 7.0
    issues_command: list[str] = []
    issues_api: str = ""
    issues_token_file: str = ""
    issues_every_s: float = 900.0


class Citation(Section, frozen=True, kw_only=True):
    """``[citation]``: whether whoever uses a piece is asked to quote its entry pointer."""

    mode: Literal["must", "fact", "off"] = "must"
    retries: int = 0


class Candidate(Section, frozen=True, kw_only=True):
    """``[candidate]``: a configuration on trial for a share of the sessions; "" and 0 are as it is set.

    ``rerank = "none"`` tries it without the reranker. What is not named here, keys and timeouts, is as set.
    """

    name: str = ""
    share: float = 0.1
    summariser: Literal["", "extractive", "endpoint", "command"] = ""
    similarity: float = 0.0
    score: float = 0.0
    mode: Literal["", "must", "fact", "off"] = ""
    target: int = 0
    cap: int = 0
    msu_share: float = 0.0
    msus: int = 0
    recent_s: float = 0.0
    embedder: Literal["", "hashing", "openai", "ollama"] = ""
    embed_url: str = ""
    embed_model: str = ""
    embed_dimensions: int = 0
    rerank: str = ""


class Security(Section, frozen=True, kw_only=True):
    """``[security]``"""

    redact: bool = True


class Vault(Section, frozen=True, kw_only=True):
    """``[vault]``"""

    path: str = ""
    language: Literal["en", "zh"] = "en"
    files: int = 1000


class Settings(Section, frozen=True, kw_only=True):
    """The whole file."""

    log: Log = Log()
    listen: Listen = Listen()
    extract: Extract = Extract()
    answer: Answer = Answer()
    inject: Inject = Inject()
    concepts: Concepts = Concepts()
    store: Store = Store()
    nudge: Nudge = Nudge()
    slice: Slice = Slice()
    queue: Queue = Queue()
    embed: Embed = Embed()
    knowledge: Knowledge = Knowledge()
    citation: Citation = Citation()
    candidate: Candidate = Candidate()
    security: Security = Security()
    vault: Vault = Vault()


def parse_settings(text: bytes) -> Settings:
    """Settings from TOML; raises `UsageError` naming the faulty place."""
    try:
        return msgspec.toml.decode(text, type=Settings)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise UsageError(
            f"The settings cannot be read: {fault}", hint="Every setting is described in docs/settings.md."
        ) from fault
