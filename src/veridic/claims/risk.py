"""How much depends on a claim: what it could do if it is wrong and goes unchecked.

Points for four things, summed; 4 and more is HIGH, 2 and more MEDIUM, less LOW:

| what | points |
|---|---|
| legal weight: crime, fraud or misconduct said of a named person or body | 4 (of nobody named: 2) |
| public effect: health, elections, public money, safety | 2 by one word of the kind, 3 by two, 4 by more |
| a named source is made to say it (hearsay), or nobody is (deniable, private) | 1 |
| a specific figure | 1 |
"""

import re

from veridic.claims.features import Features
from veridic.domain.claim import Framing, FramingKind, Risk

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
    """The risk of leaving a claim with these features and this framing unchecked."""
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
