"""A small project with concepts, as facts and as a world of a graph and its concepts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from navlog.projections.concepts.facts import Facts, facts_of
from navlog.projections.concepts.projection import ConceptsProjection
from navlog.projections.graph import GraphProjection
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.concept import Concept
from navlog.schemas.events import CommitRecorded, Event, OutlineRecorded, Symbol
from support.graph import LIMITS, REGISTERED, ListLog, content, observed, outlined

# path -> text in the toy language of `support.graph.outlined`; a document's lines are its headings.
SHOP: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/utils.py": "def slug\ndef pad",
    "shop/checkout/__init__.py": "def checkout",
    "shop/checkout/basket.py": "from shop import utils\ndef add",
    "shop/checkout/discounts.py": "from shop.checkout import basket\ndef discount",
    "shop/payments.py": "from shop.checkout import basket\ndef charge",
    "shop/stock.py": "def reserve",
    "shop/orders.py": "from shop import stock, payments\nfrom shop.checkout import basket\ndef order",
    "tests/test_payments.py": "from shop import payments\ndef test_charge",
    "tests/test_stock.py": "from shop import stock\ndef test_reserve",
    "docs/payments.md": "# Payments",
    "docs/checkout.md": "# How checkout works",
    "docs/changes.md": "# Payments",
    "payments.toml": "",
}


def outline_of(path: str, text: str) -> OutlineRecorded:
    """What the toy extractor says; a document has headings."""
    if not path.endswith(".md"):
        return outlined(text, "python" if path.endswith(".py") else "toml")
    headings = [
        Symbol(line.lstrip("# "), "heading", number, number)
        for number, line in enumerate(text.split("\n"), 1)
    ]
    return msgspec.structs.replace(outlined(text, "markdown"), symbols=headings)


def facts(
    files: Mapping[str, str] = SHOP, edges: Mapping[str, Any] | None = None, name: str = "shop"
) -> Facts:
    """Facts without a log; ``edges``: path -> (kind, target) that leave it."""
    view = ProjectView()
    for path, text in files.items():
        outline = outline_of(path, text)
        view.put(_file(path, outline), outline.words)
    for path, leaving in (edges or {}).items():
        view.relate(path, leaving)
    return facts_of(name, view, {})


def _file(path: str, outline: OutlineRecorded) -> FileView:
    return FileView(
        path=path, content=outline.content, language=outline.language, size=outline.size, mtime_ns=0,
        changed_at=0.0, lines=outline.lines, symbols=outline.symbols,
    )  # fmt: skip


def commit(number: int, subject: str, *paths: str) -> CommitRecorded:
    """A commit that changed ``paths``."""
    return CommitRecorded(
        commit=content(f"commit {number}"), parents=[], committed_at="2026-01-01T00:00:00Z", author="a",
        subject=subject, files=[msgspec.convert([path, "M"], type=_file_shape()) for path in paths],
        file_count=len(paths),
    )  # fmt: skip


def _file_shape() -> Any:
    return CommitRecorded.__annotations__["files"].__args__[0]


class ShopWorld:
    """A store below ``home``, both logs, and the projectors of graph and concepts."""

    def __init__(self, home: Path, files: Mapping[str, str] = SHOP) -> None:
        self.home = home
        self.events, self.overlays = ListLog(), ListLog()
        self.events.add(REGISTERED)
        self.write(files)
        self.open()

    def open(self) -> None:
        """A start of the daemon."""
        self.store = Store(self.home, LIMITS)
        views: dict[str, ProjectView] = {}
        logs = {"events": self.events, "overlays": self.overlays}
        self.graph = Projector(GraphProjection(views), self.store, {"events": self.events})
        self.concepts = Projector(ConceptsProjection(views), self.store, logs)  # type: ignore[arg-type]

    def restart(self) -> None:
        """A stop and a start."""
        self.store.close()
        self.open()

    def write(self, files: Mapping[str, str]) -> None:
        """Each of these paths says this now."""
        for path, text in files.items():
            self.events.add(observed(path, text), outline_of(path, text))

    def say(self, *events: Event) -> None:
        """These happened."""
        self.events.add(*events)

    def judge(self, *overlays: Any) -> None:
        """Somebody judged, after all that happened so far."""
        for overlay in overlays:
            self.overlays.add(msgspec.structs.replace(overlay, after_event=self.events.position))

    def run(self, size: int = 2000) -> None:
        """Catches up with both logs, in batches of ``size`` events."""
        while self.concepts.position.events < self.events.position:
            goal = min(self.events.position, self.concepts.position.events + size)
            self.graph.catch_up(goal)
            self.concepts.catch_up(goal)
        self.concepts.catch_up(self.events.position)

    @property
    def projection(self) -> ConceptsProjection:
        """The one that stands."""
        projection = self.concepts.projection
        assert isinstance(projection, ConceptsProjection)
        return projection

    def shown(self) -> dict[str, Concept]:
        """key -> concept, those that are shown."""
        self.run()
        return {one.key: one for one in self.projection.shown.concepts_of("p") if one.shown}

    def all(self) -> dict[str, Concept]:
        """key -> concept, rejected ones too."""
        self.run()
        return {one.key: one for one in self.projection.shown.concepts_of("p")}
