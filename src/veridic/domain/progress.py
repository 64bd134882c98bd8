"""How long work tells how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int | None, str], None]
"""Called with the number done, the total (None if unknown), and the current or next item."""


def ignore_progress(_done: int, _total: int | None, _what: str) -> None:
    """The default for callers that show no progress."""
