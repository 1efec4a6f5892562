"""What unit tests of the command line share."""

from pathlib import Path

import pytest
from click.testing import CliRunner


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """The command line in a folder of its own, with a data home that is not there yet."""
    monkeypatch.setenv("NAVLOG_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return CliRunner()
