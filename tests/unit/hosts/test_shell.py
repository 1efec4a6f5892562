"""What a shell command means for the project."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.hosts.shell import acts
from navlog.daemon.hosts.words import simple_commands

COMMANDS = {
    "sed -n 1,40p a.py": "read a.py",
    "cat app.py | grep foo | head -5": "read app.py",
    "head -c 100 'my file.py'": "read 'my file.py'",
    "awk '{print $1}' a.txt": "read a.txt",
    "git diff HEAD~1 -- a.py b.py": "read a.py b.py",
    "git show HEAD:a/b.py": "read a/b.py",
    "(cd sub && cat b.py)": "read sub/b.py",
    "if [ -f a ]; then cat a.md; fi": "read a.md",
    "cat a.py 2>/dev/null || echo no": "read a.py",
    "cat a.py # and then cat b.py": "read a.py",
    "tail -n 20 log.txt; wc -l a.py": "read log.txt a.py",
    "rg -n 'def foo' src tests": "searched src tests",
    "grep -rn foo . --include=*.py": "searched .",
    "find . -name '*.py' | xargs grep foo": "searched .",
    "ls -la src": "searched src",
    "git status": "searched",
    "git -C sub status": "searched",
    "echo hi > out.txt": "modified out.txt",
    "cat > new.py <<'EOF'\nit's\nEOF\npython new.py": "modified new.py",
    "cat <<EOF | tee a.cfg\nhi\nEOF": "modified a.cfg",
    "sed -e 's/a/b/' -i x.py": "modified x.py",
    "perl -pi -e 's/a/b/' x.py": "modified x.py",
    "cp a.py b.py": "modified b.py",
    "git checkout -- a.py": "modified a.py",
    "black src && ruff check --fix tests": "modified src tests",
    "pytest a.py::TestB::c -k 'foo or b' -x": "tested a.py",
    "cd x && pytest a.py::TestB": "tested x/a.py",
    "FOO=1 timeout 60 uv run pytest tests/unit -q 2>&1 | tail -20": "tested tests/unit",
    "python -m pytest tests/test_a.py": "tested tests/test_a.py",
    "python -m unittest tests.test_a": "tested",
    "npm test -- --watch=false src/a.test.ts": "tested src/a.test.ts",
    "npm run test:unit": "tested",
    "npx jest src/a.test.ts": "tested src/a.test.ts",
    "go test ./pkg/...": "tested ./pkg",
    "cargo test foo": "tested",
    "make test": "tested",
    "./runtests.py auth": "tested",
    "python manage.py test shop": "tested",
    "git checkout -b next": "ran",
    "git commit -m 'cat a.py'": "ran",
    "python x.py": "ran x.py",
    "echo 'never closed": "ran",
    "docker compose up -d": "ran",
}


@pytest.mark.parametrize(("command", "meaning"), COMMANDS.items(), ids=list(COMMANDS))
def test_a_command_means(command: str, meaning: str) -> None:
    kind, *paths = next(iter(simple_commands(meaning))).words
    assert [(act.kind, act.paths) for act in acts(command)] == [(kind, paths)]


def test_a_command_of_several_kinds_means_each_what_matters_most_last() -> None:
    found = acts("bash -lc \"cat a.py; sed -i 's/a/b/' src/x.py && make test\"")
    assert [(act.kind, act.paths) for act in found] == [
        ("read", ["a.py"]),
        ("modified", ["src/x.py"]),
        ("tested", []),
    ]


def test_an_empty_command_means_nothing() -> None:
    assert acts(" \n ") == []


@given(st.text(alphabet="abc .'\"\\|&;<>(){}$#\n-=/`", max_size=60))
def test_no_text_breaks_the_reading(text: str) -> None:
    for act in acts(text):
        assert all(isinstance(path, str) for path in act.paths)


@given(st.lists(st.text(alphabet="ab'\"\\ $", max_size=8), min_size=1, max_size=4))
def test_words_that_python_quotes_come_back(words: list[str]) -> None:
    import shlex

    found = list(simple_commands("echo " + shlex.join(words)))
    assert [one.words for one in found] == [["echo", *words]]
