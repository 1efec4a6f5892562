"""Names: one to a thing, none twice, and no neighbour renames anybody."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.pages import yaml
from navlog.projections.pages.names import NAME_BYTES, Thing, Wanted, assign, fold, safe

NAMES = st.one_of(
    st.sampled_from(
        ["a", "A", "á", "á", "ﬁ", "fi", "a-", "CON", "con.txt", "aux", "", ".", "..", " a ", "a/b", "页"]
    ),
    st.text(max_size=12),
)


def wanted(names: list[str]) -> list[Wanted]:
    return [Wanted(Thing("file", "p", str(n)), "Files", safe(name)) for n, name in enumerate(names)]


@given(st.lists(NAMES, max_size=12), st.randoms())
def test_no_two_names_are_equal_to_any_file_system_whatever_their_order(
    names: list[str], chance: random.Random
) -> None:
    asked = wanted(names)
    places = assign(asked)
    assert len({fold(place) for place in places.values()}) == len(names)
    chance.shuffle(asked)
    assert assign(asked) == places


@given(st.lists(NAMES, max_size=8), NAMES)
def test_a_neighbour_with_another_name_renames_nobody(names: list[str], other: str) -> None:
    before = assign(wanted(names))
    after = assign([*wanted(names), Wanted(Thing("file", "p", "new"), "Files", safe(other))])
    same = fold(safe(other))
    for one in wanted(names):
        if fold(one.name) != same:
            assert after[one.thing] == before[one.thing]


def test_a_fixed_name_is_kept_and_the_others_give_way() -> None:
    home = Wanted(Thing("home", "", ""), "", "Home", fixed=True)
    places = assign([Wanted(Thing("project", "p", ""), "Projects", "home"), home])
    assert places[home.thing] == "Home.md"
    assert places[Thing("project", "p", "")].startswith("Projects/home-")


def test_a_note_and_a_table_of_one_name_do_not_meet() -> None:
    places = assign(
        [Wanted(Thing("a", "", ""), "x", "Files"), Wanted(Thing("b", "", ""), "x", "Files", ".base")]
    )
    assert set(places.values()) == {"x/Files.md", "x/Files.base"}


def test_a_long_path_keeps_its_end_and_a_long_title_its_beginning() -> None:
    path, title = safe("a" * 300 + ".name.py", tail=True), safe("title " + "a" * 300)
    assert path.endswith(".name.py")
    assert title.startswith("title a")
    assert len(path.encode()) <= NAME_BYTES >= len(title.encode())
    assert safe("a" * 300 + "b") != safe("a" * 300 + "c")


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a:",
        "a:\n  b",
        "a:\n- b",
        "a:\nb: 1",
        "a: 1\na: 2",
        "- a",
        "a:\n    b: 1",
        "a: [1]",
        "a:\n  - b\n   c: 1",
    ],
)  # fmt: skip
def test_a_base_of_somebody_elses_making_is_not_ours(text: str) -> None:
    with pytest.raises(yaml.NotOurs):
        yaml.read(text.split("\n"))
