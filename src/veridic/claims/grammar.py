"""A shallow reading of an English sentence: its tokens, its finite verbs, its subject.

No tagger and no model. A word is taken for a finite verb by its form (`verbs`) and its
neighbours; where they leave doubt the verb is `POSSIBLE`, and the callers that would do
damage by guessing (the clause splitter) ask for `CERTAIN`.
"""

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from veridic.claims.tokens import (
    DETERMINERS,
    NUMBER_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SUBORDINATORS,
    Token,
    is_adverb,
    opens_noun_phrase,
    tokenize,
)
from veridic.language.verbs import AUXILIARIES, BE, DO, HAVE, MODALS, NOUN_LIKE, Form, forms_of


class Certainty(IntEnum):
    NO = 0
    POSSIBLE = 1
    CERTAIN = 2


_PLURAL_NOUNS = frozenset("people police men women children cattle majority percent both".split())
_NOT_PAST = frozenset(
    "hundred red need indeed speed seed breed embed sacred wicked naked kindred hatred rugged shed bed feed weed exceed "
    "proceed succeed greed creed steed infrared so-called biped rapid".split()
)
_SAYING_PASTS = frozenset(
    "said told announced claimed insisted argued believed reported warned added stated denied confirmed revealed thought "
    "knew found showed suggested".split()
)
_TIME_OPENERS = frozenset("last this next today yesterday earlier later meanwhile overall".split())
_BEFORE_PARTICIPLES = BE | HAVE | {"be", "been", "being", "having"}
_CONTRACTED = re.compile(r"(?:(?:it|he|she|that|there|who|what|here|where|how)'s|[a-z]+'(?:re|ve|m|ll|d))\Z")


class Reading(NamedTuple):
    """A sentence with its tokens and, for each, whether it is a finite verb."""

    text: str
    tokens: list[Token]
    verbs: list[Certainty]


@lru_cache(maxsize=64)
def read(text: str) -> Reading:
    """The reading of a sentence; kept for a while, because several rules ask about the same one."""
    tokens = tokenize(text)
    return Reading(text, tokens, finite_verbs(tokens))


def verb_forms(token: Token) -> Form:
    """The verb forms the word can be, neighbours aside; none for a name or a word that is no verb."""
    return Form(0) if token.is_capitalised else forms_of(token.low) or _guess(token) or Form(0)


def finite_verbs(tokens: list[Token]) -> list[Certainty]:
    """For each token, whether it is a finite verb."""
    found = [Certainty.NO] * len(tokens)
    for index in range(len(tokens) - 1, -1, -1):  # from the right: a participle depends on what follows
        found[index] = _certainty(tokens, index, found)
    return found


def _certainty(tokens: list[Token], index: int, later: list[Certainty]) -> Certainty:
    token = tokens[index]
    if not token.is_word:
        return Certainty.NO
    if _CONTRACTED.match(token.low):
        in_a_title = token.is_capitalised and index > 0
        return Certainty.POSSIBLE if in_a_title else Certainty.CERTAIN
    before = _before(tokens, index)
    if token.low in AUXILIARIES:
        return _auxiliary(token, before, index)
    if token.is_capitalised or before is None:
        return Certainty.NO
    forms = forms_of(token.low) or _guess(token)
    if forms is None or before.low == "to" or before.low in MODALS | DO or _after_noun_opener(tokens, index):
        return Certainty.NO
    if Form.PAST in forms and Form.PARTICIPLE not in forms and Form.BASE not in forms:
        return Certainty.CERTAIN
    if Form.PAST in forms:
        return _past_or_participle(tokens, index, before, later)
    if Form.THIRD in forms:
        return _third_person(tokens, index, before, later)
    if Form.BASE in forms:
        return _base_form(tokens, index, before, later)
    return Certainty.NO


def _guess(token: Token) -> Form | None:
    """Unknown words in -ed are pasts; other unknown words are no verbs."""
    if (
        token.low.endswith("ed")
        and len(token.low) > 4
        and "-" not in token.low
        and token.low not in _NOT_PAST
    ):
        return Form.PAST | Form.PARTICIPLE
    return None


def _before(tokens: list[Token], index: int) -> Token | None:
    """The token before, adverbs skipped."""
    index -= 1
    while index > 0 and is_adverb(tokens[index]):
        index -= 1
    return tokens[index] if index >= 0 else None


