"""R31: whatever a repository contains, its pages do nothing."""

import re
import unicodedata

import pytest
import yaml as other_yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from navlog.projections.pages import Vault, inert, pages, yaml
from navlog.projections.pages.checking import check
from navlog.projections.quoting import neutral
from support.vault import made_of, shop

FRAGMENTS = [
    "<% tp.system.prompt() %>",
    "<%* tR %>",
    "<script>alert(1)</script>",
    "<img src=x onerror=y>",
    "<!-- x -->",
    "![x](https://evil.example/x.png)",
    "![[secret]]",
    "[[Home]]",
    "[[a|b]]",
    "]]",
    "|",
    "```js\nrun()\n```",
    "~~~",
    "```dataviewjs",
    "`= this.x`",
    "`a.b()`",
    "`cd x && make y`",
    "`a: %w, b=c`",
    "`k:: v %% ://`",
    "`$= dv.x`",
    "= this.file",
    "=",
    "key:: value",
    "[k:: v]",
    "%% hidden %%",
    "#tag",
    "^id",
    "$$x$$",
    "$x$",
    "==mark==",
    "- [ ] a task",
    "1. one",
    "> quote",
    "---",
    "***",
    "\\",
    "\\`",
    "`",
    "``",
    "&lt;b&gt;",
    "<https://evil.example>",
    "https://evil.example",
    "obsidian://open?vault=x",
    "javascript:alert(1)",
    "\u202e\u200b\ufeff",
    "\x00",
    "\r\n",
    "\n\n# heading",
    "a\n---\nb",
    "../../etc/passwd",
    "/",
    "..",
    ".",
    "",
    " ",
    "CON",
    "nul.txt",
    'a:b*c?d"e<f>g|h',
    "ﬁle",
    "file",
    "FILE",
    "é",
    "é",
    "Ä",
    "页面",
    "页" * 200,
    "\ud800",
    "𝐇ome",
    "Home",
    "\u2028",
    "\x85",
]
TEXTS = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.lists(st.sampled_from(FRAGMENTS), min_size=2, max_size=3).map("".join),
    st.text(max_size=30),
)


# 100 vaults of 100 texts each: 10,000 cases.
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(TEXTS, min_size=100, max_size=100), st.sampled_from(["en", "zh"]), st.sampled_from(["", "a/b/"])
)
def test_no_text_of_a_repository_does_anything(texts: list[str], language: str, prefix: str) -> None:
    vault = Vault(language, prefix)  # type: ignore[arg-type]
    made = {page.path: page.text for page in pages([made_of(texts, "p"), made_of(texts[::-1], "q")], vault)}
    assert check(made, {}, prefix) == []
    for path in made:
        parts = path.split("/")
        assert not {"", ".", ".."} & set(parts)
        assert all(unicodedata.normalize("NFC", part) == part and len(part.encode()) < 240 for part in parts)


PARSER = MarkdownIt("commonmark").enable("table")


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_prose_reads_as_it_was_written_and_is_nothing_but_text(words: str) -> None:
    """A parser that we have not written sees one paragraph of plain text, and names in code spans."""
    (block,) = [token for token in PARSER.parse(f"a {inert.text(words)} z") if token.type == "inline"]
    kinds = {token.type for token in block.children or ()}
    assert kinds <= {"text", "text_special", "code_inline"}
    names = [token.content for token in block.children or () if token.type == "code_inline"]
    assert all(re.fullmatch(r"[\w./@~-][\w ./()@~&*+,;:%'\"=-]*", name, re.ASCII) for name in names)
    assert not [name for name in names if re.search("::|%%|:/", name)]
    ticks = {"code_inline": "`"}
    said = "".join(
        f"{ticks.get(token.type, '')}{token.content}{ticks.get(token.type, '')}"
        for token in block.children or ()
    )
    assert " ".join(said.split()) == " ".join(f"a {inert.one_line(words)} z".split())


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_a_block_of_text_cannot_be_left(words: str) -> None:
    lines = inert.block([words, words])
    (fence,) = PARSER.parse("\n".join(lines))
    assert fence.type == "fence"
    assert fence.info == "text"
    assert "<%" not in fence.content


VALUES: st.SearchStrategy[yaml.Value] = st.one_of(
    TEXTS.map(neutral), st.booleans(), st.integers(-(10**9), 10**9)
)
KEYS = st.sampled_from(["kind", "项目", "file.name", "used_by"])
MAPS = st.dictionaries(KEYS, st.one_of(VALUES, st.lists(VALUES, max_size=3)), min_size=1)
TREES = st.dictionaries(KEYS, st.one_of(VALUES, MAPS, st.lists(MAPS, min_size=1, max_size=2)), min_size=1)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_properties_read_back_as_they_were_written(tree: dict[str, yaml.Value]) -> None:
    lines = list(yaml.write(tree))
    assert yaml.read(lines) == tree
    assert other_yaml.load("\n".join(lines), other_yaml.BaseLoader) == textual(tree)  # noqa: S506 - makes texts of everything
    assert not any("<" in line for line in lines)


def textual(value: object) -> object:
    if isinstance(value, dict):
        return {key: textual(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [textual(one) for one in value]
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


@pytest.mark.parametrize(
    "text", ["true", "null", "1", "~", "- x", "a: b", "# c", "2026-01-01", "yes", "[x]", ""]
)
def test_a_text_that_looks_like_something_else_stays_a_text(text: str) -> None:
    assert other_yaml.safe_load("\n".join(yaml.write({"a": text}))) == {"a": text}


def test_the_shop_has_no_fault() -> None:
    made = {page.path: page.text for page in pages([shop()])}
    assert check(made, {}) == []
    assert len(made) == len(list(pages([shop()])))
