"""What counts as changed: what came after the first look, however soon."""

from navlog.projections.vault.telling import Telling, unstressed
from navlog.projections.views import FileView

FIRST_LOOK = 1_796_000_000.25


def changed(at: float) -> list[str]:
    told = Telling()
    told.look({"a.py": FileView("a.py", "0" * 40, "python", 1, 0, at)})
    return [row.path for row in told.changed(told.rows({}, FIRST_LOOK), FIRST_LOOK)]


def test_a_change_in_the_very_second_of_the_first_look_is_one() -> None:
    assert changed(FIRST_LOOK + 0.5) == ["a.py"]


def test_what_the_first_look_saw_is_none() -> None:
    assert changed(FIRST_LOOK) == []
    assert changed(FIRST_LOOK - 0.1) == []


def test_what_markdown_stresses_reads_as_words() -> None:
    assert unstressed("**Wiki** 是一款**开源知识库** with __init__ and 2 ** 3 ** 4") == (
        "Wiki 是一款开源知识库 with __init__ and 2 ** 3 ** 4"
    )
