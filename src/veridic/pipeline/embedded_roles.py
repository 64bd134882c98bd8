"""The embedded engine in the parts of a consensus run: no key, no network, and every verdict read from evidence.

What it writes has the form a language model is asked for, so that a stage's text reads alike whoever wrote it.
"""

import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from veridic.claims.extract import extract_claims
from veridic.claims.worth_model import Embed
from veridic.config.settings import Settings
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
from veridic.judging.base import Judge
from veridic.pipeline.claim import ClaimLoop, LoopOptions
from veridic.pipeline.content import claim_date
from veridic.pipeline.deliberation import Deliberation
from veridic.pipeline.embedded_reader import EmbeddedReader, ReaderOptions
from veridic.pipeline.exhibits import Exhibits
from veridic.pipeline.roles import Checked, Extracted
from veridic.pipeline.steps import InMemorySteps
from veridic.pipeline.threads import in_thread
from veridic.reporting.consensus_text import report_text

EXTRACTOR = "embedded/extractor"
VERIFIER = "embedded/verifier"
REPORTER = "embedded/reporter"

_HIGH = 0.85
_MEDIUM = 0.6


class EmbeddedExtractor:
    model = EXTRACTOR

    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    async def extract(self, document: Document) -> Extracted:
        extraction = await in_thread(partial(extract_claims, document, self._embed))
        claims = tuple(map(_as_extracted, extraction.claims))
        return Extracted(_written_claims(claims), claims, extraction.claims)


class EmbeddedChecker:
    """The loop of thorough mode as one checker among others: it reads the run's exhibits, and cites them."""

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
        """After `seconds`, the claims not read by then count as not addressed."""
        self.model = model
        self._judge = judge
        self._settings = settings
        self._as_of = as_of
        self._threshold = threshold
        self._seconds = seconds
        self._clock = clock

    async def verify(self, stage: str, run: Deliberation) -> Checked:  # noqa: ARG002
        exhibits = run.exhibits
        if exhibits is None:
            raise RuntimeError("an embedded checker was given nothing to read")
        date_of_claims = claim_date(run.document, self._as_of)
        options = ReaderOptions(
            as_of=self._as_of,
            claim_date=date_of_claims,
            threshold=self._threshold,
            passages=self._settings.passages_per_claim,
        )
        loop = ClaimLoop(
            observer=exhibits,
            reader=EmbeddedReader(self._judge(), options),
            options=LoopOptions(self._as_of, date_of_claims),
            steps=InMemorySteps(),
        )
        deadline = self._clock() + self._seconds
        verifications = tuple(
            [
                await self._word_on(claim, loop, exhibits)
                if self._clock() < deadline
                else not_addressed(claim.id, self.model)
                for claim in run.claims
            ]
        )
        return Checked(_written_verifications(verifications), verifications)

    async def _word_on(self, claim: Claim, loop: ClaimLoop, exhibits: Exhibits) -> ClaimVerification:
        try:
            return self._verification(await loop.check(claim), exhibits)
        except SearchError as error:
            return not_addressed(claim.id, self.model).model_copy(update={"evidence": str(error)})

    def _verification(self, decision: Decision, exhibits: Exhibits) -> ClaimVerification:
        verdict = ConsensusVerdict(say(decision.verdict, Scale.CONSENSUS))
        cited = _citations(decision.evidence, exhibits)
        disputed = verdict is ConsensusVerdict.DISPUTED and decision.correction is not None
        marks = "".join(f" [{number}]" for number in cited)
        return ClaimVerification(
            claim_id=decision.claim.id,
            verdict=verdict,
            evidence=f"{decision.rationale}{marks}",
            correction=decision.correction.corrected if disputed and decision.correction else None,
            confidence=_level(decision.confidence),
            checker_model=self.model,
            citations=cited,
        )


class EmbeddedReporter:
    model = REPORTER

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


def _citations(evidence: Sequence[Evidence], exhibits: Exhibits) -> tuple[int, ...]:
    numbers = (exhibits.number(e.passage) for e in evidence if e.assessment.stance != "contextual")
    return tuple(dict.fromkeys(number for number in numbers if number is not None))


def _level(confidence: float) -> Confidence:
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
