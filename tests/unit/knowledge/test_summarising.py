"""Four elements out of a document's own sentences."""

from itertools import count

import pytest

from navlog.projections.knowledge.elements import LIMITS, TOKENS, Elements, as_yaml, count_words
from navlog.projections.knowledge.pointing import Places, entry
from navlog.projections.knowledge.prose import Block
from navlog.projections.knowledge.summarising import SAYINGS, Document, _sayings, documents_of, summarise
from navlog.projections.tokens import count_tokens
from navlog.schemas.knowledge import DocumentKind
from support.pages import view_of

VIEW = view_of(
    {"shop/app.py": ["create_app"], "shop/queue.py": ["send"], "tests/test_queue.py": ["test_send"]}
)
PLACES = Places(VIEW)
RECORD = """# 2. An outbox

## Status

{status}

## Context

The provider was away and checkout hung with it.

## Decision

A request never calls the provider. It writes to `shop/queue.py`.
"""
RULES = """# Rules

## Data

- There is no ORM here; write SQL in `shop/app.py`.
- Never alter a table by hand.

## Style

Some words about style, which says nothing.
"""


def elements(path: str, kind: DocumentKind, text: str) -> list[tuple[str, Elements]]:
    def point(one: Document) -> str:
        return entry(one.path, "shop", one.read, PLACES)

    return [(one.name, summarise(one, point)) for one in documents_of(path, kind, text, "shop")]


def test_a_decision_gives_its_pain_its_red_line_and_where_it_starts() -> None:
    [(name, found)] = elements("adr/2.md", "decision", RECORD.format(status="Accepted"))
    assert name == "adr/2.md"
    assert found == Elements(
        "The provider was away and checkout hung with it.",
        "A request never calls the provider.",
        "A request never calls the provider. It writes to `shop/queue.py`.",
        "shop/queue.py",
    )


def test_a_title_about_decisions_makes_no_decision_of_every_section() -> None:
    text = RECORD.format(status="Accepted").replace("An outbox", "A decision on context")
    assert elements("adr/2.md", "decision", text) == elements(
        "adr/2.md", "decision", RECORD.format(status="Accepted")
    )


def test_a_decision_that_no_longer_holds_says_so_first() -> None:
    [(_, found)] = elements("adr/2.md", "decision", RECORD.format(status="Superseded by 3"))
    assert found.latest_decision.startswith("(superseded) A request")


def test_rules_are_split_by_section_and_what_is_no_rule_is_left_out() -> None:
    [(name, found)] = elements("AGENTS.md", "rules", RULES)
    assert name == "AGENTS.md#data"
    assert "no ORM" in found.key_constraint
    assert "by hand" in found.key_constraint
    assert found.entry_pointer == "shop/app.py"


def test_no_rule_of_a_long_section_is_cut_away() -> None:
    rules = [
        f"- Never do the thing number {number}, whoever asks for it and however often."
        for number in range(20)
    ]
    found = elements("AGENTS.md", "rules", "# Rules\n\n## All\n\n" + "\n".join(rules))
    together = " ".join(one.key_constraint for _, one in found)
    assert all(f"number {number}," in together for number in range(20))
    assert len({name for name, _ in found}) == len(found) > 1


def test_a_section_keeps_its_name_whatever_happens_to_others() -> None:
    more = RULES.replace("## Data", "## First\n\nNever this.\n\n## Data")
    assert elements("AGENTS.md", "rules", more)[1] == elements("AGENTS.md", "rules", RULES)[0]


def test_a_readme_says_what_the_thing_is() -> None:
    text = "# Shop\n\nWe are excited to announce 2.0! Thanks to all.\n\nShop is a place that sells tools.\n"
    [(_, found)] = elements("README.md", "readme", text)
    assert found.core_problem == "Shop is a place that sells tools."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# 铺子\n\n铺子用于出售旧工具。不得在模板里计算价格。\n", "不得在模板里计算价格。"),
        ("# Shop\n\nShop sells tools. You must not compute prices in templates.\n", "must not compute"),
    ],
)
def test_red_lines_are_found_in_chinese_and_english(text: str, said: str) -> None:
    [(_, found)] = elements("README.md", "readme", text)
    assert said in found.key_constraint


