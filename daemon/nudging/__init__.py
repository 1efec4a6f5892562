"""Nudging as it happens: what sessions' tails are now, the steps of the log, verbs, transcripts, hooks.

The rules are `navlog.projections.nudging`; this room reads tails, appends and hands texts on. It decides
nothing, and keeps nothing that the log does not give back.
"""
