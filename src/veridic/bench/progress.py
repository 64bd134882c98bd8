"""How a measurement tells how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Told how much is done, of how much, and what is under way."""


def ignore_progress(done: int, total: int, what: str) -> None:
    """For callers that show nothing."""
