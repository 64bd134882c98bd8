"""The days that a model needs to know: today, and when the text that it checks appeared."""

from datetime import date

from veridic.domain.dates import PartialDate


def today(as_of: date) -> str:
    """The day of the check, as every prompt says it."""
    return f"TODAY'S DATE: {as_of.isoformat()}"


def judged_as_of(text: str, as_of: date, published: PartialDate | None) -> str:
    """With the day of the text, which a prompt calls its ARTICLE or CONTENT: "now" in it means that day."""
    return f"{today(as_of)}\n{text} PUBLISHED: {published or 'not known, taken as today'}"
