"""Which acts a prompt asks for, and which of them a rule speaks of."""

import re
import tomllib
from importlib.resources import files

import pytest

from navlog.projections.knowledge.acting import asked, told


@pytest.mark.parametrize(
    ("prompt", "rule", "act"),
    [
        ("clean up the whole code base", "No repo-wide cleanups.", "@aside"),
        ("pip install attrs", "Do not add third-party packages.", "@dependency"),
        ("git push --force to main", "Force pushes are not allowed.", "@history"),
        ("turn the linter off here", "`noqa` needs a reason.", "@silenced"),
        ("correct the .snap file by hand", "Regenerate snapshots instead.", "@generated"),
        ("这个修复不用写测试", "每个修复都要补充测试。", "@untested"),
        ("顺手把旁边的代码改了", "不要做无关的改动。", "@aside"),
    ],
)
def test_a_prompt_and_the_rule_it_breaks_are_about_one_act(prompt: str, rule: str, act: str) -> None:
    assert act in asked(prompt)
    assert act in told(rule)


@pytest.mark.parametrize(
    "prompt", ["write a haiku about autumn", "how is the weather", "what is a tuple", "今天天气怎么样", ""]
)
def test_small_talk_asks_for_nothing(prompt: str) -> None:
    assert asked(prompt) == []


def test_a_phrase_is_found_as_words_and_not_within_others() -> None:
    assert "@size" in asked("one commit with all of it")
    assert "@pull" not in asked("print the prices of the products")
    assert "@machines" not in told("We maintain a list of maintainers.")


def test_every_act_has_both_sides_and_none_matches_nothing() -> None:
    text = files("navlog.projections.knowledge").joinpath("acts.toml").read_text(encoding="utf-8")
    for name, act in tomllib.loads(text).items():
        assert set(act) == {"asks", "told"}, name
        for phrase in (*act["asks"], *act["told"]):
            assert not re.fullmatch(phrase, ""), (name, phrase)
