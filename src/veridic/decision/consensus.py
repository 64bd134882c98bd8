"""What several checkers come to, claim by claim.

1. The verdict that most checkers give wins.
2. VERIFIED and DISPUTED with equally many is DISPUTED, and so is a tie of all three: when in doubt, warn.
3. UNVERIFIABLE with as many as one other: the other wins, for "I can't tell" contradicts nobody.
4. Agreement is the share of all checkers that give this verdict, in whole percent.
5. Confidence is the one most of those name, the lower of two named equally often; LOW where the checkers
   split evenly between VERIFIED and DISPUTED. A checker whose evidence only repeats the content counts as LOW,
   however sure it says it is.
6. The correction is the one most DISPUTED verdicts name, the first of equals; only DISPUTED has one.
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
    """The consensus on each claim; `all_verifications` are one sequence a checker.

    A claim that a checker leaves out counts as UNVERIFIABLE by it.
    """
    answers = [_by_claim(verifications) for verifications in all_verifications]
    return tuple(_consensus(claim, [_word_on(claim.id, answer) for answer in answers]) for claim in claims)


def count_verdicts(verdicts: Iterable[ConsensusVerdict]) -> VerdictCounts:
    """How many of each: of one checker's verdicts, or of the consensus."""
    counts = Counter(verdicts)
    return VerdictCounts(
        verified=counts[ConsensusVerdict.VERIFIED],
        disputed=counts[ConsensusVerdict.DISPUTED],
        unverifiable=counts[ConsensusVerdict.UNVERIFIABLE],
    )


def type_breakdown(claims: Iterable[ExtractedClaim]) -> dict[str, int]:
    """How many claims there are of each type that occurs, the most frequent first."""
    return dict(Counter(claim.type.value for claim in claims).most_common())


def average_agreement(consensus: Sequence[ClaimConsensus]) -> float | None:
    """The mean agreement over all claims in percent with one decimal; None without claims."""
    if not consensus:
        return None
    return round(sum(claim.agreement_rate for claim in consensus) / len(consensus), 1)


def _by_claim(verifications: Sequence[ClaimVerification]) -> dict[str, ClaimVerification]:
    """The first word on each claim counts; under "" stands what the checker says about any other."""
    if not verifications:
        return {}
    first = {"": not_addressed("", verifications[0].checker_model)}
    for verification in verifications:
        first.setdefault(verification.claim_id, verification)
    return first


def _word_on(claim_id: str, answer: dict[str, ClaimVerification]) -> ClaimVerification:
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
    """Texts that differ only in case, white space or a full stop are one."""
    wordings: dict[str, list[str]] = {}
    for verification in verifications:
        if verification.verdict is ConsensusVerdict.DISPUTED and verification.correction:
            key = " ".join(verification.correction.casefold().split()).rstrip(".")
            wordings.setdefault(key, []).append(verification.correction)
    return max(wordings.values(), key=len)[0] if wordings else None
