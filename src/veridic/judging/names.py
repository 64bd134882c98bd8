"""Names against names: who or what stands in the place the claim speaks of."""

import re

from veridic.judging.alignment import Alignment
from veridic.judging.concepts import ROLES, SINGLE_VALUED
from veridic.judging.finding import Finding, Outcome
from veridic.judging.reading import Reading, Term

_COMPLETE_LIST = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?\w+s\s?:", re.IGNORECASE
)
_NEAR = 7
"""How many words may stand between a relation and the name it leads to."""
_CURRENCIES = frozenset(
    """
    dollar euro yen won pound peso krone krona rupee real rand lira franc yuan renminbi rubl riyal dinar dirham shekel
    baht ringgit rupiah dong zloti forint koruna leu lev lari som tenge hryvnia birr naira cedi kwacha shilling pula
    metical kwanza dalasi leon guarani bolíviano boliviano sol quetzal lempira cordoba córdoba colon colón balboa gourd
    taka kyat kip riel tugrik afghani manat dram denar lek mark kina vatu tala paanga loti lilangeni nakfa ouguiya
    ariari rufiyaa ngultrum pataca bolivar bolívar escudo ruble rial pa'anga gourde shekel
    """.split()
)


def compare_names(claim: Reading, sentence: Reading, alignment: Alignment) -> Finding | None:
    """None where names settle nothing; APART where the sentence is about something else."""
    missing = alignment.missing_names
    if missing:
        return _missing(claim, sentence, alignment, missing)
    if claim.names:
        misplaced = _value_beside_another(claim, sentence, alignment)
        if misplaced:
            return Finding(Outcome.APART, 0.5, "The source says it of another one.")
    currency = _compare_currencies(claim, sentence, alignment)
    if currency is not None:
        return currency
    return Finding(Outcome.AGREE, 1.0, "The source names the same.") if claim.names else None


def _missing(claim: Reading, sentence: Reading, alignment: Alignment, missing: list[Term]) -> Finding:
    apart = Finding(Outcome.APART, 0.0, "The source is about something else.")
    if not alignment.found_names and len(claim.names) > 1:
        return apart
    rest = alignment.coverage_without(missing)
    absent = [name for name in missing if not _owns_a_relation(claim, name)]
    if len(absent) < len(missing) or rest < 0.6:
        return apart
    listed = _not_in_a_complete_list(claim, sentence, alignment, absent[0])
    if listed is not None:
        return listed
    for relation in _single_valued(claim, alignment):
        other = _name_for(relation, sentence, alignment)
        if other is not None and len(absent) == 1:
            return Finding(
                Outcome.DIFFER,
                min(1.0, rest + 0.1),
                f"The claim says {absent[0].text}; the source says {other.text}.",
                other.text,
                absent[0].text,
            )
    return apart


def _owns_a_relation(claim: Reading, name: Term) -> bool:
    """ "Australia's capital", "the capital of Australia": the name says whose it is, not what it is."""
    before, after = claim.text[: name.span[0]], claim.text[name.span[1] :]
    if re.match(r"['’]s?\s", after):
        return True
    lead = re.search(r"(\w+)\s+(?:of|in|for|to)\s+(?:the\s+)?$", before)
    if lead is None:
        return False
    end = lead.end(1)
    return any(t.span[0] < end <= t.span[1] + 1 and not t.is_name for t in claim.terms)


def _single_valued(claim: Reading, alignment: Alignment) -> list[Term]:
    """The claim's relations that have one answer and that the sentence speaks of too."""
    found = [t for t in claim.terms if (t.key in SINGLE_VALUED or t.key in ROLES) and alignment.has(t)]
    official = [t for t in claim.terms if t.key == "#official" and alignment.has(t)]
    language = [t for t in claim.terms if t.key == "#language" and alignment.has(t)]
    if official and language:
        found += official
    if claim.ranks and alignment.sentence.ranks and not _differing_ranks(claim, alignment.sentence):
        found += [t for t in claim.terms if t.span[0] >= claim.ranks[0].span[0] and alignment.partner(t)][:1]
    return found + _agents(claim, alignment)


