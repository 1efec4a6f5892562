"""The ignore rules equal git's own: one matcher for the watcher and the indexer."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navlog.daemon.listener.ignore import Rules, ignore_of
from navlog.daemon.listener.paths import joined, opened
from navlog.daemon.listener.repository import repository_at
from navlog.daemon.listener.scan import _walk
from navlog.schemas.names import text_to_name
from support.listening import make_repository, run_git

NAMES = [b"a", b"b", b"ab", b"A", b"a b", b"x.py", b"#a", b"!b", "é".encode(), b"\xff", b"a]", b"a\\", b"doc"]
PARTS = [
    b"*", b"**", b"?", b"/", b"a", b"b", b"ab", b"x", b".py", b"[ab]", b"[!a]", b"[]a]", b"[a-", b"[^b]",
    b"[", b"[[:alpha:]]", b"[[:x:]]", b"[a\\-b]", b"]", b"\\a", b"\\", b"\\ ", b" ", b"doc", b"**/", b"/**",
]  # fmt: skip

paths = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map(b"/".join)
patterns = st.builds(
    bytes.__add__, st.sampled_from([b"", b"", b"", b"!", b"/", b"#"]),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map(b"".join),
)  # fmt: skip
rules_files = st.builds(
    bytes.join,
    st.sampled_from([b"\n", b"\r\n"]),
    st.lists(st.one_of(patterns, st.sampled_from(NAMES)), max_size=5),
)


@st.composite
def trees(draw: st.DrawFn) -> tuple[set[bytes], dict[bytes, bytes], set[bytes]]:
    """Files, rules files by folder, and which of the files are tracked."""
    files: set[bytes] = set()
    for path in draw(st.lists(paths, min_size=1, max_size=12)):
        folders = {path[:at] for at, byte in enumerate(path) if byte == ord("/")}
        if not any(other.startswith(path + b"/") for other in files) and not folders & files:
            files.add(path)
    folders = {b""} | {path.rpartition(b"/")[0] for path in files}
    rules = draw(st.dictionaries(st.sampled_from(sorted(folders)), rules_files, min_size=1, max_size=3))
    return files, rules, draw(st.sets(st.sampled_from(sorted(files)), max_size=2))


@pytest.fixture(scope="module")
def bed() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder).resolve()


def emptied(root: Path) -> Path:
    """The same repository for every example: making one takes longer than the rest."""
    if not root.exists():
        return make_repository(root)
    for entry in os.scandir(os.fsencode(root)):
        if entry.name != b".git":
            path = Path(os.fsdecode(entry.path))
            shutil.rmtree(path) if entry.is_dir(follow_symlinks=False) else path.unlink()
    (root / ".git/index").unlink(missing_ok=True)
    return root


def git_lists(root: Path) -> set[bytes]:
    said = run_git(root, "ls-files", "-co", "--exclude-standard", "-z")
    return {name for name in said.split(b"\0") if name}


def walked(root: Path) -> set[bytes]:
    with opened(root) as descriptor:
        ignore, note = ignore_of(root, repository_at(root))
        assert not note
        return {text_to_name(seen.path) for seen in _walk(descriptor, root, ignore)}


def lay_out(root: Path, files: set[bytes], rules: dict[bytes, bytes], tracked: set[bytes]) -> None:
    texts = dict.fromkeys(files, b"") | {
        joined(folder, b".gitignore"): text for folder, text in rules.items()
    }
    for path, text in texts.items():
        full = root / os.fsdecode(path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text)
    if tracked:
        run_git(root, "update-index", "--add", "-z", "--stdin", say=b"\0".join(tracked))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees(), rules_files, rules_files, st.booleans())
def test_nested_gitignore_is_honoured_as_git_does(
    bed: Path,
    tree: tuple[set[bytes], dict[bytes, bytes], set[bytes]],
    exclude: bytes,
    excludes_file: bytes,
    ignore_case: bool,
) -> None:
    root = emptied(bed / "repository")
    lay_out(root, *tree)
    (root / ".git/info/exclude").write_bytes(exclude)
    (bed / "excludes").write_bytes(excludes_file)
    case = str(ignore_case).lower()
    (root / ".git/config").write_text(f'[core]\nexcludesFile = "{bed}/excludes"\nignoreCase = {case}\n')
    assert walked(root) == git_lists(root)


def test_a_hostile_pattern_stays_cheap() -> None:
    rules = Rules(b"*a" * 100 + b"b\n" + b"**/" * 50 + b"x\n" + b"/*/**/" * 30 + b"y\n")
    assert rules.verdict(b"a" * 255 + b"/" + b"a/" * 120 + b"a", folder=False) is None


def test_the_last_rule_that_matches_decides() -> None:
    rules = Rules(b"*.log\n!keep.log\nbuild/\n")
    assert rules.verdict(b"x/a.log", folder=False) is True
    assert rules.verdict(b"x/keep.log", folder=False) is False
    assert rules.verdict(b"build", folder=False) is None
    assert rules.verdict(b"build", folder=True) is True


def test_a_file_tracked_although_ignored_is_present(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    lay_out(root, {b"out/deep/kept", b"out/other"}, {b"": b"out/\n"}, {b"out/deep/kept"})
    assert walked(root) == {b".gitignore", b"out/deep/kept"}
