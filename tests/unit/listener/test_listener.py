"""The listener on a real kernel: what happens in a project is heard, once, and nothing else."""

import os
import threading
from pathlib import Path

import pytest

from navlog.daemon.listener.hints import Hint
from navlog.daemon.listener.listener import Listener
from navlog.schemas.names import name_to_text
from navlog.schemas.settings import Listen
from support.listening import Ears, commit, make_repository, run_git, write


def test_a_save_a_new_file_and_a_removal_are_heard(tmp_path: Path) -> None:
    write(tmp_path, {"a": "1", "src/b": "1"})
    with Ears(tmp_path) as ears:
        write(tmp_path, {"a": "2", "src/new": "1"})
        (tmp_path / "src/b").unlink()
        hint = ears.one()
        assert hint == Hint(project="p", changed=frozenset(("a", "src/b", "src/new")))
        assert ears.settle() == []


def test_a_mode_a_link_and_a_hard_link_are_heard(tmp_path: Path) -> None:
    write(tmp_path, {"a": "1"})
    with Ears(tmp_path) as ears:
        (tmp_path / "a").chmod(0o755)
        (tmp_path / "link").symlink_to("a")
        (tmp_path / "hard").hardlink_to(tmp_path / "a")
        assert ears.hear() == {"a", "link", "hard"}


def test_a_file_in_a_burst_of_new_folders_is_heard(tmp_path: Path) -> None:
    with Ears(tmp_path) as ears:
        write(tmp_path, {"a/b/c/d/e": "1", "a/f": "1"})
        assert ears.hear() == {"a/b/c/d/e", "a/f"}
        write(tmp_path, {"a/b/c/d/e": "2"})
        assert ears.hear() == {"a/b/c/d/e"}


def test_an_answer_reflects_every_write_before_the_question(tmp_path: Path) -> None:
    with Ears(tmp_path) as ears:
        for n in range(100):
            path = f"folder{n % 7}/deep{n}/f"
            write(tmp_path, {path: str(n)})
            assert ears.listener.drain("p") == ""
            assert path in ears.hints[-1].changed
            (tmp_path / path).unlink()
            assert ears.listener.drain() == ""
            assert path in ears.hints[-1].changed


def test_what_happens_first_is_told_at_once_and_what_is_ignored_never(tmp_path: Path) -> None:
    make_repository(tmp_path, {".gitignore": "*.log\n", "a": "1"})
    with Ears(tmp_path) as ears:
        write(tmp_path, {"x.log": "1"})
        ears.listener.turn()
        assert ears.stirred == 0
        for text in ("2", "3"):
            write(tmp_path, {"a": text})
            ears.listener.turn()
        assert (ears.stirred, ears.hints) == (1, [])
        assert ears.hear() == {"a"}
        write(tmp_path, {"a": "4"})
        ears.listener.drain("p")
        assert (ears.stirred, ears.hear()) == (2, {"a"})


def test_an_answer_that_nothing_was_new_for_wakes_nobody(tmp_path: Path) -> None:
    with Ears(tmp_path) as ears:
        ears.listener.drain()
        for written in (False, True, False):
            os.eventfd_write(ears.listener._wake, 1)
            os.eventfd_read(ears.listener._wake)  # from nothing on
            if written:
                write(tmp_path, {"a": "1"})
            ears.listener.drain()
            os.eventfd_write(ears.listener._wake, 1)  # so that there is something to read
            assert os.eventfd_read(ears.listener._wake) == 1 + written


def test_ignored_files_and_folders_are_not_heard_nor_watched(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {".gitignore": "*.log\nout/\n", "out/deep/x": "1", "src/a": "1"})
    with Ears(root) as ears:
        assert ears.listener.coverage()["p"].folders == 2
        write(root, {"x.log": "1", "src/y.log": "1", "out/deep/x": "2", "out/new/z": "1"})
        assert ears.hear() == set()


def test_a_file_tracked_although_ignored_is_heard(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {".gitignore": "out/\n"})
    write(root, {"out/deep/kept": "1", "out/other": "1"})
    with Ears(root) as ears:
        run_git(root, "add", "-f", "out/deep/kept")
        assert ears.one().why == "rules"
        write(root, {"out/deep/kept": "2", "out/other": "2"})
        assert ears.hear() == {"out/deep/kept"}


