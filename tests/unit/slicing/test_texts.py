"""The text of a content stays in memory while there is room, counted as what it takes there."""

from pathlib import Path

import pytest

from navlog.daemon.listener.paths import blob_id
from navlog.daemon.slicer import texts
from navlog.daemon.slicer.texts import Texts


def kept_of(made: Texts, root: Path, contents: list[bytes]) -> list[bytes]:
    """Writes each of them to one file and reads it; those of which the lines are still known then."""
    for data in contents:
        (root / "a.py").write_bytes(data)
        assert made.now(root, "a.py", blob_id(data)) == data.decode().split("\n")
    return [data for data in contents if made.before(root, blob_id(data), in_git=False)[1] == "memory"]


@pytest.mark.parametrize("text", ["{}", "{}" + "\n" * 40])
def test_small_texts_count_as_more_than_their_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    contents = [text.format(number).encode() for number in range(100)]
    monkeypatch.setattr(texts, "KEPT_BYTES", 20_000)
    kept = kept_of(Texts(str, 10**6), tmp_path, contents)
    assert kept == contents[-len(kept) :]
    assert 5 <= len(kept) <= 50


def test_the_last_text_is_kept_whatever_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "KEPT_BYTES", 1)
    assert kept_of(Texts(str, 10**6), tmp_path, [b"one", b"two\n" * 100]) == [b"two\n" * 100]
