"""Whose a relation is: "the capital of Australia", "Australia's capital", "the Australian capital"."""

import re

from veridic.judging.concepts import ROLES, SINGLE_VALUED
from veridic.judging.reading import Reading, Term

_OF = re.compile(
    r"\s+(?:languages?\s+|city\s+|spoken\s+)?(?:of|in|for|to|on|at)\s+(?:the\s+)?(?:[a-z]+\s+of\s+)?$"
)
_POSSESSIVE = re.compile(r"['’]s?\s+(?:[a-z-]+\s+){0,2}$")
_ADJACENT = re.compile(r"\s+(?:[a-z-]+\s+){0,1}$")
_BY_NAME = re.compile(r"\s+by\s+(?:the\s+)?[A-Z]")
_COMPLETE_LIST = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?\w+\s?:|\b(?:official languages?|capitals) .*\bare\b",
    re.IGNORECASE,
)


def owner(reading: Reading, relation: Term) -> Term | None:
    """The name a relation belongs to, if the sentence says so beside it."""
    for name in reading.names:
        if name.span[0] >= relation.span[1]:
            if _OF.fullmatch(reading.text[relation.span[1] : name.span[0]]):
                return name
        else:
            between = reading.text[name.span[1] : relation.span[0]]
            if _POSSESSIVE.fullmatch(between) or (_ADJACENT.fullmatch(between) and name.key[0] == "@"):
                return name
    return None


def owned_relation(reading: Reading, name: Term) -> Term | None:
    """The relation or word that a name possesses."""
    for term in reading.terms:
        if not term.is_name and term.weight >= 1.0 and owner(reading, term) == name:
            return term
    return None


def single_valued(reading: Reading) -> list[Term]:
    """The relations of a text that have one answer: a capital, a mayor, the doer of "designed by"."""
    keys = {term.key for term in reading.terms}
    is_official_language = {"#official", "#language"} <= keys
    return [
        term
        for term in reading.terms
        if term.key in SINGLE_VALUED
        or term.key in ROLES
        or (term.key == "#official" and is_official_language)
        or (term.key == "#independence" and re.search(r"\bfrom (?:the )?[A-Z]", reading.text) is not None)
        or (not term.is_name and _BY_NAME.match(reading.text, term.span[1]) is not None)
    ]


def lists_all(sentence: Reading) -> bool:
    """Whether it gives a complete list, so that what it doesn't name is not among them: "with 2 countries: ..."."""
    return _COMPLETE_LIST.search(sentence.text) is not None
