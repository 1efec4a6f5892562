"""Which files belong to a project: the ignore rules, equal to ``git ls-files -co --exclude-standard``.

Reads rules, never the files they are about. Paths are bytes, relative, with ``/``. Rules live in the folders
they govern, so a moved folder takes its rules along.
"""

import os
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from navlog.daemon.listener.paths import joined, open_beneath, skip_of
from navlog.daemon.listener.process import git
from navlog.daemon.listener.repository import Repository
from navlog.daemon.listener.wildmatch import translate
from navlog.schemas.errors import GitFailed

RULES_FILE = b".gitignore"
_RULES_BYTES = 1 << 20  # what lies beyond is not read: nobody wrote that by hand
_BOM = b"\xef\xbb\xbf"
# What is never a project's own text, where no repository says so.
_BUILT_IN = b"""
.git/\n.hg/\n.svn/\nnode_modules/\n.venv/\nvenv/\n__pycache__/\n*.pyc\n.tox/\n.nox/\n.mypy_cache/
.ruff_cache/\n.pytest_cache/\n.hypothesis/\n.gradle/\n.idea/\n.cache/\n*.egg-info/\n.DS_Store\n*.sw[a-p]
"""


class Rule(NamedTuple):
    """One line of a rules file; ``regex`` is for the whole path below the file's folder."""

    regex: bytes
    negative: bool
    only_folders: bool


class Rules:
    """The rules of one file; the last that matches decides."""

    def __init__(self, text: bytes, *, ignore_case: bool = False) -> None:
        self._rules = list(_parse(text, ignore_case=ignore_case))
        self._flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: bytes, *, folder: bool) -> bool | None:
        """True: ignored; False: taken back in; None: these rules do not say."""
        if not (self._for_folders if folder else self._for_files).fullmatch(path):
            return None
        for rule in reversed(self._rules):
            if (folder or not rule.only_folders) and _compiled(rule.regex, self._flags).fullmatch(path):
                return not rule.negative
        return None

    @cached_property
    def _for_folders(self) -> re.Pattern[bytes]:
        return self._any(self._rules)

    @cached_property
    def _for_files(self) -> re.Pattern[bytes]:
        return self._any([rule for rule in self._rules if not rule.only_folders])

    def _any(self, rules: list[Rule]) -> re.Pattern[bytes]:
        """One look instead of one for each rule: most paths match none."""
        return re.compile(b"|".join(rule.regex for rule in rules) or b"(?!)", self._flags)


class Folder:
    """A folder below a project's root. ``ignored``: everything in it is, but for what git tracks."""

    __slots__ = ("children", "detached", "ignored", "name", "parent", "rules", "snapshot", "watch")

    def __init__(self, parent: "Folder | None", name: bytes, *, ignored: bool = False) -> None:
        self.parent = parent
        self.name = name
        self.ignored = ignored
        self.rules: Rules | None = None
        self.children: dict[bytes, Folder] = {}
        self.watch = -1
        self.snapshot: dict[bytes, tuple[int, ...]] | None = None
        self.detached = False

    @property
    def path(self) -> bytes:
        """Relative to the root; the root's own is empty."""
        parts = []
        here: Folder | None = self
        while here and here.parent:
            parts.append(here.name)
            here = here.parent
        return b"/".join(reversed(parts))

    def below(self, name: bytes) -> bytes:
        """The path of ``name`` in this folder."""
        return joined(self.path, name)


class Ignore:
    """The rules from outside the tree, and the files that are tracked although rules ignore them."""

    def __init__(
        self,
        base: tuple[Rules, ...] = (),
        tracked: frozenset[bytes] = frozenset(),
        *,
        ignore_case: bool = False,
    ) -> None:
        self.tracked = tracked
        self._base = base
        self._ignore_case = ignore_case
        self._tracked_folders = {
            path[:at] for path in tracked for at, byte in enumerate(path) if byte == ord("/")
        }

    def read_rules(self, root: int, folder: Folder, *, present: bool) -> None:
        """Gives ``folder`` the rules of its own file; ``root`` is the project's descriptor."""
        text = _read_rules(root, folder.below(RULES_FILE)) if present else b""
        folder.rules = Rules(text, ignore_case=self._ignore_case) if text.strip() else None

    def inside(self, folder: Folder) -> "Inside":
        """The rules for the names in ``folder``, as they are now."""
        governing, prefix, here = [], b"", folder
        while here.parent:
            governing.append((here.rules, prefix))
            prefix, here = here.name + b"/" + prefix, here.parent
        governing += [(rules, prefix) for rules in (here.rules, *self._base)]
        found = [(rules, below) for rules, below in governing if rules]
        return Inside(folder, prefix, found, self.tracked, self._tracked_folders)


