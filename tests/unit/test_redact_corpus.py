"""R29: known secret formats never reach disk, whatever dress they wear; innocent lines stay as they are."""

import re
from collections import Counter
from pathlib import Path

import pytest

from navlog.daemon.redact import Redactor
from navlog.daemon.redact.dresses import signs
from navlog.daemon.redact.finding import MARK, RULES, find, keywords_in
from navlog.daemon.redact.rule import Rule
from navlog.daemon.redact.tokens import SHORTEST, TOKENS
from navlog.schemas.settings import Security
from support.secrets import Dressed, dressed, leaks, samples

ROOT = Path(__file__).parents[2]
SAMPLES = list(samples())
DRESSES = ("json", "env", "url", "lines", "base64")


@pytest.fixture
def redactor() -> Redactor:
    return Redactor(Security())


def _texts(dress: str) -> list[tuple[str, Dressed]]:
    return [
        (sample.format, worn)
        for turn, sample in enumerate(SAMPLES)
        for worn in dressed(sample, turn)
        if worn.dress == dress
    ]


def test_the_corpus_holds_at_least_200_secrets_each_of_its_own() -> None:
    assert len({sample.statement for sample in SAMPLES}) >= 200


@pytest.mark.parametrize("dress", DRESSES)
def test_of_each_dress_99_in_100_secrets_are_found_whole(dress: str, redactor: Redactor) -> None:
    texts = _texts(dress)
    missed = Counter(name for name, worn in texts if leaks(worn, redactor.text(worn.text).text))
    assert missed.total() <= len(texts) / 100, missed


@pytest.mark.parametrize("dress", DRESSES)
def test_the_first_stage_leaves_out_no_keyword_at_which_a_secret_stands(dress: str) -> None:
    for _, worn in _texts(dress):
        assert find(worn.text, signs(worn.text).words) == find(worn.text, keywords_in(worn.text))


@pytest.mark.parametrize("rule", TOKENS, ids=lambda rule: rule.name)
def test_a_token_is_one_word_of_some_length(rule: Rule) -> None:
    written = rule.pattern.pattern
    assert re._parser.parse(written).getwidth()[0] >= SHORTEST  # type: ignore[attr-defined]
    # Nothing that would match a space; a dot among signs in brackets is a dot.
    assert not re.search(r"\\[sWD]|\[\^| ", written)
    assert not re.search(r"(?<!\\)\.", re.sub(r"\[[^\]]*\]", "", written))


@pytest.mark.parametrize("dress", DRESSES)
def test_lines_stay_where_they_are_and_redacting_twice_changes_nothing(
    dress: str, redactor: Redactor
) -> None:
    for _, worn in _texts(dress):
        once = redactor.text(worn.text).text
        assert once.count("\n") == worn.text.count("\n")
        assert redactor.text(once).text == once


def test_every_rule_finds_something_in_the_corpus(redactor: Redactor) -> None:
    for turn, sample in enumerate(SAMPLES):
        for worn in dressed(sample, turn):
            redactor.text(worn.text)
    assert set(redactor.totals) >= {rule.name for rule in RULES}


def test_fewer_than_one_in_a_thousand_lines_of_our_own_source_is_touched(redactor: Redactor) -> None:
    lines = touched = 0
    for room in ("schemas", "projections", "daemon", "tests", "docs"):
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and path.suffix in {".py", ".md", ".toml"}:
                text = path.read_text()
                lines += text.count("\n")
                touched += redactor.text(text).found.total()
    assert lines
    assert touched <= lines / 1000


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.name}-{rule.keywords[0]}")
def test_a_rules_name_makes_a_mark_that_no_rule_takes(rule: object, redactor: Redactor) -> None:
    mark = f"[redacted:{rule.name}]"  # type: ignore[attr-defined]
    assert MARK.fullmatch(mark)
    for around in (
        "{}",
        'password = "{}"',
        "https://web:{}@example.org",
        "Authorization: Bearer {}",
        "x{}y1",
    ):
        assert redactor.text(around.format(mark)).text == around.format(mark)
