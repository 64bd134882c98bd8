"""Converts a consensus run to a `Report` like that of the other modes, so that every face can show it."""

import re
from collections.abc import Collection, Iterator
from datetime import date

from veridic.consensus.deliberation import Deliberation
from veridic.decision.aggregation import document_verdict, summarise
from veridic.decision.consensus import average_agreement
from veridic.domain.claim import Claim, Omission, OmissionReason
from veridic.domain.consensus import (
    ClaimConsensus,
    ClaimVerification,
    Confidence,
    ConsensusDetails,
    ConsensusVerdict,
)
from veridic.domain.decision import Correction, CorrectionType, Decision
from veridic.domain.evidence import Assessment, Evidence, Passage, Stance
from veridic.domain.modes import Mode
from veridic.domain.report import Report, collect_sources
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Scale, Verdict, read
from veridic.evidence.credibility import rate_quality
from veridic.reporting.consensus_text import NO_EVIDENCE
from veridic.reporting.report_sections import summary_of

KNOWLEDGE_ALONE = "No source was cited for this: it is what the models know."
_MARK = re.compile(r"\s*\[([0-9]{1,6})\]")
_PROBABILITIES = {Confidence.HIGH: 0.95, Confidence.MEDIUM: 0.75, Confidence.LOW: 0.5}
_STANCES = {
    ConsensusVerdict.VERIFIED: Stance.SUPPORTING,
    ConsensusVerdict.DISPUTED: Stance.CONTRADICTING,
    ConsensusVerdict.UNVERIFIABLE: Stance.CONTEXTUAL,
}


def canonical_report(run: Deliberation, *, embedded: bool, as_of: date, usage: Usage, elapsed: int) -> Report:
    """Return the report of a finished run, with verdicts on the canonical scale."""
    decisions = tuple(
        _decision(claim, consensus, run, as_of)
        for claim, consensus in zip(run.claims, run.consensus, strict=False)
    )
    return Report(
        mode=Mode.CONSENSUS,
        engine="embedded" if embedded else "llm",
        as_of=as_of,
        document=run.document,
        verdict=document_verdict(decisions),
        credibility_score=run.score,
        summary=run.note or summary_of(run.report_text) or summarise(decisions),
        decisions=decisions,
        omissions=(*run.omissions, *_unchecked(run)),
        consensus=_details(run),
        sources=collect_sources(decisions),
        corpora=run.run_evidence.corpora if run.run_evidence else (),
        errors=tuple(run.failures),
        usage=usage,
        processing_time_ms=elapsed,
    )


def _unchecked(run: Deliberation) -> Iterator[Omission]:
    """Yield the claims that the run had no time to check."""
    for claim in run.claims if not run.consensus else ():
        yield Omission(span=claim.span, text=claim.wording, reason=OmissionReason.OUT_OF_TIME)


def _details(run: Deliberation) -> ConsensusDetails:
    config = run.config
    return ConsensusDetails(
        question=run.question,
        title=run.title,
        generator=config.generator_model,
        extractor=config.extractor_model,
        checkers=run.checkers,
        failed_checkers=run.failed_checkers,
        reporter=config.reporter_model,
        bias_warning=config.bias_warning,
        average_agreement=average_agreement(run.consensus),
        remarks=run.remarks,
        report_text=run.report_text,
        annotated_content=run.annotated_content if run.consensus else "",
    )


def _decision(claim: Claim, consensus: ClaimConsensus, run: Deliberation, as_of: date) -> Decision:
    evidence = tuple(
        _evidence(run.run_evidence.passage(number), opinion, as_of)
        for opinion in consensus.verdicts
        for number in opinion.citations or ()
        if run.run_evidence
    )
    return Decision(
        claim=claim,
        verdict=_verdict(consensus),
        confidence=_PROBABILITIES[consensus.consensus_confidence] * consensus.agreement_rate / 100,
        rationale=_rationale(consensus),
        evidence=_deduplicated(evidence),
        correction=_correction(claim, consensus, run),
        opinions=tuple(map(_without_marks, consensus.verdicts)),
        agreement_rate=consensus.agreement_rate,
        passages_read=len(run.run_evidence.for_claims([claim])[claim.id]) if run.run_evidence else 0,
        as_of=as_of,
    )


def _verdict(consensus: ClaimConsensus) -> Verdict:
    if consensus.is_split:
        return Verdict.CONTESTED
    return read(consensus.consensus_verdict.value, Scale.CONSENSUS)


def _rationale(consensus: ClaimConsensus) -> str:
    """Return how the checkers voted, and the reason in their words."""
    majority = [one for one in consensus.verdicts if one.verdict is consensus.consensus_verdict]
    asked = len(consensus.verdicts)
    voices = f"{len(majority)} of {asked} checkers: {consensus.consensus_verdict}."
    if asked == 1:
        voices = f"The one checker: {consensus.consensus_verdict}."
    reason = max((_unmarked(one.evidence, one.citations or ()) for one in majority), key=len, default="")
    rests_on = KNOWLEDGE_ALONE if consensus.rests_on_knowledge_alone else ""
    if consensus.has_no_evidence:
        rests_on = NO_EVIDENCE
    return " ".join(part for part in (voices, reason, rests_on) if part)


def _correction(claim: Claim, consensus: ClaimConsensus, run: Deliberation) -> Correction | None:
    if consensus.correction is None:
        return None
    cited = [run.run_evidence.passage(number) for number in consensus.cited] if run.run_evidence else []
    return Correction(
        type=CorrectionType.REPLACE,
        original=claim.text,
        corrected=_unmarked(consensus.correction, consensus.cited),
        confidence=_PROBABILITIES[consensus.consensus_confidence] * consensus.agreement_rate / 100,
        sources=tuple({passage.source.location: passage.source for passage in cited}.values()),
        note=None if cited else KNOWLEDGE_ALONE,
    )


def _evidence(passage: Passage, opinion: ClaimVerification, as_of: date) -> Evidence:
    """Return a passage that a checker cites, with the checker's words as the reason."""
    assessment = Assessment(
        stance=_STANCES[opinion.verdict],
        probability=_PROBABILITIES[opinion.confidence],
        quote=passage.text,
        reason=_unmarked(opinion.evidence, opinion.citations or ()),
        relevance=_PROBABILITIES[opinion.confidence],
        specificity=_PROBABILITIES[opinion.confidence],
    )
    return Evidence(passage=passage, assessment=assessment, quality=rate_quality(passage, assessment, as_of))


def _deduplicated(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Keep each passage once for each stance it was cited with."""
    return tuple({(e.passage.id, e.stance): e for e in reversed(evidence)}.values())[::-1]


def _without_marks(opinion: ClaimVerification) -> ClaimVerification:
    """Remove the run's source numbers: the report numbers its sources differently."""
    cited = opinion.citations or ()
    correction = opinion.correction and _unmarked(opinion.correction, cited)
    return opinion.model_copy(
        update={"evidence": _unmarked(opinion.evidence, cited), "correction": correction, "citations": None}
    )


def _unmarked(text: str, cited: Collection[int]) -> str:
    """Remove a checker's citations from its text; other numbers in brackets stay."""
    return _MARK.sub(lambda mark: "" if int(mark[1]) in cited else mark[0], text)
