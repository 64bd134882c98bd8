"""Rates how much a claim is worth checking, and its priority.

With a model, check-worthiness is learned from debates (`sentence_models`). Without one it is a start value plus the weights of
named features, which were set by hand. Priority follows from risk and worth: HIGH for a HIGH risk, and for a MEDIUM risk with
high worth.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridic.claims.classify import Features
from veridic.claims.sentence_models import Embed, trained_worth
from veridic.domain.claim import Claim, ClaimType, Framing, FramingKind, Priority, Risk

_START = 0.35


class _Feature(NamedTuple):
    weight: float
    regex: re.Pattern[str]


_WORDING: dict[str, _Feature] = {
    name: _Feature(weight, re.compile(regex, re.IGNORECASE))
    for name, weight, regex in (
        ("money", 0.08, r"[$€£¥]\s?\d|\b(?:dollars?|euros?|billion|million|trillion)\b"),
        ("share", 0.08, r"\d\s?%|\b(?:percent|per cent|percentage)\b"),
        (
            "change",
            0.07,
            r"\b(?:rose|fell|increased|decreased|doubled|tripled|grew|dropped|declined|cut|lost|raised|voted|signed|passed)\b",
        ),
        (
            "extreme",
            0.06,
            r"\b(?:largest|biggest|highest|lowest|most|least|first|only|worst|record|longest|fewest|never|every|all)\b",
        ),
        (
            "public matter",
            0.06,
            r"\b(?:tax|jobs?|crime|health|election|war|deficit|debt|budget|trade|unemployment|inflation|troops|insurance|oil)\b",
        ),
        ("about oneself", -0.14, r"\A(?:I|we|you|let|my|our)\b"),
        ("first person", -0.06, r"\b(?:I|me|my|you|your)\b"),
        ("vague", -0.1, r"\A(?:this|that|these|those|it|there|and|so|but|well|now)\b"),
        (
            "about talk",
            -0.1,
            r"\b(?:tonight|debate|question|answer|talk(?:ing)?|look|thank|opponent|senator and I)\b",
        ),
    )
}
_TYPE_WEIGHT: dict[ClaimType, float] = {
    ClaimType.STATISTIC: 0.08,
    ClaimType.COMPARISON: 0.06,
    ClaimType.CAUSAL: 0.06,
    ClaimType.DATE: 0.05,
    ClaimType.ATTRIBUTION: 0.03,
    ClaimType.TECHNICAL: 0.0,
}
_MIN_WORDS = 5
"""Shorter statements seldom say enough to be checked."""


def check_worthiness(features: Features, kind: ClaimType, framing: Framing) -> float:
    """Return 0 (not worth checking) to 1 (check first), by the wording alone."""
    worth = _START + _TYPE_WEIGHT[kind]
    worth += sum(feature.weight for feature in _WORDING.values() if feature.regex.search(features.text))
    worth += 0.15 * features.has_figure + 0.06 * features.has_date + 0.06 * min(features.names, 2)
    words = len(features.text.split())
    worth += 0.05 * (words >= 2 * _MIN_WORDS) - 0.1 * (words < _MIN_WORDS)
    if framing.kind in (FramingKind.HEARSAY, FramingKind.PLAUSIBLE_DENIABILITY):
        worth += 0.05
    elif framing.kind is FramingKind.PRIVATE_DATA:
        worth -= 0.15
    return round(min(1.0, max(0.0, worth)), 2)


def weigh_by_model(claims: Sequence[Claim], embed: Embed) -> list[Claim]:
    """Return the same claims with the learned worth, and the priority that follows from it."""
    worths = [round(worth, 2) for worth in trained_worth([claim.text for claim in claims], embed)]
    return [
        claim.model_copy(update={"check_worthiness": worth, "priority": prioritise(claim.risk, worth)})
        for claim, worth in zip(claims, worths, strict=True)
    ]


def prioritise(risk: Risk, worth: float) -> Priority:
    """Return the priority for a risk and a worth."""
    if risk is Risk.HIGH or (risk is Risk.MEDIUM and worth >= 0.7):
        return Priority.HIGH
    return Priority.LOW if risk is Risk.LOW and worth < 0.45 else Priority.MEDIUM
