"""What people call a part of a project leads to its files, though no file holds the word."""

import pytest

from navlog.projections.concepts.routing import also_called
from navlog.projections.ranking import parse, rank
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.concept import Claim, Concept, Status


def concept(
    label: str, *aliases: str, status: Status = "accepted", path: str = "web/auth/__init__.py"
) -> Concept:
    claim = Claim("relation:1", "implemented_by", path, "person", 1.0)
    return Concept(
        f"concept:{label.lower()}", label.lower(), label, aliases, "named", status, "person", 1.0, (claim,)
    )


def test_an_alias_of_a_person_finds_the_files_of_its_concept() -> None:
    view = ProjectView()
    for path in ("web/auth/__init__.py", "web/mail.py"):
        view.put(FileView(path, "0" * 40, "python", 100, 0, 0.0, 20, "", []), {"1": "data"})
    task = "登录时报错"
    assert rank(view, parse("登入时报错")) == []
    found = rank(view, parse(task, also_called([concept("Auth", "登录")], task)))
    assert [hit.path for hit in found] == ["web/auth/__init__.py"]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("the gatekeeper is slow", True),
        ("Gatekeeper: slow", True),
        ("gatekeepers are slow", False),
        ("门卫模块太慢", True),
        ("slow", False),
    ],
)
def test_a_name_counts_as_a_word_of_its_own_or_within_chinese(task: str, said: bool) -> None:
    found = also_called([concept("Auth", "gatekeeper", "门卫")], task)
    assert found == (["auth", "Auth", "gatekeeper", "门卫", "auth"] if said else [])


def test_what_nobody_vouches_for_adds_nothing() -> None:
    assert also_called([concept("Auth", status="found"), concept("Auth", status="rejected")], "auth") == []


def test_words_of_the_task_itself_stay_as_they_weigh() -> None:
    alone = parse("auth fails").title
    assert parse("auth fails", ["auth", "gate"]).title == {**alone, "gate": 0.5}
