"""The whole vault from the whole model: every page, in an order that depends on the model alone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navlog.projections.pages.bases import base_pages
from navlog.projections.pages.canvas import has_map, map_page
from navlog.projections.pages.concepts import concept_pages
from navlog.projections.pages.files import file_pages
from navlog.projections.pages.folders import folder_pages
from navlog.projections.pages.memo import Memo
from navlog.projections.pages.model import Project
from navlog.projections.pages.places import places
from navlog.projections.pages.projects import home_page, project_page
from navlog.projections.pages.rules import rules_pages
from navlog.projections.pages.sheet import Desk, Page
from navlog.projections.pages.words import WORDS, Language
from navlog.projections.pages.work import work_pages


class Vault(NamedTuple):
    """``prefix``: from the root of the person's vault to our folder, "" or ending in ``/``."""

    language: Language = "en"
    prefix: str = ""


PLAIN = Vault()


def pages(projects: Sequence[Project], vault: Vault = PLAIN, memo: Memo | None = None) -> Iterator[Page]:
    """Every page there is to be; ``memo``: what the last pass made, for the next one to be quick."""
    memo = memo or Memo()
    words = WORDS[vault.language]
    desk = Desk(words, places(projects, words), vault.prefix)
    yield home_page(projects, desk)
    yield from base_pages(desk)
    for project in projects:
        yield project_page(project, desk)
        if has_map(project):
            yield map_page(project, desk)
        yield from concept_pages(project, desk)
        yield from file_pages(project, desk, memo)
        yield from folder_pages(project, desk, memo)
        yield from work_pages(project, desk)
        yield from rules_pages(project, desk)
    memo.turn()
