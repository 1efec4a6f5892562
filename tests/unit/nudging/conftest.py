"""A log on the disk of the test alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.journal import open_journal
from support.tails import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    journal = open_journal(tmp_path)
    yield Office(journal)
    journal.close()
