"""From the projections' views and tables to the model of the pages.

Refuses to read worktrees, git or the vault itself: what is on a page came by events, so the same log gives
the same bytes on any machine.
"""
