"""The order for a run of `veridic verify`."""

from pathlib import Path

from veridic.domain.base import Frozen
from veridic.domain.modes import EngineChoice


class VerifyOrder(Frozen):
    root: Path
    """The folder of the repository."""
    documents: tuple[str, ...] = ()
    """Only these files, by their paths within the repository; by default every document, docstring and comment."""
    exclude: tuple[str, ...] = ()
    """Patterns of paths to leave out."""
    since: str | None = None
    """Check only what a change since this revision could have made false."""
    only_changed: bool = False
    """Check only what the uncommitted changes could have made false."""
    with_unsure: bool = False
    """Also report alarms with a confidence below `confidence.SHOWN_FROM`."""
    commits: str | None = None
    """A range of commits whose messages are also checked, such as `v1.0..HEAD`."""
    run_tests: str | None = None
    """The command that runs the project's tests; without it nothing is run."""
    run_examples: bool = False
    """Whether to run code blocks that are marked as examples."""
    check_links: bool = False
    """Whether to fetch addresses outside the repository."""
    databases: tuple[str, ...] = ()
    """Database connections to check claims about data with; they are only read."""
    apis: tuple[str, ...] = ()
    """Live endpoints that may be asked."""
    engine: EngineChoice = EngineChoice.AUTO
    use_cache: bool = True
