"""Proposes corrections: the claim's own words, with the wrong detail replaced by the source's.

If no single detail can be replaced, there is no correction: the source is quoted next to the claim anyway.
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
    """Return a correction based on the key contradicting evidence; None if it allows none."""
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
    """Return the claim with the wrong words replaced; None if no replacement gives a proper sentence."""
    for evidence in against:
        for difference in evidence.assessment.differences:
            wrong, value = difference.in_claim, difference.in_passage
            if wrong and value and difference.kind is not Detail.NEGATION and _fits(claim, wrong, value):
                corrected = claim.replace(wrong, _replacement(difference))
                return _as_sentence(corrected) if len(corrected) <= MAX_EXCERPT else None
    return None


def _fits(claim: str, wrong: str, value: str) -> bool:
    """Whether the replacement gives a proper sentence: one occurrence, no range, no repetition."""
    is_range = re.search(r"\d\s?(?:-|–|to|and)\s?\d", wrong) is not None
    return claim.count(wrong) == 1 and not is_range and value.lower() not in claim.lower()


def _replacement(difference: Difference) -> str:
    """Return the source's value in the claim's style: "in 1973" becomes "in 1963", not "in 12 December 1963", and a number
    in words at the beginning of the source's sentence loses its capital.
    """
    wrong, value = difference.in_claim, difference.in_passage
    if difference.kind is Detail.FIGURE and value[1:2].islower():
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
