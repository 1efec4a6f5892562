"""A task's text taken apart."""

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.ranking.kinds import kind_of
from navlog.projections.ranking.query import parse
from navlog.projections.ranking.reading import Place, read

ISSUE = """Cookie parsing fails
<!-- Thank you for the report! Please read CONTRIBUTING.md -->
- [x] I have searched the tracker

**Describe the bug**
`SimpleCookie.load` drops the header, see https://github.com/o/r/blob/1a2b/src/http/cookie.py#L12-L20.

### Environment
kernel of mine and zlib

```python
jar = make_jar("a=b")
```
"""

TRACEBACK = """Crash
Traceback (most recent call last):
  File "/home/me/app/main.py", line 3, in <module>
    run()
  File "lib/http/cookie.py", line 81, in parse_header
    raise ValueError
"""


def test_templates_checklists_and_the_reporters_machine_are_left_out() -> None:
    reading = read(ISSUE)
    assert reading.title == "Cookie parsing fails"
    assert "drops the header" in reading.prose
    for noise in ("Thank you", "searched", "Describe", "kernel", "zlib", "github"):
        assert noise not in reading.prose
    assert "make_jar" in reading.code
    assert "make_jar" not in reading.prose


def test_names_are_taken_from_backticks_calls_and_shapes() -> None:
    reading = read("set_cookie ignores sameSite\n`Jar` and plain words, call flush() in HTTPServer")
    assert reading.title_names == ("set_cookie", "sameSite")
    assert set(reading.prose_names) == {"Jar", "flush", "HTTPServer"}


def test_places_come_with_their_lines() -> None:
    assert read(ISSUE).places == (Place("CONTRIBUTING.md", 0), Place("src/http/cookie.py", 12))[1:]
    assert read("see src/a.rs:12:3 and b\\c.py, not v1.2.py3").places == (
        Place("src/a.rs", 12),
        Place("b/c.py", 0),
    )


def test_a_traceback_gives_its_places_and_its_functions_innermost_first() -> None:
    reading = read(TRACEBACK)
    assert Place("lib/http/cookie.py", 81) in reading.places
    assert reading.frames == ("parse_header", "<module>")


def test_modules_of_several_languages() -> None:
    found = read("x\nfrom sphinx.ext import autodoc\nuse of tokio::net::unix here, and os.path.join").modules
    assert found == ("sphinx.ext", "tokio.net.unix", "os.path.join")


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    parse(text)


@given(st.text(alphabet="`~*<>-! \n[]#x/.:(){}\\", max_size=400))
def test_any_heap_of_signs_can_be_read(text: str) -> None:
    parse(text)


def test_an_empty_task_asks_nothing() -> None:
    query = parse("  \n ")
    assert not query.words
    assert not query.places


def test_forms_of_a_word_count_less_than_the_word() -> None:
    title = parse("cookies").title
    assert title["cookies"] > title["cookie"] > 0


def test_kinds_by_the_habits_of_projects() -> None:
    kinds = {
        "src/http/cookie.py": "source",
        "tests/test_cookie.py": "test",
        "src/cookie.spec.ts": "test",
        "core/CookieTest.java": "test",
        "src/latest.py": "source",
        "docs/cookie.md": "document",
        "HISTORY.old": "document",
        "README.zh-CN": "document",
        "changelog/12.fix": "document",
        "src/view/history.vue": "source",
        "builders/changes.py": "source",
        "src/agents/sandbox/session.py": "source",
        "examples/chat/src/main.rs": "example",
        "packages/core/src/build/plan.ts": "source",
        "packages/core/build/plan.js": "generated",
        "examples/cookie.py": "example",
        "deps/zlib/zlib.c": "vendored",
        "dist/axios.min.js": "generated",
        "yarn.lock": "generated",
        "index.d.ts": "declaration",
        "setup.py": "settings",
        ".eslintrc.cjs": "settings",
        "data/rows.csv": "data",
    }
    assert {path: kind_of(path) for path in kinds} == kinds
