"""What is kept of a project's documents, and who decides when a model is away."""

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from threading import Event
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from navlog.daemon.knowing.shelf import HASHING, Shelves
from navlog.projections.embedding import Vectors
from navlog.projections.knowledge.configuring import of_variant
from navlog.schemas.errors import EmbeddingFailed
from navlog.schemas.settings import Candidate, Settings

ROWS = [
    (
        "p", f"AGENTS.md#{name}", "", 1, "rules", "s", "extractive-2", name, name, rule, "", "", 9, "now",
    )
    for name, rule in (("data", "There is no ORM here."), ("log", "Never print; use structlog."))
]  # fmt: skip


class Model:
    """An embedder that can be slow, or away; ``asked`` are the texts it was given."""

    provider = "openai"
    model = "m"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fault: Exception | None = None
        self.may_answer = Event()
        self.may_answer.set()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        if not self.may_answer.wait(5.0) or self.fault:
            raise self.fault or EmbeddingFailed("slow", hint="")
        return HASHING.embed(texts)


OTHER = Model()
OTHER.model = "other"


class Shop:
    """Shelves over rows that are set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows = list(ROWS)
        self.changes = Counter({"p": 1})
        self.model = Model()
        self.now = 0.0
        monkeypatch.setattr("navlog.projections.knowledge.tables.shown", lambda *_: self.rows)
        store: Any = SimpleNamespace(cursor=nullcontext)
        self.settings = Settings()
        self.shelves = Shelves(
            store, lambda: self.changes, lambda _, variant: of_variant(self.settings, variant, {}),
            lambda embed: self.model if embed.model == "m" or not embed.model else OTHER, 300.0,
            lambda: self.now,
        )  # fmt: skip

    def ask(self, task: str, session: str = "s") -> list[str]:
        found = self.shelves.choose("p", "", session, task, 0.0)
        return [one.known.document for one in found if one.score >= 0.25]

    def warm(self) -> None:
        until = monotonic() + 20
        while not self.shelves.shelf("p").is_whole:
            assert monotonic() < until
            self.shelves.keep_warm(["p"])
            sleep(0.01)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Shop:
    return Shop(monkeypatch)


def test_the_hashed_words_decide_until_the_documents_are_embedded(shop: Shop) -> None:
    assert shop.ask("add a SQLAlchemy model") == ["AGENTS.md#data"]
    assert shop.model.asked == [], "a prompt does not wait for a model that has seen no document"
    shop.warm()
    assert "There is no ORM here." in shop.model.asked
    assert len(shop.shelves.shelf("p").looks) == 2


def test_a_model_that_is_slow_or_away_leaves_it_to_the_hashed_words(shop: Shop) -> None:
    shop.warm()
    shop.model.may_answer.clear()
    assert shop.ask("add a SQLAlchemy model") == ["AGENTS.md#data"]
    shop.model.may_answer.set()
    shop.model.fault = EmbeddingFailed("away", hint="")
    assert shop.ask("just print it") == ["AGENTS.md#log"]


def test_only_what_is_new_is_embedded(shop: Shop) -> None:
    shop.warm()
    before = len(shop.model.asked)
    shop.rows[1] = (*ROWS[1][:3], 2, *ROWS[1][4:])
    shop.changes["p"] += 1
    shop.warm()
    assert len(shop.model.asked) == before // 2 + before


def test_a_choice_is_kept_for_its_time_and_never_longer_than_its_sources(shop: Shop) -> None:
    first = shop.shelves.choose("p", "", "s", "just print it", 0.0)
    assert shop.shelves.choose("p", "", "s", "just  print it!", 0.0) is first
    assert shop.shelves.choose("p", "", "another", "just print it", 0.0) is not first
    shop.now = 301.0
    second = shop.shelves.choose("p", "", "s", "just print it", 0.0)
    assert second is not first
    shop.changes["p"] += 1
    assert shop.shelves.choose("p", "", "s", "just print it", 0.0) is not second


def test_two_words_of_one_kind_are_two_topics(shop: Shop) -> None:
    """Kept by their kind alone, the second prompt would get what was chosen for the first."""
    first = shop.shelves.choose("p", "", "s", "use pytest", 0.0)
    assert shop.shelves.choose("p", "", "s", "use vitest", 0.0) is not first


def test_a_candidate_on_trial_looks_with_its_own_embedder(shop: Shop) -> None:
    shop.settings = Settings(candidate=Candidate(name="c", embedder="openai", embed_model="other"))
    tried = shop.shelves.shelf("p", "c", whole=True)
    assert [one.embedder.model for one in tried.looks] == ["other", HASHING.model]
    assert [one.embedder.model for one in shop.shelves.shelf("p", whole=True).looks] == ["m", HASHING.model]


def test_the_words_look_beside_a_model(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """To this model the rule that is asked about is the farthest of thirty."""

    def blind(texts: Sequence[str]) -> Vectors:
        return np.array([[-1.0, 0.0] if "ORM" in text else [1.0, 0.0] for text in texts], np.float32)

    def other(number: int) -> Any:
        word = "".join("bcdfghjkmp"[int(digit)] for digit in f"{number:02}") * 3  # shares nothing
        return (*ROWS[1][:1], f"{word}.md", *ROWS[1][2:7], word, word, word, *ROWS[1][10:])

    others = [other(number) for number in range(30)]
    shop.rows = [ROWS[0], *others]
    monkeypatch.setattr(shop.model, "embed", blind)
    shop.warm()
    assert shop.ask("add a SQLAlchemy model") == ["AGENTS.md#data"]
