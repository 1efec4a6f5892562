"""The sample question is made of the project's own words."""

from navlog.projections.sampling import sample_task
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import Symbol


def file(path: str, doc: str, end: int = 20) -> FileView:
    return FileView(
        path=path, content=path, language="python", size=1, mtime_ns=1, changed_at=0.0,
        symbols=[Symbol("Thing", "class", 1, end, doc=doc)],
    )  # fmt: skip


def view(*files: FileView) -> ProjectView:
    made = ProjectView()
    for one in files:
        made.put(one, {"1": "thing"})
    return made


def test_the_best_connected_file_is_asked_about() -> None:
    made = view(
        file("src/alone.py", "Does a thing nobody needs."),
        file("src/used.py", "Keeps the sessions of all users."),
        file("src/user.py", ""),
    )
    made.relate("src/user.py", [("import", "src/used.py")])
    assert sample_task(made) == "Keeps the sessions of all users"


def test_tests_and_markup_make_no_question() -> None:
    made = view(
        file("tests/test_a.py", "Tests that everything is fine."),
        file("src/a.py", "Renders <b>bold</b> text into the page."),
        file("src/b.py", "Short."),
    )
    assert sample_task(made) == ""


def test_an_empty_project_has_no_question() -> None:
    assert sample_task(ProjectView()) == ""
