"""The checkable content of a sentence (figures, dates, ordinals, names, words), and whether a source has it."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from datetime import date
from functools import cached_property, lru_cache
from math import isclose
from typing import NamedTuple

from veridic.domain.dates import MONTHS, PartialDate
from veridic.domain.document import Span
from veridic.domain.evidence import Passage
from veridic.text.dates import find_dates
from veridic.text.names import Name, find_names, fold
from veridic.text.numbers import Bound, Quantity, find_quantities
from veridic.text.words import STOPWORDS, find_words, stem

_ABOUT_EVIDENCE = frozenset(
    map(
        stem,
        "accurate accurately according account article assert asserted authoritative available claim claims claimed "
        "cite cited cites confirm confirms confirmed contradict contradicts contradicted consistent corroborate correct data document "
        "evidence fact false find finding finds found inaccurate incorrect indicate information misleading note notes "
        "official outlet passage piece publication publish published put puts quote quotes read reader recent report reported reportedly reports "
        "research reveal said say says show shows shown source sources state stated states statement study studies "
        "support supports supported true verdict verify verified".split(),
    )
)
_EVIDENCE_NOUNS = frozenset(
    map(stem, "article document outlet passage piece publication report source study".split())
)
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 2
    )
}
_ORDINAL = re.compile(rf"\b(?:(\d{{1,4}})(?:st|nd|rd|th)|({'|'.join(_ORDINALS)}))\b", re.IGNORECASE)
_YEARLESS = re.compile(
    rf"\b(?:(?P<before>\d\d?)(?:st|nd|rd|th)?\s(?:of\s)?)?(?P<month>{'|'.join(MONTHS)})(?:\s(?P<after>\d\d?)(?!\d))?"
)
_YEAR = re.compile(r"\d{4}")
_LONE_SUBJECT = re.compile(r"\s(?:is|was|has|had|became|remains|remained|lies|won|lost)\b")
_MIN_ABBREVIATION = 3
_MIN_BEGINNING = 4
_MAX_NAME_WORD = 40
_MAX_SOURCE_CHARACTERS = 50_000
"""Characters read of a source; the passages found for a claim have far fewer."""
_TOLERANCE = {
    Bound.EXACT: (1.0, 1.0),
    Bound.ABOUT: (0.9, 1.1),
    Bound.ABOVE: (1.0, 1.5),
    Bound.JUST_ABOVE: (1.0, 1.1),
    Bound.BELOW: (0.5, 1.0),
    Bound.JUST_BELOW: (0.9, 1.0),
}
"""By wording, the range of multiples of a figure's value that a source may give for it."""


class Figure(NamedTuple):
    """The range in which a source must give a figure of a sentence, in the dimension's base unit."""

    low: float
    high: float
    dimension: str


class DateSpan(NamedTuple):
    first: date
    last: date
    ends: tuple[int, ...]
    """The two years of a span such as "2019 to 2021"; a source must give both."""


class SentenceContent(NamedTuple):
    """What a sentence states and a source can be checked for."""

    figures: tuple[Figure, ...]
    dates: tuple[DateSpan, ...]
    ordinals: tuple[int, ...]
    names: tuple[str, ...]
    """Without case and accents."""
    words: frozenset[str]
    """Stems of all other words that carry meaning."""

    @property
    def anchors(self) -> int:
        """The number of figures, dates, ordinals and names."""
        return len(self.figures) + len(self.dates) + len(self.ordinals) + len(self.names)


class KnownNames(Container[object]):
    """Words that are capitalised inside a sentence of some text, and so count as names everywhere.

    Texts are read lazily: a lookup reads one after the other until one has the word.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __contains__(self, word: object) -> bool:
        return any(word in _names_in(text) for text in self._texts)


@lru_cache(maxsize=4_096)
def _names_in(text: str) -> frozenset[str]:
    return frozenset(
        word for name in find_names(text) if not name.initial for word in fold(name.text).split()
    )


def read_content(sentence: str, known_names: KnownNames) -> SentenceContent:
    quantities = [q for q in find_quantities(sentence) if not _counts_evidence(sentence, q)]
    dates = find_dates(sentence)
    names = [name for name in find_names(sentence) if _is_name(sentence, name, known_names)]
    in_dates = _covered(sentence, [mention.span for mention in dates])
    ordinals = [match for match in _ORDINAL.finditer(sentence) if not in_dates[match.start()]]
    taken = [*(q.span for q in quantities), *(d.span for d in dates), *(n.span for n in names)]
    taken += [match.span() for match in ordinals]
    return SentenceContent(
        figures=tuple(figure for quantity in quantities for figure in _figures(quantity)),
        dates=tuple(_date_span(mention.first, mention.last, mention.text) for mention in dates),
        ordinals=tuple(dict.fromkeys(map(_ordinal_value, ordinals))),
        names=tuple(dict.fromkeys(fold(name.text) for name in names)),
        words=_words_outside(sentence, taken),
    )


def _figures(quantity: Quantity) -> Iterator[Figure]:
    """Yield the range that the figure's wording allows; for a range of figures, one for each end."""
    if _is_range(quantity):
        half = quantity.step / 2
        yield Figure(quantity.low - half, quantity.low + half, quantity.dimension)
        yield Figure(quantity.high - half, quantity.high + half, quantity.dimension)
    else:
        least, most = sorted(multiple * quantity.value for multiple in _TOLERANCE[quantity.bound])
        yield Figure(min(quantity.low, least), max(quantity.high, most), quantity.dimension)


