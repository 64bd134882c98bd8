"""Corrections: the claim's own words with the wrong piece replaced by what the source has there.

Where no single piece can be exchanged there is no correction: the source is quoted beside the claim anyway.
"""

import re
from collections.abc import Sequence

from veridic.decision.weighing import Weighing, correction_confidence
from veridic.domain.decision import Correction, CorrectionType
from veridic.domain.evidence import Detail, Difference, Evidence

MAX_EXCERPT = 500
_NOTES = {
    CorrectionType.REPLACE: None,
    CorrectionType.UPDATE: "Information has changed since original writing",
    CorrectionType.CLARIFY: "Added qualifications for accuracy",
}


def propose(claim: str, kind: CorrectionType, weighing: Weighing) -> Correction | None:
    """A correction that rests on the key contradicting evidence; None where none can be made of it."""
    against = weighing.key_contradicting
    if not against:
        return None
    corrected = _clarified(claim, against) if kind is CorrectionType.CLARIFY else _rewritten(claim, against)
    if corrected is None:
        return None
    return Correction(
        type=kind,
        original=claim,
        corrected=corrected,
        confidence=round(correction_confidence(weighing), 4),
        sources=tuple(dict.fromkeys(e.source for e in against)),
        note=_NOTES[kind],
    )


def _rewritten(claim: str, against: Sequence[Evidence]) -> str | None:
    """The claim with the wrong words exchanged, where that leaves a sentence."""
    for evidence in against:
        for different in evidence.assessment.differences:
            wrong, value = different.in_claim, different.in_passage
            if wrong and value and different.kind is not Detail.NEGATION and _fits(claim, wrong, value):
                corrected = claim.replace(wrong, _in_its_place(different))
                return _as_sentence(corrected) if len(corrected) <= MAX_EXCERPT else None
    return None


def _fits(claim: str, wrong: str, value: str) -> bool:
    """Whether the exchange leaves a sentence: one place to change, no range, nothing said twice."""
    is_range = re.search(r"\d\s?(?:-|–|to|and)\s?\d", wrong) is not None
    return claim.count(wrong) == 1 and not is_range and value.lower() not in claim.lower()


def _in_its_place(different: Difference) -> str:
    """What the source has, as the claim would write it: "in 1973" becomes "in 1963", not "in 12 December 1963", and a number
    in words that begins the source's sentence loses its capital."""
    wrong, value = different.in_claim, different.in_passage
    if different.kind is Detail.FIGURE and value[1:2].islower():
        return value[0].lower() + value[1:]
    year = re.search(r"\b\d{4}\b", value)
    return year.group() if year and re.fullmatch(r"\d{4}", wrong) else value


def _clarified(claim: str, against: Sequence[Evidence]) -> str:
    first = against[0]
    return _as_sentence(f"{claim.rstrip('. ')}; {_origin(first)} says: {first.assessment.quote}")


def _origin(evidence: Evidence) -> str:
    when = f" ({evidence.date})" if evidence.date else ""
    return f"{evidence.source.title}{when}"


def _as_sentence(text: str) -> str:
    text = text.strip()[:MAX_EXCERPT]
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", '"', "”", ")")) else f"{text}."
