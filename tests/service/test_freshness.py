"""A question that comes after a write: the answer shows it, or says what may be missing (R24).

``NAVLOG_RACES=1000`` is the full count.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from service.conftest import Installation, running

from navlog.schemas.wire import ContextReply

RACES = int(os.environ.get("NAVLOG_RACES", "50"))
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu")

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(60 + RACES)]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory) as one:
        assert one.run("up").returncode == 0
        yield one


class Race:
    """A folder of modules, each written again and again with a name that was never there before."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.dice = random.Random(seed)
        self.number = 0

    def write(self) -> tuple[str, str]:
        """Any of the ways in which a file comes to be; its path and the new name."""
        self.number += 1
        name = "".join(SYLLABLES[int(digit)] for digit in f"{self.number:04}")
        path = f"p{self.dice.randrange(4)}/m{self.dice.randrange(7)}.py"
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        text = f'def {name}() -> int:\n    """Nothing but {name}."""\n    return {self.number}\n'
        self.dice.choice((self.in_place, self.over_it, self.anew))(file, text)
        return path, name

    def in_place(self, file: Path, text: str) -> None:
        file.write_text(text)

    def over_it(self, file: Path, text: str) -> None:
        draft = file.with_suffix(".tmp")
        draft.write_text(text)
        draft.rename(file)

    def anew(self, file: Path, text: str) -> None:
        file.unlink(missing_ok=True)
        file.write_text(text)


def test_no_answer_is_stale_without_saying_so(daemon: Installation, tmp_path: Path) -> None:
    race = Race(tmp_path, seed=1)
    race.write()
    daemon.index(tmp_path)
    told = 0
    for _ in range(RACES):
        path, name = race.write()
        reply = daemon.context(name, tmp_path)
        fresh = [item for item in reply.items if item.path == path and item.state == "FRESH"]
        if not reply.stale:
            told += 1
            assert fresh, (name, reply)
            assert (fresh[0].symbol, fresh[0].line) == (name, 1)
        assert not wrong(reply, tmp_path)
    assert told  # an answer that always says "stale" is no answer


def wrong(reply: ContextReply, root: Path) -> list[str]:
    """What is called FRESH and does not stand in the file (nobody writes while this looks)."""
    return [
        item.path
        for item in reply.items
        if item.state == "FRESH" and item.text.strip() not in (root / item.path).read_text()
    ]
