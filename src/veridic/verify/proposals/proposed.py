"""The result of asking a model for claims."""

from dataclasses import dataclass, field

from veridic.domain.code import DocClaim, ProposedClaims, VerifyFailure


@dataclass(slots=True)
class Proposed:
    """The claims that only a model found, and what went wrong."""

    claims: list[DocClaim] = field(default_factory=list)
    failures: list[VerifyFailure] = field(default_factory=list)
    counts: ProposedClaims | None = None
    """None if no model was asked."""
    is_out_of_budget: bool = False
