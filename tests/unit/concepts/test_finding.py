"""Concepts from facts: what is found, what is not, and that nothing but the facts decides."""

import random
from collections.abc import Iterator, Mapping

import pytest

from navlog.projections.concepts.facts import Change, Facts, Page, toolkits
from navlog.projections.concepts.finding import Candidate, _is_lesser, find
from navlog.projections.concepts.linking import links_of
from navlog.projections.concepts.units import Unit
from navlog.projections.concepts.weighing import Weighed
from navlog.schemas.concept import Claim, Concept, Kind, Link
from support.meaning import SHOP, facts

EDGES = {
    "shop/checkout/basket.py": [("import", "shop/utils.py")],
    "shop/checkout/discounts.py": [("import", "shop/checkout/basket.py")],
    "shop/payments.py": [("import", "shop/checkout/basket.py")],
    "shop/orders.py": [
        ("import", "shop/stock.py"), ("import", "shop/payments.py"), ("import", "shop/checkout/basket.py"),
    ],
    "tests/test_payments.py": [("import", "shop/payments.py"), ("test", "shop/payments.py")],
    "tests/test_stock.py": [("import", "shop/stock.py")],
}  # fmt: skip


def found(known: Facts) -> Mapping[str, Concept]:
    return {one.key: one for one in find(known).concepts}


def ends(one: Concept) -> list[Claim | Link]:
    return [*one.files, *one.relations]


def files(one: Concept, relation: str) -> list[str]:
    return [claim.path for claim in one.files if claim.relation == relation]


def test_packages_and_modules_with_telling_names_are_concepts() -> None:
    assert {"checkout", "payments", "stock"} <= found(facts(edges=EDGES)).keys()


def test_the_project_itself_and_names_that_say_nothing_are_none() -> None:
    assert not {"shop", "utils", "src", "docs"} & found(facts(edges=EDGES)).keys()


def test_a_concept_names_its_files_by_relation() -> None:
    payments = found(facts(edges=EDGES))["payments"]
    assert files(payments, "implemented_by") == ["shop/payments.py"]
    assert files(payments, "tested_by") == ["tests/test_payments.py"]
    assert files(payments, "documented_by") == ["docs/payments.md"]
    assert files(payments, "configured_by") == ["payments.toml"]


def test_a_change_log_documents_nothing() -> None:
    paths = {claim.path for one in found(facts(edges=EDGES)).values() for claim in one.files}
    assert "docs/changes.md" not in paths


def test_relations_lead_from_the_one_that_uses_to_the_one_that_is_used() -> None:
    payments = found(facts(edges=EDGES))["payments"]
    assert [(link.relation, link.concept) for link in payments.relations] == [
        ("depends_on", "concept:checkout")
    ]


def test_every_claim_has_its_source_and_evidence() -> None:
    known = facts(edges=EDGES)
    for one in found(known).values():
        assert one.evidence
        for end in ends(one):
            assert end.source == "rules"
            assert 0 < end.confidence <= 1
            assert end.evidence
            assert all(why.path in known.pages or not why.path for why in end.evidence)


def test_ids_of_relations_are_made_of_what_they_say() -> None:
    one, other = (found(facts(edges=EDGES))["payments"] for _ in range(2))
    assert [claim.id for claim in one.files] == [claim.id for claim in other.files]
    ids = [end.id for each in found(facts(edges=EDGES)).values() for end in ends(each)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_files_became_known_decides_nothing(seed: int) -> None:
    paths = list(SHOP)
    random.Random(seed).shuffle(paths)
    shuffled = facts({path: SHOP[path] for path in paths}, dict(sorted(EDGES.items(), reverse=seed % 2 == 0)))
    assert find(shuffled) == find(facts(edges=EDGES))


@pytest.mark.parametrize(
    ("kind", "weight", "lesser"), [("module", 1.99, True), ("module", 2.0, False), ("package", 1.0, False)]
)
def test_a_module_with_less_than_half_its_packages_weight_is_a_part_of_it(
    kind: Kind, weight: float, lesser: bool
) -> None:
    unit = Unit(kind, "tag", "shop/json/tag.py", 1, shelved=False, files=("shop/json/tag.py",))
    one = Weighed(unit, weight, (), 0, 0, ())
    assert _is_lesser(one, {"shop/json": 4.0}) is lesser
    assert not _is_lesser(one, {"shop": 40.0})


def test_a_definition_in_a_module_that_is_a_concept_is_no_second_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def symbols(*_: object) -> Iterator[Candidate]:
        for name, path in (("CardPayment", "shop/payments.py"), ("MoneyTool", "shop/utils.py")):
            unit = Unit("symbol", name, path, 1, shelved=False, files=(path,))
            yield Candidate(name, Weighed(unit, 9.0, (), 0, 0, ()), ())

    monkeypatch.setattr("navlog.projections.concepts.finding._symbols", symbols)
    labels = {one.label for one in found(facts(edges=EDGES)).values() if one.kind == "symbol"}
    assert labels == {"MoneyTool"}


def test_an_empty_project_has_no_concepts() -> None:
    assert find(facts({})).concepts == ()


def test_names_of_chinese_projects_stay_whole() -> None:
    known = found(facts({
        "库存/__init__.py": "", "库存/预留.py": "def reserve", "库存/盘点.py": "def count",
        "main.py": "def main",
        "a.py": "def a", "b.py": "def b", "docs/库存.md": "# 库存",
    }, name="x"))  # fmt: skip
    assert known["库存"].label == "库存"
    assert files(known["库存"], "documented_by") == ["docs/库存.md"]


def test_a_folder_of_helpers_for_tests_is_a_source_when_it_holds_no_test() -> None:
    assert toolkits(["lib/app.py", "lib/test/client.py", "lib/test/runner.py"]) == {"lib/test"}
    assert toolkits(["lib/app.py", "lib/test/client.py", "lib/test/test_app.py"]) == frozenset()
    assert toolkits(["test/client.py", "app.py"]) == frozenset()


def test_what_changes_together_is_related() -> None:
    def page(path: str) -> Page:
        return Page(path, "", "source", "python", 10, "", ())

    units = {
        "concept:a": Unit("module", "a", "a.py", 0, False, ("a.py",)),
        "concept:b": Unit("module", "b", "b.py", 0, False, ("b.py",)),
        "concept:c": Unit("module", "c", "c.py", 0, False, ("c.py",)),
    }
    together = tuple(Change("both", ("a.py", "b.py")) for _ in range(3))
    known = Facts(
        "p", {path: page(path) for path in ("a.py", "b.py", "c.py")}, {}, (*together, Change("c", ("c.py",)))
    )
    links = links_of(units, known)
    assert {(id_, link.relation, link.concept) for id_, found_ in links.items() for link in found_} == {
        ("concept:a", "related_to", "concept:b"), ("concept:b", "related_to", "concept:a"),
    }  # fmt: skip
    assert links["concept:a"][0].evidence[0].says == "changed together in 3 of 3 commits"
