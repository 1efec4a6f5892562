"""Who is asked for better summaries, and what was decided on candidates."""

from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from navlog.daemon.knowing.improving import Improving
from navlog.daemon.knowing.judging import Judgements
from navlog.daemon.knowing.summarisers import Asks
from navlog.daemon.projects import Project
from navlog.projections.knowledge.configuring import of_variant
from navlog.schemas.envelope import draft
from navlog.schemas.event import Event
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.knowledge import CandidateConfiguration, CandidateJudged, Verdict
from navlog.schemas.settings import Candidate, Knowledge, Settings
from support.journal import open_journal

STANDING = cast("Any", None)


class Asked:
    """Stands for `Asking`; remembers what it was wanted for."""

    def __init__(self, asks: Asks, variant: str) -> None:
        self.who = (variant, asks.name)
        self.wanted: list[str] = []
        self.waiting = 2
        self.fault = ""

    def want(self, project: Project, _standing: object) -> None:
        self.wanted.append(project.id)


class House:
    """A journal with judgements, and who was started."""

    def __init__(self, tmp_path: Path, settings: Settings) -> None:
        self.journal = open_journal(tmp_path)
        self.judged = Judgements(self.journal)
        self.started: list[Asked] = []
        self.improving = Improving(
            settings, lambda project: of_variant(settings, "", self.judged.of(project)), self._start
        )

    def _start(self, asks: Asks, variant: str) -> Any:
        self.started.append(Asked(asks, variant))
        return self.started[-1]

    def judge(self, project: str, candidate: str, verdict: Verdict, summariser: str) -> None:
        configuration = CandidateConfiguration(summariser=summariser)
        self.say(project, CandidateJudged(candidate=candidate, verdict=verdict, configuration=configuration))

    def say(self, project: str, event: Event) -> None:
        one = draft(event, project=project, source="test", id=f"e{self.journal.position}")
        self.journal.append([one]).result()

    def want(self, *projects: str) -> dict[tuple[str, str], list[str]]:
        for project in projects:
            self.improving.want(Project(project, Path("/p"), "p", "folder"), STANDING)
        return {one.who: one.wanted for one in self.started}


def settings(candidate: str = "", **knowledge: Any) -> Settings:
    tried = Candidate(name=candidate, summariser="endpoint") if candidate else Candidate()
    return msgspec.structs.replace(Settings(), knowledge=Knowledge(**knowledge), candidate=tried)


def test_by_default_nobody_is_asked(tmp_path: Path) -> None:
    house = House(tmp_path, settings(endpoint="http://x", model="m"))
    assert house.want("a") == {}
    assert (house.improving.waiting("a"), house.improving.fault("a")) == (0, "")


def test_what_is_set_and_what_is_on_trial_are_asked_for_every_project(tmp_path: Path) -> None:
    both = settings("try", summariser="command", command=["sum"], endpoint="http://x", model="m")
    house = House(tmp_path, both)
    assert house.want("a", "b") == {("", "command:sum"): ["a", "b"], ("try", "endpoint:m"): ["a", "b"]}
    house.judge("a", "try", "promoted", "endpoint")
    assert house.want("a") == {("", "command:sum"): ["a", "b", "a"], ("try", "endpoint:m"): ["a", "b", "a"]}


def test_what_was_promoted_is_asked_in_that_project_when_it_has_left_the_settings(tmp_path: Path) -> None:
    house = House(tmp_path, settings(endpoint="http://x", model="m"))
    house.judge("a", "try", "promoted", "endpoint")
    house.judge("b", "try", "dropped", "endpoint")
    assert house.want("a", "b", "a") == {("try", "endpoint:m"): ["a", "a"]}
    assert house.improving.waiting("a") == 2
    house.started[0].fault = "away"
    assert (house.improving.fault("a"), house.improving.fault("b")) == ("away", "")


@pytest.mark.parametrize("kind", ["endpoint", "command"])
def test_without_a_place_to_ask_it_is_said_and_nobody_is_asked(tmp_path: Path, kind: str) -> None:
    house = House(tmp_path, settings())
    house.judge("a", "try", "promoted", kind)
    assert house.want("a") == {}
    assert house.improving.fault("a") == (
        f"try was promoted with the summariser '{kind}', and knowledge.{kind} is not set any more:"
        " what changes is summarised by rules."
    )
    assert house.improving.fault("b") == ""


def test_judgements_stand_in_their_order_until_the_project_is_removed(tmp_path: Path) -> None:
    house = House(tmp_path, settings())
    house.judge("a", "one", "promoted", "")
    house.judge("a", "two", "dropped", "")
    assert list(house.judged.of("a")) == ["one", "two"]
    house.judge("a", "one", "dropped", "")
    assert [(one.candidate, one.verdict) for one in house.judged.of("a").values()] == [
        ("two", "dropped"), ("one", "dropped"),
    ]  # fmt: skip
    assert house.judged.of("b") == {}
    house.say("a", ProjectRemoved())
    assert house.judged.of("a") == {}
