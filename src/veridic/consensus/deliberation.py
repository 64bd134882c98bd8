"""The state of a consensus run."""

from dataclasses import dataclass, field

from veridic.claims.selection import Named
from veridic.consensus.evidence import RunEvidence
from veridic.decision.consensus import calculate_consensus, count_verdicts
from veridic.domain.claim import Claim, Omission
from veridic.domain.consensus import (
    CheckerResult,
    ClaimConsensus,
    ExtractedClaim,
    FailedChecker,
    NumberedPassage,
    RunConfig,
    VerdictCounts,
)
from veridic.domain.document import Document
from veridic.domain.report import Failure
from veridic.reporting.consensus_text import remarks_on, remarks_on_extraction
from veridic.reporting.report_sections import annotated


@dataclass(slots=True)
class Deliberation:
    """Filled in stage by stage; later stages and the report are made from it."""

    config: RunConfig
    document: Document
    run_evidence: RunEvidence | None
    question: str = ""
    title: str | None = None
    extracted: tuple[ExtractedClaim, ...] = ()
    claims: tuple[Claim, ...] = ()
    """The extracted claims in the same order, with their spans in the document."""
    omissions: tuple[Omission, ...] = ()
    over_the_limit: int = 0
    results: dict[int, CheckerResult] = field(default_factory=dict)
    """By the checker's index in the configuration."""
    failed: dict[int, FailedChecker] = field(default_factory=dict)
    consensus: tuple[ClaimConsensus, ...] = ()
    note: str | None = None
    """A sentence that the summary must contain beside its numbers."""
    report_text: str = ""
    score: int | None = None
    failures: list[Failure] = field(default_factory=list)

    def set_claims(self, named: Named) -> None:
        """Set the claims to check, and those of the extractor's claims that are left out."""
        self.extracted, self.claims, self.omissions, self.over_the_limit = named

    def reach_consensus(self) -> None:
        answers = [self.results[number].verifications for number in sorted(self.results)]
        self.consensus = calculate_consensus(self.extracted, answers)

    @property
    def counts(self) -> VerdictCounts:
        counted = count_verdicts([one.consensus_verdict for one in self.consensus])
        return counted.model_copy(update={"note": self.note})

    @property
    def checkers(self) -> tuple[str, ...]:
        """The checkers that answered, in order."""
        return tuple(self.results[number].model for number in sorted(self.results))

    @property
    def failed_checkers(self) -> tuple[FailedChecker, ...]:
        return tuple(self.failed[number] for number in sorted(self.failed))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks that every report on this run must contain."""
        return (
            *remarks_on(self.document.text, self.consensus, failed=self.failed_checkers),
            *remarks_on_extraction(self.claims, self.omissions, self.over_the_limit),
        )

    @property
    def annotated_content(self) -> str:
        marks = [
            (claim.span, decided.consensus_verdict)
            for claim, decided in zip(self.claims, self.consensus, strict=True)
        ]
        return annotated(self.document.text, marks)

    @property
    def sources(self) -> tuple[NumberedPassage, ...] | None:
        return None if self.run_evidence is None else self.run_evidence.all()
