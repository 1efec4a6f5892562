"""Found concepts as people judged them, on a world of both logs: it holds after rescan, move and replay."""

from pathlib import Path
from typing import Any

import pytest

from navlog.projections.replay import replay
from navlog.schemas import overlays as o
from navlog.schemas.concept import Concept
from navlog.schemas.concepts import ConceptMoved, ConceptsProposed, ProposedConcept, ProposedFile
from navlog.schemas.events import FileMoved, FileRemoved, ProjectRemoved
from support.graph import REGISTERED
from support.meaning import SHOP, ShopWorld

WHO: dict[str, Any] = {"after_event": 0, "who": "a"}


@pytest.fixture
def world(tmp_path: Path) -> ShopWorld:
    return ShopWorld(tmp_path)


def files(one: Concept, relation: str) -> list[str]:
    return [claim.path for claim in one.files if claim.relation == relation]


def rejected(target: str, **parts: Any) -> o.ClaimRejected:
    return o.ClaimRejected(**WHO, target=target, **parts)


def test_a_rejected_concept_is_kept_but_not_shown_and_makes_no_room(world: ShopWorld) -> None:
    before = set(world.shown())
    world.judge(rejected("concept:payments"))
    assert set(world.shown()) == before - {"payments"}
    assert world.all()["payments"].status == "rejected"
    assert all(link.concept != "concept:payments" for one in world.shown().values() for link in one.relations)


def test_a_rejection_holds_after_rescan_restart_and_replay(world: ShopWorld) -> None:
    world.judge(rejected("concept:payments"))
    world.write({"shop/payments.py": SHOP["shop/payments.py"] + "\ndef refund"})
    assert "payments" not in world.shown()
    world.restart()
    assert "payments" not in world.shown()
    assert not replay(world.concepts).changed
    assert "payments" not in world.shown()


def test_a_name_people_gave_stands_and_the_old_one_is_an_alias(world: ShopWorld) -> None:
    world.judge(
        o.ConceptRenamed(**WHO, concept="concept:payments", label="Billing"),
        o.AliasAdded(**WHO, concept="concept:payments", alias="Charging"),
    )
    payments = world.shown()["payments"]
    assert payments.label == "Billing"
    assert {"Payments", "Charging"} <= set(payments.aliases)


def test_a_merged_concept_gives_its_files_and_names(world: ShopWorld) -> None:
    before = world.shown()
    world.judge(o.ConceptsMerged(**WHO, concept="concept:payments", into="concept:checkout"))
    after = world.shown()
    assert "payments" not in after
    assert set(files(before["payments"], "implemented_by")) < set(files(after["checkout"], "implemented_by"))
    assert "Payments" in after["checkout"].aliases
    assert after["checkout"].merged == ("concept:payments",)
    assert all(link.concept != "concept:payments" for one in after.values() for link in one.relations)


def test_a_part_takes_its_files_out_of_the_whole(world: ShopWorld) -> None:
    path = "shop/checkout/discounts.py"
    world.judge(
        o.ConceptSplit(
            **WHO, concept="concept:checkout", part="concept:rebates", label="Rebates", paths=[path]
        )
    )
    shown = world.shown()
    assert path not in {claim.path for claim in shown["checkout"].files}
    assert files(shown["rebates"], "implemented_by") == [path]
    assert shown["rebates"].status == "created"


def test_mapped_and_unmapped_files(world: ShopWorld) -> None:
    world.judge(
        o.FileMapped(**WHO, concept="concept:stock", relation="documented_by", path="docs/checkout.md"),
        o.FileUnmapped(**WHO, concept="concept:stock", relation="tested_by", path="tests/test_stock.py"),
        o.FileMapped(**WHO, concept="concept:stock", relation="contains", path="not/there.py"),
    )
    stock = world.shown()["stock"]
    assert (files(stock, "documented_by"), files(stock, "tested_by"), files(stock, "contains")) == (
        ["docs/checkout.md"], [], [],
    )  # fmt: skip
    claim = next(claim for claim in stock.files if claim.path == "docs/checkout.md")
    assert (claim.source, claim.confidence, claim.status) == ("person", 1.0, "created")


