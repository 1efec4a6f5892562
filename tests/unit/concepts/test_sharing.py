"""Judgements as a team's file: each once, whoever imports from whom, and nothing that was changed by hand."""

from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from navlog.daemon.journal import Journal
from navlog.daemon.judging import Judging
from navlog.daemon.projects import Project, Projects
from navlog.projections.concepts import sharing
from navlog.schemas import overlays as o
from navlog.schemas.control import ProjectName
from navlog.schemas.envelope import Draft
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import ImportArgs, JudgeArgs, JudgementRow, SharedJudgement
from navlog.schemas.overlays import OVERLAYS
from support.meaning import SHOP, ShopWorld


class Notes:
    """A journal of overlays for tests: appends to the list the projectors read."""

    def __init__(self, world: ShopWorld) -> None:
        self._world = world

    def append(self, drafts: list[Draft]) -> "Future[Any]":
        first = self._world.overlays.position + 1
        for draft in drafts:
            position = self._world.overlays.raw(draft.type, draft.data)
            record = self._world.overlays.records[position - 1]
            self._world.overlays.records[position - 1] = msgspec.structs.replace(
                record, id=draft.id, occurred_at=draft.occurred_at
            )
        done: Future[Any] = Future()
        done.set_result(SimpleNamespace(first=first))
        return done


class Person:
    """Somebody with a daemon of their own."""

    def __init__(self, home: Path, hour: int) -> None:
        self.world = ShopWorld(home)
        self.world.run()
        self.hour, self.minute = hour, 0
        project = Project("p", home, "shop", "git")
        projects = cast("Projects", SimpleNamespace(find=lambda _: project))
        self.judging = Judging(
            projects, lambda _: frozenset(SHOP), cast("Journal", Notes(self.world)), self.world.concepts,
            lambda: self.world.projection.state, self.now,
        )  # fmt: skip

    def now(self) -> str:
        self.minute += 1
        return f"2026-01-01T{self.hour:02}:{self.minute:02}:00Z"

    def say(self, action: str, **what: Any) -> JudgementRow:
        args = msgspec.convert({"action": action, "who": "a", **what}, JudgeArgs)
        return self.judging.judge(args, "", lambda *_: None).judgements[0]

    def file(self) -> list[SharedJudgement]:
        return self.judging.export(ProjectName(), "", lambda *_: None).judgements

    def take(self, lines: list[SharedJudgement]) -> tuple[int, int]:
        reply = self.judging.take(ImportArgs(judgements=lines), "", lambda *_: None)
        return reply.taken, reply.known

    def sees(self) -> dict[str, tuple[str, str]]:
        return {key: (one.label, one.status) for key, one in self.world.all().items()}


@pytest.fixture
def ann(tmp_path: Path) -> Person:
    (tmp_path / "ann").mkdir()
    return Person(tmp_path / "ann", 8)


@pytest.fixture
def ben(tmp_path: Path) -> Person:
    (tmp_path / "ben").mkdir()
    return Person(tmp_path / "ben", 9)


def test_two_people_who_exchange_their_judgements_end_with_the_same(ann: Person, ben: Person) -> None:
    ann.say("rename", target="payments", label="Billing")
    ann.say("reject", target="stock")
    ben.say("rename", target="payments", label="Money")
    ben.say("map", target="checkout", paths=["docs/payments.md"], relation="documented_by")
    first, second = ann.file(), ben.file()
    assert ann.take(second) == (2, 0)
    assert ben.take(first) == (2, 0)
    assert ann.sees() == ben.sees()
    assert ann.sees()["payments"] == ("Money", "found")  # made later, told earlier or not
    assert ann.file() == ben.file()


def test_what_is_known_already_is_not_taken_again(ann: Person, ben: Person) -> None:
    ann.say("accept", target="payments")
    assert ann.take(ann.file()) == (0, 1)
    assert ben.take([*ann.file(), *ann.file()]) == (1, 1)
    assert ben.take(ann.file()) == (0, 1)
    assert ann.take(ben.file()) == (0, 1)


def test_a_withdrawal_travels_and_names_what_it_takes_back(ann: Person, ben: Person) -> None:
    said = ann.say("reject", target="payments")
    ben.say("accept", target="stock")
    ben.take(ann.file())
    ann.say("withdraw", position=said.position)
    assert ben.take(ann.file()) == (1, 1)
    assert ben.sees()["payments"][1] == "found"
    assert [row.withdrawn for row in ben.judging.listed(ProjectName(), "", lambda *_: None)].count(True) == 1


def test_a_line_changed_by_hand_refuses_the_whole_file(ann: Person, ben: Person) -> None:
    ann.say("reject", target="payments")
    ann.say("reject", target="stock")
    good, bad = ann.file()
    forged = msgspec.structs.replace(bad, who="somebody else")
    with pytest.raises(UsageError, match="Line 2 cannot be imported: its id is not that of its content"):
        ben.take([good, forged])
    assert ben.file() == []


