"""What a look at a running system comes to."""

from veridic.domain.code import (
    AgentVerdict,
    ClaimCategory,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EvidenceTier,
)
from veridic.domain.evidence import Stance

_VERDICTS = {
    True: (CodeVerdict.VERIFIED, Stance.SUPPORTING),
    False: (CodeVerdict.REFUTED, Stance.CONTRADICTING),
    None: (CodeVerdict.INCONCLUSIVE, Stance.CONTEXTUAL),
}


def live_verdict(
    agent: str,
    claim: DocClaim,
    agrees: bool | None,
    *,
    reason: str,
    path: str,
    quote: str,
    value: str | None = None,
    would_settle: str | None = None,
) -> AgentVerdict:
    """The verdict on a claim of which it is known whether what was seen agrees; None: that does not tell.

    What is seen of the project's own code is the output of a run; what is seen of another system is a look outside.
    """
    verdict, stance = _VERDICTS[agrees]
    is_external = claim.category is ClaimCategory.EXTERNAL
    evidence = CodeEvidence(
        tier=EvidenceTier.EXTERNAL if is_external else EvidenceTier.TESTS,
        stance=stance,
        path=path,
        quote=quote,
        value=value if agrees is False else None,
    )
    return AgentVerdict(
        agent=agent,
        verdict=verdict,
        confidence=0.0 if agrees is None else 0.95,
        reason=reason,
        evidence=(evidence,),
        depth=Depth.DEEP,
        would_settle=would_settle if agrees is None else None,
    )