def test_a_rejected_relation_is_gone_and_an_accepted_one_says_so(world: ShopWorld) -> None:
    stock = world.shown()["stock"]
    test = next(claim for claim in stock.files if claim.relation == "tested_by")
    code = next(claim for claim in stock.files if claim.relation == "implemented_by")
    world.judge(
        rejected(test.id, subject=stock.id, relation=test.relation, object=test.path),
        o.ClaimAccepted(**WHO, target=code.id, subject=stock.id, relation=code.relation, object=code.path),
    )
    assert [claim.status for claim in world.shown()["stock"].files] == ["accepted"]


def test_a_created_concept_and_relation_stand_beside_what_is_found(world: ShopWorld) -> None:
    world.judge(
        o.ConceptCreated(**WHO, concept="concept:fraud", label="Fraud checks"),
        o.RelationCreated(**WHO, relation="depends_on", subject="concept:fraud", object="concept:payments"),
    )
    fraud = world.shown()["fraud"]
    assert (fraud.label, fraud.status, fraud.source) == ("Fraud checks", "created", "person")
    assert [(link.relation, link.concept) for link in fraud.relations] == [("depends_on", "concept:payments")]


def test_an_accepted_concept_stays_when_no_rule_finds_it_any_more(world: ShopWorld) -> None:
    world.judge(o.ClaimAccepted(**WHO, target="concept:stock"))
    world.say(FileRemoved(path="shop/stock.py"))
    assert world.shown()["stock"].status == "accepted"


def moves(world: ShopWorld, previous: str, now: str) -> None:
    """A folder is renamed; what the projection then asks for is said, as the daemon does."""
    paths = [path for path in SHOP if path.startswith(previous)]
    world.say(*(FileMoved(previous=path, path=now + path.removeprefix(previous)) for path in paths))
    old, new = (name.removesuffix(".py").rpartition("/")[2] for name in (previous, now))
    users = {path: text for path, text in SHOP.items() if old in text and path not in paths}
    world.write({path: text.replace(old, new) for path, text in users.items()})
    world.run()
    for pair in world.projection.moved.get("p", []):
        world.say(ConceptMoved(previous=pair[0], concept=pair[1]))


def test_judgements_follow_a_folder_that_moves_there_and_back(world: ShopWorld) -> None:
    world.run()
    world.judge(
        rejected("concept:payments"),
        o.ConceptRenamed(**WHO, concept="concept:checkout", label="Till"),
        o.FileMapped(
            **WHO, concept="concept:stock", relation="contains", path="shop/checkout/discounts.py",
        ),
    )  # fmt: skip
    world.run()
    moves(world, "shop/checkout", "shop/register")
    moves(world, "shop/payments.py", "shop/charging.py")
    shown = world.shown()
    assert shown["register"].label == "Till"
    assert "charging" not in shown
    assert world.all()["charging"].status == "rejected"
    assert "shop/register/discounts.py" in files(shown["stock"], "contains")
    world.restart()
    assert world.shown()["register"].label == "Till"
    assert not replay(world.concepts).changed
    assert world.all()["charging"].status == "rejected"


def test_what_a_provider_proposes_comes_after_the_rules_and_before_people(world: ShopWorld) -> None:
    proposed = ConceptsProposed(
        provider="x",
        asked="1",
        concepts=[
            ProposedConcept(label="Payments", aliases=["Money"], files=[ProposedFile(path="shop/orders.py")]),
            ProposedConcept(
                label="Fulfilment", files=[ProposedFile(path="shop/stock.py"), ProposedFile(path="no.py")]
            ),
            ProposedConcept(label="Nothing", files=[ProposedFile(path="no.py")]),
        ],
    )
    world.say(proposed)
    shown = world.shown()
    assert files(shown["payments"], "implemented_by") == ["shop/payments.py", "shop/orders.py"]
    assert "Money" in shown["payments"].aliases
    assert (shown["fulfilment"].source, files(shown["fulfilment"], "implemented_by")) == (
        "provider", ["shop/stock.py"],
    )  # fmt: skip
    assert "nothing" not in shown
    world.judge(rejected("concept:fulfilment"))
    assert "fulfilment" not in world.shown()


def test_judgements_outlive_a_project_that_was_taken_off_and_comes_back(world: ShopWorld) -> None:
    world.judge(rejected("concept:payments"))
    world.run()
    world.say(ProjectRemoved())
    assert world.all() == {}
    world.say(REGISTERED)
    world.write(SHOP)
    assert world.all()["payments"].status == "rejected"
    assert not replay(world.concepts).changed