@pytest.mark.parametrize(
    ("change", "why"),
    [({"type": "nothing_known"}, "no judgement of the type"), ({"data": {}}, "missing required field")],
)
def test_a_line_that_is_no_judgement_says_why(ann: Person, change: dict[str, Any], why: str) -> None:
    line = sharing.shared(o.AliasAdded(after_event=1, who="a", concept="concept:a", alias="b"), "2026")
    changed = msgspec.structs.replace(line, **change)
    named = sharing.shared_id(
        changed.type, changed.at, changed.who, changed.why, changed.data, changed.withdraws
    )
    with pytest.raises(UsageError, match=why):
        ann.take([msgspec.structs.replace(changed, id=named)])


def test_every_kind_of_judgement_survives_being_shared(ann: Person, ben: Person) -> None:
    ann.say("create", label="Fraud checks")
    ann.say("accept", target="payments")
    ann.say("reject", target="stock", relation="tested_by", other="tests/test_stock.py")
    ann.say("rename", target="stock", label="Warehouse")
    ann.say("alias", target="stock", label="Shelf")
    ann.say("split", target="checkout", label="Rebates", paths=["shop/checkout/discounts.py"])
    ann.say("map", target="fraud checks", paths=["shop/orders.py"])
    ann.say("unmap", target="payments", paths=["tests/test_payments.py"], relation="tested_by")
    ann.say("relate", target="fraud checks", relation="depends_on", other="payments")
    ann.say("merge", target="rebates", other="payments")
    said = ann.say("alias", target="payments", label="Slip")
    ann.say("withdraw", position=said.position)
    assert {line.type for line in ann.file()} == set(OVERLAYS)
    ben.take(ann.file())
    assert ben.world.all() == ann.world.all()


@pytest.mark.parametrize(
    ("action", "what", "message", "hint"),
    [
        ("reject", {"target": "paymens"}, "no concept 'paymens'", "payments"),
        ("map", {"target": "stock", "paths": ["shop/orders.pyy"]}, "no file", "shop/orders.py"),
        ("map", {"target": "stock", "paths": []}, "No file is named", ""),
        ("accept", {"target": "stock", "relation": "likes", "other": "x"}, "relation 'likes'", "tested_by"),
        ("reject", {"target": "relation:0"}, "no relation 'relation:0'", "concept show"),
        ("merge", {"target": "stock", "other": "stock"}, "into itself", ""),
        ("relate", {"target": "stock", "relation": "contains", "other": "stock"}, "to itself", ""),
        ("create", {"label": "Payments"}, "concept:payments already", "accept"),
        ("create", {"label": "…"}, "is no name", ""),
        ("withdraw", {"position": 99}, "no judgement 99", "overlay list"),
        ("split", {"target": "stock", "label": "x y", "paths": ["shop/payments.py"]}, "no file", ""),
        ("relate", {"target": "stock", "relation": "tested_by", "other": "x"}, "no relation", "depends_on"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused_with_what_is_near(
    ann: Person, action: str, what: dict[str, Any], message: str, hint: str
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        ann.say(action, **what)
    assert hint in caught.value.hint
    assert ann.file() == []


def test_nobody_judges_without_a_name(ann: Person) -> None:
    with pytest.raises(UsageError, match="Nobody is named"):
        ann.say("accept", target="stock", who=" ")


def test_a_rejected_relation_can_be_accepted_again_by_its_id(ann: Person) -> None:
    claim = next(claim for claim in ann.world.all()["stock"].files if claim.relation == "tested_by")
    ann.say("reject", target=claim.id)
    assert claim.path not in {one.path for one in ann.world.all()["stock"].files}
    ann.say("accept", target=claim.id)
    assert claim.path in {one.path for one in ann.world.all()["stock"].files}


@pytest.mark.parametrize(
    ("relation", "other", "meant"),
    [
        ("contains", "shop/checkout/discounts.py", "shop/checkout/discounts.py"),
        ("contains", "stock", "concept:stock"),
        ("depends_on", "stock", "concept:stock"),
        ("tested_by", "tests/test_stock.py", "tests/test_stock.py"),
    ],
)
def test_the_other_end_is_a_file_or_a_concept_as_the_relation_has_it(
    ann: Person, relation: str, other: str, meant: str
) -> None:
    said = ann.say("accept", target="checkout", relation=relation, other=other)
    assert (said.data["subject"], said.data["relation"], said.data["object"]) == (
        "concept:checkout", relation, meant,
    )  # fmt: skip


def test_of_two_rejected_relations_the_one_that_is_named_is_accepted_again(ann: Person) -> None:
    claims = [one.files[0] for one in ann.world.all().values() if one.key in ("stock", "payments")]
    for claim in claims:
        ann.say("reject", target=claim.id)
    for claim in reversed(claims):
        assert ann.say("accept", target=claim.id).data["object"] == claim.path
