"""The seam through which answers, the vault and commands read concepts (`schemas.concept`)."""

from collections.abc import Sequence
from typing import Protocol

from navlog.schemas.concept import Concept


class ConceptsView(Protocol):
    """What is asked at any time and from any thread; the projection keeps it up after each transaction."""

    def concepts_of(self, project: str) -> Sequence[Concept]:
        """Every concept, rejected ones too, the most important first; () for an unknown project."""

    def of_file(self, project: str, path: str) -> Sequence[Concept]:
        """The shown concepts that have the file, the most telling first."""
