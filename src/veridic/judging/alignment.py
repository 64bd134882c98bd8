"""How a claim's terms are found again in a sentence: which, how close together, and what is left over."""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from rapidfuzz import fuzz

from veridic.judging.concepts import QUALIFIERS
from veridic.judging.reading import Reading, Term
from veridic.language.words import stem

# Parts of names that many names share; two bridges are not one because both are bridges.
GENERIC = frozenset(
    """
    mount mt lake river bridge city university company bank museum president prime minister mr mrs ms dr mayor the
    street club fc council town county state republic kingdom island islands sea ocean gulf bay cape port saint st san
    new north south east west northern southern eastern western great united federal national royal international
    school college hospital group inc ltd plc party cup league world of de la el al and street road
    """.split()
)
_SAME_SPELLING = 88.0
_TOPICAL = 0.5
_FAR = 8
_PAIR = 2
_DEFINITE = re.compile(r"(?:The|This|That|A|An) ")
_FAR_CLAUSE = 0.6
"""What a term counts for when it stands in another clause than the figure it may belong to."""
_NARROWING_COST = 0.3
_FOCUS_SHARE = 0.35
_UNNAMED = 0.5
"""How sure one can be that a sentence with a name speaks of what a claim without one does."""
_SAID_BY_RANK = frozenset(("#area", "#population"))
"""What "the largest country" and a count of people say without the word."""


