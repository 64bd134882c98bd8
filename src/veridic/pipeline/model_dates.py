"""Dates that a model writes, held against those that were read."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from veridic.domain.evidence import Passage
from veridic.text.dates import DateMention, find_dates
from veridic.text.sentences import split_sentences

_Interval = tuple[date, date]
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.5, "year": 365.25, "decade": 3652.5}
_NUMBERS = ("a", "an", *"one two three four five six seven eight nine ten eleven twelve".split())
_AGE = re.compile(
    rf"\b(?P<number>[0-9]{{1,4}}|{'|'.join(_NUMBERS)})[\s-](?P<unit>{'|'.join(_DAYS)})s?[\s-](?:ago|old|earlier)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class KnownDates:
    """Every date of a claim and its evidence, and the day of the check."""

    intervals: frozenset[_Interval]
    as_of: date

    @classmethod
    def of(cls, texts: Iterable[str], passages: Iterable[Passage], as_of: date) -> "KnownDates":
        found: set[_Interval] = {(as_of, as_of)}
        for passage in passages:
            found |= {(when.first, when.last) for when in (passage.date, passage.source.date) if when}
            found |= _mentioned(passage.text)
        for text in texts:
            found |= _mentioned(text)
        return cls(frozenset(found), as_of)

    def sound_sentences(self, text: str) -> str:
        """The sentences that name a date, and none that nobody has read; empty where there are none.

        How long ago something was must fit a date that stands beside it.
        """
        return " ".join(
            text[start:end] for start, end in split_sentences(text) if self._is_sound(text[start:end])
        )

    def _is_sound(self, sentence: str) -> bool:
        mentions = find_dates(sentence)
        return bool(mentions) and all(map(self._is_known, mentions)) and self._is_of_age(sentence, mentions)

    def _is_known(self, mention: DateMention) -> bool:
        """A date may be told less exactly than it was read, not more."""
        return any(mention.first <= first and last <= mention.last for first, last in self.intervals)

    def _is_of_age(self, sentence: str, mentions: Sequence[DateMention]) -> bool:
        """Give or take one of the unit that the age is told in."""
        return all(
            any(
                (self.as_of - mention.last).days - unit <= days <= (self.as_of - mention.first).days + unit
                for mention in mentions
            )
            for days, unit in _ages(sentence)
        )


def _ages(sentence: str) -> Iterable[tuple[float, float]]:
    """In days, each with the days of its unit."""
    for found in _AGE.finditer(sentence):
        unit, number = _DAYS[found["unit"].lower()], found["number"].lower()
        times = int(number) if number.isdigit() else max(1, _NUMBERS.index(number) - 1)
        yield times * unit, unit


def _mentioned(text: str) -> set[_Interval]:
    return {(mention.first, mention.last) for mention in find_dates(text)}
