"""What a session is given: which pieces, how many, in what form. Pure; what is offered is the daemon's.

A piece is a fact with a pointer. Pieces stand in sections by kind, each with its trust, in one fenced block
that its content cannot close (`navlog.projections.quoting`).
"""
