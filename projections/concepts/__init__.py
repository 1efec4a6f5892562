"""Concepts: what people call the parts of a project, found in its names and judged by people.

`ConceptsView` is the reading seam. Refuses to write anything but its own tables.
"""

from navlog.projections.concepts.concept import ConceptsView
from navlog.schemas.concept import Claim, Concept, Evidence, Link

__all__ = ["Claim", "Concept", "ConceptsView", "Evidence", "Link"]
