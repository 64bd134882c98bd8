"""The stages that failures name."""

SEARCH = "search"
"""Nobody who was asked for evidence answered."""
CHANNEL = "search channel"
"""Some did not answer, while others did: the check goes on with what there is."""
VALIDATE = "validate"
BUDGET = "budget"
TIME = "time limit"
"""Limits of the run itself, whichever stage they cut short."""
NOT_COMPLETED = frozenset({SEARCH, VALIDATE, BUDGET, TIME})
"""Where a run has one of these, something that was asked for is missing."""
