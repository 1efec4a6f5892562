"""The programs of `programs`, as tables. Options with a value are named where it would pass for a file."""

import re
from typing import NamedTuple

from navlog.schemas.sessions import ToolKind


class Row(NamedTuple):
    """``skip``: words before the files (a script, a pattern); ``valued``: options that take the next word;
    ``script``: options that give what ``skip`` would skip."""

    kind: ToolKind
    skip: int = 0
    valued: frozenset[str] = frozenset()
    script: frozenset[str] = frozenset()


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _rows(names: str, row: Row) -> dict[str, Row]:
    return dict.fromkeys(names.split(), row)


# --- what runs another one --------------------------------------------------------------------------------

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
DURATION = re.compile(r"[0-9.]+[smhd]?")
KEYWORDS = _set("{ } ! if then else elif fi do done while until")
PREFIXES = _set("env sudo time timeout nohup nice command exec xargs stdbuf setsid doas npx bunx")
_RUN = _set("uv poetry pipenv hatch pdm rye coverage pixi")
_EXEC = _set("pnpm npm yarn bundle")
RUNNERS = frozenset({(one, "run") for one in _RUN} | {(one, "exec") for one in _EXEC})

# --- tests ----------------------------------------------------------------------------------------------

TESTERS = _set(
    "pytest py.test tox nox jest vitest mocha ava karma rspec phpunit pest ctest bats nose2 trial runtests.py"
    " cypress playwright"
)
TEST_VALUED = _set("-k -m -n -p -c -o -t --tb --maxfail --timeout --cov --rootdir --durations -W")
TEST_SCRIPT = re.compile(r"(test_\w+|\w+_test|runtests|run_tests|tests?)\.py\Z")
TEST_WORD = re.compile(r"(unit-?)?tests?([:_-]\w+)*|check|nextest|spec|verify")
PACKAGES = _set("npm pnpm yarn bun deno cargo go mix swift dotnet node")
BUILDS = _set("make gmake just mvn mvnw gradle gradlew rake ninja bazel")

# --- files ----------------------------------------------------------------------------------------------

_HEAD = _set("-n -c --lines --bytes")
_GREP = _set("-A -B -C -m --include --exclude --exclude-dir -g --glob -t --type -T --max-count -d")
_PATTERN = _set("-e -f --regexp --file")
TABLE: dict[str, Row] = {
    **_rows("cat less more bat batcat nl wc stat xxd hexdump od tac view strings zcat readlink", Row("read")),
    **_rows("md5sum sha1sum sha256sum base64", Row("read")),
    **_rows("head tail", Row("read", valued=_HEAD)),
    **_rows("sort uniq cut column", Row("read", valued=_set("-d -f -k -t"))),
    **_rows("diff cmp comm", Row("read", valued=_set("-U"))),
    **_rows("awk gawk mawk", Row("read", 1, _set("-F -v"), _set("-f"))),
    **_rows("jq yq", Row("read", 1, _set("--arg --indent"), _set("-f"))),
    **_rows("grep egrep fgrep rg ag ack ugrep", Row("searched", 1, _GREP, _PATTERN)),
    **_rows("ls tree du exa eza", Row("searched", valued=_set("-L -I"))),
    **_rows("fd fdfind", Row("searched", 1, _set("-e -t -E -d"))),
    **_rows("tee touch rm isort gofmt rustfmt", Row("modified")),
    **_rows("truncate", Row("modified", valued=_set("-s"))),
    **_rows("black", Row("modified", valued=_set("-l -t"))),
}
GIT: dict[str, ToolKind] = {
    "diff": "read", "show": "read", "blame": "read", "log": "searched", "grep": "searched",
    "ls-files": "searched", "status": "searched", "checkout": "modified", "restore": "modified",
    "mv": "modified", "rm": "modified", "reset": "ran", "stash": "ran",
}  # fmt: skip