def _after_noun_opener(tokens: list[Token], index: int) -> bool:
    """ "the rise", "of claims", "Spain's exports": the word is a noun or an adjective."""
    before = tokens[index - 1]
    if before.low in ("that", "this", "these", "those", "all", "both", "most", "many", "few", "some", "each"):
        return before.low in ("this", "these", "those") and forms_of(tokens[index].low) != Form.THIRD
    return (
        before.low in DETERMINERS
        or before.low in PREPOSITIONS - {"past", "down", "up"}
        or before.low.endswith("'s")
    )


def _auxiliary(token: Token, before: Token | None, index: int) -> Certainty:
    if token.low in ("may", "will", "can", "might", "must"):
        if token.is_capitalised:  # the month, a first name, or a question
            return Certainty.NO
        if before is not None and (
            before.low in DETERMINERS - {"that", "this", "all", "some", "both", "many"}
        ):
            return Certainty.NO
    if before is not None and (before.low == "to" or before.low in MODALS) and token.low in ("have", "do"):
        return Certainty.NO
    if index == 0:
        return Certainty.NO
    return Certainty.CERTAIN


def _past_or_participle(tokens: list[Token], index: int, before: Token, later: list[Certainty]) -> Certainty:
    if before.low in _BEFORE_PARTICIPLES or _CONTRACTED.match(before.low):
        return Certainty.NO
    if before.text in ",(" or before.low in ("as", "when", "if", "than"):
        return Certainty.NO
    if tokens[index].low in _SAYING_PASTS:
        return Certainty.POSSIBLE
    # "Products exported to France rose": a verb later in the same stretch makes this one a participle.
    for position in range(index + 1, len(tokens)):
        following = tokens[position]
        if (
            following.text in ",;:()—–"
            or following.low in SUBORDINATORS
            or following.low in ("and", "but", "or")
        ):
            break
        if later[position] is Certainty.CERTAIN:
            return Certainty.NO
    if before.low in PRONOUNS:
        return Certainty.CERTAIN
    return Certainty.POSSIBLE


def _third_person(tokens: list[Token], index: int, before: Token, later: list[Certainty]) -> Certainty:
    token = tokens[index]
    if token.low not in NOUN_LIKE:
        return Certainty.CERTAIN
    if before.low in PRONOUNS - {"these", "those", "this"}:
        return Certainty.CERTAIN
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or later[index + 1] is not Certainty.NO or following.text in ",;:.":
        return Certainty.NO
    takes_object = opens_noun_phrase(following)
    if takes_object and (before.is_capitalised or before.text in ",)") and following.low not in PREPOSITIONS:
        return Certainty.CERTAIN
    if before.is_number or before.low in ("and", "or", "&"):
        return Certainty.POSSIBLE if takes_object else Certainty.NO
    if any(later[index + 1 : index + 6]) and not takes_object:
        return Certainty.NO  # "Wheat exports to Egypt rose"
    return Certainty.POSSIBLE


_LONGEST_PHRASE = 6


def _opens_with_a_plural(tokens: list[Token], index: int) -> bool:
    """ "People in Austria speak", "Visitors under 18 pay": the subject is the first word."""
    first = tokens[0].low
    is_plural = first in _PLURAL_NOUNS or (first.endswith("s") and not first.endswith(("ss", "us", "is")))
    return is_plural and tokens[1].low in PREPOSITIONS and 2 < index <= _LONGEST_PHRASE


def _base_form(tokens: list[Token], index: int, before: Token, later: list[Certainty]) -> Certainty:
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is None or later[index + 1] is not Certainty.NO or tokens[index].low in PREPOSITIONS:
        return Certainty.NO
    if before.low in ("i", "you", "we", "they", "who"):
        return Certainty.CERTAIN
    plural = before.low in _PLURAL_NOUNS or (
        before.low.endswith("s") and not before.low.endswith(("ss", "'s"))
    )
    plural = plural or (
        before.is_capitalised and tokens[index - 2].low in ("the", "most", "many")
    )  # "the Swiss speak"
    plural = plural or _opens_with_a_plural(tokens, index)
    joined = any(token.low == "and" for token in tokens[max(0, index - 5) : index])
    if plural or before.low in ("which", "that") or (joined and before.is_capitalised):
        certain = opens_noun_phrase(following) or following.low in PREPOSITIONS
        return Certainty.POSSIBLE if certain or is_adverb(following) or following.is_word else Certainty.NO
    return Certainty.NO


def main_verb(tokens: list[Token], verbs: list[Certainty], start: int = 0) -> int | None:
    """Where the main clause that begins at `start` has its finite verb; relative clauses are skipped."""
    index = start
    if index < len(tokens) and tokens[index].low in SUBORDINATORS - {"that", "who", "what", "so", "which"}:
        comma = _next_comma(tokens, index)
        if comma is not None:
            index = comma + 1
    while index < len(tokens):
        if tokens[index].low in RELATIVES or (
            tokens[index].low == "that" and index > start and not verbs[index]
        ):
            index = _end_of_relative(tokens, verbs, index)
            continue
        if verbs[index]:
            return index
        index += 1
    return None


