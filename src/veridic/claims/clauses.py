"""Clauses that make a claim of their own.

"Paris is the capital of France and Berlin is the capital of Germany" says two things;
"A, B and C are members" says one. A split is made only where both sides have a certain finite
verb and nothing on the left (a "that", an "if", a verb of saying) could reach over to the right:
a claim left whole is still true or false, a claim cut wrongly is neither.
"""

import re
from typing import NamedTuple

from veridic.claims.grammar import Certainty, Reading, main_verb, read, subject_bounds, verb_forms
from veridic.claims.tokens import (
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    SUBORDINATORS,
    Token,
    is_adverb,
    opens_noun_phrase,
)
from veridic.language.verbs import AUXILIARIES, BE, HAVE, INTRANSITIVE, MODALS, NOUN_LIKE, Form, forms_of


class Clause(NamedTuple):
    start: int
    end: int
    text: str
    """The clause as a sentence of its own: a shared subject is filled in."""


_JOINERS = frozenset({"and", "but"})
_CONTRASTS = frozenset({"while", "whereas"})
_PLURAL_VERBS = frozenset("are were have do aren't weren't haven't don't".split())
_HOLDS_WHAT_FOLLOWS = frozenset(
    "say says said tell tells told claim claims claimed announce announces announced insist insists insisted argue argues "
    "argued believe believes believed report reports reported warn warns warned deny denies denied think thinks "
    "thought know knows knew show shows showed suggest suggests suggested reveal reveals revealed find finds "
    "found mean means meant ensure ensures ensured hope hopes hoped expect expects expected estimate estimates estimated "
    "agree agrees agreed let lets make makes made".split()
)
_CONTACT = frozenset("i you he she it we they".split())
"""Inside a subject they open a clause about it: "the committee he has established"."""
_ALSO_PREPOSITIONS = frozenset("than as after before since until".split())
_OPENING, _CLOSING = "([{“«", ")]}”»"
_LEADING_DATE = re.compile(
    r"\A(?:(?:In|On|By|Since|During|Between|At|From|As of)\b[^,;]{0,60}?\d[^,;]{0,40},|(?:In|By|Since) (?:\w+ ){0,2}\d{4}) "
)
_MIN_WORDS = 3
_LONGEST_SUBJECT = 10


class _Site(NamedTuple):
    """Where a cut is considered: the clause so far, and the token (a comma, "and", ...) it might end at."""

    start: int
    subject_end: int
    verb: int
    mark: int


class _Cut(NamedTuple):
    """A place to cut: the left part ends before token `left`, the right one begins at token `right`."""

    left: int
    right: int
    lead: str
    """What the right part needs in front to stand alone."""
    skip: int
    """Tokens of the right part that its text leaves out ("which")."""


def split_clauses(sentence: str) -> list[Clause]:
    """The clauses of `sentence` that claim something by themselves; one that covers it all if it can't be split."""
    reading = read(sentence)
    cuts = _find_cuts(reading)
    if not cuts:
        return [Clause(0, len(sentence), sentence)]
    return _clauses(sentence, reading.tokens, cuts)


def _clauses(sentence: str, tokens: list[Token], cuts: list[_Cut]) -> list[Clause]:
    last = len(tokens)
    while last > 0 and tokens[last - 1].text in ".!…":
        last -= 1
    date = _LEADING_DATE.match(sentence)
    clauses = []
    opening = _Cut(0, 0, "", 0)
    for cut, following in zip([opening, *cuts], [*cuts, None], strict=True):
        begin, end = tokens[cut.right].start, tokens[(following.left if following else last) - 1].end
        body = cut.lead + sentence[tokens[cut.right + cut.skip].start : end]
        if cut is not opening and date is not None and not re.search(r"\d{4}", body):
            body = date[0] + body
        clauses.append(Clause(begin, end, body[:1].upper() + body[1:] + "."))
    return clauses


def _find_cuts(reading: Reading) -> list[_Cut]:
    sentence, tokens, verbs = reading
    verb = main_verb(tokens, verbs)
    if verb is None or _first_reaches_over(tokens):
        return []
    nested = _nesting(tokens)
    cuts: list[_Cut] = []
    start, subject_end = 0, verb
    for index in range(verb + 1, len(tokens) - 2):
        if nested[index] or (cuts and index < cuts[-1].right):
            continue
        cut = _cut_at(sentence, tokens, verbs, _Site(start, subject_end, verb, index))
        if (
            cut is None
            or _words(tokens, start, cut.left) < _MIN_WORDS
            or _words(tokens, cut.right, len(tokens)) < (2 if cut.lead else _MIN_WORDS)
        ):
            continue
        cuts.append(cut)
        if cut.skip:
            break  # a relative clause runs to the end
        if not cut.lead:
            start = cut.right
            verb = subject_end = main_verb(tokens, verbs, start) or verb
        elif verbs[cut.right + _adverbs(tokens, cut.right)]:
            verb = cut.right + _adverbs(tokens, cut.right)
    return cuts


