"""The embedded engine in summary and thorough mode: no key, no network."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from veridic.claims.extract import extract_claims
from veridic.claims.selection import limit_claims, main_statements
from veridic.claims.worth_model import Embed
from veridic.decision.breaks import is_dated
from veridic.decision.corrections import propose, quote_instead
from veridic.decision.decide import judgement, reports_speech
from veridic.decision.gates import without_the_future
from veridic.decision.weighing import DEFAULT_THRESHOLD, Weighing, correction_type, finalize, weigh
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, CorrectionType, Judgement
from veridic.domain.document import Document
from veridic.domain.evidence import Evidence, Found, Passage, Stance
from veridic.domain.modes import Mode
from veridic.domain.search import Gathered
from veridic.evidence.quality import rate_quality
from veridic.judging.base import Judge
from veridic.pipeline.readers import ListedClaims, Reading
from veridic.pipeline.threads import in_thread


class EmbeddedLister:
    """Finds claims by rules and by what the embedded model has learned of their worth."""

    def __init__(self, embed: Embed | None) -> None:
        self._embed = embed

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        """See `Lister.list_claims`."""
        extraction = await in_thread(partial(extract_claims, document, self._embed))
        if mode is Mode.SUMMARY:
            return ListedClaims(main_statements(extraction, document))
        return ListedClaims(limit_claims(extraction, most))


class ReaderOptions(NamedTuple):
    as_of: date
    claim_date: date
    threshold: float = DEFAULT_THRESHOLD
    """The confidence a clear verdict needs."""
    passages: int = 12
    """At most so many are read for a question."""


class EmbeddedReader:
    """A judge of the embedded engine that reads passage by passage, and weighs them by the loop's rules."""

    def __init__(self, judge: Judge, options: ReaderOptions) -> None:
        self._judge = judge
        self._options = options

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:  # noqa: ARG002
        """See `Reader.read`."""
        found = gathered.found[: self._options.passages]
        return Reading(await in_thread(partial(self._judgement, claim, question, found)))

    def _judgement(self, claim: Claim, question: str, found: Sequence[Found]) -> Judgement:
        evidence = without_the_future(self._assess(question, found), self._options.as_of)
        if claim.framing.kind is FramingKind.HEARSAY and claim.framing.underlying_claim:
            evidence = _on_hearsay(evidence, claim.framing.speaker or "", was_it_said=question == claim.text)
        weighing = weigh(evidence, claim_date=self._options.claim_date, is_dated=is_dated(question))
        correction = self._correct(question, weighing)
        return judgement(self._judge.name, evidence, weighing, correction, threshold=self._options.threshold)

    def _assess(self, question: str, found: Sequence[Found]) -> tuple[Evidence, ...]:
        passages = [item.passage for item in found]
        return tuple(
            Evidence(
                passage=item.passage,
                assessment=assessment,
                quality=rate_quality(item.passage, assessment, self._options.as_of),
                copies=item.copies,
            )
            for item, assessment in zip(found, self._judge.assess(question, passages), strict=True)
        )

    def _correct(self, question: str, weighing: Weighing) -> Correction | None:
        """A correction, itself checked against its sources before anyone sees it."""
        kind = correction_type(finalize(weighing, threshold=self._options.threshold))
        correction = propose(question, kind, weighing) if kind else None
        if correction is None or kind is CorrectionType.CLARIFY:
            return correction  # a clarification quotes its source, and leaves the claim as it is
        if self._bears_out(correction, weighing.key_contradicting):
            return correction
        return quote_instead(correction, weighing)

    def _bears_out(self, correction: Correction, against: Sequence[Evidence]) -> bool:
        passages: list[Passage] = [e.passage for e in against]
        return any(a.stance is Stance.SUPPORTING for a in self._judge.assess(correction.corrected, passages))


def _on_hearsay(evidence: tuple[Evidence, ...], speaker: str, *, was_it_said: bool) -> tuple[Evidence, ...]:
    """Only what has the speaker saying something can tell whether it was said, and that alone can't tell whether it is so."""
    if was_it_said:
        return tuple(e for e in evidence if reports_speech(e.passage.text, speaker))
    return tuple(
        e
        for e in evidence
        if e.stance is not Stance.SUPPORTING or not reports_speech(e.assessment.quote, speaker)
    )