def _end_of_relative(tokens: list[Token], verbs: list[Certainty], index: int) -> int:
    """The token after the relative clause at `index`: past its comma, or at the next finite verb."""
    if index > 0 and tokens[index - 1].text == ",":
        comma = _next_comma(tokens, index)
        return comma + 1 if comma is not None else len(tokens)
    own = next((i for i in range(index, len(tokens)) if verbs[i]), len(tokens))
    return own + 1


def _next_comma(tokens: list[Token], index: int) -> int | None:
    return next((i for i in range(index, len(tokens)) if tokens[i].text == ","), None)


def subject_bounds(tokens: list[Token], start: int, verb: int) -> tuple[int, int] | None:
    """Token range of the subject of the clause from `start` with its finite verb at `verb`.

    What stands before ("In 2020, ...") and what is put in ("..., the capital, ...") is left out.
    """
    first = start
    while first < verb and (
        tokens[first].low in ("and", "but", "or", "so", "yet") or is_adverb(tokens[first])
    ):
        first += 1
    if first < verb and (
        tokens[first].low in PREPOSITIONS | _TIME_OPENERS | SUBORDINATORS - {"that"}
        or tokens[first].text == ","
    ):
        comma = next((i for i in range(first, verb) if tokens[i].text == ","), None)
        if comma is None and tokens[first].low in _TIME_OPENERS:
            comma = first - 1  # "This law ..."
        if comma is None:
            dated = next((i for i in range(first, verb) if tokens[i].is_number and i - first < 4), None)
            if dated is None:
                return None
            comma = dated
        first = comma + 1
    end = verb
    while end > first and (is_adverb(tokens[end - 1]) or tokens[end - 1].text == ","):
        end -= 1
    for position in range(first, end):
        if tokens[position].text in "(," and _is_insertion(tokens, position + 1, end):
            end = position
            break
        if tokens[position].low in RELATIVES | {"that"} and position > first:
            end = position
            break
    return (first, end) if end > first else None


def _is_insertion(tokens: list[Token], position: int, end: int) -> bool:
    if position >= end:
        return True
    token = tokens[position]
    if any(other.low == "and" for other in tokens[position:end]) and token.low not in RELATIVES:
        return token.low in PREPOSITIONS
    return True


def has_assertion(reading: Reading) -> bool:
    """Whether a stretch of text says something of something: it has a finite verb."""
    if any(reading.verbs):
        return True
    is_sentence = reading.text.rstrip("\"'”’)] ").endswith(
        (".", "!", "…")
    )  # a title is not guessed to have a verb
    return is_sentence and any(
        _may_be_unknown_verb(reading.tokens, index) or _is_distant_verb(reading.tokens, index)
        for index in range(1, len(reading.tokens) - 1)
    )


_VERB_ENDING = re.compile(
    r"(?:[^rm]ate|ify|ise|ize|ceive|tribute|tain|sist|vide|duce|clude|quire|pend|occur|solve)\Z"
)


def _is_distant_verb(tokens: list[Token], index: int) -> bool:
    """A verb cut off from its subject: "our mayor, our new mayor, refused to", "runoff from roads ..., contribute to"."""
    token, before = tokens[index], tokens[index - 1]
    forms = forms_of(token.low)
    if (
        forms is None
        or token.is_capitalised
        or before.low == "to"
        or before.low in MODALS | PREPOSITIONS | DETERMINERS
    ):
        return False
    if Form.PAST in forms:
        return before.text == "," and any(other.text == "," for other in tokens[: index - 1])
    return Form.BASE in forms and _VERB_ENDING.search(token.low) is not None


def _may_be_unknown_verb(tokens: list[Token], index: int) -> bool:
    """A verb the lexicon has not met ("Oslo hosts the ...", "Lead melts at ..."), by its -s and its neighbours."""
    token, before, after = tokens[index], tokens[index - 1], tokens[index + 1]
    if not token.low.endswith("s") or token.low.endswith(("ss", "'s", "us", "is")) or token.is_capitalised:
        return False
    if not (token.is_word and before.is_word) or before.low in DETERMINERS | PREPOSITIONS | NUMBER_WORDS | {
        "and",
        "or",
    }:
        return False
    if before.is_capitalised:
        return opens_noun_phrase(after) or after.low in PREPOSITIONS
    return tokens[0].low in ("the", "a", "an", "its", "their") and opens_noun_phrase(after)
