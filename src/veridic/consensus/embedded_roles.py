"""The embedded engine in the roles of a consensus run; needs no key and no network, and judges only by evidence.

Its texts have the same form that language models are asked for, so that the text of a stage doesn't depend on the engine.
"""

import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from veridic.claims.extract import extract_claims
from veridic.claims.sentence_models import Embed
from veridic.config.settings import Settings
from veridic.consensus.deliberation import Deliberation
from veridic.consensus.evidence import RunEvidence
from veridic.consensus.roles import Checked, Extracted
from veridic.decision.consensus import count_verdicts, type_breakdown
from veridic.decision.reliability import computed_score
from veridic.domain.claim import Claim
from veridic.domain.consensus import (
    ClaimVerification,
    Confidence,
    ConsensusVerdict,
    ExtractedClaim,
    not_addressed,
)
from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.errors import SearchError
from veridic.domain.evidence import Evidence
from veridic.domain.verdicts import Scale, say
from veridic.engine.claim_loop import ClaimLoop, LoopOptions
from veridic.engine.content import claim_date
from veridic.engine.embedded_reader import EmbeddedReader, ReaderOptions
from veridic.engine.steps import InMemorySteps
from veridic.engine.threads import in_thread
from veridic.judging.base import Judge
from veridic.providers.llm.roles import EMBEDDED_EXTRACTOR, EMBEDDED_REPORTER
from veridic.reporting.consensus_text import report_text

_HIGH = 0.85
_MEDIUM = 0.6


class EmbeddedExtractor:
    model = EMBEDDED_EXTRACTOR

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    async def extract(self, document: Document) -> Extracted:
        extraction = await in_thread(partial(extract_claims, document, self._embed))
        claims = tuple(map(_as_extracted, extraction.claims))
        return Extracted(_written_claims(claims), claims, extraction.claims, extraction.omissions)


class EmbeddedChecker:
    """The loop of thorough mode as a checker: it reads the run's passages and cites them."""

    needs_evidence = True

    def __init__(
        self,
        model: str,
        judge: Callable[[], Judge],
        settings: Settings,
        *,
        as_of: date,
        threshold: float,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Claims that were not read after `seconds` count as not addressed."""
        self.model = model
        self._judge = judge
        self._settings = settings
        self._as_of = as_of
        self._threshold = threshold
        self._seconds = seconds
        self._clock = clock

    async def verify(self, stage: str, run: Deliberation) -> Checked:  # noqa: ARG002
        run_evidence = run.run_evidence
        if run_evidence is None:
            raise RuntimeError("an embedded checker was given nothing to read")
        date_of_claims = claim_date(run.document, self._as_of)
        options = ReaderOptions(
            as_of=self._as_of,
            claim_date=date_of_claims,
            threshold=self._threshold,
            passages=self._settings.passages_per_claim,
        )
        loop = ClaimLoop(
            observer=run_evidence,
            reader=EmbeddedReader(self._judge(), options),
            options=LoopOptions(self._as_of, date_of_claims),
            steps=InMemorySteps(),
        )
        deadline = self._clock() + self._seconds
        verifications = tuple(
            [
                await self._verify_claim(claim, loop, run_evidence)
                if self._clock() < deadline
                else not_addressed(claim.id, self.model)
                for claim in run.claims
            ]
        )
        return Checked(_written_verifications(verifications), verifications)

    async def _verify_claim(
        self, claim: Claim, loop: ClaimLoop, run_evidence: RunEvidence
    ) -> ClaimVerification:
        try:
            return self._verification(await loop.check(claim), run_evidence)
        except SearchError as error:
            return not_addressed(claim.id, self.model).model_copy(update={"evidence": str(error)})

    def _verification(self, decision: Decision, run_evidence: RunEvidence) -> ClaimVerification:
        verdict = ConsensusVerdict(say(decision.verdict, Scale.CONSENSUS))
        cited = _citations(decision.evidence, run_evidence)
        disputed = verdict is ConsensusVerdict.DISPUTED and decision.correction is not None
        marks = "".join(f" [{number}]" for number in cited)
        return ClaimVerification(
            claim_id=decision.claim.id,
            verdict=verdict,
            evidence=f"{decision.rationale}{marks}",
            correction=decision.correction.corrected if disputed and decision.correction else None,
            confidence=_confidence_level(decision.confidence),
            checker_model=self.model,
            citations=cited,
        )


class EmbeddedReporter:
    model = EMBEDDED_REPORTER

    async def report(self, run: Deliberation) -> str:
        return report_text(
            run.document.text,
            run.consensus,
            run.config,
            score=computed_score(run.consensus),
            annotated_content=run.annotated_content,
            remarks=run.remarks,
            sources=run.sources or (),
            failed=run.failed_checkers,
        )

    async def title(self, question: str, content: str) -> str | None:  # noqa: ARG002
        return None


def _citations(evidence: Sequence[Evidence], run_evidence: RunEvidence) -> tuple[int, ...]:
    numbers = (run_evidence.number(e.passage) for e in evidence if e.assessment.stance != "contextual")
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def _confidence_level(confidence: float) -> Confidence:
    if confidence >= _HIGH:
        return Confidence.HIGH
    return Confidence.MEDIUM if confidence >= _MEDIUM else Confidence.LOW


def _as_extracted(claim: Claim) -> ExtractedClaim:
    return ExtractedClaim(id=claim.id, claim=claim.text, context=claim.context, type=claim.type)


def _written_claims(claims: Sequence[ExtractedClaim]) -> str:
    blocks = [
        f"CLAIM {number}: {claim.claim}\nContext: {claim.context}\nType: {claim.type}"
        for number, claim in enumerate(claims, 1)
    ]
    kinds = ", ".join(f"{kind}: {count}" for kind, count in type_breakdown(claims).items())
    return "\n\n".join(
        [*blocks, f"EXTRACTION SUMMARY:\nTotal claims: {len(claims)}\nBy type: {kinds or 'none'}"]
    )


def _written_verifications(verifications: Sequence[ClaimVerification]) -> str:
    blocks = [
        f"VERIFICATION {one.claim_id}: {one.verdict}\nEvidence: {one.evidence}\n"
        f"Correction: {one.correction or 'N/A'}\nConfidence: {one.confidence}"
        for one in verifications
    ]
    counts = count_verdicts([one.verdict for one in verifications])
    summary = (
        f"VERIFICATION SUMMARY:\nVerified: {counts.verified}\nDisputed: {counts.disputed}\n"
        f"Unverifiable: {counts.unverifiable}"
    )
    return "\n\n".join([*blocks, summary])
