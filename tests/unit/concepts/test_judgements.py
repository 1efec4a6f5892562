"""Judgements in their order: the later stands, whoever tells them in whatever order; moves are followed."""

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.concepts.judgements import Judgement, Move, Standing, active, standing
from navlog.schemas import overlays as o

WHO: dict[str, Any] = {"after_event": 1, "who": "a"}


def judgements(*overlays: o.Overlay) -> list[Judgement]:
    return [
        Judgement(number, f"id{number:03}", f"{number:03}", one) for number, one in enumerate(overlays, 1)
    ]


def stands(*overlays: o.Overlay, files: tuple[Move, ...] = (), moved: tuple[Move, ...] = ()) -> Standing:
    return standing(judgements(*overlays), files, moved)


def accept(target: str, **parts: Any) -> o.ClaimAccepted:
    return o.ClaimAccepted(**WHO, target=target, **parts)


def reject(target: str, **parts: Any) -> o.ClaimRejected:
    return o.ClaimRejected(**WHO, target=target, **parts)


def merge(one: str, into: str) -> o.ConceptsMerged:
    return o.ConceptsMerged(**WHO, concept=one, into=into)


NAMES = st.sampled_from(["concept:a", "concept:b", "concept:c", "concept:d"])
WORDS = st.sampled_from("xyz")
OVERLAYS = st.one_of(
    st.builds(accept, NAMES), st.builds(reject, NAMES), st.builds(merge, NAMES, NAMES),
    st.builds(lambda name, word: o.ConceptRenamed(**WHO, concept=name, label=word), NAMES, WORDS),
    st.builds(lambda name, word: o.AliasAdded(**WHO, concept=name, alias=word), NAMES, WORDS),
    st.builds(
        lambda kind, name: kind(**WHO, concept=name, relation="tested_by", path="t.py"),
        st.sampled_from([o.FileMapped, o.FileUnmapped]), NAMES,
    ),
    st.builds(lambda position: o.OverlayWithdrawn(**WHO, position=position), st.integers(1, 6)),
)  # fmt: skip


@given(st.lists(OVERLAYS, max_size=8), st.randoms())
def test_the_order_in_which_judgements_arrive_decides_nothing(overlays: list[o.Overlay], draw: Any) -> None:
    told = judgements(*overlays)
    expected = standing(told, (), ())
    draw.shuffle(told)
    assert standing(told, (), ()) == expected


@given(st.lists(st.builds(merge, NAMES, NAMES), max_size=12))
def test_merges_never_go_round_in_circles_and_the_later_stands(merges: list[o.ConceptsMerged]) -> None:
    known = stands(*merges)
    for name in ("concept:a", "concept:b", "concept:c", "concept:d"):
        known.final(name)  # a circle would not end
    real = [one for one in merges if one.concept != one.into]
    if real:
        assert known.merged[real[-1].concept] == real[-1].into


def test_accept_and_reject_exclude_each_other() -> None:
    assert stands(accept("concept:a"), reject("concept:a")).verdicts == {"concept:a": "rejected"}
    assert stands(reject("concept:a"), accept("concept:a")).verdicts == {"concept:a": "accepted"}


def test_map_and_unmap_exclude_each_other_and_take_back_a_verdict() -> None:
    file: dict[str, Any] = {"concept": "concept:a", "relation": "tested_by", "path": "t.py"}
    refused = reject("relation:1", subject="concept:a", relation="tested_by", object="t.py")
    known = stands(refused, o.FileUnmapped(**WHO, **file), o.FileMapped(**WHO, **file))
    assert known.files == {("concept:a", "tested_by", "t.py"): True}
    assert known.claims == {}


def test_a_withdrawn_judgement_leaves_what_stood_before() -> None:
    withdrawn = o.OverlayWithdrawn(**WHO, position=2)
    told = judgements(accept("concept:a"), reject("concept:a"), withdrawn)
    assert standing(told, (), ()).verdicts == {"concept:a": "accepted"}
    assert [one.position for one in active(told)] == [1]


def test_judgements_follow_files_and_concepts_that_moved_after_them() -> None:
    moved = (Move(5, "concept:a", "concept:b"), Move(9, "concept:b", "concept:a"))
    early = reject("concept:a")
    late = o.ClaimAccepted(after_event=7, who="a", target="concept:a")
    assert stands(early, moved=moved[:1]).verdicts == {"concept:b": "rejected"}
    assert stands(early, moved=moved).verdicts == {"concept:a": "rejected"}
    assert stands(late, moved=moved[:1]).verdicts == {"concept:a": "accepted"}
    mapped = o.FileMapped(**WHO, concept="concept:a", relation="contains", path="x/y.py")
    known = stands(mapped, files=(Move(3, "x/y.py", "z/y.py"), Move(4, "z/y.py", "w.py")))
    assert known.files == {("concept:a", "contains", "w.py"): True}


def test_what_was_said_of_a_merged_concept_is_said_of_the_one_it_is_in() -> None:
    refused = reject("relation:1", subject="concept:a", relation="tested_by", object="t.py")
    known = stands(refused, merge("concept:a", "concept:b")).merged_into()
    assert known.claims == {("concept:b", "tested_by", "t.py"): "rejected"}


def test_a_relation_that_nobody_knows_is_passed_over() -> None:
    strange = o.FileMapped(**WHO, concept="concept:a", relation="painted_by", path="t.py")
    assert stands(strange) == Standing()


def test_all_orders_of_three_rivals_end_with_the_latest() -> None:
    told = judgements(accept("concept:a"), reject("concept:a"), accept("concept:a"))
    for order in permutations(told):
        assert standing(order, (), ()).verdicts == {"concept:a": "accepted"}
