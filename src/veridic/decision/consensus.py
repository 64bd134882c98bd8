"""The consensus of several checkers, claim by claim.

1. The most common verdict wins.
2. A tie of VERIFIED and DISPUTED, or of all three, is DISPUTED: when in doubt, warn.
3. In a tie of UNVERIFIABLE with one other, the other wins, because "I can't tell" contradicts no verdict.
4. Agreement is the share of all checkers with the winning verdict, in whole percent.
5. Confidence is the most common one among those checkers, the lower of two equally common; LOW if the checkers
   are split evenly between VERIFIED and DISPUTED. A checker whose evidence only repeats the content counts as LOW,
   whatever confidence it states.
6. The correction is the most common one of the DISPUTED verdicts, the first of equals; only DISPUTED has one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from veridic.domain.consensus import (
    ClaimConsensus,
    ClaimVerification,
    Confidence,
    ConsensusVerdict,
    ExtractedClaim,
    VerdictCounts,
    not_addressed,
    split_evenly,
)

_FROM_LOW_TO_HIGH = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def calculate_consensus(
    claims: Sequence[ExtractedClaim], all_verifications: Sequence[Sequence[ClaimVerification]]
) -> tuple[ClaimConsensus, ...]:
    """Return the consensus on each claim; `all_verifications` has one sequence per checker.

    If a checker leaves a claim out, its verdict on the claim counts as UNVERIFIABLE.
    """
    answers = [_by_claim(verifications) for verifications in all_verifications]
    return tuple(
        _consensus(claim, [_verification_of(claim.id, answer) for answer in answers]) for claim in claims
    )


def count_verdicts(verdicts: Iterable[ConsensusVerdict]) -> VerdictCounts:
    """Count the verdicts of one checker, or of the consensus."""
    counts = Counter(verdicts)
    return VerdictCounts(
        verified=counts[ConsensusVerdict.VERIFIED],
        disputed=counts[ConsensusVerdict.DISPUTED],
        unverifiable=counts[ConsensusVerdict.UNVERIFIABLE],
    )


def type_breakdown(claims: Iterable[ExtractedClaim]) -> dict[str, int]:
    """Count the claims of each type that occurs, the most frequent first."""
    return dict(Counter(claim.type.value for claim in claims).most_common())


def average_agreement(consensus: Sequence[ClaimConsensus]) -> float | None:
    """Return the mean agreement over all claims, in percent with one decimal; None without claims."""
    if not consensus:
        return None
    return round(sum(claim.agreement_rate for claim in consensus) / len(consensus), 1)


def _by_claim(verifications: Sequence[ClaimVerification]) -> dict[str, ClaimVerification]:
    """Return the first verification of each claim; the key "" has the one for claims that the checker left out."""
    if not verifications:
        return {}
    first = {"": not_addressed("", verifications[0].checker_model)}
    for verification in verifications:
        first.setdefault(verification.claim_id, verification)
    return first


def _verification_of(claim_id: str, answer: dict[str, ClaimVerification]) -> ClaimVerification:
    return answer.get(claim_id) or not_addressed(claim_id, answer[""].checker_model if answer else "unknown")


def _consensus(claim: ExtractedClaim, verifications: Sequence[ClaimVerification]) -> ClaimConsensus:
    counts = Counter(verification.verdict for verification in verifications)
    verdict = _majority(counts)
    return ClaimConsensus(
        claim_id=claim.id,
        claim=claim.claim,
        context=claim.context,
        type=claim.type,
        verdicts=tuple(verifications),
        consensus_verdict=verdict,
        consensus_confidence=_confidence(verdict, verifications),
        agreement_rate=round(100 * counts[verdict] / len(verifications)) if verifications else 0,
        correction=_correction(verifications) if verdict is ConsensusVerdict.DISPUTED else None,
    )


def _majority(counts: Counter[ConsensusVerdict]) -> ConsensusVerdict:
    most = max(counts.values(), default=0)
    leading = {verdict for verdict in counts if counts[verdict] == most}
    for verdict in (ConsensusVerdict.DISPUTED, ConsensusVerdict.VERIFIED):
        if verdict in leading:
            return verdict
    return ConsensusVerdict.UNVERIFIABLE


def _confidence(verdict: ConsensusVerdict, verifications: Sequence[ClaimVerification]) -> Confidence:
    named = Counter(
        Confidence.LOW if v.repeats_content else v.confidence for v in verifications if v.verdict is verdict
    )
    if not named or split_evenly(v.verdict for v in verifications):
        return Confidence.LOW
    return max(_FROM_LOW_TO_HIGH, key=lambda confidence: named[confidence])


def _correction(verifications: Iterable[ClaimVerification]) -> str | None:
    """Return the most common correction; texts that differ only in case, white space or a full stop are the same."""
    wordings: dict[str, list[str]] = {}
    for verification in verifications:
        if verification.verdict is ConsensusVerdict.DISPUTED and verification.correction:
            key = " ".join(verification.correction.casefold().split()).rstrip(".")
            wordings.setdefault(key, []).append(verification.correction)
    return max(wordings.values(), key=len)[0] if wordings else None
