"""A bare git directory read for the benchmark: trees, blobs, commits up to a base commit. Writes nothing."""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from navlog.schemas.events import CommitFile, CommitRecorded

# What the scorer checks out.
_TEXT = """
    py pyx js jsx mjs cjs ts tsx vue go rs java c h cc cpp hpp rb php kt toml cfg ini json yaml yml conf html
    css scss md rst txt sh lua tcl
"""
TEXT = frozenset(f".{ending}" for ending in _TEXT.split())
_FORMAT = "%x1e%H%x1f%P%x1f%cI%x1f%s%x1f%b%x1f"


class Repository:
    """``folder`` holds objects and refs."""

    def __init__(self, folder: Path) -> None:
        self._git = ("git", "-C", str(folder), "-c", "core.quotepath=off")

    def tree(self, commit: str) -> dict[str, str]:
        """path -> blob of the text files at a commit, links left out."""
        found: dict[str, str] = {}
        for line in self._run("ls-tree", "-r", commit).splitlines():
            meta, _, path = line.partition("\t")
            mode, kind, blob = meta.split()
            if kind == "blob" and mode != "120000" and PurePosixPath(path).suffix.lower() in TEXT:
                found[path] = blob
        return found

    def blobs(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(blob, content) of those the snapshot has, in order, one at a time."""
        with subprocess.Popen(
            [*self._git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.stdin
            assert process.stdout
            for name in names:
                process.stdin.write(f"{name}\n".encode())
                process.stdin.flush()
                yield from _one(process, name)
            process.stdin.close()

    def history(self, commit: str, depth: int, most_files: int) -> list[CommitRecorded]:
        """The newest ``depth`` commits up to and with ``commit``, oldest first."""
        text = self._run(
            "log", f"-n{depth}", "--name-status", "-M100%", "--diff-merges=off", f"--format={_FORMAT}", commit
        )
        return [_commit(part, most_files) for part in reversed(text.split("\x1e")[1:])]

    def _run(self, *arguments: str) -> str:
        done = subprocess.run([*self._git, *arguments], capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")


def folder_of(mirror: Path, name: str) -> Path:
    """Where the mirror holds the repository ``owner/name``."""
    return mirror / name.replace("/", "+") / "repo"


def _one(process: "subprocess.Popen[bytes]", name: str) -> Iterator[tuple[str, bytes]]:
    assert process.stdout
    header = process.stdout.readline().split()
    if header[-1] != b"missing":
        data = process.stdout.read(int(header[2]))
        process.stdout.read(1)
        yield name, data


def _commit(part: str, most_files: int) -> CommitRecorded:
    name, parents, at, subject, body, listing = part.split("\x1f", 5)
    files = [_file(line.split("\t")) for line in listing.strip().splitlines() if "\t" in line]
    return CommitRecorded(
        commit=name,
        parents=parents.split(),
        committed_at=at,
        author="",
        subject=subject,
        body=body[:1000],
        files=files[:most_files],
        file_count=len(files),
    )


def _file(parts: list[str]) -> CommitFile:
    status, *paths = parts
    return CommitFile(paths[-1], status[:1], paths[0] if len(paths) > 1 else "")
