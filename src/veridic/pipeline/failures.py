"""The stages that failures name, and what is said of an error that is a bug."""

import logging

_logger = logging.getLogger(__name__)

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


def as_a_bug(error: Exception) -> str:
    """The sentence for an error that nobody foresaw. It costs what it happened to and nothing else: the rest of the
    run is paid for too."""
    _logger.debug("an error that should not have happened", exc_info=error)
    problem = f"{type(error).__name__}: {error}".rstrip(".: ")
    return f"This should not have happened ({problem})."
