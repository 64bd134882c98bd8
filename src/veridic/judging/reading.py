"""One sentence, read: its names, relations, words, figures, dates, ranks and negations, each with its place."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.judging.concepts import FAINT_CONCEPTS, Concept, find_concepts
from veridic.language.dates import DateMention, find_dates
from veridic.language.names import Aliases, Mention, Name, find_names, fold
from veridic.language.numbers import Quantity, find_quantities
from veridic.language.words import STOPWORDS, find_words, stem

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|lacks?|lacking|cannot|fail(?:s|ed)? to|refus(?:es|ed) to|denied|denies|almost|virtually|not quite)\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_NEGATING = re.compile(
    r"\b(?:no (?:more|fewer|less|later|longer) than|not only|no\. ?\d|no other|not (?:just|merely))",
    re.IGNORECASE,
)
_CLAUSE_BREAK = re.compile(
    r"[;:()—]|(?<=\s)[–-](?=\s)|,(?!\d{3})|\b(?:and|but|while|whereas|although|though|which|who|where|because|than)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_RANK = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digit>\d{{1,3}})(?:st|nd|rd|th))?[\s-]?(?P<super>most|least|[a-z]+est)\b(?:\s(?P<next>[a-z]+))?"
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
        see run serve hold keep boast feature enjoy situate home old common main rise tower side stretch extend span amount come equal occupy just only some both
        approximate near nearly almost exactly precise sit consist comprise form constitute live living reside est quite very really fully entirely yet even longer at all term ran stood held hover        """.split(),
    )
)


# What a figure is about goes without saying when its unit says it.
_IMPLIED = {"area": "#area", "people": "#population"}


_FAINT_WEIGHT = 0.25
_NEGATION_REACH = 4
_EXCLUDING = re.compile(
    r"\b(?:except|excluding|excepting|other than|apart from|besides|not|rather than|instead of)(?: for)?(?: the)?"
    r"(?: [A-Z][\w-]*(?:,| and| or)?)*\s$"
)
_OUTRANKED = re.compile(r"(?:\(|est\b.{0,60})(?:after|behind|following) (?:the )?$")
"""Before a name that ranks higher: "second-largest (after Algeria)"."""
_COMPARISON = re.compile(r"\b(?:more|less|fewer|[a-z]{2,}er)\b(?:(?!\bthan\b).)*\bthan\b(?! (?:\d|a\b|one\b|half\b|[a-z]+ (?:million|billion|hundred|thousand)))|\b(?:before|after)\b(?! (?:the |that|this)?(?:\w+ )?\d)(?= \w+ \w+ \w+)|\btwice as\b|\bas \w+ as\b", re.IGNORECASE)  # fmt: skip
_PART_OF_A_NAME = re.compile(
    r"\b(?:Gulf|Sea|Bay|Strait|Straits|Bank|University|Isle|Battle|Treaty|Port|Church) of (?:the )?$"
)
_NEXT_CAPITALISED = re.compile(r" ([A-Z]\w+)")
_SAID_OF_IT = re.compile(r"['’]s?\s|,|\s(?:is|was|has|had|are|were|became|and|[a-z]{2,}s)\b")


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
    negated: frozenset[Term]
    """What the text denies."""
    excluded: tuple[Term, ...]
    """Names the text leaves out: "except Chile", "not Lagos"."""
    is_comparison: bool
    """It sets two things against each other: "longer than", "more ... than"."""
    clauses: tuple[Span, ...]

    @property
    def names(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.is_name)

    @property
    def relations(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.key[0] == "#")

    @property
    def says_something(self) -> bool:
        """Whether there is anything beside one name that a source could bear out or contradict."""
        told = any(term.weight >= 1.0 and not term.is_name for term in self.terms)
        return told or bool(self.quantities or self.dates or self.ranks) or len(self.names) > 1

    def in_parentheses(self, position: int) -> bool:
        """Whether a place stands in parentheses: an aside, not what the text is about."""
        before = self.text[:position]
        return before.count("(") > before.count(")")

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
        mentions = [m for m in self._aliases.find(text) if not _is_part_of_a_name(text, m.span)]
        quantities = [_count_people(text, quantity, mentions) for quantity in find_quantities(text)]
        dates = find_dates(text)
        clauses = _find_clauses(text)
        concepts = find_concepts(text)
        # "The highest point" is a relation, not a rank among points.
        points = [c.span for c in concepts if c.key.endswith("_point")]
        ranks = [
            rank for rank in _find_ranks(text) if not any(_overlap(rank.span, point) for point in points)
        ]
        taken = [(q.start, q.span[1] if q.dimension != "count" else q.number[1]) for q in quantities]
        taken += [d.span for d in dates]
        taken += [rank.span for rank in ranks]
        found = _find_terms(text, mentions, concepts, taken)
        found += [
            Term(_IMPLIED[q.dimension], q.span, 2.0, text[slice(*q.span)])
            for q in quantities
            if q.dimension in _IMPLIED
        ]
        if any(quantity.dimension == "percent" for quantity in quantities):
            found = [
                t._replace(weight=_FAINT_WEIGHT) if t.key == "#population" else t for t in found
            ]  # "62% of people"
        found.sort(key=lambda term: term.span)
        found = [t for t in found if not (t.is_name and _OUTRANKED.search(text[: t.span[0]]))]
        excluded = tuple(term for term in found if term.is_name and _EXCLUDING.search(text[: term.span[0]]))
        terms = tuple(term for term in found if term not in excluded)
        return Reading(
            text=text,
            terms=terms,
            quantities=tuple(quantities),
            dates=tuple(dates),
            ranks=tuple(ranks),
            negated=_negated_terms(text, terms, clauses, [(q.start, q.span[1]) for q in quantities]),
            excluded=excluded,
            is_comparison=_COMPARISON.search(text) is not None,
            clauses=tuple(clauses),
        )


