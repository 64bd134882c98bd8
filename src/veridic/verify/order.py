"""What a user asks of `veridic verify`."""

from collections.abc import Callable
from pathlib import Path

from veridic.domain.base import Frozen
from veridic.domain.modes import EngineChoice

Progress = Callable[[int, int | None, str], None]
"""How much is done, of how much if that is known, and of what."""


def ignore_progress(_done: int, _total: int | None, _what: str) -> None:
    """For callers that show none."""


class VerifyOrder(Frozen):
    root: Path
    """The repository."""
    documents: tuple[str, ...] = ()
    """Only these files, by their paths within the repository; all that can speak about the code by default."""
    exclude: tuple[str, ...] = ()
    """Patterns of paths that are left alone."""
    since: str | None = None
    """Only what a change since this revision could have made false."""
    only_changed: bool = False
    """Only what the uncommitted changes could have made false."""
    with_unsure: bool = False
    """Also alarms that are less sure than `confidence.SHOWN_FROM`."""
    commits: str | None = None
    """A range of commits whose messages are checked too, such as `v1.0..HEAD`."""
    run_tests: str | None = None
    """The command that runs the project's tests; nothing is run without it."""
    run_examples: bool = False
    """Whether code blocks that are marked as examples are run."""
    check_links: bool = False
    """Whether addresses outside the repository are fetched."""
    databases: tuple[str, ...] = ()
    """Connections that claims about data may be checked with; only ever read."""
    apis: tuple[str, ...] = ()
    """Live endpoints that may be asked."""
    engine: EngineChoice = EngineChoice.AUTO
    use_cache: bool = True
