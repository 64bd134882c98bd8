"""What a claim, a decision and a piece of evidence come to as rows of the desk's tables. Pure."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, time
from enum import StrEnum

from veridic.domain.claim import Claim
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.store.tables import ClaimVerification, ExtractedClaim, VerificationSource


class FactCheckStatus(StrEnum):
    PENDING = "pending"
    EXTRACTING_CLAIMS = "extracting_claims"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    PUBLISHED = "published"


class ClaimStatus(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    VERIFIED = "verified"
    DISPUTED = "disputed"
    FLAGGED = "flagged"


UNVERIFIABLE = "unverifiable"
AUTOMATED = "automated"
_SUPPORTS = {Stance.SUPPORTING: True, Stance.CONTRADICTING: False, Stance.CONTEXTUAL: None}


def as_json(values: Iterable[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def claim_row(fact_check_id: str, claim: Claim) -> ExtractedClaim:
    framing = claim.framing
    return ExtractedClaim(
        fact_check_id=fact_check_id,
        claim_text=claim.text,
        claim_type=framing.kind,
        sentence_index=claim.sentence_index,
        span_start=claim.span[0],
        span_end=claim.span[1],
        verifiable=framing.verifiable,
        verification_type=framing.verification_type,
        confidence_score=claim.check_worthiness,
        patterns_matched=as_json(framing.patterns_matched),
        deniability_score=framing.deniability_score,
        hearsay_confidence=framing.hearsay_confidence,
        private_data_detected=framing.private_data_detected,
        status=ClaimStatus.PENDING,
        priority=claim.priority,
    )


def claim_status(decision: Decision) -> ClaimStatus:
    """`verified` means that verification is complete, whatever it found.

    A claim with evidence on both sides and no clear outcome is `disputed`; one that could not be verified is
    `flagged`, because only a person can take it further.
    """
    if _rating(decision) == UNVERIFIABLE:
        return ClaimStatus.FLAGGED
    both_sides = {Stance.SUPPORTING, Stance.CONTRADICTING} <= {e.stance for e in decision.evidence}
    if decision.verdict is Verdict.CONTESTED or (decision.verdict is Verdict.PARTIAL and both_sides):
        return ClaimStatus.DISPUTED
    return ClaimStatus.VERIFIED


def verification_row(claim_id: int, decision: Decision, *, seconds: int, at: datetime) -> ClaimVerification:
    rating = _rating(decision)
    return ClaimVerification(
        claim_id=claim_id,
        verification_status=rating if rating == UNVERIFIABLE else f"verified_{rating}",
        rating=rating,
        credibility_score=source_credibility(decision),
        sources_found=as_json(_locations(decision.evidence)),
        verification_method=AUTOMATED,
        verification_notes=decision.rationale,
        verified_at=at,
        time_spent_seconds=seconds,
    )


def source_row(verification_id: int, evidence: Evidence, *, at: datetime) -> VerificationSource:
    source = evidence.source
    return VerificationSource(
        verification_id=verification_id,
        url=source.reference,
        domain=source.domain,
        title=source.title,
        credibility_tier=source.tier,
        credibility_score=source.credibility,
        supports_claim=_SUPPORTS[evidence.stance],
        relevance_score=evidence.assessment.relevance,
        excerpt=evidence.assessment.quote,
        date_published=_first_moment(source.date),
        date_accessed=at,
        notes=_source_notes(evidence),
    )


def source_credibility(decision: Decision) -> float | None:
    """The mean credibility of the sources that speak for or against the claim, each counted once."""
    scores = {
        e.source.location: e.source.credibility for e in decision.evidence if _SUPPORTS[e.stance] is not None
    }
    return round(sum(scores.values()) / len(scores), 4) if scores else None


def texts_that_hold(report: Report) -> list[str]:
    """The claims the evidence confirms."""
    return _texts_said(report, "VERIFIED")


def texts_in_dispute(report: Report) -> list[str]:
    """The claims the evidence speaks against, in whole or in part."""
    return _texts_said(report, "DISPUTED")


def seconds_each(report: Report) -> int:
    """An even share of the run's time: a run reads evidence for several claims at once."""
    return round(report.processing_time_ms / 1000 / max(1, len(report.decisions)))


def _texts_said(report: Report, word: str) -> list[str]:
    return [d.claim.text for d in report.decisions if say(d.verdict, Scale.CONSENSUS) == word]


def _rating(decision: Decision) -> str:
    return say(decision.verdict, Scale.RATING)


def _locations(evidence: Iterable[Evidence]) -> Iterable[str]:
    return dict.fromkeys(e.source.reference for e in evidence)


def _first_moment(published: PartialDate | None) -> datetime | None:
    return None if published is None else datetime.combine(published.first, time.min, tzinfo=UTC)


def _source_notes(evidence: Evidence) -> str:
    """Why it counts, and what the columns can't say: a date known to the year, copies elsewhere."""
    notes = [evidence.assessment.reason]
    published = evidence.source.date
    if published is not None and published.day is None:
        notes.append(f"Published {published}; the day is not known.")
    if evidence.copies:
        notes.append("Also at " + ", ".join(copy.reference for copy in evidence.copies) + ".")
    return " ".join(notes)
