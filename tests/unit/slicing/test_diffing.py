"""What changed between two sides: lines, and definitions in which way."""

from collections.abc import Sequence
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.extract import outline
from navlog.projections.slicing.diffing import NOTHING, Side, compare, diff_lines, is_public
from navlog.schemas.settings import Extract

BEFORE = dedent('''\
    LIMIT = 1

    @cached
    def load(path):
        return path

    class Cookie:
        """A cookie."""

        def parse(self, text):
            return text

        def dump(self):
            return ""

    def gone():
        pass
    ''')


def side(text: str, path: str = "a.py") -> Side:
    made = outline(path, text.encode(), Extract())
    return Side(made.symbols, made.chunks, text.split("\n"))


def told(before: str, after: str) -> list[tuple[str, str]]:
    return [(one.how, one.name) for one in compare(side(before), side(after)).changes]


def test_nothing_changed_is_nothing_told() -> None:
    assert told(BEFORE, BEFORE) == []


def test_a_signature_and_a_body_are_told_apart() -> None:
    after = BEFORE.replace("load(path)", "load(path, mode=0)").replace("return text", "return text.strip()")
    assert told(BEFORE, after) == [("signature", "load"), ("body", "Cookie.parse")]


def test_signatures_are_said_before_and_after() -> None:
    (change,) = compare(side(BEFORE), side(BEFORE.replace("load(path)", "load(path, mode=0)"))).changes
    assert (change.before, change.after) == ("def load(path)", "def load(path, mode=0)")


def test_what_is_gone_comes_first_and_what_is_new_last() -> None:
    after = BEFORE.replace("def gone", "def come").replace("LIMIT = 1", "LIMIT = 2")
    assert told(BEFORE, after) == [("removed", "gone"), ("body", "LIMIT"), ("added", "come")]


def test_a_class_that_comes_is_told_without_its_methods() -> None:
    assert told("x = 1\n", BEFORE + "x = 1\n") == [
        ("added", "LIMIT"), ("added", "load"), ("added", "Cookie"), ("added", "gone"),
    ]  # fmt: skip


def test_a_method_that_changes_its_class_is_moved() -> None:
    before = "class A:\n    def f(self):\n        return 1\n\nclass B:\n    pass\n"
    after = "class A:\n    pass\n\nclass B:\n    def f(self):\n        return 1\n"
    assert ("moved", "A.f") in told(before, after)


def test_a_definition_that_changes_its_place_in_the_file_is_moved() -> None:
    before = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n"
    after = "def b():\n    return 2\n\n\ndef c():\n    return 3\n\n\ndef a():\n    return 1\n"
    assert told(before, after) == [("moved", "a")]


def test_a_mark_of_deprecation_is_told_as_such() -> None:
    after = BEFORE.replace("@cached\n", "@cached\n@deprecated('use open')\n")
    assert told(BEFORE, after) == [("deprecated", "load")]


def test_a_decorator_belongs_to_what_it_decorates() -> None:
    assert told(BEFORE, BEFORE.replace("@cached\n", "@memoised\n")) == [("body", "load")]


def test_blank_lines_change_nothing() -> None:
    diff = compare(side(BEFORE), side(BEFORE.replace("def gone", "\n\ndef gone")))
    assert diff.changes == []


def test_lines_outside_of_definitions_are_loose() -> None:
    assert compare(side(BEFORE), side("import os\n" + BEFORE)).loose


def test_a_new_file_is_all_added_and_a_removed_one_all_removed() -> None:
    assert {one.how for one in compare(NOTHING, side(BEFORE)).changes} == {"added"}
    assert {one.how for one in compare(side(BEFORE), NOTHING).changes} == {"removed"}


def test_without_the_text_before_outlines_are_compared_and_no_line_is_named() -> None:
    after = BEFORE.replace("return text", "return text or None")
    diff = compare(side(BEFORE)._replace(lines=None), side(after))
    assert [(one.how, one.name) for one in diff.changes] == [("body", "Cookie")]
    assert diff.lines == []


def test_numbers_name_the_changed_definitions() -> None:
    after = BEFORE.replace("load(path)", "load(path, mode=0)").replace("def gone", "def come")
    now = side(after)
    diff = compare(side(BEFORE), now)
    assert [now.symbols[number].name for number in diff.numbers] == ["load", "come"]
    assert [side(BEFORE).symbols[number].name for number in diff.gone] == ["gone"]


def test_private_names_are_nobody_elses() -> None:
    assert is_public("Cookie.parse", "method")
    assert is_public("Cookie.__init__", "method")
    assert not is_public("_Cookie.parse", "method")
    assert not is_public("LIMIT", "constant")


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=30)


@given(LINES, LINES)
def test_hunks_lead_from_one_text_to_the_other(before: Sequence[str], after: Sequence[str]) -> None:
    made: list[str] = []
    at = 0
    for hunk in diff_lines(before, after):
        made += [*before[at : hunk.old_first], *after[hunk.first : hunk.end]]
        at = hunk.old_end
    assert [*made, *before[at:]] == list(after)


SNIPPETS = st.lists(
    st.sampled_from([
        "def f(a):\n    return a\n", "def f(a, b):\n    return b\n",
        "class C:\n    def f(self):\n        pass\n",
        "class C:\n    x = 1\n", "X = 1\n", "def f(a):\n    def g():\n        return 1\n    return g\n", "\n",
    ]),
    max_size=6,
)  # fmt: skip


@given(SNIPPETS, SNIPPETS, st.booleans())
def test_any_two_texts_can_be_compared_and_the_numbers_fit(
    before: list[str], after: list[str], known: bool
) -> None:
    old, new = side("".join(before)), side("".join(after))
    diff = compare(old if known else old._replace(lines=None), new)
    assert len(diff.numbers) + len(diff.gone) == len(diff.changes)
    assert all(0 <= number < len(new.symbols) for number in diff.numbers)
    assert all(1 <= first <= last <= len(new.lines or ()) for first, last in diff.lines)
    if known and before == after:
        assert diff.changes == []
