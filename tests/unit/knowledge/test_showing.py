"""What is shown, folded from the log: the same as from the tables, and without waiting for them."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from navlog.daemon.knowing.judging import Judgements
from navlog.daemon.knowing.showing import Showing
from navlog.projections.knowledge import tables
from navlog.projections.knowledge.configuring import of_variant
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.envelope import draft
from navlog.schemas.event import Event
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.knowledge import (
    CandidateConfiguration,
    CandidateJudged,
    KnowledgePinned,
    KnowledgeRolledBack,
    SummaryDropped,
    SummaryMade,
    Verdict,
)
from navlog.schemas.settings import Settings
from support.graph import LIMITS
from support.journal import open_journal


class House:
    """A log, its tables, and what is shown; the tables move only when they are told to."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "derived").mkdir()
        self.journal = open_journal(folder)
        self.store = Store(folder, LIMITS)
        self.projector = Projector(KnowledgeProjection(), self.store, {"events": self.journal})
        self.judged = Judgements(self.journal)
        self.waits = 0
        outer = self

        class Waiting:
            @property
            def position(self) -> Any:
                return outer.projector.position

            def wait_for(self, position: int, _timeout: float) -> bool:
                outer.waits += 1
                outer.projector.catch_up(position)
                return True

        self.showing = Showing(self.store, self.journal, cast("Any", Waiting()), self.running)

    def running(self, project: str) -> Any:
        return of_variant(Settings(), "", self.judged.of(project))

    def say(self, event: Event, project: str = "p") -> int:
        one = draft(event, project=project, source="test", id=f"e{self.journal.position}")
        return self.journal.append([one]).result().last

    def of_tables(self) -> tuple[Any, ...]:
        self.projector.catch_up(self.journal.position)
        runs = self.running("p")
        with self.store.cursor() as db:
            rows = tables.shown(db, "p", runs.summaries, runs.summariser)
            pins, stands_at, newest = tables.standing(db, "p")
        return rows, sorted(pins), stands_at, newest

    def of_log(self) -> tuple[Any, ...]:
        shown = self.showing.of("p")
        rows = [row for _, row in sorted(shown.rows.items())]
        return rows, sorted(shown.pins), shown.stands_at, shown.newest

    def close(self) -> None:
        self.store.close()
        self.journal.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    one = House(tmp_path / "one")
    yield one
    one.close()


def made(document: str, says: str, source: str = "1", variant: str = "") -> SummaryMade:
    by = "endpoint:m" if variant else "extractive-3"
    return SummaryMade(
        document=document, kind="rules", source=source, summariser=by, title=document, core_problem=says,
        key_constraint="", latest_decision="", entry_pointer="", tokens=9, variant=variant,
    )  # fmt: skip


def test_a_new_version_is_shown_before_the_tables_have_it(house: House) -> None:
    house.say(made("a", "old"))
    assert [row[8] for row in house.of_log()[0]] == ["old"]
    waits = house.waits
    at = house.say(made("a", "new", "2"))
    house.say(made("b", "b"), "q")
    house.say(made("a", "by a model on trial", "2", "try"))
    rows, _, _, newest = house.of_log()
    assert [(row[3], row[8]) for row in rows] == [(at, "new")]
    assert newest == at + 2
    house.say(SummaryDropped(document="a"))
    assert house.of_log()[0] == []
    assert house.waits == waits, "nobody waited for the tables"
    assert house.of_log() == house.of_tables()


def anything(draw: Random, newest: int) -> Event:
    """Something that happens to the knowledge of a project."""
    name, source = draw.choice(["a", "b", "c#1"]), draw.choice(["1", "2"])
    tried = CandidateConfiguration(summariser=draw.choice(["endpoint", ""]))
    verdicts: list[Verdict] = ["promoted", "dropped"]
    said: list[Event] = [
        made(name, draw.choice(["x", "y"]), source),
        made(name, "m", source, "try"),
        SummaryDropped(document=name),
        KnowledgePinned(document=name, version=draw.randint(0, newest), why=""),
        KnowledgeRolledBack(version=draw.choice([0, 0, draw.randint(0, newest)]), why=""),
        CandidateJudged(candidate="try", verdict=draw.choice(verdicts), configuration=tried),
        ProjectRemoved(),
    ]
    return draw.choice(said)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_the_log_shows_what_the_tables_do(house: House, seed: int) -> None:
    draw = Random(seed)
    for _ in range(150):
        # Mostly summaries: where people decide everything all the time, only the tables are asked.
        plain = made(draw.choice("abc"), draw.choice("xyz"), draw.choice("123"))
        house.say(plain if draw.random() < 0.7 else anything(draw, house.journal.position))
        if draw.random() < 0.5:
            assert house.of_log() == house.of_tables()