def _find_terms(
    text: str, mentions: Sequence[Mention], found: Sequence[Concept], taken: list[Span]
) -> list[Term]:
    terms: list[Term] = []
    concepts = [
        Term(c.key, c.span, _FAINT_WEIGHT if c.key in FAINT_CONCEPTS else 2.0, text[slice(*c.span)])
        for c in found
    ]
    for mention in mentions:
        _claim_place(terms, taken, Term(f"@{mention.key}", mention.span, 3.0, text[slice(*mention.span)]))
    for concept in concepts:
        if concept.text.isupper() or concept.span[0] == 0:  # GDP is no name, nor is "Population" at the start
            _claim_place(terms, taken, concept)
    for name in find_names(text):
        for start, end in _readings_of(name):
            if _is_name(text, Name(text[start:end], (start, end), name.initial and start == name.span[0])):
                _claim_place(
                    terms, taken, Term(f"={fold(text[start:end])}", (start, end), 3.0, text[start:end])
                )
    for concept in concepts:
        if concept.text[0].islower():  # "Capital" in "Australian Capital Territory" is part of a name
            _claim_place(terms, taken, concept)
    for word in find_words(text):
        if (
            word.text.lower() not in STOPWORDS
            and not word.text.isdigit()
            and not _NEGATION.fullmatch(word.text)
        ):
            key = stem(word.text)
            weight = _FAINT_WEIGHT if key in _FAINT or word.text.endswith("ly") else 1.0
            _claim_place(terms, taken, Term(key, (word.start, word.end), weight, word.text))
    return terms


def _is_part_of_a_name(text: str, span: Span) -> bool:
    """ "Gulf of Thailand", "Mexico City": the country is only part of what is named."""
    if _PART_OF_A_NAME.search(text[: span[0]]):
        return True
    following = _NEXT_CAPITALISED.match(text, span[1])
    return following is not None and not following[1].isupper()


def _count_people(text: str, quantity: Quantity, mentions: Sequence[Mention]) -> Quantity:
    """ "33 million Mongolians" counts people."""
    named = any(mention.span[0] == quantity.span[1] + 1 for mention in mentions)
    is_people = (
        quantity.dimension == "count" and named and text[quantity.span[1] : quantity.span[1] + 1] == " "
    )
    return quantity._replace(dimension="people") if is_people else quantity


def _readings_of(name: Name) -> Iterator[Span]:
    """The whole, then what follows its last "of": "Sales of the Acme Group" may be about the Acme Group."""
    yield name.span
    if match := re.search(r"^.*\bof (?:the )?(?=[A-Z])", name.text):
        yield name.span[0] + match.end(), name.span[1]


def _is_name(text: str, name: Name) -> bool:
    """A single capitalised word at the start is a name only if something is said of it."""
    if not fold(name.text):
        return False
    return not name.initial or " " in name.text or _SAID_OF_IT.match(text, name.span[1]) is not None


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _claim_place(terms: list[Term], taken: list[Span], term: Term) -> None:
    """Take a stretch of text for a term unless something said more about it already."""
    if not any(_overlap(span, term.span) for span in taken):
        terms.append(term)
        taken.append(term.span)


def _negated_terms(
    text: str, terms: Sequence[Term], clauses: Sequence[Span], figures: Sequence[Span]
) -> frozenset[Term]:
    """What a text denies: the first thing that is spoken of after "not", "no", "never" and the like."""
    spared = [match.span() for match in _NOT_NEGATING.finditer(text)]
    spared += [term.span for term in terms]  # "no coastline" is a concept of its own
    spared += figures  # "almost three million" is a figure
    negated = set()
    for match in _NEGATION.finditer(text):
        if any(a <= match.start() < b for a, b in spared):
            continue
        end = next(end for start, end in clauses if start <= match.start() < end)
        after = [t for t in terms if match.end() <= t.span[0] < end and t.weight >= 1.0]
        if after and len(text[match.end() : after[0].span[0]].split()) <= _NEGATION_REACH:
            negated.add(after[0])
    return frozenset(negated)


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
        end = match.end("next") if word in ("most", "least") else match.end("super")
        ranks.append(Rank(place, _extreme(word, match["next"] or ""), (match.start(), end)))
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
