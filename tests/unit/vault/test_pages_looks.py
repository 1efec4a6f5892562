"""What a person reads: each page answers what it is opened for."""

import re
import subprocess
import sys

import msgspec
import pytest

from navlog.projections.pages import Memo, Vault, inert, pages
from navlog.projections.pages.checking import check
from navlog.projections.pages.folders import ROWS, folder_tables
from navlog.projections.pages.layout import HEIGHT, WIDTH, layout
from navlog.projections.pages.model import Decision, Rule, Rules
from navlog.projections.pages.words import EN, ZH
from support.vault import concept, row, shop

MADE = {page.path: page.text for page in pages([shop()])}
HOME = MADE["Home.md"]
PRICING = MADE["Concepts/shop/pricing (shop).md"]


def test_home_says_what_it_is_what_happened_and_where_to_start() -> None:
    assert "### [[Projects/shop|shop]]\n\n> A shop\n" in HOME
    assert "- **Where to start**: [[Concepts/shop/pricing (shop)|Pricing]]" in HOME
    assert "- **Decisions**: 2026-01-02 [[Decisions/shop/2026-01-02 Half a cent is rounded up (shop)|" in HOME
    assert "2026-01-02 03:04 UTC | [[Projects/shop\\|shop]] | commit: Prices are rounded" in HOME
    assert "changed: [[Files/shop/shop.cart.py (shop)\\|shop/cart.py]]" in HOME
    assert "noted: [[Decisions/shop/" in HOME


def test_of_many_projects_home_has_a_table() -> None:
    many = [msgspec.structs.replace(shop(), id=f"shop-{n}", name=f"shop{n}") for n in range(6)]
    home = next(page.text for page in pages(many) if page.path == "Home.md")
    assert "| [[Projects/shop0\\|shop0]] | A shop | [[Concepts/shop0/pricing (shop0)\\|Pricing]]" in home


def test_a_task_says_what_was_asked_how_it_went_and_what_broke() -> None:
    (page,) = [text for path, text in MADE.items() if path.startswith("Tasks/") and path.endswith(".md")]
    assert "completed · codex · 2026-01-02 03:04–03:04 UTC" in page
    assert "## What was asked\n\n- Half a cent, too\n" in page
    assert "## What broke\n\n- pytest\\: nope\n" in page or "## What broke\n\n- pytest: nope\n" in page


def test_a_decision_record_says_what_was_decided_and_leads_to_its_file() -> None:
    record = Decision(
        "record:docs/1.md", "", "1: Cents", "", path="shop/cart.py", says="We count cents.", rule="No floats."
    )
    project = msgspec.structs.replace(shop(), decisions=(record,))
    made = {page.path: page.text for page in pages([project])}
    (page,) = [text for path, text in made.items() if path.startswith("Decisions/") and path.endswith(".md")]
    assert "> We count cents." in page
    assert "## What must not be done\n\nNo floats." in page
    assert "- [[Files/shop/shop.cart.py (shop)|shop/cart.py]]" in page
    assert not check(made, {}, "")


def test_rules_are_told_section_by_section_with_their_place() -> None:
    told = Rules(
        "AGENTS.md",
        (
            Rule("Money", "No floats.", "shop/cart.py"),
            Rule("Money", "Cents *only*."),
            Rule("Log", "No print."),
        ),
    )
    made = {page.path: page.text for page in pages([msgspec.structs.replace(shop(), rules=(told,))])}
    page = made["Rules/shop/AGENTS.md (shop).md"]
    assert (
        "## Money\n\n- No floats. ([[Files/shop/shop.cart.py (shop)|shop/cart.py]])\n- Cents \\*only\\*.\n"
        in page
    )
    assert "## Log\n\n- No print." in page
    assert "## Rules\n\n- [[Rules/shop/AGENTS.md (shop)|AGENTS.md]]" in made["Projects/shop.md"]
    assert not check(made, {}, "")


def test_a_name_in_a_code_span_stays_one_and_nothing_else_does() -> None:
    assert inert.text("set `a.b_c()` to *1*, not `= x` or ``y``") == (
        "set `a.b_c()` to \\*1\\*, not \\`\\= x\\` or \\`\\`y\\`\\`"
    )


@pytest.mark.parametrize(
    "code",
    [
        "cd backend && go mod tidy",
        "@/store",
        "web/src/request/*",
        'fmt.Errorf("x: %w", err)',
        "make --flag=a",
        "make lint",
    ],
)
def test_a_command_in_a_code_span_stays_one(code: str) -> None:
    assert inert.text(f"Run: `{code}` first") == f"Run: `{code}` first"


@pytest.mark.parametrize(
    "code", ["= this.x", "$= dv.x", "k:: v", "%% x %%", "<% x %>", "[[x]]", "a|b", "https://x"]
)
def test_what_a_plugin_or_a_table_acts_on_is_no_code(code: str) -> None:
    assert "`" not in inert.text(f"Run: `{code}` first").replace("\\`", "")


def test_one_file_is_not_plural() -> None:
    assert [EN.of_files(count) for count in (0, 1, 1200)] == ["0 files", "1 file", "1,200 files"]
    assert ZH.of_files(1) == "1 个文件"


def test_a_label_keeps_what_means_nothing_alone() -> None:
    assert inert.label("Make SameSite=Lax 100% the default!") == "Make SameSite=Lax 100% the default!"
    assert inert.label("= x %%y%% ==z==") == "＝ x ％％y％％ ＝＝z＝＝"


