"""One pointer, and only one that is there."""

from navlog.projections.knowledge.pointing import Places, entry
from navlog.projections.knowledge.prose import blocks
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import Symbol
from support.pages import view_of

VIEW = view_of(
    {
        "src/shop/__init__.py": [],
        "src/shop/orders.py": ["place", "cancel_order"],
        "src/shop/main.py": ["run"],
        "lib/adapters/README.md": [],
        "lib/adapters/http.py": ["send_http"],
        "lib/settle.py": ["settle"],
        "tests/test_orders.py": ["test_place"],
        "docs/orders.md": [],
    }
)
PLACES = Places(VIEW)


def point(text: str, path: str = "README.md") -> str:
    return entry(path, "shop", blocks(text), PLACES)


def test_what_exists() -> None:
    assert PLACES.exists("src/shop/orders.py")
    assert PLACES.exists("src/shop/orders.py:place")
    assert not PLACES.exists("src/shop/orders.py:gone")
    assert not PLACES.exists("src/gone.py")
    assert not PLACES.exists("")


def test_the_line_of_a_section_is_that_of_its_last_heading() -> None:
    view = ProjectView()
    symbols = [
        Symbol("Rules", "heading", 1, 9), Symbol("Data", "function", 2, 2), Symbol("Data", "heading", 4, 6),
        Symbol("Money", "heading", 7, 9),
    ]  # fmt: skip
    view.put(FileView("AGENTS.md", "AGENTS.md", "markdown", 1, 9, 1.0, symbols=symbols), {"1": "rules"})
    places = Places(view)
    lines = {title: places.section("AGENTS.md", title) for title in ("Data", "Data / Money", "Gone", "")}
    assert lines == {"Data": 4, "Data / Money": 7, "Gone": 0, "": 0}
    assert places.section("gone.md", "Data") == 0


def test_a_path_in_backticks_is_the_pointer() -> None:
    assert point("# A\n\nOrders go through `src/shop/orders.py`.\n") == "src/shop/orders.py"


def test_the_end_of_a_path_and_a_function_are_found() -> None:
    assert point("# A\n\nOrders go through `shop/orders.py`.\n") == "src/shop/orders.py"
    assert point("# A\n\nOnly `cancel_order()` may do it.\n") == "src/shop/orders.py:cancel_order"
    assert point("# A\n\nSee `src/shop/orders.py:place`.\n") == "src/shop/orders.py:place"


def test_the_first_example_leads_to_what_it_calls() -> None:
    assert point("# A\n\n```python\nfrom shop.orders import place\n\nplace(1)\n```\n").startswith(
        "src/shop/orders.py"
    )


def test_a_nested_readme_is_about_its_own_folder() -> None:
    text = "# Adapters\n\nThey call `settle` at the end.\n"
    assert point(text, "lib/adapters/README.md") == "lib/adapters/http.py"


def test_tests_and_documents_come_last() -> None:
    assert (
        point("# A\n\n`tests/test_orders.py` and `docs/orders.md` and `src/shop/main.py`.\n")
        == "src/shop/main.py"
    )


def test_where_nothing_is_named_the_project_s_own_beginning_is() -> None:
    assert point("# Shop\n\nNothing to see.\n") in ("src/shop/main.py", "src/shop/__init__.py")


def test_a_file_that_is_gone_is_never_the_pointer() -> None:
    found = point("# A\n\nSee `src/shop/deleted.py` and `gone()`.\n")
    assert PLACES.exists(found)


def test_an_empty_project_has_no_pointer() -> None:
    assert entry("README.md", "p", blocks("# A\n\nSee `a.py`.\n"), Places(view_of({}))) == ""


def test_a_rule_points_at_what_it_names_and_at_nothing_else() -> None:
    """A place that is only near a rule's words would be quoted for it; a licence is no place at all."""
    places = Places(view_of({"shop/log.py": ["write"], "LICENSE": [], "shop/app.py": ["create_app"]}))

    def of(text: str) -> str:
        return entry("CONTRIBUTING.md", "shop", blocks(text), places, guess=False)

    assert of("Never print, use `shop/log.py`.") == "shop/log.py"
    assert of("Never print in the app of the shop.") == ""
    assert of("Whoever sends a patch accepts the [licence](LICENSE).") == ""
