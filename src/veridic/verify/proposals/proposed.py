"""What came of asking a model for claims."""

from dataclasses import dataclass, field

from veridic.domain.code import DocClaim, ProposedClaims, VerifyFailure


@dataclass(slots=True)
class Proposed:
    """The claims that a model found and nothing else did, and what went wrong."""

    claims: list[DocClaim] = field(default_factory=list)
    failures: list[VerifyFailure] = field(default_factory=list)
    counts: ProposedClaims | None = None
    """None where nobody was asked."""
    is_out_of_budget: bool = False
