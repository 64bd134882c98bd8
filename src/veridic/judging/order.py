"""Order in time: "the treaty entered into force before the war ended", from the dates of the two events."""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from veridic.judging.finding import Finding, Outcome
from veridic.judging.happenings import find_happenings, happening_at
from veridic.judging.reading import Reading
from veridic.language.words import content_stems

_ORDER = re.compile(r"(?P<one>.+?)\s+(?P<word>before|after)\s+(?P<other>[^\d]+)", re.IGNORECASE | re.DOTALL)
_ABOUT_IT = 0.6
"""The share of an event's telling words that the sentence with its date must have."""
_LEAST_WORDS = 2


class Event(NamedTuple):
    words: set[str]
    """Those that tell it, as stems."""
    happening: str | None
    """What happened: "the old bridge was demolished" is dated by no sentence that says when it was built."""


class Order(NamedTuple):
    """A claim that sets two events in order."""

    one: Event
    other: Event
    before: bool


class _Dated(NamedTuple):
    share: float
    passage: int
    sentence: str
    first: date
    last: date
    text: str


def read_order(claim: Reading) -> Order | None:
    """The two events, if the claim names no date of its own and each event is told in two words or more."""
    match = _ORDER.fullmatch(claim.text.strip())
    if (
        match is None
        or claim.dates
        or claim.negated
        or len(re.findall(r"\b(?:before|after)\b", claim.text)) != 1
    ):
        return None
    one, other = _event(match["one"]), _event(match["other"])
    if min(len(one.words - other.words), len(other.words - one.words)) < _LEAST_WORDS:
        return None
    return Order(one, other, match["word"].lower() == "before")


def compare_order(order: Order, passages: Sequence[Sequence[Reading]]) -> dict[int, tuple[str, Finding]]:
    """For each passage that dates one of the events, its sentence and what follows from both dates together;
    empty unless both events are dated, and apart."""
    one = _date_of(order.one, order.other, passages)
    other = _date_of(order.other, order.one, passages)
    if one is None or other is None or not (one.last < other.first or other.last < one.first):
        return {}
    agrees = (one.last < other.first) == order.before
    reason = f"The first is dated {one.text}, the second {other.text}."
    finding = Finding(Outcome.AGREE if agrees else Outcome.DIFFER, min(one.share, other.share), reason)
    return {dated.passage: (dated.sentence, finding) for dated in (other, one)}


def _event(text: str) -> Event:
    happenings = find_happenings(text)
    return Event(content_stems(text), happenings[-1].key if happenings else None)


def _date_of(event: Event, other: Event, passages: Sequence[Sequence[Reading]]) -> _Dated | None:
    """The date in the sentence that tells most of the event, and more of it than of the other one."""
    found = [
        _Dated(share, number, sentence.text, when.first, when.last, when.text)
        for number, sentences in enumerate(passages)
        for sentence in sentences
        for when in (sentence.dates if len(sentence.dates) == 1 else ())
        if (share := _share(event, sentence)) >= _ABOUT_IT and share > _share(other, sentence)
        if event.happening in (None, happening_at(sentence, when)) and when.relation == "in"
    ]
    return max(found, key=lambda dated: dated.share, default=None)


def _share(event: Event, sentence: Reading) -> float:
    return len(event.words & content_stems(sentence.text)) / len(event.words)