class Alignment:
    """A claim laid over one sentence, with what stands before it as context."""

    def __init__(self, claim: Reading, sentence: Reading, context: Sequence[Term]) -> None:
        self.claim = claim
        self.sentence = sentence
        self._context = context
        self._pairs = _pair(claim.terms, sentence.terms)
        by_context = _pair(
            [t for t in claim.terms if t not in self._pairs and _may_be_implied(t, claim)], context
        )
        self._by_context = set(by_context) if self._may_use_context() else set()

    def _may_use_context(self) -> bool:
        """ "The River Bridge opened in 1950" is not about the bridge of the sentence before, nor is "The town
        had 48,300 inhabitants" about the country: a sentence with a subject of its own is about that."""
        matched = set(self._pairs.values())
        opening = [t for t in self.sentence.names if len(self.sentence.text[: t.span[0]].split()) <= 4]
        if not all(term in matched for term in opening[:1]):
            return False
        definite = _DEFINITE.match(self.sentence.text)
        first = next((t for t in self.sentence.terms if definite and t.span[0] == definite.end()), None)
        return first is None or first in matched or first.key in {t.key for t in self._context}

    def is_scattered(self) -> bool:
        """Whether the claim's names stand far from what the claim says of them: "NATO" and "Ukraine" in one
        sentence don't make Ukraine a member."""
        said = [p for t, p in self._pairs.items() if not t.is_name and t.weight >= 1.0]
        named = [p for t, p in self._pairs.items() if t.is_name]
        return (
            bool(said)
            and len(named) == _PAIR
            and any(min(self._words_between(n, s) for s in said) > _FAR for n in named)
        )

    def _words_between(self, one: Term, other: Term) -> int:
        first, second = sorted((one.span, other.span))
        return len(self.sentence.text[first[1] : second[0]].split())

    @cached_property
    def missing_names(self) -> list[Term]:
        return [t for t in self.claim.names if t not in self._pairs and t not in self._by_context]

    @cached_property
    def other_names(self) -> list[Term]:
        """Names of the sentence that the claim doesn't have."""
        matched = set(self._pairs.values())
        return [t for t in self.sentence.names if t not in matched]

    @cached_property
    def found_names(self) -> list[Term]:
        return [t for t in self.claim.names if t in self._pairs or t in self._by_context]

    def partner(self, term: Term) -> Term | None:
        """Where a term of the claim stands in the sentence."""
        return self._pairs.get(term)

    def has(self, term: Term) -> bool:
        return term in self._pairs or term in self._by_context

    @cached_property
    def coverage(self) -> float:
        """The share of the claim's content the sentence speaks about, names included."""
        return self._share(self.claim.terms)

    def coverage_without(self, left_out: Sequence[Term]) -> float:
        return self._share([t for t in self.claim.terms if t not in left_out])

    def _share(self, terms: Sequence[Term]) -> float:
        total = sum(t.weight for t in terms)
        if not total:
            return 0.0
        met = sum(t.weight for t in terms if t in self._pairs)
        return (met + sum(t.weight * 0.8 for t in terms if t in self._by_context)) / total

    def compares_anything(self) -> bool:
        """Whether the claim has more than its subject to be borne out: a figure, a date, a rank, a denial,
        a second name."""
        claim = self.claim
        return bool(claim.quantities or claim.dates or claim.ranks or claim.negated or len(claim.names) > 1)

    def is_off_topic(self) -> bool:
        """It speaks about less than half of what the claim says about its names, or of another measure:
        the claim says "per capita" or "at purchasing power parity", and the sentence doesn't."""
        said = [t for t in self.claim.terms if not t.is_name]
        if any(t.key in QUALIFIERS and not self.has(t) for t in said):
            return True
        return sum(t.weight for t in said) >= 1.0 and bool(self.claim.names) and self._share(said) < _TOPICAL

    def leaves_open(self) -> bool:
        """Whether too many of the claim's telling words are not met: one in four may be."""
        if not self.claim.negated <= set(self._pairs):
            return True  # what the claim denies must be spoken of to be borne out
        telling = [t for t in self.claim.terms if t.weight >= 1.0]
        return sum(not self.has(t) for t in telling) > len(telling) // 4

    def locality(self, position: int) -> float:
        """How much of what the claim is about stands near a place of the sentence, from 0 to 1."""
        clause = self.sentence.clause_of(position)
        relevant = [t for t in self.claim.terms if self.has(t)]
        total = sum(t.weight for t in relevant)
        if not total:
            return 0.0
        near = 0.0
        for term in relevant:
            partner = self._pairs.get(term)
            same = partner is not None and self.sentence.clause_of(partner.span[0]) == clause
            near += term.weight * (1.0 if same else _FAR_CLAUSE)
        return near / total

    def strength(self, position: int) -> float:
        """How surely what stands at a place is what the claim speaks of, from 0 to 1: less for every word
        that narrows it to something else ("the *land* area", "GDP *per capita*"), and less for a
        sentence that is mostly about other things."""
        nameless = _UNNAMED if self.is_unanchored else 1.0
        narrowed = max(0.0, 1.0 - _NARROWING_COST * len(self._narrowing(position)))
        return narrowed * nameless * (1.0 - _FOCUS_SHARE * (1.0 - self.focus))

    @cached_property
    def focus(self) -> float:
        """The share of what the sentence says that the claim speaks about, names aside."""
        return self._spoken_of([t for t in self.sentence.terms if not t.is_name])

    def directness(self, *, names_answer: bool) -> float:
        """The same with names, what stands in parentheses aside: of two sentences that disagree, the one that
        says little else is on the point. Where other names are the sentence's answer to what the claim
        says (`names_answer`), they don't count against it."""
        said = [t for t in self.sentence.terms if not self.sentence.in_parentheses(t.span[0])]
        return self._spoken_of([t for t in said if not names_answer or t not in self.other_names])

    def _spoken_of(self, said: Sequence[Term]) -> float:
        matched = set(self._pairs.values())
        keys = {t.key for t in self.claim.terms} | _SAID_BY_RANK
        total = sum(t.weight for t in said)
        return sum(t.weight for t in said if t in matched or t.key in keys) / total if total else 1.0

    @property
    def is_unanchored(self) -> bool:
        """The claim names nothing and the sentence does: it may be about anyone."""
        return not self.claim.names and bool(self.sentence.names)

    def is_of_another(self, position: int) -> bool:
        """Whether a figure stands with a name that the claim doesn't have, and with none that it has."""
        clause = self.sentence.clause_of(position)
        here = [t for t in self.sentence.names if self.sentence.clause_of(t.span[0]) == clause]
        return bool(here) and all(t in self.other_names for t in here)

    def _narrowing(self, position: int) -> list[Term]:
        """Words the claim doesn't have that stand right before a relation it has, and other measures."""
        known = {t.key for t in self.claim.terms} | _SAID_BY_RANK
        matched = set(self._pairs.values())
        clause = self.sentence.clause_of(position)
        found = []
        for term, following in pairwise(self.sentence.terms):
            if term in matched or term.key in known or term.is_name or term.weight < 1.0:
                continue
            is_relation = following in matched and following.key[0] == "#"
            adjacent = is_relation and self.sentence.text[term.span[1] : following.span[0]].isspace()
            is_measure = term.key in QUALIFIERS and self.sentence.clause_of(term.span[0]) == clause
            if adjacent or is_measure:
                found.append(term)
        return found

    def lacks_a_relation(self) -> bool:
        """Whether something the claim is about isn't spoken of, so that figures and dates may be of another thing."""
        return any(t.key[0] == "#" and t.weight > 1.0 and not self.has(t) for t in self.claim.terms)


