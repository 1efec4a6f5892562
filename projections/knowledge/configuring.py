"""Which configuration a session runs: the one that is set, one that was promoted, or a candidate on trial."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from navlog.projections.graph.tables import Row
from navlog.schemas.event import Event
from navlog.schemas.knowledge import CandidateConfiguration, CitationMode, Verdict
from navlog.schemas.sessions import InjectionGiven
from navlog.schemas.settings import Candidate, Embed, Inject, Settings

NO_RERANKER = "none"
INJECTED = ("target", "cap", "msu_share", "msus", "recent_s")  # of `Inject` that a candidate may set


class Configuration(NamedTuple):
    """``variant`` is "" for what is set; ``mode`` the citation's; ``inject`` what a session is given.

    ``summariser`` is "" for the one that is set; what another kind said is kept under ``summaries``.
    """

    variant: str
    summaries: str
    summariser: str
    similarity: float
    score: float
    mode: CitationMode
    inject: Inject
    embed: Embed
    rerank: str


class Judged(NamedTuple):
    """What a person decided about a candidate."""

    candidate: str
    verdict: Verdict
    configuration: CandidateConfiguration


def judged_of(rows: Iterable[Row]) -> dict[str, Judged]:
    """Rows of `tables.judged` by their candidates, in that order."""
    return {row[1]: Judged(row[1], row[2], CandidateConfiguration(*row[3:-1])) for row in rows}


def promoted_of(judged: Mapping[str, Judged]) -> Judged | None:
    """What was promoted last."""
    return next((one for one in reversed([*judged.values()]) if one.verdict == "promoted"), None)


def summaries_of(promoted: Judged | None) -> tuple[str, str]:
    """(variant, kind of summariser) of the summaries that count for everybody; "" for what is set."""
    summariser = promoted.configuration.summariser if promoted else ""
    return (_summaries(summariser, promoted.candidate), summariser) if promoted and summariser else ("", "")


def base(settings: Settings, promoted: Judged | None = None) -> Configuration:
    """What counts for everybody: the settings, with what was promoted last on top."""
    knowledge = settings.knowledge
    plain = Configuration(
        "", "", "", knowledge.similarity, knowledge.score, settings.citation.mode, settings.inject,
        settings.embed, knowledge.rerank,
    )  # fmt: skip
    if not promoted:
        return plain
    return over(plain, promoted.configuration, promoted.candidate)._replace(variant="")


def begun(variant: str | None, event: Event, _position: int = 0) -> str | None:
    """What a session began with, None before its first injection: the fold of its events."""
    return event.variant if variant is None and isinstance(event, InjectionGiven) else variant


def of_session(
    settings: Settings, session: str, judged: Mapping[str, Judged], variant: str | None = None
) -> Configuration:
    """The configuration of a session that began with ``variant``; it keeps that while it is on trial."""
    candidate = settings.candidate
    tried = variant == candidate.name if variant is not None else is_trial(session, candidate)
    return of_variant(settings, candidate.name if tried else "", judged)


def of_variant(settings: Settings, variant: str, judged: Mapping[str, Judged]) -> Configuration:
    """What a variant runs; one that is on trial no more runs what counts for everybody."""
    plain = base(settings, promoted_of(judged))
    candidate = settings.candidate
    if not variant or variant != candidate.name or variant in judged:
        return plain
    return over(plain, configuration_of(candidate), variant)


def is_trial(session: str, candidate: Candidate) -> bool:
    """Whether the session is among the candidate's share, by the hash of its id and the candidate's name."""
    if not session:
        return False
    drawn = hashlib.sha256(f"{candidate.name}\n{session}".encode("utf-8", "replace")).digest()
    return int.from_bytes(drawn[:8]) < candidate.share * 2**64


def configuration_of(candidate: Candidate) -> CandidateConfiguration:
    """As it is recorded when it is judged."""
    names = CandidateConfiguration.__struct_fields__
    return CandidateConfiguration(**{name: getattr(candidate, name) for name in names})


def over(plain: Configuration, differs: CandidateConfiguration, variant: str) -> Configuration:
    """``plain`` with what differs; "" and 0 do not."""
    return Configuration(
        variant,
        # What rules say of a text is in the log for everybody, what a model says under the candidate's name.
        _summaries(differs.summariser, variant) if differs.summariser else plain.summaries,
        differs.summariser or plain.summariser,
        differs.similarity or plain.similarity,
        differs.score or plain.score,
        differs.mode or plain.mode,  # type: ignore[arg-type]  # checked where it was set
        msgspec.structs.replace(
            plain.inject, **{name: set_ for name in INJECTED if (set_ := getattr(differs, name))}
        ),
        _embed(plain.embed, differs),
        "" if differs.rerank == NO_RERANKER else differs.rerank or plain.rerank,
    )


def _summaries(summariser: str, variant: str) -> str:
    return "" if summariser == "extractive" else variant


def _embed(plain: Embed, differs: CandidateConfiguration) -> Embed:
    changed = {
        "provider": differs.embedder, "url": differs.embed_url, "model": differs.embed_model,
        "dimensions": differs.embed_dimensions,
    }  # fmt: skip
    return msgspec.structs.replace(plain, **{name: value for name, value in changed.items() if value})
