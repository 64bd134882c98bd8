"""What a report can be written as."""

from enum import StrEnum


class ReportFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    CLAIMREVIEW = "claimreview"
