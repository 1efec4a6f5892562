"""A long verb's progress: a bar on a terminal, one line a stage elsewhere, nothing with ``--json``."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from navlog.daemon.client import OnProgress
from navlog.schemas.wire import Progress

KB = 1024


@contextmanager
def progress(*, quiet: bool, unit: str = "") -> Iterator[OnProgress]:
    """Something to call with each `Progress`; writes to standard error only. ``unit``: of what is counted."""
    if quiet:
        yield lambda _progress: None
    elif sys.stderr.isatty():
        with _bar(unit) as tell:
            yield tell
    else:
        yield _Lines()


@contextmanager
def counting(stage: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """The same for work in this process that tells (bytes done, bytes in all)."""
    with progress(quiet=quiet, unit="KB") as tell:
        yield lambda done, total: tell(Progress(stage=stage, done=done // KB, total=max(total // KB, 1)))


class _Lines:
    """Names each stage once."""

    def __init__(self) -> None:
        self._stage = ""

    def __call__(self, now: Progress) -> None:
        if now.stage != self._stage:
            self._stage = now.stage
            click.echo(f"  {now.stage} …", err=True)


@contextmanager
def _bar(unit: str) -> Iterator[OnProgress]:
    from rich.console import Console  # noqa: PLC0415  terminals only
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    shown = (
        TextColumn("  {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
    )
    with Bar(*shown, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def tell(now: Progress) -> None:
            if now.stage not in tasks:
                tasks[now.stage] = bar.add_task(now.stage, total=now.total or None)
            bar.update(tasks[now.stage], completed=now.done, total=now.total or None)

        yield tell
