"""What a task affected, when it ends."""

from collections.abc import Sequence

from navlog.projections.sessions.affecting import MOST, affected
from navlog.projections.sessions.state import Task, Touched
from navlog.schemas.concept import Concept


def concept(key: str) -> Concept:
    return Concept(
        id=f"concept:{key}", key=key, label=key.title(), aliases=(), kind="module", status="found",
        source="rules", confidence=0.9,
    )  # fmt: skip


def task(**files: Touched) -> Task:
    return Task("p", "t", "Fix it", "rule", files={f"{name}.py": touched for name, touched in files.items()})


BOTH = {"a.py": [concept("a"), concept("shop")], "b.py": [concept("b"), concept("shop"), concept("far")]}


def of_file(path: str) -> Sequence[Concept]:
    return BOTH.get(path, [])


def test_the_concepts_of_what_it_modified_the_most_affected_first() -> None:
    found = affected(task(a=Touched(modified=1), b=Touched(modified=3)), of_file)
    assert found == [("concept:a", "A"), ("concept:b", "B"), ("concept:shop", "Shop")]


def test_what_it_only_read_is_not_affected() -> None:
    assert affected(task(a=Touched(read=9), b=Touched(tested=1)), of_file) == []


def test_a_sweep_names_no_more_than_some() -> None:
    many = task(**{f"f{n}": Touched(modified=1) for n in range(3 * MOST)})
    assert len(affected(many, lambda path: [concept(path)])) == MOST
