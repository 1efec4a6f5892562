"""A project's view: files, edges and history as the graph projection feeds them."""

from navlog.projections.views import Edge, FileView, ProjectView
from navlog.schemas.events import CommitFile, CommitRecorded


def a_file(path: str) -> FileView:
    return FileView(path, "0" * 40, "python", 10, 0, 0.0)


def a_view(*paths: str) -> ProjectView:
    view = ProjectView()
    for path in paths:
        view.put(a_file(path), {})
    return view


def a_commit(name: str, subject: str, *files: CommitFile, parents: int = 1, count: int = 0) -> CommitRecorded:
    return CommitRecorded(
        commit=name,
        parents=["p"] * parents,
        committed_at="2024-01-01T00:00:00Z",
        author="",
        subject=subject,
        files=list(files),
        file_count=count or len(files),
    )


def test_neighbours_are_seen_from_both_ends() -> None:
    view = a_view("a.py", "b.py")
    view.relate("a.py", [("imports", "b.py"), ("imports", "gone.py")])
    assert view.neighbours("a.py") == [Edge("imports", "b.py", incoming=False)]
    assert view.neighbours("b.py") == [Edge("imports", "a.py", incoming=True)]


def test_relating_again_replaces_and_dropping_removes() -> None:
    view = a_view("a.py", "b.py", "c.py")
    view.relate("a.py", [("imports", "b.py")])
    view.relate("a.py", [("imports", "c.py")])
    assert view.neighbours("b.py") == []
    view.drop("a.py")
    assert view.neighbours("c.py") == []
    assert "a.py" not in view.files


def test_an_edge_to_a_file_that_comes_later_is_there_when_it_comes() -> None:
    view = a_view("a.py")
    view.relate("a.py", [("imports", "b.py")])
    assert view.neighbours("a.py") == []
    view.put(a_file("b.py"), {})
    assert view.neighbours("a.py") == [Edge("imports", "b.py", incoming=False)]


def test_what_is_near_are_the_paths_of_the_neighbours() -> None:
    view = a_view("a.py", "b.py", "c.py")
    view.relate("a.py", [("imports", "b.py"), ("test", "b.py"), ("imports", "a.py"), ("imports", "gone.py")])
    view.relate("c.py", [("link", "a.py")])
    for path in ("a.py", "b.py", "c.py", "gone.py"):
        assert view.near(path) == {edge.path for edge in view.neighbours(path)}
    assert [path for path in ("a.py", "b.py", "c.py", "gone.py") if view.is_pointed_at(path)] == [
        "a.py", "b.py", "gone.py",
    ]  # fmt: skip
    view.relate("a.py", [])
    assert not view.is_pointed_at("b.py")


def test_commits_vote_for_the_files_they_changed() -> None:
    view = a_view("a.py", "b.py")
    view.commit(a_commit("1", "Fix cookie parsing", CommitFile("a.py", "M")))
    view.commit(a_commit("2", "Update readme", CommitFile("b.py", "M")))
    votes = view.history.votes({"cookie": 1.0})
    assert [(commit.subject, worth > 0) for commit, worth in votes] == [("fix cookie parsing", True)]
    assert [view.history.path(number) for number in votes[0][0].paths] == ["a.py"]


def test_a_commit_with_the_tasks_own_subject_has_no_vote() -> None:
    view = a_view("a.py")
    view.commit(a_commit("1", "Fix cookie parsing (#12)", CommitFile("a.py", "M")))
    assert view.history.votes({"cookie": 1.0}, but="fix cookie parsing.") == []
    assert view.history.votes({"cookie": 1.0}, but="another") != []


def test_a_renamed_file_keeps_its_votes_and_its_company() -> None:
    history = a_view("new.py", "other.py").history
    history.add(a_commit("1", "cookie", CommitFile("old.py", "M"), CommitFile("other.py", "M")))
    history.add(a_commit("2", "move", CommitFile("new.py", "R", "old.py")))
    assert history.path(history.votes({"cookie": 1.0})[0][0].paths[0]) == "new.py"
    assert history.together("new.py") == {"other.py": 1}
    assert history.changes("new.py") == 2


def test_renamed_there_and_back_ends_where_it_was() -> None:
    history = a_view().history
    history.add(a_commit("1", "there", CommitFile("b.py", "R", "a.py")))
    history.add(a_commit("2", "back", CommitFile("a.py", "R", "b.py")))
    history.add(a_commit("3", "cookie", CommitFile("a.py", "M")))
    assert history.changes("a.py") == 3
    assert history.changes("b.py") == 0


def test_merges_and_sweeps_say_nothing() -> None:
    history = a_view().history
    history.add(a_commit("1", "cookie", CommitFile("a.py", "M"), parents=2))
    history.add(a_commit("2", "cookie everywhere", CommitFile("a.py", "M"), count=500))
    assert history.votes({"cookie": 1.0}) == []
    assert (len(history), history.changes("a.py")) == (0, 0)
