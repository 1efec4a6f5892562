"""Every setting with its default. ``config.toml`` may name any of them; docs/settings.md describes each.

Durations are in seconds, sizes in bytes, budgets in tokens, unless the name says otherwise.
"""

from typing import Annotated, Literal

import msgspec

from navlog.schemas.bounds import Count, Period, Positive, Seconds, Share, Weight
from navlog.schemas.errors import UsageError


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table in the file; a name nobody knows is an error, so a typo is not a silent default."""


class Log(Section, frozen=True, kw_only=True):
    """``[log]``"""

    segment_bytes: Positive = 16 * 1024 * 1024
    line_bytes: Positive = 1024 * 1024
    anchor_every_s: Period = 5.0
    slow_fsync_s: Seconds = 0.5


class Listen(Section, frozen=True, kw_only=True):
    """``[listen]``"""

    settle_s: Seconds = 0.01
    reconcile_every_s: Period = 900.0
    poll_every_s: Period = 5.0
    index_lock_s: Seconds = 5.0
    index_hold_s: Seconds = 60.0
    commit_depth: Count = 2000
    commit_files: Count = 300
    branches: Count = 50


class Extract(Section, frozen=True, kw_only=True):
    """``[extract]``"""

    workers: Positive = 1
    file_bytes: Positive = 2 * 1024 * 1024
    line_chars: Positive = 20_000
    parse_s: Period = 0.1
    kill_s: Period = 10.0
    idle_s: Period = 10.0
    ready_s: Seconds = 300.0


class Answer(Section, frozen=True, kw_only=True):
    """``[answer]``"""

    files: Positive = 10
    budget: Positive = 3600
    fresh_s: Seconds = 0.15
    first_s: Seconds = 3.0


class Inject(Section, frozen=True, kw_only=True):
    """``[inject]``: what a session is given. ``worth`` is a score, the other two shares of the best one.

    Above ``target`` tokens there are only pointers, above ``cap`` nothing. ``…_share`` are shares of the cap.
    """

    target: Count = 2800
    cap: Count = 3600
    msu_share: Share = 0.5
    knowledge_share: Share = 0.25
    task_share: Share = 0.1
    msus: Count = 7
    recent_s: Seconds = 300.0
    degrade: bool = True
    invented_share: Share = 0.05
    invented_references: Count = 20
    good_replies: Count = 3
    bytes: Count = 16_000
    files: Count = 8
    texts: Count = 2
    routing_tokens: Count = 1200
    orientation_tokens: Count = 700
    worth: Weight = 2.5
    worth_of_best: Weight = 0.25
    text_of_best: Weight = 0.45
    keep_s: Seconds = 300.0


class Concepts(Section, frozen=True, kw_only=True):
    """``[concepts]``: who may propose concepts beside the rules; without command and endpoint nobody."""

    command: list[str] = []
    endpoint: str = ""
    model: str = ""
    key_variable: str = "NAVLOG_CONCEPTS_KEY"
    timeout_s: Period = 60.0
    every_s: Period = 3600.0


class Store(Section, frozen=True, kw_only=True):
    """``[store]``"""

    memory_mb: Annotated[int, msgspec.Meta(ge=64)] = 128  # `sql` takes 32 of them before its first row
    threads: Positive = 1
    batch: Positive = 8000
    sql_s: Period = 10.0
    sql_rows: Positive = 10_000


class Nudge(Section, frozen=True, kw_only=True):
    """``[nudge]``: every threshold of a session's tail; they are judgements, so all of them can be set."""

    profile: Literal["parity", "calm"] = "parity"
    tail_tokens: Positive = 60_000
    reclaimable_tokens: Count = 25_000
    gentle: Weight = 0.20
    firm: Weight = 0.40
    urgent: Weight = 0.60
    message_severity: Weight = 0.75
    message_tokens: Count = 50_000
    cadence_tokens: Count = 25_000
    cadence_share: Share = 0.08
    repeat_turns: Count = 5
    lease_s: Positive = 600
    calm_severity: Weight = 0.02
    calm_turns: Count = 1
    recent_tools: Count = 3
    recent_reduces: Count = 3
    floor_share: Share = 0.05
    floor_low_share: Share = 0.08
    floor_low_tokens: Count = 16_000
    floor_high_tokens: Count = 64_000
    hints: Count = 4
    hint_tokens: Count = 250
    image_pixels: Positive = 750
    image_most: Count = 4500
    image_unknown: Count = 1200
    window: Positive = 200_000
    apply_share: Share = 0.40
    reclaim: bool = False
    reclaim_from: Weight = 0.60
    reclaim_to: Weight = 0.40


class Slice(Section, frozen=True, kw_only=True):
    """``[slice]``: the caps of an MSU, and how many changes at once get one."""

    core_tokens: Positive = 512
    radius_tokens: Positive = 1024
    radius_text: Count = 400
    at_once: Count = 64
    hours: Period = 24.0


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
    dimensions: Count = 0
    key_env: str = ""
    timeout_s: Period = 10.0


class Knowledge(Section, frozen=True, kw_only=True):
    """``[knowledge]``: who summarises, and how much is given. 0 and "" mean off, or calibrated."""

    summariser: Literal["extractive", "endpoint", "command"] = "extractive"
    endpoint: str = ""
    model: str = ""
    key_file: str = ""
    command: list[str] = []
    ask_s: Period = 60.0
    pieces: Count = 3
    similarity: Share = 0.0
    score: Weight = 0.25
    budget: Positive = 4000
    window: Positive = 200_000
    rerank: str = ""
    rerank_s: Period = 0.15
    keep_s: Seconds = 300.0
    rollback_days: Seconds = 7.0
    issues_command: list[str] = []
    issues_api: str = ""
    issues_token_file: str = ""
    issues_every_s: Period = 900.0


class Citation(Section, frozen=True, kw_only=True):
    """``[citation]``: whether whoever uses a piece is asked to quote its entry pointer."""

    mode: Literal["must", "fact", "off"] = "must"
    retries: Count = 0


class Candidate(Section, frozen=True, kw_only=True):
    """``[candidate]``: a configuration on trial for a share of the sessions; "" and 0 are as it is set.

    ``rerank = "none"`` tries it without the reranker. What is not named here, keys and timeouts, is as set.
    """

    name: str = ""
    share: Share = 0.1
    summariser: Literal["", "extractive", "endpoint", "command"] = ""
    similarity: Share = 0.0
    score: Weight = 0.0
    mode: Literal["", "must", "fact", "off"] = ""
    target: Count = 0
    cap: Count = 0
    msu_share: Share = 0.0
    msus: Count = 0
    recent_s: Seconds = 0.0
    embedder: Literal["", "hashing", "openai", "ollama"] = ""
    embed_url: str = ""
    embed_model: str = ""
    embed_dimensions: Count = 0
    rerank: str = ""


class Security(Section, frozen=True, kw_only=True):
    """``[security]``"""

    redact: bool = True


class Vault(Section, frozen=True, kw_only=True):
    """``[vault]``"""

    path: str = ""
    language: Literal["en", "zh"] = "en"
    files: Count = 1000


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
