"""What agents are given, at which moment, and how that is known afterwards.

Sources offer pieces, pure rules choose and fence them (`navlog.projections.injecting`), the injection is in
the log before the host hears of it.
"""
