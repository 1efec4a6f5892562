"""A log on the disk of the test alone, from which secrets are taken as from any."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from navlog.daemon.journal import Journal
from navlog.daemon.redact import Redactor
from navlog.schemas.settings import Log, Security
from support.tails import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    redact = Redactor(Security()).draft
    journal = Journal.open(tmp_path, "events", settings=Log(), redact=redact)
    yield Office(journal)
    journal.close()
