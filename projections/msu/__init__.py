"""The projection ``msu``: which changes wait for their record, the records, and the queue they stand in.

`MsuProjection` is the projection; docs/tables.md describes its tables, `navlog.projections.msu.queue` what is
asked of it. It refuses to slice: that is the reactor's business (`navlog.daemon.slicer`).
"""

from navlog.projections.msu.projection import MsuProjection

__all__ = ["MsuProjection"]
