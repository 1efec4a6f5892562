"""What the units forbid is really forbidden here, and navlog runs all the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from service.conftest import Installation

from navlog.daemon.launch import daemon_command, start
from support.shop import make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(60)]

SET_MDWE, REFUSE_EXEC_GAIN = 65, 1  # prctl(2), Linux 6.3: what MemoryDenyWriteExecute= sets
CONFINE = f"import ctypes; assert ctypes.CDLL(None).prctl({SET_MDWE}, {REFUSE_EXEC_GAIN}, 0, 0, 0) == 0\n"
JOBS = {
    "the rule holds": """
import mmap
try:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
except PermissionError:
    print("done")
""",
    "duckdb": """
import duckdb
rows = duckdb.sql("select i % 7 as k, list(i) from range(10000) t(i) group by k order by k").fetchall()
assert len(rows) == 7
assert duckdb.sql("select regexp_replace('abc', 'b+', 'x')").fetchall() == [("axc",)]
print("done")
""",
    "numpy": """
import numpy
a = numpy.arange(10000.0).reshape(100, 100)
assert numpy.linalg.svd(a @ a.T)[1].shape == (100,)
print("done")
""",
    "grammars": """
import tree_sitter, tree_sitter_javascript, tree_sitter_markdown, tree_sitter_python, tree_sitter_typescript
for language, text in (
    (tree_sitter_python.language(), b"def f(): pass"),
    (tree_sitter_javascript.language(), b"function f() {}"),
    (tree_sitter_typescript.language_tsx(), b"let f: number = 1"),
    (tree_sitter_markdown.language(), b"# f\\n"),
):
    language = tree_sitter.Language(language)
    tree = tree_sitter.Parser(language).parse(text)
    assert not tree.root_node.has_error
    assert tree_sitter.QueryCursor(tree_sitter.Query(language, "(_) @any")).captures(tree.root_node)
print("done")
""",
    "ctypes calls": "import os; assert ctypes.CDLL(None).getpid() == os.getpid(); print('done')",
}


def grants_the_rule() -> bool:
    done = subprocess.run([sys.executable, "-c", CONFINE], capture_output=True, check=False)
    return done.returncode == 0


needs_the_rule = pytest.mark.skipif(not grants_the_rule(), reason="prctl(PR_SET_MDWE) needs Linux 6.3")


@needs_the_rule
@pytest.mark.parametrize("job", list(JOBS))
def test_no_page_has_to_be_writable_and_executable(job: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", CONFINE + JOBS[job]], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@needs_the_rule
def test_the_daemon_indexes_answers_and_replays_under_the_rule(
    installation: Installation, tmp_path: Path
) -> None:
    become = CONFINE + "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
    pid = start(installation.home, installation.environ, (sys.executable, "-c", become, *daemon_command()))
    with (Path("/proc") / str(pid) / "maps").open() as maps:
        assert not [line for line in maps if "rwx" in line.split()[1]]
    shop = make_shop(tmp_path / "shop")
    installation.index(shop)
    for task, path in (("expire_session_cookie", "shop/sessions/cookies.py"), ("renderCart", "web/cart.js")):
        assert installation.context(task, shop).items[0].path == path
    assert installation.run("replay", "--from", "0").returncode == 0
    assert "python" in installation.run("sql", "select distinct language from outlines").stdout
    assert installation.status().degraded == []
