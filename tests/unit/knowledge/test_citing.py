"""Whether a reply quoted what it used."""

from navlog.projections.knowledge.citing import Given, again, read_reply, rule
from navlog.projections.knowledge.elements import Elements

DATA = Given(
    "knowledge:AGENTS.md#data@1",
    Elements("Data", "SQL in `fetch_rows` and `Queries`.", "", "shop/db/queries.py:fetch"),
)
MAIL = Given("knowledge:adr/1.md@2", Elements("Mail", "Use the OutboxWriter.", "", "shop/outbox.py"))
BARE = Given("knowledge:README.md@3", Elements("Shop", "Use fetch_rows and Queries.", "", ""))


def test_a_quoted_pointer_is_no_miss() -> None:
    for quote in ("`shop/outbox.py`", "`shop/outbox.py:12`", "``shop/outbox.py``"):
        read = read_reply(f"I write to {quote} with OutboxWriter.", "send mail", [MAIL])
        assert (read.used, read.quoted, read.missed) == ([MAIL.id], [MAIL.id], [])


def test_the_path_of_a_pointer_is_enough() -> None:
    assert read_reply("See `shop/db/queries.py`.", "", [DATA]).missed == []


def test_names_of_a_piece_without_a_quote_are_a_miss() -> None:
    read = read_reply("I call `fetch_rows` of `Queries`.", "list the orders", [DATA, MAIL])
    assert read.missed == [DATA.id]
    assert MAIL.id not in read.used


def test_a_pointer_without_backticks_is_used_and_not_quoted() -> None:
    assert read_reply("Then shop/outbox.py is changed.", "send mail", [MAIL]).missed == [MAIL.id]


def test_names_that_stood_in_the_prompt_prove_nothing() -> None:
    prompt = "use `fetch_rows` of `Queries`"
    assert read_reply("I call `fetch_rows` of `Queries`.", prompt, [DATA]).used == []


def test_one_name_alone_may_be_chance() -> None:
    assert read_reply("I call `fetch_rows`.", "", [DATA]).used == []


def test_a_piece_without_a_pointer_is_not_judged() -> None:
    assert read_reply("I call `fetch_rows` of `Queries`.", "", [BARE]).used == []


def test_words_that_are_no_names_are_not_taken_for_use() -> None:
    assert read_reply("Data is sent by mail.", "", [DATA, MAIL]).used == []


def test_the_rule_is_as_strong_as_its_mode() -> None:
    assert "planning again" in rule("must", ["a.py"])
    assert "`a.py`" in rule("fact", ["", "a.py"])
    assert rule("off", ["a.py"]) == ""
    assert rule("must", [""]) == ""


def test_the_reason_names_what_is_to_be_quoted() -> None:
    assert "`shop/outbox.py`" in again([DATA, MAIL], [MAIL.id])
    assert "queries" not in again([DATA, MAIL], [MAIL.id])
