"""How a check is done, and who does the work."""

from enum import StrEnum


class Mode(StrEnum):
    SUMMARY = "summary"
    """The one or two statements that an article stands for, against one round of evidence."""
    THOROUGH = "thorough"
    """Each claim against evidence of its own."""
    CONSENSUS = "consensus"
    """Several models check every claim, and the majority is counted."""


class EngineChoice(StrEnum):
    AUTO = "auto"
    """Language models where some are set up, else the embedded engine."""
    EMBEDDED = "embedded"
    LLM = "llm"
