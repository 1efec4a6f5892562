"""What an agent proposes, read from the log and as the judgement a person makes of it."""

from typing import Any

import pytest

from navlog.projections.concepts.proposals import proposals, wanted
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import JudgeArgs
from navlog.schemas.sessions import JudgementProposed, ProposalJudged
from support.sessions import Told


def proposed(overlay: str = "alias_added", proposal: str = "x", **fields: str) -> JudgementProposed:
    return JudgementProposed(proposal=proposal, overlay=overlay, fields=fields, why="so", host="codex")


def judged(verdict: Any, proposal: str = "x") -> ProposalJudged:
    return ProposalJudged(proposal=proposal, verdict=verdict, who="ann")


@pytest.mark.parametrize(
    ("overlay", "fields", "said"),
    [
        ("concept_created", {"label": "Till"}, {"action": "create", "label": "Till"}),
        ("concept_created", {"label": "Till", "concept": "any"}, {"action": "create", "label": "Till"}),
        (
            "concept_renamed",
            {"concept": "a", "label": "B"},
            {"action": "rename", "target": "a", "label": "B"},
        ),
        ("alias_added", {"concept": "a", "alias": "B"}, {"action": "alias", "target": "a", "label": "B"}),
        ("concepts_merged", {"concept": "a", "into": "b"}, {"action": "merge", "target": "a", "other": "b"}),
        (
            "file_mapped",
            {"concept": "a", "relation": "tested_by", "path": "t.py"},
            {"action": "map", "target": "a", "relation": "tested_by", "paths": ["t.py"]},
        ),
        (
            "file_unmapped",
            {"concept": "a", "relation": "contains", "path": "t.py"},
            {"action": "unmap", "target": "a", "relation": "contains", "paths": ["t.py"]},
        ),
        (
            "relation_created",
            {"subject": "a", "relation": "depends_on", "object": "b"},
            {"action": "relate", "target": "a", "relation": "depends_on", "other": "b"},
        ),
        ("claim_rejected", {"target": "a"}, {"action": "reject", "target": "a"}),
        (
            "claim_accepted",
            {"subject": "a", "relation": "tested_by", "object": "t.py"},
            {"action": "accept", "target": "a", "relation": "tested_by", "other": "t.py"},
        ),
    ],
)
def test_a_proposal_means_what_a_person_would_ask_for(
    overlay: str, fields: dict[str, str], said: dict[str, Any]
) -> None:
    expected = JudgeArgs(project="p", who="ann", why="so", **said)
    assert wanted(proposed(overlay, **fields), "p", "ann") == expected


@pytest.mark.parametrize(
    ("overlay", "fields"),
    [
        ("alias_added", {"concept": "a"}),
        ("alias_added", {"concept": "a", "alias": "b", "more": "c"}),
        ("concept_split", {"concept": "a", "part": "b", "label": "c", "paths": "d"}),
        ("overlay_withdrawn", {"position": "1"}),
        ("nothing", {}),
    ],
)
def test_what_nobody_can_accept_is_an_error(overlay: str, fields: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        wanted(proposed(overlay, **fields), "p", "ann")


def test_the_last_verdict_stands() -> None:
    told = Told().tell(
        proposed(concept="a", alias="b"),
        proposed(concept="a", alias="c", proposal="y"),
        judged("accepted"), judged("open"), judged("rejected"), judged("accepted", "unheard-of"),
    )  # fmt: skip
    found = proposals(told.records)
    assert [(id_, one.verdict, one.judged) for id_, one in found.items()] == [
        ("x", "rejected", 3), ("y", "open", 0),
    ]  # fmt: skip