class Inside:
    """Which names in a folder belong to the project; ``prefix`` makes paths of them.

    Worked out once for a folder: most have no rules of their own, and the way up is the same for all names.
    """

    def __init__(
        self,
        folder: Folder,
        prefix: bytes,
        rules: list[tuple[Rules, bytes]],
        tracked: AbstractSet[bytes],
        tracked_folders: AbstractSet[bytes],
    ) -> None:
        self.prefix = prefix
        self._folder = folder
        self._rules = rules
        self._tracked = tracked
        self._tracked_folders = tracked_folders

    def wants_file(self, name: bytes) -> bool:
        """Whether the file ``name`` belongs to the project."""
        if name == b".git":
            return False
        return not self._is_ignored(name, is_folder=False) or self.prefix + name in self._tracked

    def enter(self, name: bytes) -> Folder | None:
        """The folder ``name`` if anything in it may belong to the project."""
        ignored = self._is_ignored(name, is_folder=True)
        if name == b".git" or (ignored and self.prefix + name not in self._tracked_folders):
            return None
        return Folder(self._folder, name, ignored=ignored)

    def _is_ignored(self, name: bytes, *, is_folder: bool) -> bool:
        if self._folder.ignored:
            return True
        for rules, below in self._rules:
            if (said := rules.verdict(below + name, folder=is_folder)) is not None:
                return said
        return False


def ignore_of(root: Path, repository: Repository | None) -> tuple[Ignore, str]:
    """The project's rules, and a note where git could not be asked (then caches and the like stay out)."""
    if repository is None:
        return Ignore((Rules(_BUILT_IN),)), ""
    exclude = _read_file(repository.common_dir / "info" / "exclude")
    try:
        config = _config(root)
        ignore_case = config.get("core.ignorecase") in ("true", "yes", "on", "1")
        base = (exclude, _read_file(_excludes_file(config)))
        rules = tuple(Rules(text, ignore_case=ignore_case) for text in base)
        return Ignore(rules, tracked_but_ignored(root), ignore_case=ignore_case), ""
    except GitFailed as fault:
        return Ignore((Rules(exclude), Rules(_BUILT_IN))), str(fault)


def tracked_but_ignored(root: Path) -> frozenset[bytes]:
    """Paths that are in the index although a rule ignores them; raises `GitFailed`."""
    return frozenset(filter(None, git(root, "ls-files", "-z", "-ci", "--exclude-standard").split(b"\0")))


def _config(root: Path) -> dict[str, str]:
    # --default cannot be had with --get-regexp, and nothing found is exit code 1: so one key that is there.
    said = git(root, "-c", "core.navlog=x", "config", "-z", "--type=path", "--get-regexp",
               r"^core\.(excludesfile|ignorecase|navlog)$")  # fmt: skip
    fields = (field.partition(b"\n") for field in said.split(b"\0") if field)
    return {os.fsdecode(key): os.fsdecode(value) for key, _, value in fields}


def _excludes_file(config: dict[str, str]) -> Path:
    if "core.excludesfile" in config:
        return Path(config["core.excludesfile"])
    home = Path(os.environ.get("HOME", "/"))
    return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git" / "ignore"


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()[:_RULES_BYTES] if path.is_file() else b""
    except OSError:
        return b""


def _read_rules(root: int, path: bytes) -> bytes:
    try:
        descriptor = open_beneath(root, path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        regular = skip_of(os.fstat(descriptor).st_mode) is None
        return os.read(descriptor, _RULES_BYTES) if regular else b""
    except OSError:  # it is a folder by now
        return b""
    finally:
        os.close(descriptor)


def _parse(text: bytes, *, ignore_case: bool) -> Iterator[Rule]:
    for raw in text.removeprefix(_BOM).split(b"\n"):
        line = _trimmed(raw.removesuffix(b"\r"))
        if not line.startswith(b"#") and (rule := _rule(line, ignore_case=ignore_case)):
            yield rule


def _rule(line: bytes, *, ignore_case: bool) -> Rule | None:
    negative = line.startswith(b"!")
    pattern = line[negative:]
    only_folders = pattern.endswith(b"/")
    pattern = pattern.removesuffix(b"/")
    name = b"/" not in pattern
    regex = translate(pattern.removeprefix(b"/"), name=name, ignore_case=ignore_case)
    if not pattern or regex is None:
        return None
    if name:
        regex = rb"(?:.*/)?" + regex  # at any depth
    return Rule(b"(?:" + regex + b")", negative, only_folders)


def _trimmed(line: bytes) -> bytes:
    """Without trailing spaces, unless a backslash keeps them."""
    bare = line.rstrip(b" ")
    if bare == line:
        return line
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return bare + b" " if backslashes % 2 else bare


@lru_cache(maxsize=4096)
def _compiled(regex: bytes, flags: int) -> re.Pattern[bytes]:
    return re.compile(regex, flags)