def test_names_that_are_not_utf8_are_heard(tmp_path: Path) -> None:
    name = b"caf\xe9\n"
    with Ears(tmp_path) as ears:
        (tmp_path / os.fsdecode(name)).mkdir()
        (tmp_path / os.fsdecode(name) / "x").write_text("1")
        assert ears.hear() == {name_to_text(name + b"/x")}


def test_changed_rules_bring_a_whole_look_and_other_watches(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {".gitignore": "out/\n", "src/a": "1"})
    write(root, {"out/x": "1"})
    with Ears(root) as ears:
        write(root, {".gitignore": "src/\n"})
        hint = ears.one()
        assert (hint.rescan, hint.why) == (True, "rules")
        write(root, {"out/x": "2", "src/a": "2", "src/b": "1"})
        assert ears.hear() == {"out/x"} | {"src/a"}  # tracked although ignored by now


@pytest.mark.parametrize("path", [".git/info/exclude", ".git/config"])
def test_rules_in_gits_own_folder_count(tmp_path: Path, path: str) -> None:
    root = make_repository(tmp_path / "p", {"a": "1"})
    write(tmp_path, {"rules": "*.log\n"})
    with Ears(root) as ears:
        (root / path).write_text(
            "*.log\n" if "exclude" in path else f'[core]\nexcludesFile = "{tmp_path}/rules"\n'
        )
        assert ears.one().why == "rules"
        write(root, {"x.log": "1"})
        assert ears.hear() == set()


def test_a_file_moved_is_said_to_be_moved(tmp_path: Path) -> None:
    write(tmp_path, {"a": "1", "d/x": "1"})
    with Ears(tmp_path) as ears:
        (tmp_path / "a").rename(tmp_path / "d/b")
        hint = ears.one()
        assert hint.moved == (("a", "d/b"),)
        assert hint.changed == {"a", "d/b"}


def test_a_moved_folder_takes_its_files_and_watches_along(tmp_path: Path) -> None:
    write(tmp_path, {"old/x": "1", "old/deep/y": "1", "other/z": "1"})
    with Ears(tmp_path) as ears:
        before = ears.listener.coverage()["p"].watched
        (tmp_path / "old").rename(tmp_path / "other/new")
        assert set(ears.one().moved) == {("old/x", "other/new/x"), ("old/deep/y", "other/new/deep/y")}
        write(tmp_path, {"other/new/deep/y": "2"})
        assert ears.hear() == {"other/new/deep/y"}
        assert ears.listener.coverage()["p"].watched == before


def test_a_folder_moved_out_is_forgotten_and_looked_for(tmp_path: Path) -> None:
    root = tmp_path / "p"
    write(root, {"d/x": "1", "d/e/y": "1", "keep": "1"})
    with Ears(root) as ears:
        (root / "d").rename(tmp_path / "outside")
        assert ears.one().rescan
        write(tmp_path, {"outside/x": "2"})
        assert ears.hear() == set()
        assert ears.listener.coverage()["p"].watched == 1
        (tmp_path / "outside").rename(root / "back")
        assert ears.hear() == {"back/x", "back/e/y"}
        write(root, {"back/e/y": "3"})
        assert ears.hear() == {"back/e/y"}


def test_a_file_moved_out_or_to_an_ignored_place_is_removed(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "p", {"a": "1", "b": "1", ".gitignore": "*.log\n"})
    with Ears(root) as ears:
        (root / "a").rename(tmp_path / "a")
        (root / "b").rename(root / "b.log")
        hint = ears.one()
        assert (set(hint.changed), hint.moved) == ({"a", "b"}, ())
        (root / "b.log").rename(root / "c")
        hint = ears.one()
        assert (set(hint.changed), hint.moved) == ({"c"}, ())


def test_a_removed_tree_is_heard_file_by_file_and_its_watches_are_given_back(tmp_path: Path) -> None:
    write(tmp_path, {"d/e/x": "1", "d/y": "1"})
    with Ears(tmp_path) as ears:
        for path in ("d/e/x", "d/y"):
            (tmp_path / path).unlink()
        (tmp_path / "d/e").rmdir()
        (tmp_path / "d").rmdir()
        assert ears.hear() == {"d/e/x", "d/y"}
        assert ears.listener.coverage()["p"].watched == 1


