"""Nudging: how much of its session's tail an agent could give up, when to say so, and how.

Pure: the tail, the tags, the turn, tokens and seconds are arguments; what changes is an event, and the state
is their fold. Refuses to look at a clock, to send anything, and to drop anything by itself.
"""
