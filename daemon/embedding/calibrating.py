"""`embed-calibrate`: the thresholds of the embedder in use, measured on a project's own chunks.

The pairs are drawn by the project's state alone, so the same tree is measured on the same pairs; the result
is an event, since nobody can compute it again without the model.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np

from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.embedding import Embedder, Vectors
from navlog.projections.embedding.calibrating import LEAST, PASSED_FOLD, calibrate, cosines, plot
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.slicing.folding import CAP
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.embedding import CalibrateArgs, CalibrateReply
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import UsageError
from navlog.schemas.slices import EmbeddingCalibrated

SOURCE = "person"
TRIES = 20  # draws for each pair before the tree is taken for too small
STEP = 64  # texts embedded between two reports
SHORTEST = 12  # tokens of a chunk that says anything

Read = Callable[[Project, str], Sequence[str] | None]


class Piece(NamedTuple):
    """A chunk's text and the folder it is from."""

    folder: str
    text: str


class Calibrating:
    """``read`` gives a file's lines without secrets; ``append`` returns the position of the event."""

    def __init__(
        self,
        projects: Projects,
        view: Callable[[Project], ProjectView],
        read: Read,
        embedder: Callable[[], Embedder],
        append: Callable[[Sequence[Draft]], int],
        new_id: Callable[[], str],
    ) -> None:
        self._projects = projects
        self._view = view
        self._read = read
        self._embedder = embedder
        self._append = append
        self._new_id = new_id

    def verbs(self) -> Verbs:
        """What the server offers."""
        return {"embed-calibrate": Verb(self.calibrate, CalibrateArgs, looks=False, timeout_s=None)}

    def calibrate(self, args: CalibrateArgs, _trace: str, report: Report) -> CalibrateReply:
        """Measures and appends; raises `EmbeddingFailed`, and `UsageError` for a tree that is too small."""
        project = self._projects.find(args.project)
        embedder = self._embedder()
        draw = Random(project.id)  # noqa: S311 - a sample, not a secret
        report("reading", 0, args.pairs)
        neighbours = list(self._neighbours(project, args.pairs, draw))
        pieces = [piece for pair in neighbours for piece in pair]
        unrelated = list(_unrelated(pieces, args.pairs, draw))
        if len(unrelated) < LEAST:
            raise UsageError(
                f"{project.root} has too few chunks in different folders to calibrate on.",
                hint="Name a larger project with --project.",
            )
        texts = list(dict.fromkeys(piece.text for piece in pieces))
        row = {text: number for number, text in enumerate(texts)}
        vectors = _embedded(embedder, texts, report)
        negatives, positives = (
            cosines(*(vectors[[row[pair[side].text] for pair in pairs]] for side in (0, 1)))
            for pairs in (unrelated, neighbours)
        )
        made = calibrate(negatives, positives)
        event = EmbeddingCalibrated(
            provider=embedder.provider, model=embedder.model, fold=made.fold, alike=made.alike,
            pairs=made.pairs, passed=PASSED_FOLD, negatives=made.negatives, positives=made.positives,
        )  # fmt: skip
        position = self._append([draft(event, project=project.id, source=SOURCE, id=self._new_id())])
        return CalibrateReply(
            project=project.id, position=position, found=event,
            plot=plot(made.negatives, made.positives, made.fold),
        )  # fmt: skip

    def _neighbours(self, project: Project, count: int, draw: Random) -> Iterator[tuple[Piece, Piece]]:
        """Neighbouring chunks of sources, one pair a file until there are enough."""
        view = self._view(project)
        with view.lock:
            files = [file for path, file in sorted(view.files.items()) if kind_of(path) in ("source", "test")]
        draw.shuffle(files)
        found = 0
        for file in files:
            if found >= count:
                return
            if pair := self._pair(project, file, draw):
                found += 1
                yield pair

    def _pair(self, project: Project, file: FileView, draw: Random) -> tuple[Piece, Piece] | None:
        chunks = list(file.chunks)
        fitting = [
            (one, two)
            for one, two in pairwise(chunks)
            if min(one.tokens, two.tokens) >= SHORTEST and one.tokens + two.tokens <= CAP
        ]
        lines = self._read(project, file.path) if fitting else None
        if lines is None:
            return None
        folder = file.path.rpartition("/")[0]
        one, two = draw.choice(fitting)
        return tuple(  # type: ignore[return-value]  # of two
            Piece(folder, "\n".join(lines[chunk.line - 1 : chunk.end_line])) for chunk in (one, two)
        )


def _embedded(embedder: Embedder, texts: Sequence[str], report: Report) -> Vectors:
    """In steps, so that whoever waits sees how far it is."""
    made = []
    for start in range(0, len(texts), STEP):
        report("embedding", start, len(texts))
        made.append(embedder.embed(texts[start : start + STEP]))
    rows: Vectors = np.concatenate(made)
    return rows


def _unrelated(pieces: Sequence[Piece], count: int, draw: Random) -> Iterator[tuple[Piece, Piece]]:
    """Pairs of chunks from different folders."""
    found = 0
    for _ in range(count * TRIES if len(pieces) > 1 else 0):
        left, right = draw.sample(pieces, 2)
        if left.folder != right.folder:
            found += 1
            yield left, right
        if found >= count:
            return