def test_a_repository_made_inside_is_a_project_of_its_own(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1"})
    with Ears(root) as ears:
        write(root, {"inner/b": "1"})
        assert ears.hear() == {"inner/b"}
        inner = make_repository(root / "inner")
        assert ears.one().why == "rules"
        write(inner, {"b": "2"})
        assert ears.hear() == set()


def test_two_worktrees_of_one_repository_share_gits_folder(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "main", {"a": "1"})
    run_git(root, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    with Ears(root) as ears:
        ears.listener.add("side", tmp_path / "side")
        write(tmp_path / "side", {"b": "1"})
        commit(tmp_path / "side", "b")
        said = {hint.project: hint for hint in ears.settle()}
        assert said["side"].head
        assert "b" in said["side"].changed
        assert said["p"].head  # a sibling's tip is known, too
        assert not said["p"].changed
        ears.listener.remove("side")
        ears.hints.clear()
        commit(root, "empty")
        assert ears.one().head


@pytest.mark.parametrize("nested", [False, True])
def test_two_projects_may_overlap(tmp_path: Path, nested: bool) -> None:
    write(tmp_path, {"a/b/c": "1"})
    with Ears(tmp_path) as ears:
        ears.listener.add("inner", tmp_path / "a")
        if nested:
            ears.listener.remove("p")
        write(tmp_path, {"a/b/c": "2"})
        said = {hint.project: hint.changed for hint in ears.settle()}
        assert said == {"inner": {"b/c"}} | ({} if nested else {"p": {"a/b/c"}})


def test_watches_and_memory_are_given_back_on_removal(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "p", {f"d{n}/x": "1" for n in range(20)})
    with Ears(root) as ears:
        held = watches_of(ears.listener)
        assert held > 20
        ears.listener.remove("p")
        assert watches_of(ears.listener) == 0
        assert ears.listener.coverage() == {}
        assert ears.listener._parties == []


def watches_of(listener: Listener) -> int:
    """What the kernel itself counts."""
    info = Path(f"/proc/self/fdinfo/{listener._kernel.fileno()}").read_text()
    return info.count("inotify wd:")


def test_a_root_that_goes_and_comes_back_is_listened_to_again(tmp_path: Path) -> None:
    root = tmp_path / "p"
    write(root, {"a": "1"})
    with Ears(root) as ears:
        root.rename(tmp_path / "away")
        assert ears.one().rescan
        assert ears.listener.coverage()["p"].why == "the folder is gone"
        (tmp_path / "away").rename(root)
        ears.time += Listen().poll_every_s
        assert ears.one().rescan
        write(root, {"a": "2"})
        assert ears.hear() == {"a"}


def test_a_periodic_look_finds_what_no_event_told(tmp_path: Path) -> None:
    write(tmp_path, {"a": "1"})
    with Ears(tmp_path) as ears:
        assert ears.settle() == []
        ears.time += Listen().reconcile_every_s
        hint = ears.one()
        assert (hint.rescan, hint.why) == (True, "periodic")
        assert ears.settle() == []


def test_nothing_is_written_into_a_watched_project(tmp_path: Path) -> None:
    root = make_repository(tmp_path, {"a": "1", "src/b": "1"})
    with Ears(root) as ears:
        write(root, {"src/b": "2"})
        ears.hear()
        ears.time += Listen().reconcile_every_s
        ears.hear()
        assert ears.settle() == []  # no event of our own making
    assert run_git(root, "status", "--porcelain", "--ignored") == b" M src/b\n"


def test_the_thread_hears_and_ends(tmp_path: Path) -> None:
    heard = threading.Event()
    hints: list[Hint] = []

    def notify(hint: Hint) -> None:
        hints.append(hint)
        heard.set()

    listener = Listener(notify, Listen())
    listener.add("p", tmp_path)
    write(tmp_path, {"a": "1"})
    assert heard.wait(5)
    assert hints[0].changed == {"a"}
    listener.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "listener"]
    assert listener.drain() == "the listener is closed"


def test_a_fault_of_the_hearer_is_made_good_by_a_whole_look(tmp_path: Path) -> None:
    said: list[Hint] = []

    def notify(hint: Hint) -> None:
        said.append(hint)
        if len(said) == 1:
            raise RuntimeError("full")

    listener = Listener(notify, Listen(), threaded=False)
    listener.add("p", tmp_path)
    write(tmp_path, {"a": "1"})
    with pytest.raises(RuntimeError):
        listener.drain()
    listener._build(listener._projects["p"])
    listener.drain()
    assert said[1].rescan
    listener.close()
