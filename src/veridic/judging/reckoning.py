"""What follows from dates and numbers by reckoning: how old somebody grew and when they were born and died, how long
something lasted, and which one in a row it is.

Each comparison takes the claim and the sentences of the evidence, and says nothing unless both sides give exactly one
thing to reckon with.
"""

import re
from collections.abc import Iterator, Sequence

from veridic.judging.dates import compare_date, is_long
from veridic.judging.finding import Outcome
from veridic.judging.reading import Rank, Reading, opposite_extremes
from veridic.language.dates import DateMention
from veridic.language.numbers import Bound, Quantity
from veridic.language.words import STOPWORDS, stem

_YEAR = 31_557_600.0
_YEAR_UNITS = {"year": 1, "years": 1, "decade": 10, "decades": 10, "century": 100, "centuries": 100}
_SHORTEST_LIFE, _LONGEST_LIFE = 15, 115
_DIED = re.compile(r"\b(?:lived|died|dead|death|passed away|dying|live)\b", re.IGNORECASE)
_LIVED_FOR = re.compile(r"\b(?:lived|lived for|lived to(?: be)?|died at|age of) $", re.IGNORECASE)
_TOLD_OF_LIFE = re.compile(
    r"\b(?:(?P<born>born|birth)|(?P<died>died|death|passed away|killed|assassinated))\b", re.IGNORECASE
)
_OF_A_RELATIVE = re.compile(
    r"(?:['’]s|s['’]|\b(?:his|her|their))(?: \w+){0,2}? (?:father|mother|parents?|husband|wife|sons?|daughters?|brothers?|sisters?"
    r"|child(?:ren)?|grand\w+|uncle|aunt|cousin|nephew|niece|partner|friend|twin)\b",
    re.IGNORECASE,
)
"""Whose birth or death it may be that a sentence on somebody tells of."""
_AGE = re.compile(
    r"\b(?P<before>before (?:(?:he|she|they|turning|reaching) )?)?"
    r"(?:(?:at )?the age of|at age|aged|was|were|lived to(?: be| see)?|reached|turned) "
    r"(?:(?P<bound>over|under|about|around|nearly|almost) )?(?P<age>\d{2,3})\b(?! ?%|[,.]\d)(?! (?!when|at|on|in|and)[a-z])",
    re.IGNORECASE,
)
_BOUNDS = {
    "over": Bound.ABOVE, "under": Bound.BELOW, "about": Bound.ABOUT, "around": Bound.ABOUT, "nearly": Bound.JUST_BELOW,
    "almost": Bound.JUST_BELOW,
}  # fmt: skip
_FOUR_DIGITS = r"(?:1[0-9]\d\d|20\d\d)"
_LIFE = re.compile(
    rf"\([^()]{{0,80}}?\b(?P<born>{_FOUR_DIGITS})\b\s?(?:-|–|—)[^()]{{0,60}}?\b(?P<died>{_FOUR_DIGITS})\b[^()]{{0,60}}\)"
)
_LISTED_LIFE = re.compile(
    rf"\bBorn:.{{0,80}}?\b(?P<born>{_FOUR_DIGITS})\b.{{0,160}}?\bDied:.{{0,80}}?\b(?P<died>{_FOUR_DIGITS})\b",
    re.DOTALL,
)
_FINER = re.compile(r"\b(?:spring|summer|fall|autumn|winter|early|late|half|quarter|since)\b", re.IGNORECASE)
"""What narrows a date down, or sets it off, in a way that dates don't show."""
_BEFORE_DATE = re.compile(
    r"\b(?:(?P<born>born)|(?P<died>died))\b:?(?: [^.;()]{0,40})?\s?(?:\(\s?)?(?:on|in)?\s?\Z", re.IGNORECASE
)
_NEAR = 60
"""Characters before a date in which it is said whose or what date it is."""
_GOES_ON = re.compile(r"\b(?:present|now|today|since|ongoing|current)\b", re.IGNORECASE)
_NO_DURATION = re.compile(r"\A[ -]?(?:old|of age|ago|after|before|later|earlier|prior)\b", re.IGNORECASE)
_FIELD = re.compile(r"\W*[A-Z][^.:;]{0,40}: ")
_FIELDS = 0.4
_OTHER_MEASURE = re.compile(
    r"\b(?:age of|aged?|every|per|each|first|last|past|next|in|within)(?: the)? $", re.IGNORECASE
)

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12,
}  # fmt: skip
_PLACE = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,2}})(?:st|nd|rd|th))"
    r"(?!-)(?P<nouns>(?: (?!(?:of|in|to|by|for|on|and|with|from|who|that|was|is|the|at|or|as|after|behind|century|time|half"
    r"|place|most|least|largest|world|lady|person|known|ever|if|she|he|it)\b)[a-z]+){1,3})",
    re.IGNORECASE,
)
_LOOSE_RANK = re.compile(r"\bone of\b|\b(?:ahead of|behind)\b", re.IGNORECASE)
_IN_WHAT = re.compile(
    r"[^.;,()]{0,40}?\b(?:in|of|on|within|among)\s+(?:the\s+)?(?P<names>[A-Z][\w'’-]*(?:\s+(?:of\s+|the\s+|and\s+)*[A-Z][\w'’-]*)*)"
)
_MADE = re.compile(
    r"\b(?:built|building|construct\w*|erected|written|writing|composed|designed|developed|filmed|shot|painted|recorded|restored"
    r"|rebuilt|made)\b",
    re.IGNORECASE,
)
_TOOK = re.compile(r"\b(?:took|takes|taken|needed|required|spent)\b", re.IGNORECASE)
_NEXT_WORD = re.compile(r"[ -](?P<noun>[a-z]+)")
_ALIKE = (
    frozenset(map(stem, ("film", "movie", "installment", "instalment", "entry", "feature"))),
    frozenset(map(stem, ("book", "novel", "installment", "instalment"))),
)