def _is_range(quantity: Quantity) -> bool:
    return not isclose(quantity.high - quantity.low, quantity.step, rel_tol=1e-6)


def _counts_evidence(sentence: str, quantity: Quantity) -> bool:
    """Whether the figure counts evidence, such as "two sources", or is the word "one"."""
    counted = quantity.unit.split()[:1]
    is_one = sentence[slice(*quantity.number)].lower() == "one"
    return quantity.dimension == "count" and (is_one or bool(_EVIDENCE_NOUNS.intersection(counted)))


def _is_name(sentence: str, name: Name, known: KnownNames) -> bool:
    """Whether a capitalised word is a name.

    At the beginning of a sentence it needs a second word, or has to be a known name, in capitals, or the whole subject,
    which the source must have anyway ("Melbourne is ...").
    """
    words = fold(name.text).split()
    if not words:
        return False
    is_subject = _LONE_SUBJECT.match(sentence, name.span[1]) is not None
    return not name.initial or len(words) > 1 or words[0] in known or name.text.isupper() or is_subject


def _date_span(first: date, last: date, text: str) -> DateSpan:
    years = tuple(map(int, _YEAR.findall(text)))
    ends = (first.year, last.year) if first.year != last.year and len(years) == 2 else ()
    return DateSpan(first, last, ends)


def _ordinal_value(ordinal: re.Match[str]) -> int:
    return int(ordinal[1]) if ordinal[1] else _ORDINALS[ordinal[2].lower()]


def _covered(text: str, spans: Sequence[Span]) -> bytearray:
    """Return a flag for each character: whether it is in one of the spans."""
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered


def _words_outside(sentence: str, taken: Sequence[Span]) -> frozenset[str]:
    covered = _covered(sentence, taken)
    stems = {
        stem(word.text)
        for word in find_words(sentence)
        if not covered[word.start] and word.text.lower() not in STOPWORDS
    }
    return frozenset(stems - _ABOUT_EVIDENCE)


@lru_cache(maxsize=1_024)
def read_source(passages: tuple[Passage, ...]) -> "SourceContent":
    """Return the content of a source. Cached, because a claim's summary and findings cite the same few sources."""
    return SourceContent.of_passages(passages)


class SourceContent:
    """The figures, dates, ordinals, names and words of one source."""

    def __init__(self, text: str, heading: str = "", dated: Sequence[PartialDate] = ()) -> None:
        """Figures, dates, names and words are read when first asked for."""
        self._text = text[:_MAX_SOURCE_CHARACTERS]
        self._heading = heading
        self._dated = dated

    @classmethod
    def of_passages(cls, passages: Sequence[Passage]) -> "SourceContent":
        source = passages[0].source
        heading = f"{source.title}\n{source.author or ''}"
        text = "\n".join([heading, *(passage.text for passage in passages)])
        dated = [when for when in (source.date, *(p.date for p in passages)) if when]
        return cls(text, f"{heading} {(source.domain or '').replace('.', ' ')}", dated)

    @cached_property
    def _values(self) -> dict[str, list[float]]:
        return _values(self._text)

    @cached_property
    def _dates(self) -> frozenset[tuple[date, date]]:
        return _dates(self._text, self._dated)

    @cached_property
    def _ordinals(self) -> frozenset[int]:
        return frozenset(map(_ordinal_value, _ORDINAL.finditer(self._text)))

    @cached_property
    def _names(self) -> "_NameWords":
        return _NameWords(self._text, self._heading)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(stem(word.text) for word in find_words(self._text))

    @property
    def figures(self) -> list[Figure]:
        """All figures of the source, exactly as given."""
        return [
            Figure(value, value, dimension) for dimension, values in self._values.items() for value in values
        ]

    def anchors(self, content: SentenceContent) -> frozenset[int]:
        """Return which figures, dates, ordinals and names of `content` the source has, as indexes over all four in this order."""
        has = [
            *map(self._has_figure, content.figures),
            *map(self._has_date, content.dates),
            *(ordinal in self._ordinals for ordinal in content.ordinals),
            *map(self._names.has, content.names),
        ]
        return frozenset(place for place, is_there in enumerate(has) if is_there)

    def words(self, content: SentenceContent) -> frozenset[str]:
        return content.words & self._stems

    def _has_figure(self, figure: Figure) -> bool:
        return any(
            _has_between(values, figure.low, figure.high)
            for dimension, values in self._values.items()
            if dimension == figure.dimension or "count" in (dimension, figure.dimension)
        )

    def _has_date(self, span: DateSpan) -> bool:
        if span.ends:
            years = {day.year for dates in self._dates for day in dates}
            return years.issuperset(span.ends)
        return any(span.first <= first and last <= span.last for first, last in self._dates)


