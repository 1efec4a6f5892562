"""What agents would judge, and what people made of it: read from the log, told in a person's terms. Pure.

A proposal names concepts and files as an agent heard them; what it means is understood when a person accepts
it, by the rules of any judgement (`understanding`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Literal, NamedTuple

from msgspec.structs import replace

from navlog.schemas.envelope import Record
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import Action, JudgeArgs
from navlog.schemas.overlays import OVERLAYS, Overlay
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import JudgementProposed, ProposalJudged

PREFIX = "proposal:"  # how a person names one where a concept could stand
Verdict = Literal["open", "accepted", "rejected"]
OPEN: Literal["open"] = "open"
Fields = Mapping[str, str]


class Proposal(NamedTuple):
    """``verdict``: open, accepted or rejected; ``judged``: how often somebody said so, ``who`` did last."""

    at: str
    said: JudgementProposed
    verdict: Verdict = OPEN
    who: str = ""
    judged: int = 0

    @property
    def target(self) -> str:
        """What it is accepted and rejected by."""
        return PREFIX + self.said.proposal


def proposals(records: Iterable[Record]) -> dict[str, Proposal]:
    """By their ids, the oldest first; ``records``: one project's, in the order of the log."""
    found: dict[str, Proposal] = {}
    for record in records:
        event = decode_payload(record)
        if isinstance(event, JudgementProposed):
            found[event.proposal] = Proposal(record.occurred_at or record.at, event)
        elif isinstance(event, ProposalJudged) and event.proposal in found:
            known = found[event.proposal]
            found[event.proposal] = known._replace(
                verdict=event.verdict, who=event.who, judged=known.judged + 1
            )
    return found


def wanted(said: JudgementProposed, project: str, who: str) -> JudgeArgs:
    """The judgement a person makes by accepting it; raises `UsageError` for what nobody can accept."""
    make, required = _MEANINGS.get(said.overlay, (None, frozenset()))
    if make is None:
        raise UsageError(
            f"{said.overlay[:80]!r} cannot be proposed.", hint=f"Known: {', '.join(sorted(_MEANINGS))}."
        )
    own = set(OVERLAYS[said.overlay].__struct_fields__) - set(Overlay.__struct_fields__)
    if not required <= set(said.fields) <= own:
        raise UsageError(f"The fields of {said.overlay} are {', '.join(sorted(own))}.")
    return replace(make(said.fields), project=project, who=who, why=said.why)


def _claim(action: Action, fields: Fields) -> JudgeArgs:
    target = fields.get("subject", "") or fields.get("target", "")
    relation, other = fields.get("relation", ""), fields.get("object", "")
    return JudgeArgs(action=action, target=target, relation=relation, other=other)


def _file(action: Action, fields: Fields) -> JudgeArgs:
    paths = [fields["path"]]
    return JudgeArgs(action=action, target=fields["concept"], relation=fields["relation"], paths=paths)


def _needs(*fields: str) -> frozenset[str]:
    return frozenset(fields)


# An overlay's type -> what a person would have asked for, and the fields it cannot be without. Of the others
# a split has a list, and a withdrawal a place in a log that no agent sees.
_MEANINGS: Mapping[str, tuple[Callable[[Fields], JudgeArgs], frozenset[str]]] = {
    "concept_created": (lambda said: JudgeArgs(action="create", label=said["label"]), _needs("label")),
    "concept_renamed": (
        lambda said: JudgeArgs(action="rename", target=said["concept"], label=said["label"]),
        _needs("concept", "label"),
    ),
    "alias_added": (
        lambda said: JudgeArgs(action="alias", target=said["concept"], label=said["alias"]),
        _needs("concept", "alias"),
    ),
    "concepts_merged": (
        lambda said: JudgeArgs(action="merge", target=said["concept"], other=said["into"]),
        _needs("concept", "into"),
    ),
    "file_mapped": (partial(_file, "map"), _needs("concept", "relation", "path")),
    "file_unmapped": (partial(_file, "unmap"), _needs("concept", "relation", "path")),
    "relation_created": (partial(_claim, "relate"), _needs("subject", "relation", "object")),
    "claim_accepted": (partial(_claim, "accept"), _needs()),
    "claim_rejected": (partial(_claim, "reject"), _needs()),
}