def reckon(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """`AGREE` or `DIFFER` where one of the comparisons settles it."""
    compared = (compare(claim, parts) for compare in COMPARISONS)
    return next((outcome for outcome in compared if outcome is not None), None)


def compare_age_at_death(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """ "Lived for more than six decades", from the years of birth and death."""
    if claim.dates or not _DIED.search(claim.text) or _OF_A_RELATIVE.search(claim.text):
        return None
    lives = set(_lifetimes(parts))
    if len(lives) != 1:
        return None
    born, died = lives.pop()
    years = _only_years(claim)
    if years is not None:
        is_age = _LIVED_FOR.search(claim.text[: years.start]) is not None
        return _outcome(years, died - born - 1, died - born) if is_age else None
    ages = list(_AGE.finditer(claim.text))
    if len(ages) != 1:
        return None
    bound = Bound.BELOW if ages[0]["before"] else _BOUNDS.get((ages[0]["bound"] or "").lower(), Bound.EXACT)
    return _fits(int(ages[0]["age"]), 1, bound, died - born - 1, died - born)


def compare_birth_and_death(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """ "Died in 1955", from "(12 April 1876 – 3 August 1947)": the one date is no evidence for the other."""
    told = _TOLD_OF_LIFE.search(claim.text)
    if told is None or len(claim.dates) != 1 or claim.negated or _FINER.search(claim.text):
        return None
    if len(_TOLD_OF_LIFE.findall(claim.text)) > 1 or _OF_A_RELATIVE.search(claim.text):
        return None
    asked, other = ("born", "died") if told["born"] else ("died", "born")
    found = _dates_of_life(parts)
    if len(found[asked]) == 1:
        return compare_date(claim.dates[0], found[asked][0])
    if not found[asked] and len(found[other]) == 1 and claim.dates[0].overlaps(found[other][0]):
        return Outcome.DIFFER
    return None


def compare_duration(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """ "The reign lasted 12 years", from its first and last year."""
    years = _only_years(claim)
    if years is None or claim.dates or _DIED.search(claim.text) or _gives_years(parts) or is_listing(parts):
        return None
    before, behind = claim.text[: years.start], claim.text[years.span[1] :]
    if _NO_DURATION.match(behind) or _OTHER_MEASURE.search(before):
        return None
    spans = {
        (when.first.year, when.last.year)
        for part in parts
        for when in part.dates
        if _is_span(part, when) and not _is_of_the_making(part, when, claim)
    }
    if len(spans) != 1 or any(_GOES_ON.search(part.text) for part in parts):
        return None
    first, last = spans.pop()
    return _outcome(years, last - first - 1, last - first + 1)


def compare_period(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """ "In the 1900's", "before 1920" or "in the 18th century", where every date of the evidence speaks one way. A list
    of fields leaves most dates out, so that it can only agree."""
    if len(claim.dates) != 1 or claim.quantities or claim.negated or _FINER.search(claim.text):
        return None
    claimed = claim.dates[0]
    if not is_long(claimed) and claimed.relation not in ("before", "after"):
        return None
    dates = [(part, when) for part in parts for when in part.dates if when.relation == "in"]
    if any(when.text == claimed.text or _is_of_birth(part, when) for part, when in dates):
        return None
    found = {compare_date(claimed, when) for _, when in dates}
    if len(found) != 1 or (found == {Outcome.DIFFER} and is_listing(parts)):
        return None
    return found.pop()


def compare_place_in_row(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """ "The second film" against "the fourth instalment". Only a difference says something: that a sentence has "the
    second film" too doesn't make the rest of the claim true."""
    claimed = list(_places(claim))
    if len(claimed) != 1:
        return None
    place, nouns = claimed[0]
    found = {other for part in parts for other, theirs in _places(part) if _same_row(nouns, theirs)}
    return Outcome.DIFFER if len(found) == 1 and place not in found else None


def compare_rank(claim: Reading, parts: Sequence[Reading]) -> Outcome | None:
    """ "The second largest city" against "the largest city"; a difference only."""
    if len(claim.ranks) != 1 or claim.negated or _LOOSE_RANK.search(claim.text):
        return None
    rank, noun = claim.ranks[0], _noun_behind(claim, claim.ranks[0])
    if noun is None:
        return None
    where = _scope(claim, rank)
    found = [
        other
        for part in parts
        for other in part.ranks
        if _noun_behind(part, other) in (noun, None) and not _is_elsewhere(where, _scope(part, other))
    ]
    same = {other.place for other in found if other.extreme == rank.extreme}
    if same:
        return Outcome.DIFFER if len(same) == 1 and rank.place not in same else None
    return Outcome.DIFFER if any(opposite_extremes(rank.extreme, o.extreme) for o in found) else None


COMPARISONS = (
    compare_age_at_death,
    compare_birth_and_death,
    compare_duration,
    compare_period,
    compare_place_in_row,
    compare_rank,
)


def is_listing(parts: Sequence[Reading]) -> bool:
    """Whether the evidence is a table or a list of fields ("Born: ... Died: ..."), and not told in sentences."""
    fields = sum(_FIELD.match(part.text) is not None for part in parts)
    rows = sum("|" in part.text for part in parts)
    return rows > 1 or fields >= max(2, _FIELDS * len(parts))


def _only_years(claim: Reading) -> Quantity | None:
    """The claim's one quantity that is counted in years or more."""
    found = [quantity for quantity in claim.quantities if quantity.unit in _YEAR_UNITS]
    return found[0] if len(found) == 1 else None


def _gives_years(parts: Sequence[Reading]) -> bool:
    """Whether the evidence says it itself, so that nothing need be reckoned."""
    return any(quantity.unit in _YEAR_UNITS for part in parts for quantity in part.quantities)


def _outcome(years: Quantity, low: float, high: float) -> Outcome:
    return _fits(years.value / _YEAR, _YEAR_UNITS[years.unit], years.bound, low, high)


def _fits(claimed: float, unit: int, bound: Bound, low: float, high: float) -> Outcome:
    """Whether a number of years holds where it was from `low` to `high` of them."""
    slack = 0.0 if unit == 1 else unit / 2
    holds = {
        Bound.EXACT: low - slack <= claimed <= high + slack,
        Bound.ABOVE: high >= claimed,
        Bound.BELOW: low <= claimed,
        Bound.JUST_ABOVE: claimed <= high and low <= claimed * 1.25 + 1,
        Bound.JUST_BELOW: low <= claimed and high >= claimed * 0.75 - 1,
        Bound.ABOUT: low <= claimed * 1.15 + 1 and high >= claimed * 0.85 - 1,
    }
    return Outcome.AGREE if holds[bound] else Outcome.DIFFER


def _lifetimes(parts: Sequence[Reading]) -> Iterator[tuple[int, int]]:
    """Years of birth and death: "(1874 – 1955)" behind a name, or "Born:" and "Died:" in a list."""
    whole = " ".join(part.text for part in parts)
    for pattern in (_LIFE, _LISTED_LIFE):
        for match in pattern.finditer(whole):
            born, died = int(match["born"]), int(match["died"])
            if _SHORTEST_LIFE <= died - born <= _LONGEST_LIFE:
                yield born, died


def _dates_of_life(parts: Sequence[Reading]) -> dict[str, list[DateMention]]:
    """Dates of birth and of death: the two ends of a lifetime in parentheses, or behind "born" and "died"."""
    found: dict[str, list[DateMention]] = {"born": [], "died": []}
    for part in parts:
        lives = [match.span() for match in _LIFE.finditer(part.text)]
        for when in part.dates:
            life = next((span for span in lives if span[0] < when.span[0] < span[1]), None)
            before = part.text[max(0, when.span[0] - _NEAR) : when.span[0]]
            told = None if _OF_A_RELATIVE.search(before) else _BEFORE_DATE.search(before)
            if life is not None and when.first.year == when.last.year:
                is_first = not any(life[0] < other.span[0] < when.span[0] for other in part.dates)
                found["born" if is_first else "died"].append(when)
            elif told is not None:
                found["born" if told["born"] else "died"].append(when)
    return found


def _is_of_birth(part: Reading, when: DateMention) -> bool:
    told = _BEFORE_DATE.search(part.text[max(0, when.span[0] - _NEAR) : when.span[0]])
    return told is not None and told["born"] is not None


def _is_span(part: Reading, when: DateMention) -> bool:
    """ "From 1816 to 1828", but no century, and no lifetime in parentheses."""
    named = re.findall(rf"{_FOUR_DIGITS}|(?<=\D)\d\d\b", when.text)
    joined_by_and = " and " in when.text and not when.text.lower().startswith("between")
    return len(named) == 2 and not joined_by_and and not part.in_parentheses(when.span[0])


def _is_of_the_making(part: Reading, when: DateMention, claim: Reading) -> bool:
    """ "Built from 1816 to 1828" says how long the building took, and not how long it has stood."""
    before = part.text[max(0, when.span[0] - _NEAR) : when.span[0]]
    return _MADE.search(before) is not None and not _MADE.search(claim.text) and not _TOOK.search(claim.text)


def _places(reading: Reading) -> Iterator[tuple[int, list[str]]]:
    for match in _PLACE.finditer(reading.text):
        nouns = [stem(word) for word in match["nouns"].split()]
        yield _ORDINALS.get((match["word"] or "").lower()) or int(match["digits"]), nouns


def _same_row(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two places are in one row: by the thing that is counted, which comes last or just before a verb."""
    if one[-1] in other or other[-1] in one:
        return True
    return any(alike & set(one) and alike & set(other) for alike in _ALIKE)


def _scope(reading: Reading, rank: Rank) -> frozenset[str]:
    """The names of what something is the largest in."""
    match = _IN_WHAT.match(reading.text, rank.span[1])
    return frozenset(re.findall(r"[A-Z][\w'’-]*", match["names"])) if match else frozenset()


def _is_elsewhere(one: frozenset[str], other: frozenset[str]) -> bool:
    """The largest in Kent may be the second largest in England."""
    return bool(one and other) and not one & other


def _noun_behind(reading: Reading, rank: Rank) -> str | None:
    match = _NEXT_WORD.match(reading.text, rank.span[1])
    return stem(match["noun"]) if match and match["noun"] not in STOPWORDS else None
