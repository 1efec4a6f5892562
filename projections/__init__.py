"""Everything that is computed from the logs and can be deleted at any time.

Imports ``navlog.schemas``, never ``navlog.daemon``. Pure modules here take time, ids and randomness as
arguments; the stateful ones keep one DuckDB file each.
"""
