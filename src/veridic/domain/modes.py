"""The modes, engines and report formats a user can choose."""

from enum import StrEnum


class Mode(StrEnum):
    SUMMARY = "summary"
    """The article's one or two main statements, against one round of evidence."""
    THOROUGH = "thorough"
    """Every claim against its own evidence."""
    CONSENSUS = "consensus"
    """Several models check every claim, and the majority decides."""


class EngineChoice(StrEnum):
    AUTO = "auto"
    """Language models if any are set up, otherwise the embedded engine."""
    EMBEDDED = "embedded"
    LLM = "llm"


class ReportFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    CLAIMREVIEW = "claimreview"


class FirstLook(StrEnum):
    """What looks at every article first, in a batch with triage."""

    SUMMARY = "summary"
    """Summary mode: the article's main statements."""
    EMBEDDED = "embedded"
    """The embedded engine: every claim, with no cost."""


class ExportFormat(StrEnum):
    """How the checks of the desk are written to a file."""

    JSON = "json"
    CSV = "csv"
    CLAIMREVIEW = "claimreview"
