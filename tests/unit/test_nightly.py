"""The nightly export's units: written for one folder, and taken away exactly."""

from pathlib import Path

import pytest

from navlog.daemon.nightly import UNITS, install_export, uninstall_export
from navlog.daemon.units import MARK, install_units, uninstall_units, units_folder
from navlog.schemas.errors import UsageError


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "NAVLOG_HOME": str(tmp_path / "data")}


def test_the_service_exports_to_the_folder_with_this_interpreter(environ: dict[str, str]) -> None:
    install_export(environ, Path("/mnt/my warehouse"))
    text = (units_folder(environ) / UNITS[0]).read_text()
    assert text.startswith(MARK)
    assert 'navlog.daemon export --parquet "/mnt/my warehouse"\n' in text
    assert f"Environment=NAVLOG_HOME={environ['NAVLOG_HOME']}" in text
    assert "%h" not in text


def test_repeated_it_changes_nothing_and_undone_it_leaves_nothing(
    environ: dict[str, str], tmp_path: Path
) -> None:
    assert len(install_export(environ, Path("/out"))) == 2
    assert install_export(environ, Path("/out")) == []
    assert len(install_export(environ, Path("/other"))) == 1
    assert len(uninstall_export(environ)) == 2
    assert not (tmp_path / ".config/systemd").exists()
    assert uninstall_export(environ) == []


def test_folders_that_were_there_stay(environ: dict[str, str]) -> None:
    folder = units_folder(environ)
    folder.mkdir(parents=True)
    install_export(environ, Path("/out"))
    uninstall_export(environ)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("first", ["service", "export"])
@pytest.mark.parametrize("gone", ["service", "export"])
def test_whichever_goes_last_takes_the_folders_along(
    environ: dict[str, str], tmp_path: Path, first: str, gone: str
) -> None:
    come = {"service": install_units, "export": lambda environ: install_export(environ, Path("/out"))}
    go = {"service": uninstall_units, "export": uninstall_export}
    (second,) = come.keys() - {first}
    (last,) = go.keys() - {gone}
    assert len(come[first](environ)) == len(come[second](environ)) == 2
    assert len(go[gone](environ)) == 2
    assert len(list(units_folder(environ).iterdir())) == 2
    assert len(go[last](environ)) == 2
    assert not (tmp_path / ".config/systemd").exists()


def test_somebody_elses_unit_is_left_alone(environ: dict[str, str]) -> None:
    folder = units_folder(environ)
    folder.mkdir(parents=True)
    (folder / UNITS[1]).write_text("[Timer]\n")
    with pytest.raises(UsageError):
        install_export(environ, Path("/out"))
    assert [path.name for path in folder.iterdir()] == [UNITS[1]]
