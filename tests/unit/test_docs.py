"""The documentation names everything a person can meet."""

import re
from pathlib import Path

import msgspec
import pytest

from navlog.schemas.events import EVENTS
from navlog.schemas.overlays import OVERLAYS, Overlay
from navlog.schemas.settings import Settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def rows(page: str) -> dict[str, str]:
    """The tables of a page: first cell in backticks -> the whole row."""
    found = re.findall(r"^\| `([^`]+)` (\|.*)$", (DOCS / page).read_text(), re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize("name", [*EVENTS, *OVERLAYS])
def test_every_event_is_documented_with_its_fields(name: str) -> None:
    struct = EVENTS.get(name) or OVERLAYS[name]
    shared = set(Overlay.__struct_fields__) if issubclass(struct, Overlay) else set()
    missing = {field for field in struct.__struct_fields__ if f"`{field}`" not in rows("events.md")[name]}
    assert missing <= shared


def test_no_event_is_documented_that_is_not_there() -> None:
    assert set(rows("events.md")) == {*EVENTS, *OVERLAYS}


def test_every_setting_is_documented_with_its_default() -> None:
    page = rows("settings.md")
    expected = {
        f"{section}.{field}": value
        for section, values in msgspec.to_builtins(Settings()).items()
        for field, value in values.items()
    }
    assert set(page) == set(expected)
    for name, value in expected.items():
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        assert f"| {shown} |" in page[name], f"{name}: the default is {shown}"


def test_every_complaint_names_tests_that_are_there() -> None:
    written = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    page = (DOCS / "complaints.md").read_text()
    faults = [line for line in page.splitlines() if line.startswith("| ")][1:]
    named = [re.findall(r"`(test_\w+)`", fault) for fault in faults]
    assert all(named)
    assert not [name for names in named for name in names if f"def {name}(" not in written]


LINK = re.compile(r"\[[^\]]*\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def test_both_readmes_lead_to_the_same_pages_in_the_same_order() -> None:
    english, chinese = (
        re.findall(r"\]\((docs/[^)]+|CONTRIBUTING\.md)\)", (ROOT / name).read_text())
        for name in ("README.md", "README.zh-CN.md")
    )
    assert english == chinese


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *DOCS.rglob("*.md")], ids=lambda p: str(p.relative_to(ROOT))
)
def test_every_fence_is_closed(page: Path) -> None:
    """An open one shows the rest of a page as code."""
    fences = re.findall(r"^(```.*)$", page.read_text(), re.MULTILINE)
    assert [line for line in fences[1::2] if line != "```"] == []
    assert len(fences) % 2 == 0


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *DOCS.rglob("*.md")], ids=lambda p: str(p.relative_to(ROOT))
)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    broken = [target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()]
    assert not broken
