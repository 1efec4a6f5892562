"""The review, played by keys: what is judged, what is left, what undo takes back."""

import pytest

from navlog.daemon.cli.reviewing import HELP, NOWHERE, Review
from navlog.schemas.concept import Evidence
from navlog.schemas.meaning import Candidate, JudgeArgs

FOUND = [
    Candidate(id=f"concept:{name}", concept=f"concept:{name}", says=f"“{name}” is a part", confidence=0.9,
              evidence=[Evidence("a module of that name", f"{name}.py", 1)])
    for name in ("one", "two", "three")
]  # fmt: skip


class Judge:
    def __init__(self) -> None:
        self.said: list[JudgeArgs] = []

    def __call__(self, args: JudgeArgs) -> int:
        self.said.append(args)
        return len(self.said)


def play(keys: str) -> tuple[list[str], list[str]]:
    judge = Judge()
    lines = list(Review(FOUND, "p", "ann", judge).run(iter(keys)))
    return [f"{one.action} {one.target or one.position}" for one in judge.said], lines


@pytest.mark.parametrize(
    ("keys", "said", "end"),
    [
        ("ars", ["accept concept:one", "reject concept:two"], "2 judged, 1 skipped, 0 left"),
        ("aq", ["accept concept:one"], "1 judged, 0 skipped, 2 left"),
        ("", [], "0 judged, 0 skipped, 3 left"),
        ("sA", ["accept concept:two", "accept concept:three"], "2 judged, 1 skipped, 0 left"),
        ("R", [f"reject concept:{name}" for name in ("one", "two", "three")], "3 judged, 0 skipped, 0 left"),
        ("ruaq", ["reject concept:one", "withdraw 1", "accept concept:one"], "1 judged, 0 skipped, 2 left"),
        ("suq", [], "0 judged, 0 skipped, 3 left"),
        (
            "ssruaq",
            ["reject concept:three", "withdraw 1", "accept concept:three"],
            "1 judged, 2 skipped, 0 left",
        ),
    ],
)
def test_keys(keys: str, said: list[str], end: str) -> None:
    assert (play(keys)[0], play(keys)[1][-1]) == (said, end)


def test_a_proposal_is_judged_by_its_name_and_taken_back_by_it() -> None:
    one = Candidate(
        id="proposal:x", concept="proposal:x", says="alias", confidence=1.0, evidence=[], by="codex"
    )
    said: list[JudgeArgs] = []

    def judge(args: JudgeArgs) -> int:
        said.append(args)
        return NOWHERE

    lines = list(Review([one, FOUND[0]], "p", "ann", judge).run(iter("rurq")))
    assert [(args.action, args.target) for args in said] == [
        ("reject", "proposal:x"), ("reopen", "proposal:x"), ("reject", "proposal:x"),
    ]  # fmt: skip
    assert lines[2] == "alias  (proposed by codex; 2 candidates left)"
    assert lines[-1] == "1 judged, 0 skipped, 1 left"


def test_a_candidate_is_shown_with_its_evidence_and_how_many_are_left() -> None:
    lines = play("aq")[1]
    assert lines[0] == HELP
    assert lines[2:4] == ["“one” is a part  (0.90; 3 candidates left)", "    a module of that name  one.py:1"]
    assert any("2 candidates left" in line for line in lines)


def test_another_key_says_what_the_keys_are_and_undo_says_when_there_is_nothing() -> None:
    assert play("xq")[1].count(HELP) == 2
    assert "  There is nothing to undo." in play("uq")[1]


def test_nothing_left_is_said() -> None:
    assert next(Review([], "p", "ann", Judge()).run(iter(""))) == "Nothing is left to judge."
