"""Real runs beside each other: what a run read, which runs count, and when a saving is told."""

import pytest

from navlog.daemon.comparing.pairing import arms, latest, savings, seen
from navlog.schemas.benching import Arm, Run, RunRecorded
from navlog.schemas.tasks import FileUse


def run(
    arm: Arm, case: str = "1", *, recall: float = 1.0, success: bool | None = True,
    tokens: int | None = 1000, read: tuple[str, ...] = ("a",),
) -> Run:  # fmt: skip
    return Run(
        suite="s", case=case, arm=arm, task="t", at="", recall=recall, read=list(read), changed=[],
        success=success, tokens=tokens,
    )  # fmt: skip


def test_what_a_run_read_comes_from_its_task() -> None:
    event = RunRecorded(
        suite="s", case="1", arm="with", task="t", expected=["a", "b", "c", "gone"], tokens=7, success=True
    )
    files = [FileUse(path="a", read=2), FileUse(path="b", modified=1), FileUse(path="c", searched=1)]
    told = seen(event, "now", [*files, FileUse(path="d", read=1)])
    assert (told.read, told.changed) == (["a", "d"], ["b"])
    assert (told.recall, told.needless) == (0.75, 0.5)
    assert (told.tokens, told.success, told.seconds) == (7, True, None)


def test_a_run_that_read_nothing_has_no_share_of_needless_files() -> None:
    event = RunRecorded(suite="s", case="1", arm="with", task="t", expected=["a"])
    told = seen(event, "now", [])
    assert (told.recall, told.needless) == (0.0, None)


def test_the_last_run_of_a_case_and_arm_counts() -> None:
    first, other, again = run("with", tokens=1), run("without"), run("with", tokens=2)
    assert latest([first, other, again]) == [other, again]


def test_a_saving_is_a_share_of_what_was_spent_without() -> None:
    both = [run("with", tokens=250), run("without", tokens=1000, read=("a", "b"))]
    (saving,) = savings(both)
    assert (saving.pairs, saving.counted, saving.left_out) == (1, 1, {})
    assert (saving.tokens, saving.read) == (0.75, 0.5)
    assert saving.turns is None


def test_what_costs_more_is_a_negative_saving() -> None:
    (saving,) = savings([run("with", tokens=1500), run("without", tokens=1000)])
    assert saving.tokens == -0.5


@pytest.mark.parametrize(
    ("poor", "why"),
    [
        (run("with", recall=0.94), "recall of 0.94"),
        (run("without", recall=0.94), "the run without navlog"),
        (run("with", success=False), "failed"),
        (run("without", success=None), "nobody said"),
    ],
)
def test_a_pair_that_missed_files_or_did_not_succeed_tells_no_saving(poor: Run, why: str) -> None:
    other = run("without" if poor.arm == "with" else "with")
    good = [run("with", "2", tokens=500), run("without", "2", tokens=1000)]
    (saving,) = savings([poor, other, *good])
    assert (saving.pairs, saving.counted) == (2, 1)
    assert why in saving.left_out["1"]
    assert saving.tokens == 0.5


def test_numbers_that_one_side_did_not_measure_are_not_compared() -> None:
    pairs = [run("with", tokens=500), run("without", tokens=None)]
    pairs += [run("with", "2", tokens=900), run("without", "2", tokens=1000)]
    (saving,) = savings(pairs)
    assert saving.tokens == pytest.approx(0.1)


def test_a_case_with_one_arm_is_no_pair() -> None:
    assert savings([run("with")]) == []


def test_an_arm_has_the_means_of_what_was_measured() -> None:
    told = arms([run("with", tokens=100, success=False), run("with", "2", tokens=None), run("without")])
    assert [(one.arm, one.runs) for one in told] == [("with", 2), ("without", 1)]
    assert (told[0].tokens, told[0].success, told[0].turns) == (100, 0.5, None)
