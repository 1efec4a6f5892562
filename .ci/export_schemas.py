"""Writes schemas/json/ anew: every file that belongs there, and no other. Run by `make schemas`."""

from pathlib import Path

from navlog.schemas.exporting import documents

FOLDER = Path(__file__).parents[1] / "schemas" / "json"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, document in documents().items():
        (FOLDER / name).write_bytes(document)


if __name__ == "__main__":
    main()
