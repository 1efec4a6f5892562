"""The public golden data: 16 tails, 16 protected windows."""

from typing import Any

import pytest

from navlog.projections.nudging.bands import band
from navlog.projections.nudging.window import Output, cutoff
from support.tails import NUDGE, golden, hygiene

HYGIENE = golden("hygiene-golden.json")["cases"]
TOKENS = golden("hygiene-part-tokens.json")["parts"]
WINDOWS = golden("protection-window-golden.json")["cases"]


def test_all_of_the_golden_data_is_here() -> None:
    assert (len(HYGIENE), len(WINDOWS)) == (16, 16)


@pytest.mark.parametrize("case", HYGIENE, ids=lambda case: case["id"])
def test_a_tail_measures_as_the_golden_data_say(case: dict[str, Any]) -> None:
    found = hygiene(case, TOKENS[case["id"]])
    assert {"u": found.u, "t": found.t, "band": band(found.u, found.t, NUDGE)} == case["expected"]


@pytest.mark.parametrize("case", WINDOWS, ids=lambda case: case["label"])
def test_a_protected_window_is_cut_as_the_golden_data_say(case: dict[str, Any]) -> None:
    tools = [row for row in case["rows"] if row["kind"] == "tool"]
    cut = cutoff([Output(row["tag_number"], row["tokenCount"]) for row in tools], case["floor"], NUDGE)
    inside = [row for row in tools if cut is not None and row["tag_number"] >= cut]
    assert cut == case["expectedCutoff"]
    assert (
        sorted(f"{row['tag_number']}:{row['row_identity']}" for row in inside)
        == case["expectedProtectedRows"]
    )
    assert len(inside) == case["expectedProtectedCount"]
    assert sum(row["tokenCount"] or 0 for row in inside) == case["expectedProtectedMass"]
