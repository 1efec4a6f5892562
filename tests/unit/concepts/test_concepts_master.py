"""The master test for concepts: incremental == clean == replay, judged or not, in batches of any size."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from navlog.projections.replay import replay
from navlog.schemas import overlays as o
from navlog.schemas.events import FileMoved, FileRemoved, ProjectRemoved
from support.graph import REGISTERED
from support.meaning import SHOP, ShopWorld, commit

PATHS = st.sampled_from(sorted(SHOP))
WHO: dict[str, Any] = {"after_event": 0, "who": "a"}
CONCEPTS = st.sampled_from(["concept:checkout", "concept:payments", "concept:stock", "concept:nowhere"])
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.sampled_from(list(SHOP.values()))),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("commit"), PATHS, PATHS),
    st.tuples(st.just("forget")),
    st.tuples(st.just("reject"), CONCEPTS),
    st.tuples(st.just("merge"), CONCEPTS, CONCEPTS),
    st.tuples(st.just("map"), CONCEPTS, PATHS),
    st.tuples(st.just("run"), st.integers(1, 9)),
)


class Play:
    """What each step does to a world."""

    def __init__(self, world: ShopWorld) -> None:
        self.world = world
        self.commits = 0

    def write(self, path: str, text: str) -> None:
        self.world.write({path: text})

    def remove(self, path: str) -> None:
        self.world.say(FileRemoved(path=path))

    def move(self, previous: str, path: str) -> None:
        self.world.say(FileMoved(previous=previous, path=path))

    def commit(self, one: str, other: str) -> None:
        self.commits += 1
        self.world.say(commit(self.commits, "checkout: a change", one, other))

    def forget(self) -> None:
        self.world.say(ProjectRemoved(), REGISTERED)

    def reject(self, concept: str) -> None:
        self.world.judge(o.ClaimRejected(**WHO, target=concept))

    def merge(self, one: str, other: str) -> None:
        self.world.judge(o.ConceptsMerged(**WHO, concept=one, into=other))

    def map(self, concept: str, path: str) -> None:
        self.world.judge(o.FileMapped(**WHO, concept=concept, relation="contains", path=path))

    def run(self, size: int) -> None:
        self.world.run(size)


@pytest.mark.timeout(120)
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@example(  # the rules find the same before and after: what a person mapped is gone all the same
    script=[
        ("write", "docs/changes.md", ""),
        ("map", "concept:checkout", "docs/changes.md"),
        ("remove", "docs/changes.md"),
    ]
)
@given(st.lists(STEPS, max_size=14))
def test_incremental_equals_replay(
    tmp_path_factory: pytest.TempPathFactory, script: list[tuple[Any, ...]]
) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    world = ShopWorld(home)
    play = Play(world)
    for step in script:
        getattr(play, step[0])(*step[1:])
    world.run(3)
    before = world.projection.shown.concepts_of("p")
    assert not replay(world.concepts).changed
    assert world.projection.shown.concepts_of("p") == before
    world.restart()
    assert world.projection.shown.concepts_of("p") == before
    world.store.close()


def test_a_file_knows_its_concepts_the_most_telling_first(tmp_path: Path) -> None:
    world = ShopWorld(tmp_path)
    world.run()
    shown = world.projection.shown
    assert [one.key for one in shown.of_file("p", "shop/payments.py")][:1] == ["payments"]
    assert shown.of_file("p", "shop/utils.py") == ()
    assert shown.of_file("q", "shop/payments.py") == ()
    world.judge(o.ClaimRejected(**WHO, target="concept:payments"))
    world.run()
    assert "payments" not in [one.key for one in shown.of_file("p", "shop/payments.py")]
