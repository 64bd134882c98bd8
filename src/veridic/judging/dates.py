"""Dates against dates, with the words that bind them: in, before, after, since, by."""

import re
from collections.abc import Sequence

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Passage
from veridic.judging.alignment import Alignment
from veridic.judging.concepts import OFFICES
from veridic.judging.finding import Finding, Outcome
from veridic.judging.reading import Reading
from veridic.language.dates import DateMention

_SECOND_DATE = re.compile(r";\s*(?:on |in )?$")
"""What stands before the second of two dates for one thing: "1 December 1918 (...); 17 June 1944"."""
_LONG = 9
"""Years from the first to the last of a decade."""
_PAST = re.compile(r"\b(?:was|were|used to|had been|former|formerly|once)\b", re.IGNORECASE)


def compare_date(claimed: DateMention, found: DateMention) -> Outcome:
    """Whether a claimed date holds against a found one."""
    if claimed.relation == "before":
        return Outcome.AGREE if found.last < claimed.first else Outcome.DIFFER
    if claimed.relation == "after":
        return Outcome.AGREE if found.first > claimed.last else Outcome.DIFFER
    if claimed.relation in ("by", "until"):
        return Outcome.AGREE if found.first <= claimed.last else Outcome.DIFFER
    return Outcome.AGREE if _at_one_time(claimed, found) else Outcome.DIFFER


def _at_one_time(one: DateMention, other: DateMention) -> bool:
    """Two long periods must have more in common than a year: the 19th century and the 1900s only meet in 1900."""
    first, last = max(one.first, other.first), min(one.last, other.last)
    return first <= last and (last.year > first.year or not (is_long(one) and is_long(other)))


def is_long(when: DateMention) -> bool:
    """Whether it stands for a decade or more."""
    return when.last.year - when.first.year >= _LONG


def compare_dates(claim: Reading, sentence: Reading, alignment: Alignment) -> list[Finding]:
    """One finding for each date of the claim, where the sentence dates the same thing."""
    if not sentence.dates:
        return []
    return [_compare(claimed, sentence, alignment) for claimed in claim.dates]


def _compare(claimed: DateMention, sentence: Reading, alignment: Alignment) -> Finding:
    ranked = sorted(sentence.dates, key=lambda found: alignment.locality(found.span[0]), reverse=True)
    best = alignment.locality(ranked[0].span[0])
    nearest = [found for found in ranked if alignment.locality(found.span[0]) >= best - 0.1]
    for found in nearest:
        if compare_date(claimed, found) is Outcome.AGREE:
            strength = alignment.strength(found.span[0])
            return Finding(Outcome.AGREE, strength, f"The source gives the same date, {found.text}.")
    elsewhere = next((f for f in ranked if compare_date(claimed, f) is Outcome.AGREE), None)
    if elsewhere is not None:
        if not _SECOND_DATE.search(sentence.text[: elsewhere.span[0]]):
            return Finding(Outcome.APART, 0.0, "The source has the date, but of something else.")
        strength = alignment.strength(elsewhere.span[0]) * 0.8
        return Finding(Outcome.AGREE, strength, f"The source gives the same date, {elsewhere.text}.")
    found = nearest[0]
    doubt = 1.0 if len(nearest) == 1 else 0.7
    return Finding(
        Outcome.DIFFER,
        alignment.strength(found.span[0]) * doubt,
        f"The claim says {claimed.text}; the source says {found.text}.",
        found.text,
        claimed.text,
    )


def dates_outside_parentheses(sentence: Reading) -> tuple[DateMention, ...]:
    """When a sentence speaks of; "(2022: 164.8 million)" only adds a figure to compare with."""
    return tuple(found for found in sentence.dates if not sentence.in_parentheses(found.span[0]))


def speaks_of_another_time(
    claim: Reading, times: Sequence[DateMention], passage_date: PartialDate | None
) -> bool:
    """Whether a figure holds for a year the claim doesn't speak of.

    `times` are the dates the sentence gives or, if none, those said before it. Only for claims that
    name a time beside a figure: there the date says which figure is meant.
    """
    if not claim.quantities or not claim.dates:
        return False
    if times:
        return not any(c.overlaps(t) for c in claim.dates for t in times)
    if passage_date is None:
        return False
    return not any(c.first <= passage_date.last and passage_date.first <= c.last for c in claim.dates)


def held_at_another_time(claim: Reading, sentence: Reading, passage: Passage) -> bool:
    """Whether another name may be right for its own time: the director of 2008 is not the one since 2020.

    What was written later can tell of the claim's time, but not by naming who holds an office now.
    """
    if not claim.dates:
        return False
    if sentence.dates:
        return not any(c.overlaps(f) for c in claim.dates for f in sentence.dates)
    when = passage.date or passage.source.date
    if when is None:
        return False
    if all(when.last < c.first for c in claim.dates):
        return True
    return _names_a_holder(claim, sentence) and all(c.last < when.first for c in claim.dates)


def holder_at_the_time(claim: Reading, sentence: Reading, passage: Passage) -> list[Finding]:
    """A source of the time that the claim speaks of says who held an office then without giving a date."""
    when = passage.date or passage.source.date
    if when is None or sentence.dates or not _names_a_holder(claim, sentence):
        return []
    same = Finding(Outcome.AGREE, 1.0, f"The source says the same, and is of that time, {when}.")
    return [same for c in claim.dates if c.relation == "in" and c.first <= when.first and when.last <= c.last]


def _names_a_holder(claim: Reading, sentence: Reading) -> bool:
    return any(term.key in OFFICES for term in claim.terms) and not _PAST.search(sentence.text)
