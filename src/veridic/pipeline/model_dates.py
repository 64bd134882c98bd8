"""Dates that a model writes, held against those that were read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from veridic.domain.evidence import Passage
from veridic.language.dates import DateMention, find_dates
from veridic.language.sentences import split_sentences

_Interval = tuple[date, date]


@dataclass(frozen=True)
class KnownDates:
    """Every date of a claim and its evidence, and the day of the check."""

    intervals: frozenset[_Interval]

    @classmethod
    def of(cls, texts: Iterable[str], passages: Iterable[Passage], as_of: date) -> "KnownDates":
        found: set[_Interval] = {(as_of, as_of)}
        for passage in passages:
            found |= {(when.first, when.last) for when in (passage.date, passage.source.date) if when}
            found |= _mentioned(passage.text)
        for text in texts:
            found |= _mentioned(text)
        return cls(frozenset(found))

    def sound_sentences(self, text: str) -> str:
        """The sentences that name a date, and none that nobody has read; empty where there are none."""
        return " ".join(
            text[start:end] for start, end in split_sentences(text) if self._is_sound(text[start:end])
        )

    def _is_sound(self, sentence: str) -> bool:
        mentions = find_dates(sentence)
        return bool(mentions) and all(map(self._is_known, mentions))

    def _is_known(self, mention: DateMention) -> bool:
        """A date may be told less exactly than it was read, not more."""
        return any(mention.first <= first and last <= mention.last for first, last in self.intervals)


def _mentioned(text: str) -> set[_Interval]:
    return {(mention.first, mention.last) for mention in find_dates(text)}
