"""Classifies a claim: its category, type and risk."""

import re
from typing import NamedTuple

from veridic.domain.claim import ClaimType, Framing, FramingKind, Risk
from veridic.text.dates import find_dates
from veridic.text.names import find_names
from veridic.text.numbers import find_quantities
from veridic.text.words import find_words, stem

_YEAR = re.compile(r"\A(?:1[0-9]{3}|20[0-9]{2})\Z")


class Features(NamedTuple):
    text: str
    has_figure: bool
    """It gives a quantity that is not (part of) a date."""
    has_date: bool
    names: int


def find_features(text: str) -> Features:
    """Find the figures, dates and names in a claim's text."""
    dates = [mention.span for mention in find_dates(text)]
    has_figure = any(
        not any(start < quantity.span[1] and quantity.span[0] < end for start, end in dates)
        and not _YEAR.match(text[slice(*quantity.span)].strip())
        for quantity in find_quantities(text)
    )
    return Features(text, has_figure, bool(dates), len(find_names(text)))


_WORDS: dict[str, str] = {
    "Crime and Law": "crime criminal murder homicide theft fraud bribe bribery corruption court judge jury trial convict conviction sentence "
    "prison police arrest charge lawsuit sue law illegal guilty verdict attorney prosecutor terrorism assault rape smuggling embezzle "
    "indict felony victim shooting violence",
    "Health": "health disease virus vaccine vaccination hospital doctor patient cancer drug medicine medical infection epidemic pandemic covid "
    "mortality obesity smoking diabetes heart stroke symptom treatment surgery nurse diet nutrition mental abortion hiv malaria pregnancy",
    "Economy": "economy economic gdp inflation unemployment jobs wage tax taxes budget debt deficit trade export import currency dollar euro bank "
    "interest market stock price income poverty investment industry growth revenue profit company business billion finance financial "
    "tariff spending pension rates fiscal recession krone yen peso rupee pound",
    "Politics": "election vote voter president minister parliament senate congress party government policy political politician campaign democracy "
    "republic constitution treaty law senator governor mayor referendum ballot coalition chancellor monarch nato eu union sanctions "
    "diplomat ambassador administration legislation bill monarchy legislature",
    "Environment": "climate emission carbon temperature warming pollution environment species forest deforestation wildlife recycling renewable solar "
    "wind energy drought flood hurricane glacier ice biodiversity conservation greenhouse co2 coal oil gas electricity",
    "Science": "science scientist research study physics chemistry biology atom molecule planet star galaxy space gene dna evolution theory experiment "
    "light gravity universe element cell species telescope nobel mathematics boils degrees celsius orbit moon",
    "Technology": "technology computer software internet smartphone app data algorithm robot artificial intelligence chip satellite online website "
    "user network digital cyber battery electric engine device google apple microsoft",
    "Sports": "football soccer basketball tennis olympic olympics medal championship league team player goal match tournament cup coach athlete race "
    "score stadium baseball cricket rugby season fifa marathon",
    "Geography": "capital country city river mountain lake island border coast coastline continent area square kilometre kilometer mile metre meter "
    "population region north south east west located lies highest longest ocean sea desert territory province inhabitants "
    "landlocked peak elevation village town flows peninsula volcano",
    "History": "war battle century empire king queen emperor founded independence revolution ancient dynasty treaty colony colonial medieval "
    "historical born died army soldier invasion conquered discovered signed established ruled",
    "Society": "people population religion language ethnic immigrant immigration education school student university women men children "
    "family marriage gender race rights refugee housing literacy media culture census speakers church muslim christian official",
}
CATEGORIES = (*_WORDS, "General")

_STEMS = {category: frozenset(stem(word) for word in words.split()) for category, words in _WORDS.items()}


def categorise(text: str) -> str:
    """Return the category of a claim; always one of `CATEGORIES`."""
    words = {stem(word.text) for word in find_words(text)}
    best = max(_STEMS, key=lambda category: len(words & _STEMS[category]))
    return best if words & _STEMS[best] else "General"


