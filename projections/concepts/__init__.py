"""Concepts: what people call the parts of a project, found in its names and judged by people.

`navlog.projections.concepts.concept` is the reading seam. Refuses to write anything but its own tables.
"""

from navlog.projections.concepts.concept import Claim, Concept, ConceptsView, Evidence, Link

__all__ = ["Claim", "Concept", "ConceptsView", "Evidence", "Link"]