def test_a_concept_says_where_it_is_and_what_goes_with_it() -> None:
    assert "> Adds up." in PRICING
    assert "| [[Files/shop/shop.total.py (shop)\\|shop/total.py]] | Adds up. |" in PRICING
    assert "- **Needed by**: [[Concepts/shop/cart (shop)|Cart]]" in PRICING
    assert "## Tests\n\n- `tests/test_total.py`" in PRICING
    assert "[[Tasks/shop/2026-01-02 Round the prices (shop)|Round the prices]]" in PRICING
    assert '  - "prices"' in PRICING or "  - prices" in PRICING


def test_a_project_without_a_concept_has_no_map_and_no_link_to_one() -> None:
    bare = msgspec.structs.replace(shop(), concepts=(concept("noise", "Noise", [], status="rejected"),))
    made = {page.path: page.text for page in pages([bare])}
    assert not [path for path in made if path.endswith(".canvas")]
    assert "canvas" not in made["Home.md"] + made["Projects/shop.md"]
    assert not check(made, {}, "")


def test_a_rejected_concept_has_no_page_and_a_merged_one_leads_on() -> None:
    assert not [path for path in MADE if "noise" in path]
    assert (
        "This is part of [[Concepts/shop/pricing (shop)|Pricing]] now."
        in MADE["Concepts/shop/sums (shop).md"]
    )


def test_a_renamed_concept_keeps_its_place() -> None:
    renamed = msgspec.structs.replace(shop().concepts[0], label="Money", aliases=("Pricing",))
    project = msgspec.structs.replace(shop(), concepts=(renamed, *shop().concepts[1:]))
    made = {page.path: page.text for page in pages([project])}
    assert made.keys() == MADE.keys()
    assert "# Money" in made["Concepts/shop/pricing (shop).md"]


def test_a_moved_file_is_found_by_its_former_name() -> None:
    assert (
        "This file is now called [[Files/shop/shop.total.py (shop)|shop/total.py]]."
        in MADE["Files/shop/shop.sum.py (shop).md"]
    )
    assert '  - "shop/sum.py"' in MADE["Files/shop/shop.total.py (shop).md"]


def test_a_page_that_is_linked_to_links_back() -> None:
    """Backlinks come from links: a concept names its file, and the file's page the concept."""
    assert "[[Concepts/shop/pricing (shop)|Pricing]]" in MADE["Files/shop/shop.total.py (shop).md"]
    assert "[[Files/shop/shop.total.py (shop)|" in MADE["Files/shop/shop.cart.py (shop).md"]


@pytest.mark.parametrize(("language", "other"), [("zh", EN), ("en", ZH)])
def test_a_vault_speaks_one_language(language: str, other: object) -> None:
    """No heading, column or property of the other language is anywhere."""
    made = list(pages([shop()], Vault(language)))  # type: ignore[arg-type]
    same = {"path"}
    foreign = {word for word in msgspec.structs.astuple(other) if isinstance(word, str)} - same  # type: ignore[arg-type]
    for page in made:
        said = re.findall(r"^#+ (.+)$|^(\w+):", page.text, re.MULTILINE)
        heads = re.findall(r"^\| (.+) \|\n\| ---", page.text, re.MULTILINE)
        words = {word for pair in said for word in pair if word} | {
            one for head in heads for one in head.split(" | ")
        }
        assert not words & foreign, page.path
    assert {page.path.partition("/")[0] for page in made}.isdisjoint(foreign)


def test_the_first_page_is_called_as_its_language_calls_it() -> None:
    assert next(iter(pages([], Vault("zh")))).path == "首页.md"


def test_ten_thousand_files_stand_in_tables_of_a_few_hundred_rows_each_once() -> None:
    rows = tuple(row(f"src/p{n % 400}/f{n}.py") for n in range(8000)) + tuple(
        row(f"flat/f{n}.c") for n in range(2000)
    )
    tables = folder_tables(rows)
    assert sorted(one.path for table in tables for one in table.rows) == sorted(one.path for one in rows)
    assert max(len(table.rows) for table in tables) <= ROWS
    assert len({table.id for table in tables}) == len(tables) < 60


def test_no_box_of_the_map_covers_another_and_arrows_lead_to_the_right() -> None:
    names = [f"c{n}" for n in range(30)]
    arrows = [(f"c{n}", f"c{m}") for n in range(30) for m in (n // 2, n // 3) if m != n]
    corners = layout(names, [*arrows, ("c0", "c29")])  # and a circle
    assert set(corners) == set(names)
    assert all(isinstance(at, int) for corner in corners.values() for at in corner)
    boxes = sorted(corners.values())
    for one in boxes:
        for other in boxes:
            assert one == other or abs(one[0] - other[0]) >= WIDTH or abs(one[1] - other[1]) >= HEIGHT
    assert all(corners[start][0] < corners[end][0] for start, end in arrows)


def test_a_memo_changes_nothing_but_the_time_it_takes() -> None:
    memo, project = Memo(), shop()
    assert list(pages([project], memo=memo)) == list(pages([project]))
    more = msgspec.structs.replace(
        project, concepts=(*project.concepts, concept("new", "New", [("contains", "shop/cart.py")]))
    )
    assert list(pages([more], memo=memo)) == list(pages([more]))
    assert list(pages([project], memo=memo)) == list(pages([project]))


SEEDED = """
import hashlib, msgspec
from navlog.projections.pages import pages
from navlog.projections.pages.model import Commit
from support.vault import AT, shop
commits = tuple(Commit(f"c{n}", AT, "Ada", f"Change {n}", ("shop/total.py",)) for n in range(20))
made = pages([msgspec.structs.replace(shop(), commits=commits)])
print(hashlib.sha256(repr(list(made)).encode()).hexdigest())
"""


def test_what_happened_at_the_same_moment_stands_in_the_same_order_everywhere() -> None:
    """Sets have another order in each process; no page may show it."""
    said = {
        subprocess.run(
            [sys.executable, "-c", SEEDED],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
