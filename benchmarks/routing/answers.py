"""What an answer to a case costs and gives: the ranked files packed as the product packs them."""

from benchmarks.routing.cases import Case
from benchmarks.routing.repository import Repository
from navlog.daemon.extract import decode
from navlog.projections.packing import Look, pack
from navlog.projections.ranking import parse, rank
from navlog.projections.tokens import count_tokens
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.settings import Answer


def answer(repository: Repository, view: ProjectView, case: Case) -> tuple[int, float]:
    """(tokens of the answer under the default budget, the share of the expected files that is in it)."""
    query, settings = parse(case.query), Answer()
    ranked = rank(view, query, settings.files)
    blobs = dict(repository.blobs([view.files[hit.path].content for hit in ranked]))

    def look(file: FileView) -> Look:
        decoded = decode(blobs.get(file.content, b""))
        return Look("FRESH", decoded.text if decoded else "")

    items, tokens = pack(
        ranked, view.files, query.words, look=look, count=count_tokens, limit=settings.files,
        budget=settings.budget, now=0.0,
    )  # fmt: skip
    given = {item.path for item in items}
    return tokens, len(given.intersection(case.expected_files)) / len(case.expected_files)