def _differing_ranks(claim: Reading, sentence: Reading) -> bool:
    mine = {(rank.place, rank.extreme) for rank in claim.ranks}
    return mine.isdisjoint((rank.place, rank.extreme) for rank in sentence.ranks)


def _agents(claim: Reading, alignment: Alignment) -> list[Term]:
    """ "designed by X": the verb has one doer."""
    by_name = re.compile(r"\s+by\s+(?:the\s+)?[A-Z]")
    return [
        term
        for term in claim.terms
        if not term.is_name and by_name.match(claim.text, term.span[1]) and alignment.partner(term)
    ]


def _name_for(relation: Term, sentence: Reading, alignment: Alignment) -> Term | None:
    """The name the sentence has for a relation, if it isn't one the claim has too."""
    partner = alignment.partner(relation)
    if partner is None:
        return None
    others = [t for t in alignment.other_names if _distance(sentence, partner, t) <= _NEAR]
    return min(others, key=lambda t: _distance(sentence, partner, t), default=None)


def _distance(sentence: Reading, one: Term, other: Term) -> int:
    start, end = sorted((one.span, other.span))
    return len(sentence.text[start[1] : end[0]].split())


def _not_in_a_complete_list(
    claim: Reading, sentence: Reading, alignment: Alignment, absent: Term
) -> Finding | None:
    """A name that a complete list of the sentence doesn't have is contradicted by it."""
    related = [t for t in claim.relations if alignment.partner(t)]
    if not related or not alignment.found_names:
        return None
    if _negates_all(sentence, alignment, related):
        return Finding(Outcome.DIFFER, 1.0, f"The source says there is none, so not {absent.text}.")
    is_official_list = "#official" in {t.key for t in related} and re.search(r"\b(?:is|are)\b", sentence.text)
    if not _COMPLETE_LIST.search(sentence.text) and not is_official_list:
        return None
    if is_official_list and any(t.key == "#language" for t in related) and len(alignment.other_names) == 1:
        return None  # a single other name is a plain value, which the next rule puts in its place
    return Finding(Outcome.DIFFER, 0.95, f"{absent.text} is not among those the source lists.")


def _negates_all(sentence: Reading, alignment: Alignment, related: list[Term]) -> bool:
    if not re.search(r"\bno\b.*\bany\b", sentence.text, re.IGNORECASE):
        return False
    partners = [alignment.partner(t) for t in related]
    return any(p is not None and n[0] < p.span[0] for p in partners for n in sentence.negations)


def _value_beside_another(claim: Reading, sentence: Reading, alignment: Alignment) -> bool:
    """In "Portuguese (official), Spanish": the claim's name and its relation stand apart, and the
    relation stands with a name the claim doesn't have."""
    for relation in _single_valued(claim, alignment):
        partner = alignment.partner(relation)
        if partner is None:
            continue
        home = _item_of(sentence, partner.span[0])
        others = [t for t in alignment.other_names if _item_of(sentence, t.span[0]) == home]
        mine = [alignment.partner(t) for t in alignment.found_names]
        values = [t for t in mine if t is not None and _item_of(sentence, t.span[0]) == home]
        if others and not values:
            return True
    return False


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
    mine = [t for t in claim.terms if t.key in _CURRENCIES and not t.is_name]
    theirs = [t for t in sentence.terms if t.key in _CURRENCIES and not t.is_name]
    spoken_of = any(t.key == "#currency" for t in sentence.terms)
    if not mine or not theirs or not spoken_of or not alignment.found_names:
        return None
    if {t.key for t in mine} & {t.key for t in theirs}:
        return None
    return Finding(
        Outcome.DIFFER,
        1.0,
        f"The claim says {mine[0].text}; the source says {theirs[0].text}.",
        theirs[0].text,
        mine[0].text,
    )