class _NameWords:
    """The words of a source's names, for matching names that are written differently."""

    def __init__(self, text: str, heading: str) -> None:
        names = find_names(text)
        words = {word for name in names for word in fold(name.text).split()} | set(fold(heading).split())
        words = {word[:_MAX_NAME_WORD] for word in words if len(word) >= _MIN_ABBREVIATION}
        self._all = frozenset(fold(text).split()) | words
        self._words = words
        self._beginnings = {w[:end] for w in words for end in range(_MIN_ABBREVIATION, len(w) + 1)}
        self._without_last_letter = {w[:-1] for w in words if len(w) > _MIN_BEGINNING}
        self._initials = {initials for name in names if len(initials := _initials(name.text)) > 1}

    def has(self, name: str) -> bool:
        """Whether the source has the name: its last word ("Powell" for Jerome Powell), half of three or more words, its initials,
        or a short form ("the Fed" for the Federal Reserve)."""
        if name.replace(" ", "") in self._initials or (" " in name and _initials(name) in self._all):
            return True
        words = name.split()
        if self._has_word(words[-1]) or self._has_abbreviation(words[0]):
            return True
        return len(words) > 2 and sum(map(self._has_word, words)) * 2 >= len(words)

    def _has_word(self, word: str) -> bool:
        """Whether the source has the word itself or a derived form: Australia and Australian, Italy and Italian."""
        if word in self._all or (len(word) >= _MIN_ABBREVIATION and word in self._beginnings):
            return True
        ends = range(_MIN_BEGINNING, min(len(word), _MAX_NAME_WORD) + 1)
        if any(word[:end] in self._words or word[:end] in self._without_last_letter for end in ends):
            return True
        return len(word) > _MIN_BEGINNING and word[:-1] in self._beginnings

    def _has_abbreviation(self, word: str) -> bool:
        ends = range(_MIN_ABBREVIATION, min(len(word), _MAX_NAME_WORD))
        return any(word[:end] in self._words for end in ends)


def _values(text: str) -> dict[str, list[float]]:
    """Return the figures of a text by dimension, sorted; for a range, both ends."""
    found: dict[str, list[float]] = {}
    for quantity in find_quantities(text):
        written = (quantity.low, quantity.high) if _is_range(quantity) else (quantity.value,)
        found.setdefault(quantity.dimension, []).extend(written)
    return {dimension: sorted(values) for dimension, values in found.items()}


def _has_between(values: Sequence[float], low: float, high: float) -> bool:
    tolerance = 1e-9 * max(abs(low), abs(high))
    place = bisect_left(values, low - tolerance)
    return place < len(values) and values[place] <= high + tolerance


def _dates(text: str, dated: Sequence[PartialDate]) -> frozenset[tuple[date, date]]:
    """Return the dates of a text and of its source; a day or month without a year is taken from the year of publication."""
    found = {(mention.first, mention.last) for mention in find_dates(text)}
    found |= {(when.first, when.last) for when in dated}
    for match in _YEARLESS.finditer(text):
        month = MONTHS.index(match["month"].capitalize()) + 1
        day = match["before"] or match["after"]
        for when in dated:
            try:
                meant = PartialDate(when.year, month, int(day) if day else None)
            except ValueError:
                continue
            found.add((meant.first, meant.last))
    return frozenset(found)


def _initials(name: str) -> str:
    """`bls` of "Bureau of Labor Statistics"."""
    return "".join(word[0] for word in fold(name).split() if word not in STOPWORDS)
