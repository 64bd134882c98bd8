"""One sentence, read: its names, relations, words, figures, dates, ranks and negations, each with its place."""

import re
from functools import lru_cache
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.judging.concepts import find_concepts
from veridic.language.dates import DateMention, find_dates
from veridic.language.names import Aliases, find_names, fold
from veridic.language.numbers import Quantity, find_quantities
from veridic.language.words import STOPWORDS, find_words, stem

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|lacks?|lacking|cannot|fail(?:s|ed)? to|refus(?:es|ed) to|denied|denies)\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_NEGATING = re.compile(
    r"\b(?:no (?:more|fewer|less|later|longer) than|not only|no\. ?\d|not (?:just|merely))", re.IGNORECASE
)
_CLAUSE_BREAK = re.compile(
    r"[;:()—]|(?<=\s)[–-](?=\s)|,(?!\d{3})|\b(?:and|but|while|whereas|although|though|which|who|where|because|than)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_RANK = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digit>\d{{1,3}})(?:st|nd|rd|th))?[\s-]?(?P<super>most|least|[a-z]+est)\b(?:\s(?P<next>[a-z]+))?",
    re.IGNORECASE,
)
_NOT_SUPERLATIVE = frozenset("west east northwest southwest northeast southeast forest interest rest test request harvest best-known guest nest quest protest invest latest contest honest modest midwest crest chest earnest conquest".split())  # fmt: skip
_EXTREMES = {"big": "large", "great": "large", "huge": "large", "tall": "high", "few": "least"}
_OPPOSITE_EXTREMES = {
    "large": "small", "small": "large", "high": "low", "low": "high", "long": "short", "short": "long", "old": "young",
    "young": "old", "rich": "poor", "poor": "rich", "most": "least", "least": "most", "deep": "shallow", "new": "old",
}  # fmt: skip

# Words that say little about what a sentence is about.
_FAINT = frozenset(
    map(
        stem,
        """
        country nation state has have use used make made cover stand measure reach lie remain become call know number
        total rank estimate estimated about roughly approximately figure according year world city town place people
        part include well long large small high big also today currently now just whole entire overall name named fact
        record level amount value worth share percent average mean main major first new time day come go get give take
        see run serve hold keep boast feature enjoy situate home old common main rise tower side south north east west
        """.split(),
    )
)


# What a figure is about goes without saying when its unit says it.
_IMPLIED = {"area": "#area", "people": "#population"}


class Term(NamedTuple):
    """A word, relation or name with what it counts for."""

    key: str
    """`@name` for a known name, `=folded name` for another, `#concept`, or a stem."""
    span: Span
    weight: float
    text: str

    @property
    def is_name(self) -> bool:
        return self.key[0] in "@="


class Rank(NamedTuple):
    place: int
    extreme: str
    span: Span


class Reading(NamedTuple):
    text: str
    terms: tuple[Term, ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[DateMention, ...]
    ranks: tuple[Rank, ...]
    negations: tuple[Span, ...]
    clauses: tuple[Span, ...]

    @property
    def names(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.is_name)

    @property
    def relations(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.key[0] == "#")

    def clause_of(self, position: int) -> int:
        """Which clause a place belongs to."""
        for index, (start, end) in enumerate(self.clauses):
            if start <= position < end:
                return index
        return len(self.clauses) - 1


class Reader:
    """Reads sentences with a table of names that are known to mean the same."""

    def __init__(self, aliases: Aliases) -> None:
        self._aliases = aliases
        self.read = lru_cache(maxsize=20_000)(self._read)

    def _read(self, text: str) -> Reading:
        quantities = find_quantities(text)
        dates = find_dates(text)
        taken = [q.span for q in quantities if q.dimension != "count"]
        taken += [q.number for q in quantities if q.dimension == "count"]
        taken += [d.span for d in dates]
        ranks = _find_ranks(text)
        implied = [(_IMPLIED[q.dimension], q.span) for q in quantities if q.dimension in _IMPLIED]
        return Reading(
            text=text,
            terms=tuple(
                sorted([*self._terms(text, taken), *(_implied_term(text, *i) for i in implied)], key=_place)
            ),
            quantities=tuple(quantities),
            dates=tuple(dates),
            ranks=tuple(ranks),
            negations=tuple(_find_negations(text)),
            clauses=tuple(_find_clauses(text)),
        )

    def _terms(self, text: str, taken: list[Span]) -> list[Term]:
        terms: list[Term] = []
        for key, span in ((f"@{m.key}", m.span) for m in self._aliases.find(text)):
            _claim_place(terms, taken, Term(key, span, 3.0, text[slice(*span)]))
        for name in find_names(text):
            folded = fold(name.text)
            if folded and not (name.initial and " " not in name.text and name.text.lower() in STOPWORDS):
                _claim_place(terms, taken, Term(f"={folded}", name.span, 3.0, name.text))
        for concept in find_concepts(text):
            _claim_place(terms, taken, Term(concept.key, concept.span, 2.0, text[slice(*concept.span)]))
        for word in find_words(text):
            if word.text.lower() not in STOPWORDS and not word.text.isdigit():
                key = stem(word.text)
                weight = 0.25 if key in _FAINT else 1.0
                _claim_place(terms, taken, Term(key, (word.start, word.end), weight, word.text))
        return terms


def _place(term: Term) -> Span:
    return term.span


def _implied_term(text: str, key: str, span: Span) -> Term:
    return Term(key, span, 2.0, text[slice(*span)])


def _claim_place(terms: list[Term], taken: list[Span], term: Term) -> None:
    """Take a stretch of text for a term unless something said more about it already."""
    start, end = term.span
    if not any(a < end and start < b for a, b in taken):
        terms.append(term)
        taken.append(term.span)


def _find_negations(text: str) -> list[Span]:
    spared = [match.span() for match in _NOT_NEGATING.finditer(text)]
    return [m.span() for m in _NEGATION.finditer(text) if not any(a <= m.start() < b for a, b in spared)]


def _find_clauses(text: str) -> list[Span]:
    clauses, start = [], 0
    for match in _CLAUSE_BREAK.finditer(text):
        clauses.append((start, match.start()))
        start = match.start()
    return [*clauses, (start, len(text) + 1)]


def _find_ranks(text: str) -> list[Rank]:
    ranks = []
    for match in _RANK.finditer(text):
        word = match["super"].lower()
        if word in _NOT_SUPERLATIVE or (word in ("most", "least") and _is_quantifier(match)):
            continue
        place = _ORDINALS.get((match["word"] or "").lower()) or int(match["digit"] or 1)
        ranks.append(Rank(place, _extreme(word, match["next"] or ""), match.span()))
    return ranks


def _is_quantifier(match: re.Match[str]) -> bool:
    """ "most of", "at least", "most people": not a rank."""
    following = (match["next"] or "").lower()
    return following in ("", "of", "people", "residents") or match.string[
        : match.start("super")
    ].rstrip().lower().endswith(" at")


def _extreme(word: str, following: str) -> str:
    if word in ("most", "least"):
        return f"{word} {stem(following)}"
    base = word.removesuffix("est")
    base = base[:-1] + "y" if base.endswith("i") else base
    base = base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "ls" else base
    base = {"larg": "large", "simpl": "simple", "wid": "wide"}.get(base, base)
    return _EXTREMES.get(base, base)


def opposite_extremes(one: str, other: str) -> bool:
    """Largest and smallest, most and least: of one thing only one can hold."""
    return (
        _OPPOSITE_EXTREMES.get(one.split(maxsplit=1)[0]) == other.split(maxsplit=1)[0]
        and one.split()[1:] == other.split()[1:]
    )