def _first_reaches_over(tokens: list[Token]) -> bool:
    """A sentence that opens with "if" or "when" holds for all that follows; so does "Either ... or"."""
    return tokens[0].low in ("if", "unless", "either", "neither", "whether", "when", "because", "both")


def _nesting(tokens: list[Token]) -> list[bool]:
    depth, in_quotes = 0, False
    nested = []
    for token in tokens:
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth = max(0, depth - 1)
        elif token.text == '"':
            in_quotes = not in_quotes
        nested.append(depth > 0 or in_quotes)
    return nested


def _words(tokens: list[Token], start: int, end: int) -> int:
    return sum(token.text[0].isalnum() for token in tokens[start:end])


def _adverbs(tokens: list[Token], index: int) -> int:
    count = 0
    while index + count < len(tokens) - 1 and is_adverb(tokens[index + count]):
        count += 1
    return count


def _cut_at(sentence: str, tokens: list[Token], verbs: list[Certainty], site: _Site) -> _Cut | None:
    token, right = tokens[site.mark], site.mark + 1
    if token.text not in (",", ";") and token.low not in _JOINERS:
        return None
    if token.text == "," and tokens[right].low in RELATIVES:
        return _relative_cut(tokens, verbs, site)
    joined = token.low in _JOINERS
    contrast = False
    if token.text in ",;" and tokens[right].low in _JOINERS | _CONTRASTS:
        joined, contrast = True, tokens[right].low in _CONTRASTS
        right += 1
    if right >= len(tokens) - 1 or _reaches_over(tokens, verbs, site):
        return None
    separated = token.text in ",;"
    firm = (
        separated or verbs[site.verb] is Certainty.CERTAIN
    )  # "The region known for Paris and London is large"
    if firm and (joined or token.text == ";") and _has_own_subject(tokens, verbs, right, separated):
        return _Cut(site.mark, right, "", 0)
    if contrast or token.text == ";":
        return None
    return _shared_subject_cut(sentence, tokens, verbs, site, right)


def _reaches_over(tokens: list[Token], verbs: list[Certainty], site: _Site) -> bool:
    """Whether something left of the cut governs what stands right of it too."""
    verb, index = site.verb, site.mark
    if tokens[verb].low in _HOLDS_WHAT_FOLLOWS or tokens[verb].low in MODALS:
        return True
    participle = next((t for t in tokens[verb + 1 : verb + 4] if not is_adverb(t)), None)
    if tokens[verb].low in BE | HAVE and participle is not None and participle.low in _HOLDS_WHAT_FOLLOWS:
        return True
    if tokens[index - 1].low == "between" or any(
        token.low == "between" for token in tokens[max(verb, index - 6) : index]
    ):
        return True
    return any(
        tokens[i].low in SUBORDINATORS
        and (tokens[i].low not in _ALSO_PREPOSITIONS or any(verbs[i + 1 : index]))
        for i in range(verb + 1, index)
    )


def _is_complete(tokens: list[Token], verbs: list[Certainty], site: _Site) -> bool:
    """Whether the left side stands by itself, so that a name after a bare "and" can begin something new.

    Not "The region known for Paris (and London is large)", nor "It ended after the army (and the police fled)".
    """
    if verbs[site.verb] is not Certainty.CERTAIN:
        return False
    return not any(
        tokens[i].low in _ALSO_PREPOSITIONS and not tokens[i + 1].is_number
        for i in range(site.verb + 1, site.mark)
    )


def _has_own_subject(tokens: list[Token], verbs: list[Certainty], right: int, separated: bool) -> bool:
    at = right + _adverbs(tokens, right)
    first = tokens[at]
    if first.low in PREPOSITIONS or first.low in SUBORDINATORS - {"that"} or verbs[at]:
        return False
    if first.low in ("whatever", "whoever", "whichever"):
        return False
    opener = opens_noun_phrase(first) or first.low in PRONOUNS
    if not (opener or first.is_word):
        return False
    reach = 12 if opener or separated else 3  # a bare noun without a comma has to have its verb close by
    for position in range(right + 1, min(right + reach, len(tokens))):
        token = tokens[position]
        if token.text in ",;:()" or token.low.partition("'")[0] in SUBORDINATORS | _CONTACT:
            return False
        if verbs[position]:
            if tokens[position - 1].low in ("and", "or", "but"):
                return False
            half = not opener and not separated and token.low in _PLURAL_VERBS  # "our men and women have"
            return verbs[position] is Certainty.CERTAIN and not half and _agrees(tokens, right, position)
    return False


