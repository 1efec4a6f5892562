"""How hot a record is at a moment: applied when reading, so nothing that is kept holds a clock."""

EDIT = 0.3  # what an edit of the same file today counts for
COLD = 0.3  # below it a record counts as cold


def hot_score(minutes: float, edits_today: int) -> float:
    """``1 / (minutes + 1) + 0.3 * edits today``; a record from the future counts as new."""
    return 1 / (max(0.0, minutes) + 1) + EDIT * edits_today
