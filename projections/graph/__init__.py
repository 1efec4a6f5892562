"""The graph, first level: projects, files, what they define, import and point at, and their history.

`GraphProjection` is the projection; docs/tables.md describes its tables. It refuses to read worktrees or git:
everything it knows came by events.
"""

from navlog.projections.graph.projection import GraphProjection

__all__ = ["GraphProjection"]
