"""Corrections: what the claim should say, put together from the evidence against it."""

import re
from collections.abc import Sequence

from veridic.decision.weighing import Weighing, correction_confidence
from veridic.domain.decision import Correction, CorrectionType
from veridic.domain.evidence import Evidence

MAX_EXCERPT = 500
_NOTES = {
    CorrectionType.REPLACE: None,
    CorrectionType.UPDATE: "Information has changed since original writing",
    CorrectionType.CLARIFY: "Added qualifications for accuracy",
}


def propose(claim: str, kind: CorrectionType, weighing: Weighing) -> Correction | None:
    """A correction that rests on the key contradicting evidence; None where there is nothing to rest on."""
    against = weighing.key_contradicting
    if not against:
        return None
    corrected = _clarified(claim, against) if kind is CorrectionType.CLARIFY else _rewritten(claim, against)
    return Correction(
        type=kind,
        original=claim,
        corrected=corrected,
        confidence=round(correction_confidence(weighing), 4),
        sources=tuple(dict.fromkeys(e.source for e in against)),
        note=_NOTES[kind],
    )


def _rewritten(claim: str, against: Sequence[Evidence]) -> str:
    """The claim with the wrong words exchanged; the source's own sentence where that isn't possible."""
    for evidence in against:
        value, wrong = evidence.assessment.value, evidence.assessment.replaces
        if value and wrong and _fits(claim, wrong, value):
            return _as_sentence(claim.replace(wrong, _as_precise(wrong, value)))
    return _as_sentence(against[0].assessment.quote)


def _fits(claim: str, wrong: str, value: str) -> bool:
    """Whether the exchange leaves a sentence: one place to change, no range, nothing said twice."""
    is_range = re.search(r"\d\s?(?:-|–|to|and)\s?\d", wrong) is not None
    return claim.count(wrong) == 1 and not is_range and value.lower() not in claim.lower()


def _as_precise(wrong: str, value: str) -> str:
    """A date as exact as the one it replaces: "in 1973" becomes "in 1963", not "in 12 December 1963"."""
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


def quote_instead(correction: Correction, weighing: Weighing) -> Correction:
    """The same correction in the source's own words, for a rewriting that its sources don't bear out."""
    return correction.model_copy(
        update={"corrected": _as_sentence(weighing.key_contradicting[0].assessment.quote)}
    )
