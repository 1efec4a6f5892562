"""The recorder: hints from the listener become facts in the log.

`plan` says what changed (pure), `recorder` looks and appends, `outliner` has the outlines made. It decides
nothing about what matters; that is the projections' business.
"""
