"""{U, T}: which parts are in the tail, which could be given up, and the window that protects the newest."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.projections.nudging.measuring import CODES, Measurement, Standing, arrange, measure
from navlog.projections.nudging.tail import Counted
from navlog.projections.nudging.window import calibrated, cutoff, default_floor, half_up
from navlog.schemas.nudges import TailTag
from navlog.schemas.settings import Nudge

NUDGE = Nudge()


def text(block: str, tokens: int = 10, code: str = "") -> Counted:
    return Counted(block, "text", "prose", tokens, code)


def arc(name: str, tokens: int = 10, *, call: str = "", tool: str = "bash", code: str = "") -> list[Counted]:
    call = call or name
    return [
        Counted(f"{name}c#0", "call", "tool", 1, "", call, tool),
        Counted(f"{name}r#0", "result", "tool", 0 if code else tokens, code, call, tool),
    ]


def tags(*blocks: str, tool: str = "bash") -> list[TailTag]:
    return [
        TailTag(
            number,
            block,
            "message" if block.startswith("t") else "tool",
            "" if block.startswith("t") else tool,
        )
        for number, block in enumerate(blocks, 1)
    ]


def measured(parts: list[Counted], tags: Sequence[TailTag] = (), **standing: Any) -> Measurement:
    return measure(arrange(parts, tags), Standing(**standing), NUDGE)


def codes(found: Measurement) -> dict[str, str]:
    return {part.block: part.code for part in found.parts}


def test_what_has_no_tag_is_in_the_tail_alone() -> None:
    found = measured([text("t1#0", 7), text("t2#0", 5)], tags=tags("t1#0"))
    assert (found.u, found.t) == (7, 12)
    assert codes(found) == {"t1#0": "reclaimable", "t2#0": "untagged"}


def test_one_tag_covers_a_call_and_its_result_wherever_it_stands() -> None:
    for block in ("ac#0", "ar#0", "a"):
        found = measured([*arc("a", 9), *newest()], tags=[TailTag(1, block, "tool", "bash"), *newest_tags()])
        assert (found.u, found.outputs) == (10, 1)


def newest() -> list[Counted]:
    return [part for n in "xyz" for part in arc(n, 0)]


def newest_tags() -> list[TailTag]:
    return [TailTag(90 + n, f"{name}c#0", "tool", "bash") for n, name in enumerate("xyz")]


def test_a_call_id_that_comes_again_says_nothing_about_its_tag() -> None:
    parts = [*arc("a", 9, call="same"), *arc("b", 9, call="same"), *newest()]
    found = measured(parts, tags=[TailTag(1, "same", "tool", "bash"), *newest_tags()])
    assert [codes(found)[block] for block in ("ac#0", "ar#0", "bc#0", "br#0")] == ["untagged"] * 4


def test_calls_and_results_with_one_id_pair_in_their_order() -> None:
    parts = [*arc("a", code="placeholder", call="same"), *arc("b", 9, call="same"), *newest()]
    found = measured(parts, tags=[*tags("ac#0", "bc#0"), *newest_tags()])
    assert codes(found)["ac#0"] == "placeholder"
    assert found.u == 10


def test_a_placeholder_takes_its_call_out_of_the_tail() -> None:
    found = measured([*arc("a", code="placeholder"), text("t1#0", 3)])
    assert (found.u, found.t) == (0, 3)


def test_an_open_call_and_a_result_alone_are_counted() -> None:
    parts = [arc("a")[0], arc("b", 9)[1]]
    assert measured(parts).t == 10


def test_queued_drops_leave_u_at_once_and_stay_in_t() -> None:
    standing: dict[str, Any] = {"tags": tags("t1#0", "t2#0")}
    before = measured([text("t1#0", 7), text("t2#0", 5)], **standing)
    after = measured([text("t1#0", 7), text("t2#0", 5)], **standing, queued=frozenset({2}))
    assert (before.u, before.t) == (12, 12)
    assert (after.u, after.t) == (7, 12)


def test_a_dropped_tag_is_not_active() -> None:
    found = measured([text("t1#0", 7)], tags=tags("t1#0"), dropped=frozenset({1}))
    assert (found.u, found.t, codes(found)) == (0, 7, {"t1#0": "dropped"})


@pytest.mark.parametrize(
    "code",
    sorted(set(CODES) - {"reclaimable", "protected", "recent_reduce", "queued", "untagged", "dropped"}),
)
def test_what_counts_nothing_is_in_neither_even_with_a_tag(code: str) -> None:
    found = measured([text("t1#0", 99, code)], tags=tags("t1#0"))
    assert (found.u, found.t, codes(found)) == (0, 0, {"t1#0": code})


def test_u_counts_prose_and_tools_alike() -> None:
    found = measured([text("t1#0", 7), *arc("a", 9), *newest()], tags=[*tags("t1#0", "ac#0"), *newest_tags()])
    assert (found.u, found.t, found.outputs) == (17, 20, 1)


def test_the_three_newest_tool_tags_are_protected_and_no_text_is() -> None:
    parts = [part for n in "abcd" for part in arc(n)] + [text("t1#0", 5)]
    numbers = [*tags("ac#0", "bc#0", "cc#0", "dc#0"), TailTag(5, "t1#0", "message")]
    found = measured(parts, tags=numbers)
    assert found.cutoff == 2
    assert [codes(found)[f"{n}r#0"] for n in "abcd"] == ["reclaimable", "protected", "protected", "protected"]
    assert codes(found)["t1#0"] == "reclaimable"


def test_the_window_grows_until_the_floor_is_reached() -> None:
    parts = [part for n in "abcdef" for part in arc(n, 100)]
    numbers = tags(*(f"{n}c#0" for n in "abcdef"))
    assert measured(parts, tags=numbers, floor=300).cutoff == 4
    assert measured(parts, tags=numbers, floor=400).cutoff == 3
    assert measured(parts, tags=numbers, floor=401).cutoff == 2
    assert measured(parts, tags=numbers, floor=401, tool_ratio=1.01).cutoff == 3
    assert measured(parts, tags=numbers, floor=400, masses={6: 400}).cutoff == 4


def test_a_dropped_output_protects_nothing() -> None:
    parts = [part for n in "abcd" for part in arc(n, 100)]
    found = measured(parts, tags=tags(*(f"{n}c#0" for n in "abcd")), dropped=frozenset({4}))
    assert found.cutoff == 1


def test_the_three_newest_calls_of_the_reduce_tool_are_in_t_and_not_in_u() -> None:
    reduces = [part for n in "abcd" for part in arc(n, 10, tool="ctx_reduce")]
    numbers = [*tags(*(f"{n}c#0" for n in "abcd"), tool="ctx_reduce"), *newest_tags()]
    found = measured([*reduces, *newest()], tags=numbers, reduce_tool="ctx_reduce")
    assert [codes(found)[f"{n}r#0"] for n in "abcd"] == ["reclaimable", *["recent_reduce"] * 3]
    assert (found.u, found.t) == (11, 47)


def test_fractions_are_rounded_up_once_at_the_end() -> None:
    parts = [text("t1#0", 1), text("t2#0", 1), *arc("a", 2), *newest()]
    numbers = [*tags("t1#0", "t2#0", "ac#0"), *newest_tags()]
    found = measured(parts, tags=numbers, prose_ratio=1.2, tool_ratio=1.1)
    assert found.u == 6  # 2 * 1.2 + 3 * 1.1 = 5.7
    assert found.t == 9  # 2 * 1.2 + 6 * 1.1 = 9.0


def test_a_floats_last_digits_are_no_token() -> None:
    assert calibrated(10, 1.1) == 11
    assert calibrated(10, 1.1001) == 12
    assert calibrated(0, 3.0) == 0


def test_images_are_in_provider_tokens_already() -> None:
    image = Counted("f#0", "file", "image", 100)
    assert measured([image], prose_ratio=2.0, tool_ratio=2.0).t == 100


@pytest.mark.parametrize(
    ("usable", "floor"),
    [
        (1_000_000, 50_000), (2_000_000, 64_000), (1_280_000, 64_000), (1_279_980, 63_999), (320_000, 16_000),
        (200_000, 16_000), (199_999, 16_000), (100_000, 8_000), (50, 4), (0, 0),
    ],
)  # fmt: skip
def test_the_default_floor_follows_the_window(usable: int, floor: int) -> None:
    assert default_floor(usable, NUDGE) == floor


def test_a_half_is_rounded_up() -> None:
    assert [half_up(0.5), half_up(1.5), half_up(2.5), half_up(2.4999)] == [1, 2, 3, 2]


def test_a_window_without_tools_has_no_cut() -> None:
    assert cutoff([], 16_000, NUDGE) is None


PARTS = st.lists(
    st.builds(
        Counted,
        st.sampled_from([f"b{n}#0" for n in range(6)]),
        st.sampled_from(["text", "call", "result", "file"]),
        st.sampled_from(["tool", "prose", "image"]),
        st.integers(0, 5000),
        st.sampled_from(["", "", "reasoning", "placeholder"]),
        st.sampled_from(["1", "2", ""]),
        st.sampled_from(["bash", "ctx_reduce"]),
    ),
    max_size=8,
    unique_by=lambda part: part.block,
)
NUMBERS = st.frozensets(st.integers(1, 6))


@settings(deadline=None)
@given(PARTS, NUMBERS, NUMBERS, st.integers(0, 9000), st.sampled_from([1.0, 0.7, 1.31]))
def test_u_is_within_t_and_every_part_has_a_known_reason(
    parts: list[Counted], queued: frozenset[int], dropped: frozenset[int], floor: int, ratio: float
) -> None:
    numbers = [TailTag(n, f"b{n - 1}#0", "tool" if n % 2 else "message", "bash") for n in range(1, 6)]
    standing = Standing(queued, dropped, floor, "ctx_reduce", ratio, ratio)
    tail = arrange(parts, numbers)
    found = measure(tail, standing, NUDGE)
    assert 0 <= found.u <= found.t
    assert [part.block for part in found.parts] == [part.block for part in parts]
    assert {part.code for part in found.parts} <= set(CODES)
    assert measure(tail, standing._replace(queued=frozenset(range(9))), NUDGE).t == found.t
    if queued >= {part.tag for part in found.parts if part.tag > 0}:
        assert found.u == 0
