"""The words and signs of the desk's pages: ratings, states, tiers, ages and dates. Does no I/O."""

from collections.abc import Mapping
from datetime import UTC, datetime, time

from veridic.desk.published import RATINGS
from veridic.desk.records import ClaimRelation, Person, Rating
from veridic.domain.claim import Priority
from veridic.domain.evidence import Tier
from veridic.domain.verdicts import Scale, read
from veridic.reporting.wording import TIERS, Tone, day
from veridic.web.marks import Sign, canonical_sign

RATING_MEANINGS: Mapping[Rating, str] = {
    Rating.TRUE: "Completely accurate",
    Rating.MOSTLY_TRUE: "Minor inaccuracies",
    Rating.MIXED: "Partly true, partly false",
    Rating.MOSTLY_FALSE: "The core of it is inaccurate",
    Rating.FALSE: "Completely inaccurate",
    Rating.UNVERIFIABLE: "Can't be determined",
}
RELATIONS: Mapping[ClaimRelation, str] = {
    "same": "says the same",
    "opposite": "says the opposite",
    "close": "similar words",
}
"""Of an earlier claim to the one on the page."""
PRIORITY_TONES: Mapping[Priority, Tone] = {
    Priority.HIGH: Tone.BAD,
    Priority.MEDIUM: Tone.CAUTION,
    Priority.LOW: Tone.OPEN,
}
STATE_TONES: Mapping[str, Tone] = {
    "in_progress": Tone.CAUTION,
    "completed": Tone.GOOD,
    "published": Tone.GOOD,
    "verified": Tone.GOOD,
    "disputed": Tone.CAUTION,
    "flagged": Tone.BAD,
}
"""Of checks and of claims; states that are not here are open."""

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_END_OF_DAY = time(23, 59, tzinfo=UTC)
# At the ends of the calendar a change of time zone leaves it.
_EARLIEST_YEAR, _LATEST_YEAR = 1000, 9000


def rating_sign(rating: str | None) -> Sign | None:
    """Return how a rating is shown; a word that is not on the scale stands as it is."""
    if rating is None:
        return None
    known = Rating(rating) if rating in list(Rating) else Rating.UNVERIFIABLE
    shape = canonical_sign(read(known.value, Scale.RATING))
    return Sign(RATINGS[known] if known == rating else rating, shape.marker, shape.tone, shape.icon)


def state_words(state: str) -> str:
    """Return a state as people say it: `in_progress` is "In progress"."""
    return state.replace("_", " ").capitalize()


def state_tone(state: str) -> Tone:
    return STATE_TONES.get(state, Tone.OPEN)


def tier_words(tier: str | None) -> str:
    return TIERS[Tier(tier)] if tier in list(Tier) else (tier or "")


def person_words(person: Person | None, otherwise: str = "nobody") -> str:
    return person.name if person else otherwise


def age_words(since: datetime | None, now: datetime) -> str:
    """Return how long ago something was, such as "5 min", "3 h" or "12 days"."""
    return "" if since is None else _span(max((now - since).total_seconds(), 0))


def due_words(due: datetime | None, now: datetime) -> str:
    """Return when something is due, as seen from `now`."""
    if due is None:
        return ""
    if due < now:
        return f"overdue by {_span((now - due).total_seconds())}"
    days = (due.astimezone(UTC).date() - now.astimezone(UTC).date()).days
    near = {0: "due today", 1: "due tomorrow"}
    return near.get(days, f"due on {day(due.astimezone(UTC).date())}")


def time_words(seconds: float | None) -> str:
    """Return a time spent, such as "40 s", "7 min" or "2 h 5 min"."""
    if seconds is None:
        return "not measured"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{round(whole / _MINUTE)} min"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"


def end_of(text: str, before: datetime | None = None) -> datetime | None:
    """Return the end of the day of a date field, None if it is empty; raise `ValueError` if it is no date.

    `before` is kept if it is on that day, so that saving a form doesn't move a time that somebody set.
    """
    if not text.strip():
        return None
    given = datetime.combine(calendar_day(text), _END_OF_DAY)
    return before if before is not None and before.astimezone(UTC).date() == given.date() else given


def calendar_day(text: str) -> datetime:
    """Return the beginning of the day of a date field; raise `ValueError` if it is no date of these ages."""
    found = datetime.strptime(text.strip(), "%Y-%m-%d").replace(tzinfo=UTC)
    if not _EARLIEST_YEAR <= found.year <= _LATEST_YEAR:
        raise ValueError(f"no usable year: {text!r}")
    return found


def _span(seconds: float) -> str:
    if seconds < _HOUR:
        return f"{max(int(seconds // _MINUTE), 1)} min"
    if seconds < 2 * _DAY:
        return f"{int(seconds // _HOUR)} h"
    return f"{int(seconds // _DAY)} days"
