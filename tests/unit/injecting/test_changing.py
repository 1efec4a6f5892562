"""Which records of changes a prompt is given, and how much is said of each."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.injecting.changing import is_named, mentions, pieces, relevant, speaks, worded
from navlog.projections.msu.queue import Hot, Queue
from navlog.projections.msu.state import Entry
from navlog.projections.slicing.speaking import gist
from navlog.projections.tokens import count_tokens
from navlog.schemas.slices import Member, MsuFormed, Role, SymbolChange

EMBEDDER = HashingEmbedder()
LEAST = 0.25
CORE = "def parse_price(text: str) -> int:\n    cents = text.replace('.', '')\n    return int(cents)"
TEXTS = {"core": CORE, "call": "price = parse_price(line)"}


def record(path: str = "shop/till.py", symbol: str = "parse_price", *, calls: int = 1) -> MsuFormed:
    return MsuFormed(
        msu=f"msu:{path}:{symbol}", path=path, content="now", before="then", basis="git", slicer="t",
        changes=[SymbolChange(symbol, "function", "body", 7)],
        core=[Member(path, 7, 9, symbol, "changed", "body changed", 30, "core")],
        radius=[
            Member(f"shop/door{n}.py", n + 1, n + 1, "enter", "call", f"{symbol}: calls it", 20, "call")
            for n in range(calls)
        ],
    )  # fmt: skip


def entry(msu: MsuFormed, position: int, at: float = 0.0, texts: Mapping[str, str] = TEXTS) -> Entry:
    return Entry(position, at, msu, EMBEDDER.embed([gist(msu, texts)])[0])


def near(task: str, *entries: Entry) -> list[Hot]:
    queue = Queue()
    queue.put("p", entries)
    return queue.near("p", EMBEDDER.embed([task])[0], 0.0, 100)


def chosen(task: str, *entries: Entry, recent: Sequence[int] = ()) -> list[int]:
    return [one.entry.position for one in relevant(near(task, *entries), recent, task, LEAST)]


PRICE, PAINT = entry(record(), 1), entry(record("ui/paint.py", "colour", calls=0), 2, texts={})


def test_a_prompt_is_given_what_it_is_about_and_nothing_else() -> None:
    assert chosen("parse the price of a line as cents", PRICE, PAINT) == [1]
    assert chosen("translate the handbook into Portuguese", PRICE, PAINT) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "look at shop/till.py please",
        "till.py is broken",
        "why is parse_price slow",
        "为什么 parse_price 很慢?",
    ],
)
def test_what_a_prompt_calls_by_its_name_needs_no_likeness(prompt: str) -> None:
    assert is_named(mentions(prompt), PRICE.msu)


def test_a_plain_word_is_a_name_only_if_it_is_marked_as_code() -> None:
    assert is_named(mentions("what does `colour` do"), PAINT.msu)
    assert is_named(mentions("what does colour() do"), PAINT.msu)
    assert not is_named(mentions("choose a warmer colour for the walls"), PAINT.msu)


def test_those_of_the_last_minutes_come_before_nearer_ones() -> None:
    other = entry(record("shop/price.py", "price"), 3)
    assert chosen("`price` and parse_price of a line", PRICE, other)[0] == 3
    assert chosen("`price` and parse_price of a line", PRICE, other, recent=[1])[0] == 1


def test_a_path_is_given_once() -> None:
    again = entry(record(), 9)
    assert chosen("why is parse_price slow", PRICE, again) == [9]


def test_an_older_record_has_to_share_words_with_the_prompt() -> None:
    (far,) = (Hot(PRICE, 0.3),)
    assert speaks(far, "cents of the price", TEXTS)
    assert not speaks(far, "paint the price red", {})
    assert speaks(Hot(PRICE, 2.0), "paint it red", {})


def test_a_piece_names_the_change_its_place_and_who_calls_it() -> None:
    (piece,) = pieces([PRICE], TEXTS, lambda _path: "now", 500, count_tokens)
    assert (piece.id, piece.pointer, piece.reason) == (
        "msu:shop/till.py:parse_price",
        "shop/till.py:7",
        "body of parse_price",
    )
    assert piece.text == f"{CORE}\ncall: shop/door0.py:1  enter  parse_price: calls it: {TEXTS['call']}"


@pytest.mark.parametrize(("content", "state"), [("newer", "STALE"), ("", "GONE")])
def test_a_path_that_changed_again_is_a_pointer_that_says_so(content: str, state: str) -> None:
    (piece,) = pieces([PRICE], TEXTS, lambda _path: content, 500, count_tokens)
    assert (piece.text, piece.reason) == ("", f"body of parse_price; {state}")


def test_where_room_is_short_call_sites_stay_and_the_rest_is_counted() -> None:
    told = worded(record(calls=30), TEXTS, 120, count_tokens)
    assert "shop/door0.py:1" in told
    assert CORE in told
    assert told.endswith("more places are touched")
    assert count_tokens(told) <= 120


ROLES: list[Role] = ["call", "test", "example", "use", "near"]
members = st.builds(
    Member, st.sampled_from(["a.py", "b/c.py"]), st.integers(1, 99), st.just(1), st.sampled_from(["", "f"]),
    st.sampled_from(ROLES), st.text(max_size=9), st.just(1), st.sampled_from(["", "core", "call"]),
)  # fmt: skip


@given(st.lists(members, max_size=9), st.lists(members, max_size=9), st.integers(0, 300))
def test_the_room_is_never_passed(core: list[Member], radius: list[Member], room: int) -> None:
    msu = MsuFormed(
        msu="m", path="a.py", content="now", before="", basis="none", slicer="t", core=core, radius=radius
    )
    assert count_tokens(worded(msu, TEXTS, room, count_tokens)) <= room


def test_a_record_of_another_machine_says_so_unless_the_path_is_the_same_here() -> None:
    theirs = replace(PRICE, machine="desk")
    (piece,) = pieces([theirs], TEXTS, lambda _path: "older", 500, count_tokens)
    assert piece.reason == "body of parse_price; on desk, not here"
    assert "def parse_price" in piece.text
    (piece,) = pieces([theirs], TEXTS, lambda _path: PRICE.msu.content, 500, count_tokens)
    assert piece.reason == "body of parse_price"


def test_many_records_leave_each_other_room() -> None:
    records = [record(f"shop/m{n}.py", f"work_{n}", calls=9) for n in range(7)]
    entries = [entry(one, position) for position, one in enumerate(records, 1)]
    told = pieces(entries, TEXTS, lambda _path: "now", 600, count_tokens)
    assert sum(count_tokens(one.pointer + one.reason + one.text) for one in told) <= 600
    assert all("shop/door0.py" in one.text for one in told[:2])
