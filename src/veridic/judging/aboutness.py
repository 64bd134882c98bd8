"""Whether a sentence is about what a claim is about, or only has the same words in it."""

import re

from veridic.judging.alignment import Alignment
from veridic.judging.concepts import SINGLE_VALUED
from veridic.judging.reading import Reading, Term
from veridic.judging.relations import lists_all, owner, single_valued

_DIRECTION = re.compile(r"\b(north|south|east|west)\w* of (?:the )?", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|used to|had been|formerly|once)\b")
_SUBJECT = re.compile(r",|\s\(|['’]s\b|\s(?:is|was|has|had)\b")


def why_apart(claim: Reading, sentence: Reading, alignment: Alignment) -> str | None:
    """Why the sentence can't settle the claim, in words for a reader; None if it may."""
    for is_apart, reason in _WAYS_APART.items():
        if is_apart(claim, sentence, alignment):
            return reason
    return None


def _speaks_of_the_past(claim: Reading, sentence: Reading, _alignment: Alignment) -> bool:
    """ "The capital was Almaty" says nothing of what it is."""
    holds_one = any(term.key in SINGLE_VALUED and term.key != "#design" for term in claim.terms)
    is_past = _PAST.search(claim.text) is not None and _PAST.search(sentence.text) is None
    return holds_one and is_past and not claim.dates


def _lies_elsewhere(claim: Reading, sentence: Reading, alignment: Alignment) -> bool:
    """ "South of France" is borne out only by a sentence that has it so."""
    match = _DIRECTION.search(claim.text)
    target = next((name for name in claim.names if match and name.span[0] == match.end()), None)
    if match is None or target is None:
        return False
    partner = alignment.partner(target)
    same = (m.end() for m in _DIRECTION.finditer(sentence.text) if m[1].lower() == match[1].lower())
    return partner is None or partner.span[0] not in same


def _another_of_the_name(claim: Reading, sentence: Reading, alignment: Alignment) -> bool:
    """The Tarn observatory is not the Tarn bridge."""
    for name in alignment.found_names:
        partner = alignment.partner(name)
        mine, theirs = _noun_after(claim, name), _noun_after(sentence, partner) if partner else None
        if mine and theirs and mine.key != theirs.key and not alignment.has(mine):
            return True
    return False


def _noun_after(reading: Reading, name: Term) -> Term | None:
    following = next((t for t in reading.terms if t.span[0] > name.span[0]), None)
    is_noun = following is not None and not following.is_name and following.key[0] != "#"
    beside = is_noun and following is not None and reading.text[name.span[1] : following.span[0]] == " "
    return following if beside else None


def _belongs_to_another(claim: Reading, sentence: Reading, alignment: Alignment) -> bool:
    """The highest point *in Africa* is not the one in Kenya."""
    anchored = any(name.key[0] == "@" for name in alignment.found_names)
    for relation in (*single_valued(claim), *claim.relations):
        partner = alignment.partner(relation)
        mine, theirs = owner(claim, relation), owner(sentence, partner) if partner else None
        if mine and theirs and mine.key != theirs.key and alignment.partner(mine) != theirs:
            return True
        if not mine and theirs in alignment.other_names and theirs.key[0] == "@" and not anchored:
            return True  # it is said of a country, and the claim names none
    return False


def _figure_of_another(claim: Reading, sentence: Reading, alignment: Alignment) -> bool:
    """The population of Cairo is not that of Egypt, though the sentence says which country Cairo is in."""
    if not (claim.quantities and sentence.quantities and sentence.names and claim.names):
        return False
    subject = sentence.names[0]
    partner = alignment.partner(claim.names[0])
    if subject in alignment.other_names and partner and sentence.text[: partner.span[0]].endswith(" in "):
        return True  # "The part of Lake Huron in Canada has an area of ..."
    at_the_start = len(sentence.text[: subject.span[0]].split()) <= 1
    return (
        at_the_start
        and subject in alignment.other_names
        and _SUBJECT.match(sentence.text, subject.span[1]) is not None
    )


def _list_of_another(claim: Reading, sentence: Reading, alignment: Alignment) -> bool:
    """A list of Cambodia's neighbours says nothing about Vietnam's, though it names the same countries."""
    is_complete = lists_all(sentence)
    if is_complete and claim.names and sentence.names and sentence.names[0] in alignment.other_names:
        return True
    is_list = is_complete or any(t.key == "#border" for t in claim.terms)
    if len(claim.names) < 3 or not sentence.names or not is_list:
        return False
    owners = [name for relation in claim.relations if (name := owner(claim, relation))]
    return alignment.partner(owners[0] if owners else claim.names[0]) != sentence.names[0]


_WAYS_APART = {
    _speaks_of_the_past: "The claim is about the past, the source about today.",
    _figure_of_another: "The source gives the figure of another one.",
    _lies_elsewhere: "The source is about something else.",
    _another_of_the_name: "The source is about something else.",
    _belongs_to_another: "The source is about something else.",
    _list_of_another: "The source lists those of another one.",
}