_CAUSAL = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|thanks to|as a result|results? in|resulted in|resulting from|causes|caused|causing|(?<!the )(?<!a )cause(?! of)|"
    r"le(?:ads?|d) to|leading to|trigger(?:s|ed)|brought about|prevent(?:s|ed)|(?:reduc|increas|rais|lower)(?:es|ed) (?:the )?risk|"
    r"responsible for|consequently|therefore|stem(?:s|med) from|sparked|prompted|contribut(?:es?|ed) to)\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"\b(?:(?:more|less|fewer|greater|lower|higher|rather|other|\w+er)(?:\s+[\w%$€£.,-]+){0,6}?\s+than(?!\s+(?:[\d$€£]|an? (?:hundred|thousand|million|dozen|quarter|third)|half|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty))|compared (?:to|with)|"
    r"(?:twice|three times|\w+ times|half) (?:as|the|more|larger|bigger)|as \w+ as|equal to|outranks?|outnumbers?|surpass\w*|exceed(?:s|ed)|"
    r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))[- ](?:most|least|\w+est)|"
    r"(?:the|world's|world’s|'s|’s|its|their|one of the)\s+(?:single\s+)?(?:most|least|largest|biggest|smallest|highest|lowest|longest|shortest|"
    r"oldest|youngest|tallest|deepest|richest|poorest|fastest|slowest|greatest|strongest|busiest|hottest|coldest|wettest|driest|earliest|"
    r"latest|heaviest|widest|densest|best-selling|northernmost|southernmost|westernmost|easternmost)|"
    r"rank(?:s|ed) (?:\w+ )?(?:first|second|third|fourth|fifth|among|\d+|number)|larger|smaller|longer|shorter|taller|higher)\b",
    re.IGNORECASE,
)


def claim_type(features: Features, framing: Framing) -> ClaimType:
    """Return the type of a claim with these features and this framing."""
    if framing.kind is FramingKind.HEARSAY:
        return ClaimType.ATTRIBUTION
    if _CAUSAL.search(features.text):
        return ClaimType.CAUSAL
    if _COMPARISON.search(features.text):
        return ClaimType.COMPARISON
    if features.has_figure:
        return ClaimType.STATISTIC
    return ClaimType.DATE if features.has_date else ClaimType.TECHNICAL


_LEGAL = re.compile(
    r"\b(?:brib\w+|fraud\w*|corrupt\w*|embezzl\w+|murder\w*|rap(?:ed|e|ist)|assault\w*|abus\w+|steal|stole|stolen|theft|launder\w+|"
    r"perjur\w+|launder\w*|indict\w+|convict\w+|felon\w*|criminal\w*|illegal\w*|unlawful\w*|arrest\w*|charged with|guilty|rigg\w+|plagiari\w+|"
    r"harass\w+|molest\w+|blackmail\w*|extort\w*|terroris\w+|treason\w*|cover(?:ed)?[- ]up|cheat(?:ed|ing)|misconduct|conspir\w+|"
    r"lied|falsif\w+|smuggl\w+|traffick\w+|genocide|war crimes?|tax evasion|evaded)\b",
    re.IGNORECASE,
)
_PUBLIC = re.compile(
    r"\b(?:vaccin\w+|disease|virus|cancer|epidemic|pandemic|covid\w*|cure[sd]?|overdos\w+|bleach|drug|drugs|medicine|hospital\w*|deaths?|died|killed|elections?|ballots?|"
    r"vot(?:e|es|ed|ers|ing)|inflation|unemployment|interest rates?|tax(?:es)?|deficit|debt|recession|budget|pensions?|welfare|crime|"
    r"terror\w*|nuclear|radiation|earthquake|explosion|crash|safety|unsafe|toxic|poison\w*|contaminat\w+|recall\w*|war|invasion|sanctions|"
    r"immigra\w+|refugees?|migrants?|climate|emissions?|bank(?:s|ing)?|bankrupt\w*|Federal Reserve|central bank|abortion|guns?)\b",
    re.IGNORECASE,
)
_HIGH, _MEDIUM = 4, 2


def assess_risk(features: Features, framing: Framing) -> Risk:
    """Return the risk of leaving a claim with these features and this framing unchecked."""
    points = 0
    if _LEGAL.search(features.text):
        points += 4 if features.names or framing.speaker else 2
    concerns = {word.lower() for word in _PUBLIC.findall(features.text)}
    if concerns:
        points += min(1 + len(concerns), _HIGH)
    if framing.kind is not FramingKind.DIRECT_FACTUAL:
        points += 1
    if features.has_figure:
        points += 1
    return Risk.HIGH if points >= _HIGH else Risk.MEDIUM if points >= _MEDIUM else Risk.LOW