def test_a_readme_in_five_languages_is_one_summary_within_its_limits() -> None:
    parts = [
        "# Shop\n\nShop is a place that sells tools.",
        "# 铺子\n\n铺子出售旧工具。",
        "# 店\n\nこの店は古い道具を売ります。",
        "# Магазин\n\nМагазин продаёт инструменты.",
        "# متجر\n\nالمتجر يبيع الأدوات.",
    ]
    [(_, found)] = elements("README.md", "readme", "\n\n".join(parts))
    assert found.core_problem == "Shop is a place that sells tools."
    assert count_tokens(as_yaml(found)) <= TOKENS


def test_a_record_of_two_megabytes_is_summarised_by_its_beginning() -> None:
    text = RECORD.format(status="Accepted") + "\n\nMore and more must be said about it.\n" * 50_000
    assert len(text) > 1_800_000
    [(_, found)] = elements("adr/2.md", "decision", text)
    assert found.core_problem == "The provider was away and checkout hung with it."
    assert all(count_words(getattr(found, name)) <= limit for name, limit in LIMITS.items())


def test_an_empty_document_is_its_title_and_nothing_else() -> None:
    [(_, found)] = elements("README.md", "readme", "# Shop\n")
    assert (found.core_problem, found.key_constraint, found.latest_decision) == ("README.md", "", "")


def test_the_same_text_gives_the_same_elements() -> None:
    assert elements("AGENTS.md", "rules", RULES) == elements("AGENTS.md", "rules", RULES)


def test_no_more_sentences_are_weighed_than_somebody_reads() -> None:
    """Of a record of 2 MB, 12,000 were compared with each other: seconds that hooks waited for."""
    endless = (Block((), "text", f"Sentence number {number} is here.", number) for number in count())
    assert len(_sayings(endless)) == SAYINGS


def test_a_rule_longer_than_an_element_is_divided_at_its_clauses_and_nothing_is_lost() -> None:
    clauses = [f"never use the {word} of the old interface in any new module" for word in "abcdefghij"]
    text = f"# Rules\n\n## Old\n\nYou must {', '.join(clauses)}.\n"
    parts = documents_of("AGENTS.md", "rules", text)
    said = " ".join(summarise(part, lambda _: "").key_constraint for part in parts)
    assert len(parts) > 1
    assert all(clause in said for clause in clauses)
    assert "…" not in said


def test_a_point_of_a_file_for_agents_is_a_rule_whatever_its_tone() -> None:
    text = "# Rules\n\n## Options\n\n- Add it to `schema.yaml` with a type\n\nSchemas are nice.\n"
    (part,) = documents_of("AGENTS.md", "rules", text)
    assert summarise(part, lambda _: "").key_constraint == "Add it to `schema.yaml` with a type"
    explained = text.replace("Add it to", "Options live in")
    (guide,) = documents_of("CONTRIBUTING.md", "contributing", explained)
    assert summarise(guide, lambda _: "").key_constraint == ""


@pytest.mark.parametrize(
    "rule",
    [
        "Always use single quotes.", "Run the formatter before you commit.", "We prefer small pull requests.",
        "If your change is big, break it into smaller ones.", "The project does not use type hints.",
        "Please add an entry to the changelog.", "提交前请运行全部检查。", "标题统一使用英文。",
    ],
)  # fmt: skip
def test_what_a_guide_for_contributors_asks_for_in_its_prose_is_a_rule(rule: str) -> None:
    text = f"# Contributing\n\n## Code\n\nWe are glad that you are here. {rule} The sky was blue.\n"
    (part,) = documents_of("CONTRIBUTING.md", "contributing", text)
    assert summarise(part, lambda _: "").key_constraint == rule


def test_paths_in_code_make_no_navigation_of_a_rule() -> None:
    rule = "Place tests under the `test/` directory, as `test/**/*.test.ts`, with names that tell"
    (part,) = documents_of("AGENTS.md", "rules", f"# Rules\n\n- {rule}\n")
    assert summarise(part, lambda _: "").key_constraint == rule


def test_a_readme_is_one_document_and_one_more_for_its_guide_for_contributors() -> None:
    text = (
        "# Shop\n\nShop sells books.\n\n## Usage\n\nAlways call `open` first.\n\n"
        "## Contributing\n\nPlease send changes to `dev`.\n"
    )
    readme, guide = documents_of("README.md", "readme", text, "shop")
    assert (readme.name, readme.kind) == ("README.md", "readme")
    assert (guide.name, guide.kind, guide.path) == ("README.md#contributing", "contributing", "README.md")
    assert summarise(guide, lambda _: "").key_constraint == "Please send changes to `dev`."
