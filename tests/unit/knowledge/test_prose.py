"""Documents as blocks: three ways to write the same thing, and things that are no text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.knowledge.prose import CHARS, Block, blocks, mentioned, plain, sentences

MARKDOWN = """# Title

<!-- hidden -->
[![badge](a.svg)](b)

First **sentence** of [it](x.md). Second one.

## Part

- item one
  goes on
- item two

```python
import a
```

| a | b |
|---|---|
| c | d |
"""
RST = """Title
=====

.. image:: a.svg

First *sentence* of `it <x>`_. See :func:`a.b`.

Part
----

* item one
  goes on
* item two

::

    import a
"""


def test_markdown_gives_headings_sentences_items_code_and_cells() -> None:
    assert [(one.kind, one.headings, one.plain) for one in blocks(MARKDOWN)] == [
        ("text", ("Title",), "First sentence of it. Second one."),
        ("item", ("Title", "Part"), "item one goes on"),
        ("item", ("Title", "Part"), "item two"),
        ("code", ("Title", "Part"), "import a"),
        ("item", ("Title", "Part"), "a: b"),
        ("item", ("Title", "Part"), "c: d"),
    ]


def test_restructured_text_gives_the_same() -> None:
    found = blocks(RST)
    assert found[0].plain == "First sentence of it. See `a.b`."
    assert [(one.kind, one.headings[-1], one.plain) for one in found[1:3]] == [
        ("item", "Part", "item one goes on"),
        ("item", "Part", "item two"),
    ]


def test_lines_count_from_one() -> None:
    assert [one.line for one in blocks(MARKDOWN)][:2] == [6, 10]


def test_front_matter_is_a_block_of_its_own() -> None:
    first, second = blocks("---\nstatus: accepted\ndate: 2025-01-01\n---\n\nText here.\n")
    assert (first.kind, second.kind, second.line) == ("meta", "text", 6)


def test_a_title_in_html_is_a_heading() -> None:
    assert blocks('<h1 align="center">Gin</h1>\n\nIt serves.\n')[0].headings == ("Gin",)


def test_sentences_end_in_chinese_and_english() -> None:
    assert sentences("不得写入。必须先读！ok. Never do e.g. This. Then go.") == [
        "不得写入。", "必须先读！", "ok.", "Never do e.g. This.", "Then go.",
    ]  # fmt: skip


def test_what_a_block_points_at() -> None:
    block = Block((), "text", "See `a/b.py`, [x](c/d.md#e) and src/lib.rs or ``f()``.", 1)
    assert list(mentioned(block)) == [
        ("code", "a/b.py"), ("code", "f()"), ("link", "c/d.md"), ("path", "src/lib.rs"),
    ]  # fmt: skip


def test_a_title_over_tildes_opens_no_fence() -> None:
    text = (
        "Guide\n=====\n\nSteps\n~~~~~\n\n#. Run the tests.\n#. Add a note.\n\nOther\n~~~~~\n\nNever push.\n"
    )
    found = [(one.kind, one.plain, one.headings[-1]) for one in blocks(text)]
    assert found == [
        ("item", "Run the tests.", "Steps"),
        ("item", "Add a note.", "Steps"),
        ("text", "Never push.", "Other"),
    ]


def test_what_stands_below_an_item_is_text_also_after_a_fence_and_code_where_it_is_indented_twice() -> None:
    text = (
        "1. Check it:\n\n    ```sh\n    make\n    ```\n\n    Never switch it off.\n\n        make all\n\n"
        "Done.\n\n    code()\n"
    )
    found = [(one.kind, one.plain) for one in blocks(text)]
    assert found == [
        ("item", "Check it:"), ("code", "make"), ("text", "Never switch it off."), ("code", "make all"),
        ("text", "Done."), ("code", "code()"),
    ]  # fmt: skip


def test_marks_inside_words_stay() -> None:
    assert (
        plain("snake_case_name and _this_ is __init__.py *now*")
        == "snake_case_name and this is __init__.py now"
    )


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    began = time.process_time()
    found = blocks("word " * 500_000)
    assert sum(len(one.text) for one in found) <= CHARS
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["[" * 30_000, "`" * 30_000, "*a " * 10_000, "<a " * 10_000, "_a" * 15_000])
def test_no_text_makes_a_pattern_hang(text: str) -> None:
    for block in blocks(text):
        plain(block.text[:4000])


@given(st.text("# -*`>|~=\n\t a1.:[]()<!>", max_size=400))
def test_any_text_has_blocks_with_lines_of_its_own(text: str) -> None:
    found = blocks(text)
    assert all(1 <= one.line <= text.count("\n") + 1 for one in found)
    assert all(one.text.strip() for one in found)
