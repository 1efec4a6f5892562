"""A record is closed under its rule, under its caps, and the same for the same facts."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navlog.daemon.extract import outline
from navlog.projections.graph.nearby import NearbyFacts, Uses
from navlog.projections.slicing.diffing import NOTHING, Side
from navlog.projections.slicing.fitting import Form, Offer, shown
from navlog.projections.slicing.forming import Change, Sliced, form, text_hash
from navlog.projections.tokens import count_tokens
from navlog.schemas.events import FileObserved, OutlineRecorded
from navlog.schemas.settings import Extract, Slice
from navlog.schemas.slices import Member
from support.graph import REGISTERED, World

COOKIE = "def parse_cookie(text):\n    return text.split(';')\n\n\ndef _hidden(text):\n    return text\n"
APP = "from cookie import parse_cookie\n\n\ndef handle(request):\n    return parse_cookie(request)\n"
PAGES = "from app import handle\n\n\ndef show_page(request):\n    return handle(request)\n"
TEST = "from cookie import parse_cookie\n\n\ndef test_parsing():\n    assert parse_cookie('a') == ['a']\n"
README = "# Cookies\n\nCall `parse_cookie` with a header:\n\n    parse_cookie('a=1')\n"
FILES = {
    "cookie.py": COOKIE, "app.py": APP, "pages.py": PAGES, "tests/test_cookie.py": TEST, "README.md": README,
}  # fmt: skip
CAPS = Slice()
SHOWN = ("path", "line", "end_line", "symbol", "role", "reason")


class Repository:
    """Files and the graph that knows them."""

    def __init__(self, home: Path, files: dict[str, str]) -> None:
        self.files = dict(files)
        self.world = World(home)
        self.world.log.add(REGISTERED)
        for path in files:
            self._observe(path)

    def change(self, path: str, text: str, caps: Slice = CAPS, *, known: bool = True) -> Sliced:
        """Writes ``text`` and slices the change; ``known``: the text before is."""
        before = self.files.get(path)
        self.files[path] = text
        made = self._observe(path)
        self.world.run()
        old = outlined(path, before) if before is not None else None
        lines = before.split("\n") if before is not None and known else None
        change = Change(
            msu="msu:1", path=path, content=made.content, before=old.content if old else "", basis="git",
            old=Side(old.symbols, old.chunks, lines) if old else NOTHING,
            new=Side(made.symbols, made.chunks, text.split("\n")), references=made.references,
        )  # fmt: skip
        with self.world.store.cursor() as db:
            facts = NearbyFacts(db, "p", self.world.graph.views["p"], Uses(), self.read)
            return form(change, facts, self.read, caps)

    def read(self, path: str) -> Sequence[str] | None:
        return self.files[path].split("\n") if path in self.files else None

    def _observe(self, path: str) -> OutlineRecorded:
        made = outlined(path, self.files[path])
        size = len(self.files[path])
        self.world.log.add(FileObserved(path=path, content=made.content, size=size, mtime_ns=1), made)
        return made


def outlined(path: str, text: str) -> OutlineRecorded:
    return outline(path, text.encode(), Extract())


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository(tmp_path, FILES)
    yield made
    made.world.store.close()


def places(members: Sequence[Member], role: str) -> list[tuple[str, str]]:
    return [(one.path, one.symbol) for one in members if one.role == role]


def test_a_public_change_brings_its_call_sites_tests_and_examples(repository: Repository) -> None:
    msu = repository.change("cookie.py", COOKIE.replace("(text)", "(text, strict=False)", 1)).msu
    assert msu.public
    assert [(one.how, one.name) for one in msu.changes] == [("signature", "parse_cookie")]
    assert places(msu.core, "changed") == [("cookie.py", "parse_cookie")]
    assert places(msu.radius, "call") == [("app.py", "handle")]
    assert places(msu.radius, "test") == [("tests/test_cookie.py", "test_parsing")]
    assert places(msu.radius, "example") == [("README.md", "")]
    assert places(msu.radius, "near") == [("pages.py", "show_page")]


def test_a_private_change_brings_no_examples_and_no_second_step(repository: Repository) -> None:
    msu = repository.change("cookie.py", COOKIE.replace("split(';')", "split(',')")).msu
    assert not msu.public
    assert places(msu.radius, "call") == [("app.py", "handle")]
    assert not places(msu.radius, "example")
    assert not places(msu.radius, "near")


def test_of_many_tests_those_that_use_it_most_come_first(tmp_path: Path) -> None:
    test = "from cookie import parse_cookie\n\n\n"
    once = {f"tests/test_a{n}.py": f"{test}def test_it():\n    parse_cookie('')\n" for n in range(12)}
    often = test + "".join(f"def test_{n}():\n    parse_cookie('{n}')\n\n\n" for n in range(5))
    made = Repository(tmp_path, {"cookie.py": COOKIE, **once, "tests/test_z.py": often})
    msu = made.change("cookie.py", COOKIE.replace("(text)", "(text, strict=False)", 1)).msu
    made.world.store.close()
    tests = [one for one in msu.radius if one.role == "test"]
    assert [(one.path, one.reason) for one in tests[:2]] == [
        ("tests/test_z.py", "tests it"),
        ("tests/test_a0.py", "tests it"),
    ]


def test_a_shared_pointer_names_the_first_things_it_uses(tmp_path: Path) -> None:
    names = [f"part_{n}" for n in range(6)]
    home = "".join(f"def {name}():\n    return 1\n\n\n" for name in names)
    uses = "".join(f"def use_{name}():\n    return {name}()\n\n\n" for name in names)
    users = {f"user{n}.py": f"from home import {', '.join(names)}\n\n\n{uses}" for n in range(2)}
    made = Repository(tmp_path, {"home.py": home, **users})
    msu = made.change("home.py", home.replace("return 1", "return 2")).msu
    made.world.store.close()
    first = next(one for one in msu.radius if one.role == "call")
    assert first.reason == "use part_0, part_1 and 4 more"
    assert first.symbol == ", ".join(f"use_{name}" for name in names)


def test_what_the_changed_lines_use_is_named_with_its_signature(repository: Repository) -> None:
    sliced = repository.change("app.py", APP.replace("(request)\n", "(request) or None\n"))
    (used,) = [one for one in sliced.msu.radius if one.role == "use"]
    assert (used.path, used.symbol) == ("cookie.py", "parse_cookie")
    assert sliced.texts[used.text] == "def parse_cookie(text)"


def test_a_call_site_shows_its_line(repository: Repository) -> None:
    sliced = repository.change("cookie.py", COOKIE.replace("(text)", "(text, strict=False)", 1))
    (call,) = [one for one in sliced.msu.radius if one.role == "call"]
    assert (call.line, sliced.texts[call.text]) == (5, "return parse_cookie(request)")


def test_every_text_is_named_by_its_hash(repository: Repository) -> None:
    sliced = repository.change("cookie.py", COOKIE + "\nLIMIT = 1\n")
    assert sliced.texts
    assert all(text_hash(text) == name for name, text in sliced.texts.items())
    assert {one.text for one in (*sliced.msu.core, *sliced.msu.radius) if one.text} == sliced.texts.keys()


def test_a_chunk_that_is_too_long_is_cut_to_its_signature_and_changed_lines_and_says_so(
    repository: Repository,
) -> None:
    body = "".join(f"    step_{number} = prepare(text, {number})\n" for number in range(200))
    repository.change("long.py", f"def parse_long(text):\n{body}    return text\n")
    sliced = repository.change("long.py", f"def parse_long(text):\n{body}    return text.strip()\n")
    (member,) = sliced.msu.core
    assert member.cut
    assert sliced.texts[member.text].split("\n") == [
        "def parse_long(text):", "…", "    step_199 = prepare(text, 199)", "    return text.strip()",
    ]  # fmt: skip
    assert member.tokens <= CAPS.core_tokens


def test_what_a_machine_wrote_is_a_pointer(repository: Repository) -> None:
    msu = repository.change("dist/all.min.js", "function parse_cookie() { return 1 }\n").msu
    assert [(one.path, one.text) for one in msu.core] == [("dist/all.min.js", "")]
    assert not msu.radius


def test_without_the_text_before_the_record_says_what_outlines_say(repository: Repository) -> None:
    msu = repository.change("cookie.py", COOKIE.replace("(text)", "(text, strict=False)", 1), known=False).msu
    assert [(one.how, one.name) for one in msu.changes] == [("signature", "parse_cookie")]
    assert places(msu.core, "changed") == [("cookie.py", "parse_cookie")]
    assert msu.lines == []


# --- any repository -------------------------------------------------------------------------------------


class Toy(NamedTuple):
    """Modules of functions that call each other."""

    files: dict[str, str]
    path: str
    text: str


@st.composite
def toys(draw: st.DrawFn) -> Toy:
    toss = random.Random(draw(st.integers(0, 10**6)))
    count = draw(st.integers(1, 6))
    names = [f"work_{number}" for number in range(count * 3)]
    files: dict[str, str] = {}
    for number in range(count):
        own = names[number * 3 : number * 3 + 3]
        used = toss.sample([name for name in names if name not in own] or own, k=min(3, len(names) - 2))
        imports = "".join(f"from m{names.index(name) // 3} import {name}\n" for name in used)
        body = "".join(f"\n\ndef {name}(x):\n    return {toss.choice(used)}(x)\n" for name in own)
        files[f"m{number}.py"] = f"{imports}{body}"
    path = toss.choice(sorted(files))
    change = draw(st.sampled_from(["(x):", "return ", "def work_0", "from "]))
    new = {"(x):": "(x, y=1):", "return ": "return 1 + ", "def work_0": "def other_0", "from ": "# from "}
    return Toy(files, path, files[path].replace(change, new[change], draw(st.integers(1, 3))))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(toy=toys(), core=st.integers(0, 300), radius=st.integers(0, 300))
def test_caps_hold_the_record_is_closed_and_the_same_again(
    toy: Toy, core: int, radius: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    caps = Slice(core_tokens=core, radius_tokens=radius, radius_text=radius // 2)
    records = []
    for given_caps in (caps, caps, Slice(core_tokens=10**6, radius_tokens=10**6, radius_text=10**6)):
        repository = Repository(tmp_path_factory.mktemp("toy"), toy.files)
        records.append(repository.change(toy.path, toy.text, given_caps))
        repository.world.store.close()
    capped, again, whole = records
    assert msgspec.json.encode(capped.msu) == msgspec.json.encode(again.msu)
    assert capped.texts == again.texts
    for members, cap, told in (
        (capped.msu.core, core, capped.msu.core_tokens),
        (capped.msu.radius, radius, capped.msu.radius_tokens),
    ):
        assert told == sum(one.tokens for one in members) <= cap
        assert count_tokens("\n".join(said(one, capped.texts) for one in members)) <= cap
    assert not whole.msu.left
    for part in ("core", "radius"):
        all_places = {pointer(one) for one in getattr(whole.msu, part)}
        kept = {pointer(one) for one in getattr(capped.msu, part)}
        assert kept <= all_places
    missing = len(whole.msu.core) + len(whole.msu.radius) - len(capped.msu.core) - len(capped.msu.radius)
    assert sum(capped.msu.left.values()) == missing


def pointer(member: Member) -> tuple[str, int, str, str]:
    return member.path, member.line, member.symbol, member.role


def said(member: Member, texts: dict[str, str]) -> str:
    offer = Offer(*(getattr(member, name) for name in SHOWN))
    return shown(offer, Form(texts[member.text], member.cut) if member.text else None)