def _may_be_implied(term: Term, claim: Reading) -> bool:
    """Only what the claim is about may be named before the sentence; what is said of it must stand there."""
    if not term.is_name:
        return True
    return term == claim.names[0] and any(not t.is_name and t.weight >= 1.0 for t in claim.terms)


def _pair(terms: Sequence[Term], others: Sequence[Term]) -> dict[Term, Term]:
    """Each term with its counterpart; a name of one text stands for one name of the other only.

    A word that occurs several times is the one nearest to the names that were found: in "moved from
    Hestle, and Port Ansel has been the capital since", Port Ansel's capital is the second one.
    """
    pairs = _pair_names([t for t in terms if t.is_name], [o for o in others if o.is_name])
    places = [partner.span[0] for partner in pairs.values()]
    for term in terms:
        if term in pairs:
            continue
        same = [o for o in others if _same_word(term, o)]
        if same:
            pairs[term] = min(
                same, key=lambda o: min((abs(o.span[0] - place) for place in places), default=0)
            )
    return pairs


def _pair_names(names: Sequence[Term], others: Sequence[Term]) -> dict[Term, Term]:
    pairs: dict[Term, Term] = {}
    free = list(others)
    for exactly in (True, False):
        for name in names:
            partner = (
                None
                if name in pairs
                else next((o for o in free if _same_thing(name, o, exactly=exactly)), None)
            )
            if partner is not None:
                pairs[name] = partner
                free.remove(partner)
    return pairs


def _same_word(one: Term, other: Term) -> bool:
    if one.is_name and other.is_name:
        return False
    if one.is_name or other.is_name:
        return one.weight + other.weight >= 1.5 and stem(one.text) == stem(other.text)  # "Crime is", "crime"
    return one.key == other.key


def _same_thing(one: Term, other: Term, *, exactly: bool) -> bool:
    if exactly:
        return one.text.lower() == other.text.lower()
    if one.key[0] != other.key[0]:
        return False  # Thailand is not the Gulf of Thailand
    return one.key == other.key or (one.key[0] == "=" and _same_name(one.key[1:], other.key[1:]))


def _same_name(one: str, other: str) -> bool:
    """ "Kosciuszko" and "Mount Kosciuszko", "E. Macron" and "Emmanuel Macron", small spelling differences."""
    mine, theirs = _telling(one), _telling(other)
    if mine and theirs and (mine <= theirs or theirs <= mine):
        return True
    return (
        min(len(one), len(other)) >= 6
        and fuzz.ratio(one.replace(" ", ""), other.replace(" ", "")) >= _SAME_SPELLING
    )


def _telling(name: str) -> frozenset[str]:
    return frozenset(
        word for word in name.split() if word not in GENERIC and (len(word) > 1 or word.isdigit())
    )
