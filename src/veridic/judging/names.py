"""Names against names: who or what stands in the place the claim speaks of."""

import re

from veridic.judging.aboutness import why_apart
from veridic.judging.alignment import Alignment
from veridic.judging.concepts import CURRENCY_WORDS
from veridic.judging.finding import Finding, Outcome
from veridic.judging.reading import Reading, Term
from veridic.judging.relations import lists_all, owned_relation, owner, single_valued
from veridic.language.names import fold
from veridic.language.words import stem

_NONE_AT_ALL = re.compile(r"\bno\b.*\bany\b", re.IGNORECASE)
_EMBEDDED = re.compile(r"\w+ (?:of|in|for|to|at|from) (?:the )?$")
"""What stands before a relation that the sentence only mentions: "the time in the capital"."""
_BESIDE = 3
_NEAR = 7
"""How many words may stand between a relation and the name it leads to."""
_ONLY = re.compile(r"\b(?:only|sole)\b(?! (?:a|an|one of)\b)", re.IGNORECASE)
_CURRENCIES = frozenset(map(stem, CURRENCY_WORDS))

_APART = Finding(Outcome.APART, 0.0, "The source is about something else.")


def compare_names(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """None where names settle nothing; APART where the sentence is about something else."""
    reason = why_apart(claim, sentence, alignment)
    if reason is not None:
        return Finding(Outcome.APART, 0.0, reason)
    for compare in (_compare_excluded, _compare_exclusive, _compare_currencies):
        finding = compare(claim, sentence, alignment)
        if finding is not None:
            return finding
    if alignment.missing_names:
        return _missing(claim, sentence, alignment, alignment.missing_names)
    misplaced = _value_beside_another(claim, sentence, alignment)
    if misplaced is not None:
        return misplaced
    return Finding(Outcome.AGREE, 1.0, "The source says the same.") if claim.names else None


def _compare_excluded(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """ "Every country except Chile" is wrong if the list has Chile, and says nothing more precise."""
    if not claim.excluded or not lists_all(sentence):
        return None
    listed = {term.key for term in sentence.names}
    wrong = [term for term in claim.excluded if term.key in listed]
    if wrong and alignment.found_names:
        return Finding(Outcome.DIFFER, 0.9, f"The source lists {wrong[0].text} among them.")
    return _APART


def _compare_exclusive(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """ "The only official language" is wrong if the source lists another."""
    if not _ONLY.search(claim.text) or not lists_all(sentence) or alignment.missing_names:
        return None
    owners = {owner(sentence, relation) for relation in sentence.relations}
    others = [name for name in alignment.other_names if name not in owners]
    if not others:
        return None
    return Finding(Outcome.DIFFER, 0.9, f"The source lists {others[0].text} too.")


def _missing(claim: Reading, sentence: Reading, alignment: Alignment, missing: list[Term]) -> Finding | None:
    if claim.quantities and sentence.quantities and all(_is_aside(claim, name) for name in missing):
        return None
    rest = alignment.coverage_without(missing)
    if rest < 0.6 or any(owned_relation(claim, name) for name in missing):
        return _APART
    if len(claim.names) > 1 and not alignment.found_names:
        return _APART
    absent = missing[0]
    ranked = _ranked(claim, sentence)
    for relation in (t for t in (*single_valued(claim), *ranked) if _is_spoken_of(t, sentence, alignment)):
        other = (
            _holder(sentence, alignment) if relation in ranked else _name_for(relation, sentence, alignment)
        )
        if other is not None and len(missing) == 1:
            reason = f"The claim says {absent.text}; the source says {other.text}."
            strength = min(1.0, rest + 0.1)
            if relation in ranked:
                strength *= alignment.strength(sentence.ranks[0].span[0])
            return Finding(Outcome.DIFFER, strength, reason, other.text, absent.text)
    return _not_listed(claim, sentence, alignment, absent) or _APART


def _is_aside(claim: Reading, name: Term) -> bool:
    """ "Georgia's coastline on the Black Sea": whose it is stands elsewhere, this only adds to it."""
    if not re.search(r"\b(?:on|along|near|by)\s+(?:the\s+)?$", claim.text[: name.span[0]]):
        return False
    return any(owner(claim, relation) not in (None, name) for relation in claim.relations)


def _ranked(claim: Reading, sentence: Reading) -> list[Term]:
    """What a rank is of: only one country is the largest."""
    mine = {(rank.place, rank.extreme): rank for rank in claim.ranks}
    shared = [mine[key] for key in ((r.place, r.extreme) for r in sentence.ranks) if key in mine]
    return [term for rank in shared[:1] for term in claim.terms if term.span[0] >= rank.span[0]][:1]


def _is_spoken_of(relation: Term, sentence: Reading, alignment: Alignment) -> bool:
    """ "The official name" is not about the official language."""
    if relation.key == "#official" and not any(t.key == "#language" for t in sentence.terms):
        return False
    return alignment.partner(relation) is not None


def _holder(sentence: Reading, alignment: Alignment) -> Term | None:
    """Who holds a rank: the sentence's subject, if it names nothing else ("the largest of Africa's ...")."""
    others = alignment.other_names
    return others[0] if len(others) == 1 and others[0] == sentence.names[0] else None


def _name_for(relation: Term, sentence: Reading, alignment: Alignment) -> Term | None:
    """The name the sentence has for a relation, if it isn't one the claim has too."""
    partner = alignment.partner(relation)
    if partner is None or _EMBEDDED.search(sentence.text[: partner.span[0]]):
        return None
    possessor = owner(sentence, partner)
    known = {_plain(name) for name in alignment.claim.names}
    others = [
        t
        for t in alignment.other_names
        if t != possessor and _plain(t) not in known and _distance(sentence, partner, t) <= _NEAR
    ]
    return min(others, key=lambda t: _distance(sentence, partner, t), default=None)


def _plain(name: Term) -> str:
    return fold(name.text).removeprefix("the ")


def _distance(sentence: Reading, one: Term, other: Term) -> int:
    start, end = sorted((one.span, other.span))
    return len(sentence.text[start[1] : end[0]].split())


def _not_listed(claim: Reading, sentence: Reading, alignment: Alignment, absent: Term) -> Finding | None:
    """A name that a complete list of the sentence doesn't have is contradicted by it."""
    related = [partner for t in claim.relations if (partner := alignment.partner(t))]
    if not related or not alignment.found_names:
        return None
    if _NONE_AT_ALL.search(sentence.text) and any(t in sentence.negated for t in related):
        return Finding(Outcome.DIFFER, 1.0, f"The source says there is none, so not {absent.text}.")
    listed_like_it = any(t.key[0] == absent.key[0] for t in alignment.other_names)
    if not lists_all(sentence) or not listed_like_it:
        return None
    return Finding(Outcome.DIFFER, 0.95, f"{absent.text} is not among those the source lists.")


def _value_beside_another(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """The claim's name and its relation stand apart, and the relation stands with a name the claim doesn't
    have: "Portuguese (official), Spanish", "the mayor is Lund, after Marsh stood down"."""
    apart = Finding(Outcome.APART, 0.0, "The source says it of another one.")
    for relation in single_valued(claim):
        partner = alignment.partner(relation)
        if partner is None:
            continue
        if relation.key == "#official":
            if _some_unmarked(sentence, alignment):
                return apart
            continue
        home = _item_of(sentence, partner.span[0])
        possessor = owner(claim, relation)
        values = [t for name in alignment.found_names if name != possessor and (t := alignment.partner(name))]
        other = _name_for(relation, sentence, alignment)
        if other is None or not values or any(_item_of(sentence, t.span[0]) == home for t in values):
            continue
        if _distance(sentence, partner, other) > _BESIDE or len(values) > 1:
            return apart
        said = next(name for name in alignment.found_names if alignment.partner(name) == values[0])
        reason = f"The claim says {said.text}; the source says {other.text}."
        return Finding(Outcome.DIFFER, 0.8, reason, other.text, said.text)
    return None


def _some_unmarked(sentence: Reading, alignment: Alignment) -> bool:
    """In "Malagasy (official), French (official), English": a name of the claim without the mark."""
    marked = {_item_of(sentence, t.span[0]) for t in sentence.terms if t.key == "#official"}
    named = [t for name in alignment.found_names if (t := alignment.partner(name))]
    return 0 not in marked and any(_item_of(sentence, t.span[0]) not in marked | {0} for t in named)


def _item_of(sentence: Reading, position: int) -> int:
    """Which item of a list a place belongs to: commas and semicolons outside parentheses divide items."""
    depth, item = 0, 0
    for character in sentence.text[:position]:
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(0, depth - 1)
        elif character in ",;:" and depth == 0:
            item += 1
    return item


def _compare_currencies(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """Currencies have common nouns for names: "the yen" against "the won"."""
    mine = [t for t in claim.terms if t.key in _CURRENCIES]
    spoken_of = [t for t in sentence.terms if t.key == "#currency"]
    if not mine or not spoken_of or not claim.names or claim.names[0] not in alignment.found_names:
        return None
    theirs = [
        t
        for t in sentence.terms
        if t.key in _CURRENCIES
        and t.span > spoken_of[0].span
        and _distance(sentence, spoken_of[0], t) <= _NEAR
    ]
    if not theirs:
        return None
    known = {t.key for t in theirs}
    if any(t.key in known for t in mine):
        return None if all(t.key in known for t in mine) else _APART
    reason = f"The claim says {mine[0].text}; the source says {theirs[0].text}."
    return Finding(Outcome.DIFFER, 1.0, reason, theirs[0].text, mine[0].text)
