"""What changed, and what did not."""

from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.recorder.plan import Known, Look, facts, worth_reading
from navlog.schemas.events import Event, FileMoved, FileObserved, FileRemoved, FileSkipped

Tree = dict[str, str]


def known(content: str, mtime_ns: int = 1) -> Known:
    return Known(content=content, size=len(content), mtime_ns=mtime_ns, looked_ns=10**18)


def apply(state: Tree, events: list[Event]) -> Tree:
    after = dict(state)
    for event in events:
        match event:
            case FileMoved():
                after[event.path] = after.pop(event.previous)
            case FileObserved():
                after[event.path] = event.content
            case FileRemoved():
                del after[event.path]
            case _:
                raise AssertionError(event)
    return after


trees = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(["", "x", "yy", "zzz"]), max_size=8)


@given(trees, trees, st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"))))
def test_the_events_lead_from_any_tree_to_any_other(
    before: Tree, after: Tree, named: list[tuple[str, str]]
) -> None:
    looks = [Look(path, known(after[path]) if path in after else None) for path in {*before, *after}]
    events = facts({path: known(content) for path, content in before.items()}, looks, named)
    assert apply(before, events) == after


@given(trees)
def test_nothing_changed_is_no_event(tree: Tree) -> None:
    state = {path: known(content) for path, content in tree.items()}
    assert facts(state, [Look(path, known(content, mtime_ns=9)) for path, content in tree.items()]) == []


def test_a_renamed_file_is_moved_and_a_copy_is_a_copy() -> None:
    before = {"old.py": known("text")}
    assert facts(before, [Look("old.py"), Look("new.py", known("text"))]) == [
        FileMoved(previous="old.py", path="new.py")
    ]
    (copy,) = facts(before, [Look("old.py", known("text")), Look("copy.py", known("text"))])
    assert isinstance(copy, FileObserved)


def test_two_candidates_are_no_move_unless_the_kernel_named_it() -> None:
    before = {"a": known("text"), "b": known("text")}
    looks = [Look("a"), Look("b"), Look("c", known("text"))]
    assert [type(event) for event in facts(before, looks)] == [FileRemoved, FileRemoved, FileObserved]
    assert facts(before, looks, [("b", "c")])[0] == FileMoved(previous="b", path="c")


def test_a_file_edited_after_the_kernel_named_its_move_keeps_its_history() -> None:
    looks = [Look("a"), Look("b", known("other"))]
    named = facts({"a": known("text")}, looks, [("a", "b")])
    assert [type(event) for event in named] == [FileMoved, FileObserved]
    unnamed = facts({"a": known("text")}, looks)
    assert [type(event) for event in unnamed] == [FileRemoved, FileObserved]


def test_a_skip_is_said_once() -> None:
    skip = FileSkipped(path="pipe", reason="fifo")
    assert facts({}, [Look("pipe", skipped=skip)]) == [skip]
    assert facts({"pipe": skip}, [Look("pipe", skipped=skip)]) == []
    assert facts({"pipe": skip}, [Look("pipe")]) == [FileRemoved(path="pipe")]


def test_a_file_is_read_again_when_its_stat_differs_or_is_too_young_to_trust() -> None:
    old = Known(content="c", size=1, mtime_ns=10_000_000_000, looked_ns=13_000_000_000)
    assert not worth_reading(old, 1, 10_000_000_000, False)
    assert worth_reading(old, 2, 10_000_000_000, False)
    assert worth_reading(old, 1, 10_000_000_001, False)
    assert worth_reading(old, 1, 10_000_000_000, True)
    assert worth_reading(None, 1, 1, False)
    for mtime_ns in (11_000_000_000, 12_000_000_000):  # two seconds before the look are young still
        young = Known(content="c", size=1, mtime_ns=mtime_ns, looked_ns=13_000_000_000)
        assert worth_reading(young, 1, mtime_ns, False)
