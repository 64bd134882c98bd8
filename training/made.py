"""Rows we make ourselves, because the public sets lack them.

Contrast pairs change one thing (a number, a year, a name, a word with an opposite, a negation) in the claim, in
the evidence, or in both: whoever reads only the claim can't tell which label is right. Rows with too little
evidence teach the third answer: the evidence of another claim, a sentence that lacks a detail, one half of two
claims. Every function takes a row and gives new rows, or none where its rule doesn't apply.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from training.rows import NEI, REFUTED, SUPPORTED, Row
from veridic.text.words import STOPWORDS, content_stems, find_words

OPPOSITES = [
    "before after",
    "more less fewer",
    "higher lower",
    "highest lowest",
    "larger smaller",
    "largest smallest",
    "greater smaller",
    "longer shorter",
    "older younger",
    "oldest youngest",
    "earlier later",
    "earliest latest",
    "increase decrease",
    "increased decreased reduced",
    "increases decreases reduces",
    "increasing decreasing",
    "rose fell",
    "won lost",
    "first last second third",
    "most least",
    "best worst",
    "better worse",
    "north south east west",
    "northern southern eastern western",
    "male female",
    "man woman",
    "men women",
    "actor actress",
    "brother sister",
    "son daughter",
    "father mother",
    "husband wife",
    "always never",
    "all none",
    "began ended",
    "starts ends",
    "open closed",
    "positive negative",
    "alive dead",
    "married single",
    "includes excludes",
    "same different",
    "public private",
    "high low",
    "early late",
    "above below",
    "inside outside",
    "rich poor",
    "young old",
    "hot cold",
    "few many",
    "major minor",
    "full empty",
    "left right",
    "win lose",
]
"""In each line a word and what it is not; the first of a line may stand for any other."""

KINDS = [
    "film song album novel play painting game magazine series opera poem sitcom documentary book",
    (
        "actor singer writer director producer painter politician lawyer scientist athlete journalist dancer "
        "drummer guitarist poet composer architect chef model comedian"
    ),
    (
        "American British English French German Italian Spanish Canadian Australian Indian Chinese Japanese Russian "
        "Irish Scottish Dutch Swedish Mexican Brazilian Korean Turkish Polish Greek Norwegian Danish"
    ),
    (
        "America England France Germany Italy Spain Canada Australia India China Japan Russia Ireland Scotland Sweden "
        "Mexico Brazil Turkey Poland Greece Norway Denmark Egypt Kenya Peru Chile Argentina Portugal"
    ),
    (
        "London Paris Berlin Rome Madrid Toronto Sydney Tokyo Moscow Dublin Chicago Boston Seattle Atlanta Miami "
        "Houston Dallas Philadelphia Detroit Vienna Prague"
    ),
    "January February March April May June July August September October November December",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "red blue green yellow black white brown orange purple pink gray",
    "one two three four five six seven eight nine ten eleven twelve",
    "comedy drama thriller horror western musical romance fantasy",
    "football basketball baseball tennis hockey cricket golf rugby soccer swimming",
    "million billion thousand",
    "meters kilometers miles feet inches",
    "days weeks months years hours minutes",
    "guitar piano drums violin bass flute",
    "king queen prince president minister governor mayor senator",
    "rock pop jazz country metal punk folk",
    "Christian Muslim Jewish Buddhist Hindu Catholic",
    "river mountain lake island city village desert",
    "cat dog horse cow sheep bird",
]
"""Words of one kind: changing one for another changes what is said, not what it is about."""

_OTHERS: dict[str, list[str]] = {}
for _group in [line.split() for line in (*KINDS, *OPPOSITES)]:
    for _word in _group:
        _OTHERS.setdefault(_word, [other for other in _group if other != _word])
_OPPOSITES = {word: [o for o in line.split() if o != word] for line in OPPOSITES for word in line.split()}

_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?![\w-])")
_NAME = re.compile(r"(?:[A-Z][\w'’.-]+ )*[A-Z][\w'’-]+")
_BE = re.compile(r"\b(is|was|are|were|has|have|can|could|will|would|had|should|does|did)\b(?! not|n't)")


def contrast(row: Row, rng: random.Random) -> Iterator[Row]:
    """Something that claim and evidence share is changed in one of them, and in both."""
    if row.label != SUPPORTED or row.binary:
        return
    text = " ".join(row.evidence)
    shared = [word for word in _changeable(row.claim) if _finds(word, text)]
    if not shared:
        return
    old = rng.choice(shared)
    new = _changed(old, rng)
    claim = _replace(row.claim, old, new)
    evidence = tuple(_replace(passage, old, new) for passage in row.evidence)
    if not _finds(new, text) and not _finds(new, row.claim):
        yield Row(claim, row.evidence, REFUTED, "made.contrast")
        yield Row(row.claim, evidence, REFUTED, "made.contrast")
        yield Row(claim, evidence, SUPPORTED, "made.contrast")


def opposite(row: Row) -> Iterator[Row]:
    """A word of the claim that has an opposite is turned round, whatever words the evidence uses."""
    words = [word.text for word in find_words(row.claim) if word.text in _OPPOSITES]
    if row.label == SUPPORTED and not row.binary and len(words) == 1:
        yield Row(
            _replace(row.claim, words[0], _OPPOSITES[words[0]][0]), row.evidence, REFUTED, "made.opposite"
        )


def negation(row: Row, rng: random.Random) -> Iterator[Row]:
    """The claim is denied, or its denial taken back."""
    if row.binary or row.label == NEI:
        return
    label = REFUTED if row.label == SUPPORTED else SUPPORTED
    if " not " in row.claim:
        yield Row(row.claim.replace(" not ", " ", 1), row.evidence, label, "made.negation")
    elif (verb := _BE.search(row.claim)) and not re.search(
        r"\b(no|never|nobody|none|only|all|some|any|every)\b|n't", row.claim, re.IGNORECASE
    ):
        word = rng.choice((" not", " not", " never")) if verb[1] in ("was", "were", "has") else " not"
        denied = row.claim[: verb.end()] + word + row.claim[verb.end() :]
        yield Row(denied, row.evidence, label, "made.negation")


def turned_comparison(row: Row) -> Iterator[Row]:
    """ "A is larger than B" becomes "B is larger than A"."""
    match = re.fullmatch(
        r"(.+?) ((?:is|was|are|were|has|have) (?:\w+er|more \w+|less \w+) than) (.+?)(\.?)", row.claim
    )
    if match and row.label == SUPPORTED and not row.binary:
        yield Row(f"{match[3]} {match[2]} {match[1]}{match[4]}", row.evidence, REFUTED, "made.turned")


def other_subject(row: Row, rng: random.Random, names: Sequence[str]) -> Iterator[Row]:
    """The same is said, but of someone else: that is no evidence. Of someone else on both sides: all as before."""
    subject = _subject(row.claim)
    if not subject or subject not in " ".join(row.evidence):
        return
    other = rng.choice(names)
    changed = tuple(passage.replace(subject, other) for passage in row.evidence)
    if rng.random() < 0.6:
        yield Row(row.claim, changed, NEI, "made.other_subject")
    else:
        yield Row(row.claim.replace(subject, other), changed, row.label, "made.other_subject", row.binary)


def without_detail(row: Row, rng: random.Random) -> Iterator[Row]:
    """A sentence of the evidence as the claim, against itself without its last part, and the other way round."""
    sentence = row.evidence[0].strip()
    cuts = [m.start() for m in re.finditer(r"(?:, | and | in | on | by | for | with | at | from )", sentence)]
    cuts = [cut for cut in cuts if cut > 25 and len(sentence) - cut > 12]
    if "\n" in sentence or not 60 < len(sentence) < 260 or not cuts:
        return
    shorter = sentence[: rng.choice(cuts[-3:])].rstrip(" ,.") + "."
    if rng.random() < 0.6:
        yield Row(sentence, (shorter,), NEI, "made.without_detail")
    else:
        yield Row(shorter, (sentence,), SUPPORTED, "made.without_detail")


def two_claims(row: Row, other: Row) -> Iterator[Row]:
    """Two claims in one: supported where both are, refuted where one is, open where the evidence covers one."""
    if row.binary or other.binary or row.claim == other.claim:
        return
    joined = f"{row.claim.rstrip(' .')}, and {other.claim}"
    labels = {row.label, other.label}
    both = (*row.evidence, *other.evidence)
    if REFUTED in labels:
        yield Row(joined, both, REFUTED, "made.two_claims")
    elif labels == {SUPPORTED}:
        yield Row(joined, both, SUPPORTED, "made.two_claims")
        rest = other.claim.replace(_subject(other.claim), "")
        if not any(_speaks_of(rest, passage) for passage in row.evidence):
            yield Row(joined, row.evidence, NEI, "made.two_claims")


def among_others(row: Row, others: Sequence[Row], rng: random.Random) -> Iterator[Row]:
    """The evidence between sentences that have nothing to do with it; now and then without it."""
    passages = [passage for other in others for passage in other.evidence if passage not in row.evidence]
    if rng.random() < 0.7:
        passages.insert(rng.randrange(len(passages) + 1), " ".join(row.evidence))
        yield Row(row.claim, tuple(passages), row.label, "made.among_others", row.binary)
    elif passages and not any(_speaks_of(row.claim, passage) for passage in passages):
        yield Row(row.claim, tuple(passages), NEI, "made.among_others")


def in_long_evidence(row: Row, other: Row, around: Sequence[Row], rng: random.Random) -> Iterator[Row]:
    """Supported claims, one and two at a time, with evidence among that of claims `around` them; and two with the
    evidence of one."""
    if {row.label, other.label} != {SUPPORTED} or row.binary or other.binary or row.claim == other.claim:
        return
    known = {*row.evidence, *other.evidence}
    filling = list(
        dict.fromkeys(passage for each in around for passage in each.evidence if passage not in known)
    )
    joined = f"{row.claim.rstrip(' .')}, and {other.claim}"
    rest = other.claim.replace(_subject(other.claim), "")
    yield _shuffled(joined, [*row.evidence, *other.evidence, *filling], SUPPORTED, rng)
    yield _shuffled(row.claim, [*row.evidence, *filling], SUPPORTED, rng)
    if not any(_speaks_of(rest, passage) for passage in row.evidence):
        silent = [passage for passage in filling if not _speaks_of(rest, passage)]
        yield _shuffled(joined, [*row.evidence, *silent], NEI, rng)


def _shuffled(claim: str, passages: list[str], label: str, rng: random.Random) -> Row:
    return Row(claim, tuple(rng.sample(passages, len(passages))), label, "made.in_long_evidence")


def other_evidence(rows: Sequence[Row], rng: random.Random) -> Iterator[Row]:
    """A claim with the evidence of another claim on the same subject, where the two share nothing else."""
    by_subject: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if subject := _subject(row.claim):
            by_subject[subject].append(row)
    for subject, group in by_subject.items():
        for row in group:
            others = [
                other
                for other in rng.sample(group, min(len(group), 6))
                if other.evidence != row.evidence
                and not any(_speaks_of(row.claim.replace(subject, ""), passage) for passage in other.evidence)
            ]
            if others:
                yield Row(row.claim, others[0].evidence, NEI, "made.other_evidence")


def subjects(rows: Sequence[Row]) -> list[str]:
    """The names that claims begin with."""
    return sorted({subject for row in rows if (subject := _subject(row.claim))})


def _subject(claim: str) -> str:
    match = _NAME.match(claim)
    return match[0] if match and len(match[0]) >= 5 and match[0].lower() not in STOPWORDS else ""


def _speaks_of(claim: str, passage: str) -> bool:
    return bool(content_stems(claim) & content_stems(passage))


def _changeable(text: str) -> list[str]:
    return [m.group() for m in _NUMBER.finditer(text)] + [
        word.text for word in find_words(text) if word.text in _OTHERS
    ]


def _changed(word: str, rng: random.Random) -> str:
    if word in _OTHERS:
        return rng.choice(_OTHERS[word])
    value = word.replace(",", "")
    if re.fullmatch(r"1\d{3}|20\d{2}", value):
        return str(int(value) + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 5, 8, 10, 20, 30)))
    if "." in value:
        decimals = len(value.split(".")[1])
        return f"{float(value) * rng.choice((0.3, 0.5, 0.7, 1.3, 1.8, 3)):.{decimals}f}"
    number = int(value)
    new = (
        number + rng.choice((1, 2, 3))
        if number < 20
        else round(number * rng.choice((0.4, 0.6, 0.8, 1.2, 1.6, 2.5)))
    )
    return f"{new:,}" if "," in word else str(new)


def _finds(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(word)}(?!\w|[.,]\d)", text) is not None


def _replace(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w.,]){re.escape(old)}(?!\w|[.,]\d)", lambda _: new, text)


# --- rows from templates: order in time, and figures against bounds and against each other ---

_EVENTS = (
    "the treaty|entered into force|enter into force;the war|ended|end;the bridge|opened|open;the school|was founded|be founded;"
    "the law|was passed|be passed;the museum|closed|close;the company|was sold|be sold;the port|was enlarged|be enlarged;"
    "the railway|reached the town|reach the town;the strike|began|begin;the first vaccine|was approved|be approved;"
    "the mayor|resigned|resign;the factory|burned down|burn down;the satellite|was launched|be launched;"
    "the agreement|was signed|be signed;the currency|was introduced|be introduced;the dam|was completed|be completed;"
    "the team|won the cup|win the cup;the book|was published|be published;the king|died|die;the parliament|was dissolved|be dissolved"
)
_THINGS = (
    "the library has|books;the town has|inhabitants;the company employs|people;the stadium holds|spectators;"
    "the bridge is|meters long;the tower is|meters high;the project cost|dollars;the hospital has|beds;"
    "the fire destroyed|houses;the study included|patients;the school teaches|pupils;the ship carried|passengers;"
    "the fund gave out|grants;the survey reached|households;the lake covers|hectares"
)
_PLACES = "Halden Marwick Orsova Tilbury Norden Velda Kestrel Brannock Lisse Arvida Corran Dunmore Elst Farrow".split()


def in_time(rng: random.Random) -> Iterator[Row]:
    """Two dated events; the claim puts them in an order."""
    first, second = (event.split("|") for event in rng.sample(_EVENTS.split(";"), 2))
    early = rng.randrange(1750, 2015)
    years = [early, early + rng.randrange(1, 30)]
    rng.shuffle(years)
    forms: Sequence[Callable[[list[str], int], str]] = (
        lambda e, y: f"{_capital(e[0])} {e[1]} in {y}.",
        lambda e, y: f"In {y}, {e[0]} {e[1]}.",
        lambda e, y: f"It was in {rng.choice(KINDS[5].split())} {y} that {e[0]} {e[1]}.",
    )
    evidence = [rng.choice(forms)(event, year) for event, year in zip((first, second), years, strict=True)]
    rng.shuffle(evidence)
    is_before = years[0] < years[1]
    kind = rng.randrange(4)
    if kind == 3:
        gap = abs(years[0] - years[1])
        said = gap if rng.random() < 0.5 else gap + rng.choice((-1, 1)) * rng.randrange(2, 9)
        order = "before" if is_before else "after"
        claim = f"{_capital(first[0])} {first[1]} {abs(said)} years {order} {second[0]} {second[1]}."
        label = SUPPORTED if said == gap else REFUTED
    else:
        word = rng.choice(("before", "after"))
        claim = (
            f"{_capital(first[0])} {first[1]} {word} {second[0]} {second[1]}."
            if kind
            else f"When {second[0]} {second[1]}, {first[0]} had {'already' if word == 'before' else 'not yet'} {first[1].replace('was ', 'been ')}."
        )
        label = SUPPORTED if (word == "before") == is_before else REFUTED
    if rng.random() < 0.15:
        evidence, label = evidence[:1], NEI
    yield Row(claim, (" ".join(evidence),), label, "made.in_time")


def in_figures(rng: random.Random) -> Iterator[Row]:
    """A figure against a bound, or two figures against each other."""
    subject, unit = rng.choice(_THINGS.split(";")).split("|")
    place, rival = rng.sample(_PLACES, 2)
    number = rng.choice((rng.randrange(12, 100), rng.randrange(100, 1000), rng.randrange(1000, 90000)))
    noun = subject.replace("the ", "", 1).split(" ")[0]
    verb = subject.split(" ", 2)[2]
    fact = f"The {place} {noun} {verb} {number:,} {unit}"
    if rng.random() < 0.5:
        bound = max(2, round(number * rng.choice((0.5, 0.7, 0.9, 1.1, 1.4, 2))))
        words, holds = rng.choice(
            (
                ("more than", number > bound),
                ("over", number > bound),
                ("at least", number >= bound),
                ("fewer than", number < bound),
                ("under", number < bound),
                ("at most", number <= bound),
            )
        )
        label = SUPPORTED if holds else REFUTED
        yield Row(
            f"The {place} {noun} {verb} {words} {bound:,} {unit}.", (fact + ".",), label, "made.in_figures"
        )
        return
    other = max(2, round(number * rng.choice((0.4, 0.8, 1.25, 2.5))))
    more = rng.random() < 0.5
    claim = f"The {place} {noun} {verb} {'more' if more else 'fewer'} {unit} than the one in {rival}."
    label = SUPPORTED if (number > other) == more else REFUTED
    against = f"the {rival} {noun} {verb} {other:,}"
    evidence = rng.choice(
        (f"{fact}; {against}.", f"{_capital(against)} {unit}. {fact}.", f"{fact}, while {against}.")
    )
    if unit.split()[-1] not in ("long", "high"):
        yield Row(claim, (evidence,), label, "made.in_figures")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
