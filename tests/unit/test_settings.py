"""The settings as a person writes them: what makes no sense is named with its place."""

import msgspec
import pytest

from navlog.schemas.errors import UsageError
from navlog.schemas.settings import Settings, parse_settings


def test_the_defaults_could_be_written_down_as_they_are() -> None:
    assert msgspec.convert(msgspec.to_builtins(Settings()), Settings) == Settings()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[extract]\nworkers = 0", "$.extract.workers"),
        ("[store]\nthreads = 0", "$.store.threads"),
        ("[store]\nmemory_mb = 1", "$.store.memory_mb"),
        ("[listen]\npoll_every_s = 0", "$.listen.poll_every_s"),
        ("[listen]\nsettle_s = -1", "$.listen.settle_s"),
        ("[answer]\nbudget = -5", "$.answer.budget"),
        ("[inject]\nmsu_share = 1.5", "$.inject.msu_share"),
        ("[answer]\nfilse = 3", "filse"),
        ("[answer]\nfiles = 'x'", "$.answer.files"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(UsageError) as told:
        parse_settings(text.encode())
    assert place in told.value.message


@pytest.mark.parametrize("text", ["[inject]\ncap = 0", "[slice]\nat_once = 0", "[nudge]\nurgent = 2"])
def test_what_switches_something_off_is_no_nonsense(text: str) -> None:
    parse_settings(text.encode())