def _agrees(tokens: list[Token], right: int, verb: int) -> bool:
    """ "the year France and Germany were at war": one name with a plural verb is half a subject."""
    subject = tokens[right:verb]
    single_name = all(token.is_capitalised for token in subject if not is_adverb(token))
    return not (single_name and tokens[verb].low in _PLURAL_VERBS and not subject[-1].low.endswith("s"))


def _shared_subject_cut(
    sentence: str, tokens: list[Token], verbs: list[Certainty], site: _Site, right: int
) -> _Cut | None:
    at = right + _adverbs(tokens, right)
    if at >= len(tokens) - 1 or tokens[at].low in MODALS or any(verbs[site.verb + 1 : site.mark]):
        return None
    if verb_forms(tokens[site.mark - 1]) & verb_forms(tokens[at]) & ~Form.BASE:
        return None  # "designed and built in 1900": one complement for both verbs
    if right == site.mark + 1 and tokens[site.mark].text == "," and not _list_goes_on(tokens, verbs, at):
        return None  # "The second set, as well as the third, were held": the comma closes an insertion
    helper = _helper(tokens, verbs, site, at)
    bounds = subject_bounds(tokens, site.start, site.subject_end)
    if helper is None or bounds is None or bounds[1] - bounds[0] > _LONGEST_SUBJECT:
        return None
    subject = sentence[tokens[bounds[0]].start : tokens[bounds[1] - 1].end]
    return _Cut(site.mark, right, f"{subject} {helper}", 0)


def _list_goes_on(tokens: list[Token], verbs: list[Certainty], at: int) -> bool:
    """ "covers A, has B and borders C": a verb after a bare comma needs the "and" that ends the list."""
    return any(
        tokens[i].low == "and" and verbs[min(i + 1 + _adverbs(tokens, i + 1), len(tokens) - 1)]
        for i in range(at + 1, len(tokens) - 1)
    )


def _helper(tokens: list[Token], verbs: list[Certainty], site: _Site, at: int) -> str | None:
    """What the second verb shares besides the subject: "was " in "was built and (was) sold in ..."; None: no cut."""
    verb, following = tokens[at], tokens[at + 1]
    takes_object = opens_noun_phrase(following) and following.low not in PREPOSITIONS
    forms = forms_of(verb.low)
    if verb.low in AUXILIARIES:
        return "" if verbs[at] is Certainty.CERTAIN else None
    if forms is None:
        return None
    if Form.THIRD in forms:
        sure = verb.low not in NOUN_LIKE or takes_object
        return "" if sure and verbs[at] and not _is_past(tokens[site.verb]) else None
    if Form.PAST in forms and Form.BASE not in forms and verbs[at]:
        return _past_helper(tokens, site, at, takes_object)
    return None


def _is_past(token: Token) -> bool:
    forms = forms_of(token.low)
    return token.low not in AUXILIARIES and forms is not None and Form.PAST in forms


def _past_helper(tokens: list[Token], site: _Site, at: int, takes_object: bool) -> str | None:
    verb, main, following_text = tokens[at], tokens[site.verb], tokens[at + 1].text
    forms = forms_of(verb.low) or Form.BASE
    pure_past = Form.PARTICIPLE not in forms
    if pure_past or verb.low in INTRANSITIVE:
        return ""
    if tokens[at - 1].text == ",":
        return None  # "..., located in the north": a description
    if main.low in BE:
        participle = next((t for t in tokens[site.verb + 1 : site.mark] if not is_adverb(t)), None)
        passive = participle is not None and Form.PARTICIPLE in (forms_of(participle.low) or Form.BASE)
        if passive and not takes_object and following_text not in ",;.":
            return f"{main.text} "
        return "" if passive and takes_object and main.low in ("was", "were") else None
    if main.low in HAVE:
        return None if main.low == "had" else f"{main.text} "
    return "" if _is_past(main) else None


def _relative_cut(tokens: list[Token], verbs: list[Certainty], site: _Site) -> _Cut | None:
    """ "..., which has 450,000 people." at the end of the sentence, right after the name it is about."""
    pronoun = site.mark + 1
    first = name_end = site.mark
    if tokens[pronoun].low not in ("which", "who") or verbs[pronoun + 1] is not Certainty.CERTAIN:
        return None
    if _reaches_over(tokens, verbs, site):
        return None
    if any(token.text in ",;:—–" for token in tokens[pronoun:]) or tokens[name_end - 1].is_number:
        return None
    while first > site.verb + 1 and tokens[first - 1].is_word and tokens[first - 1].is_capitalised:
        first -= 1
    if first == name_end or tokens[first - 1].low in ("and", "or", "of") or tokens[first - 1].text == ",":
        return None
    name = " ".join(token.text for token in tokens[first:name_end])
    if tokens[first - 1].low == "the":
        name = f"the {name}"
    return _Cut(site.mark, pronoun, f"{name} ", 1)
