"""The validator finds each fault it is there for."""

import pytest

from navlog.projections.pages import pages
from navlog.projections.pages.checking import check
from support.vault import shop

MADE = {page.path: page.text for page in pages([shop()])}
FRONT = '---\nnavlog: "x.md"\naliases: []\ntags: []\n---\n\n'


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("[[Home]]", "a link without a label"),
        ("[[Nowhere/at all|label]]", "leads nowhere"),
        ("[[total.py|label]]", "leads nowhere"),
        ("[[home|label]]", "is not the whole path of Home"),
        ("[[shop/shop.total.py (shop)|label]]", "is not the whole path"),
        ("| a [[Nowhere\\|x]] |", "leads nowhere"),
        ("<b>x</b>", "holds HTML"),
        ("<!-- x -->", "holds HTML"),
        ("![x](a.png)", "shows an image"),
        ("`= this.x`", "a code span that Dataview runs"),
        ("= x", "begins with ="),
        ("> = x", "begins with ="),
        ("key:: value", "an inline field"),
        ("%% x %%", "a comment"),
        ("```js\nx\n```", "a fence of js"),
        ("~~~\nx\n~~~", "a fence of no language"),
        ("```text\nx", "a fence that does not end"),
        ("```text\n<%\n```", "Templater"),
    ],
)
def test_a_page_that_does_something_or_leads_nowhere_is_found(body: str, says: str) -> None:
    faults = check({**MADE, "x.md": FRONT + body + "\n"}, {})
    assert [fault for fault in faults if fault.path == "x.md" and says in fault.says]


@pytest.mark.parametrize("body", ["a &lt;b> c", "`<b>`", "a = b", "```text\n<b> = [[x]]\n```", "\\%\\% x"])
def test_what_does_nothing_is_no_fault(body: str) -> None:
    assert check({**MADE, "x.md": FRONT + body + "\n"}, {}) == []


@pytest.mark.parametrize(
    ("front", "says"),
    [
        ("", "no properties"),
        ("---\naliases: []\ntags: x\n---\n", "has tags as text"),
        ("---\naliases: []\n---\n", "no list of tags"),
        ("---\naliases: []\ntags: []\nlines: many\n---\n", "has lines as text"),
        ("---\naliases: []\ntags: []\nx:\n  y: 1\n---\n", "has x as nested"),
        ("---\naliases: []\ntags: []\nx: {y: 1}\n---\n", "cannot be read"),
        ('---\naliases: []\ntags: []\nx: "[[Nowhere|y]]"\n---\n', "leads nowhere"),
    ],
)
def test_a_property_of_another_shape_is_found(front: str, says: str) -> None:
    faults = check({**MADE, "z.md": front + "x\n"}, {})
    assert [fault for fault in faults if fault.path == "z.md" and says in fault.says]


@pytest.mark.parametrize(
    "name", ["a#b.md", "a|b.md", "a^b.md", "a:b.md", "a[b.md", 'a"b.md', ".a.md", "a .md", "d?/a.md"]
)
def test_a_name_that_obsidian_refuses_is_found(name: str) -> None:
    assert "refuses" in check({name: FRONT + "x\n"}, {})[0].says


def test_two_files_of_one_name_are_found_whosever_they_are() -> None:
    assert [fault.path for fault in check(MADE, {"mine/HOME.md": None})] == ["Home.md"]
    assert len(check({"a/x.md": FRONT, "b/X.md": FRONT}, {})) == 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"x": 0', '"x": 0.5'), "no canvas"),
        (('"fromNode": "', '"fromNode": "no'), "an arrow from or to nothing"),
        (("[[Concepts/shop/cart", "[[Concepts/shop/card"), "leads nowhere"),
    ],
)
def test_a_map_that_is_none_is_found(change: tuple[str, str], says: str) -> None:
    path = "Concepts/shop/Map (shop).canvas"
    faults = check({**MADE, path: MADE[path].replace(*change)}, {})
    assert [fault for fault in faults if fault.path == path and says in fault.says]


def test_a_table_that_shows_the_whole_vault_is_found() -> None:
    path = "Files/Files.base"
    text = "\n".join(
        line for line in MADE[path].split("\n") if not line.startswith(("filters", "  and", '    - "file'))
    )
    assert "no filters" in check({**MADE, path: text}, {})[0].says
    assert (
        "is no table" in check({**MADE, path: MADE[path].replace("type: table", "type: [table")}, {})[0].says
    )
