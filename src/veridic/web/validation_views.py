"""Claims and sources of summary and thorough mode: as they come in, and as the report has them."""

from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Decision, Part, TemporalAnalysis
from veridic.domain.evidence import Evidence, Source
from veridic.domain.report import Report
from veridic.domain.validation import Validation
from veridic.reporting import wording
from veridic.reporting.numbering import Numbering
from veridic.reporting.outside import web_link
from veridic.reporting.reading import sources_used
from veridic.reporting.retelling import contradictions, findings, quoted, reason
from veridic.reporting.validation_wording import calls_made, origin, part_rationale, sources_line, standing
from veridic.web.claim_views import (
    AccountView,
    ClaimView,
    PartView,
    Quotation,
    SourceView,
    found_span,
    number_of,
)
from veridic.web.evidence_views import EvidenceView, read_evidence, told_evidence
from veridic.web.marks import canonical_sign
from veridic.web.told import Told

_PARTS = {"attribution": "Was it said?", "content": "Is it so?"}


def told_views(told: Told, *, running: bool) -> tuple[ClaimView, ...]:
    """Before the report: each claim with its searches, and its verdict where it has one."""
    return tuple(
        _told_view(number_of(claim.id, place), claim, told, running=running)
        for place, claim in enumerate(told.claims or (), 1)
    )


def _told_view(number: int, claim: Claim, told: Told, *, running: bool) -> ClaimView:
    decided = told.decided.get(claim.id)
    searches = told.searches.get(claim.id, ())
    evidence = told_evidence(number, searches, decided.sources if decided else (), told.as_of)
    return ClaimView(
        number,
        claim.wording,
        claim.type,
        found_span(claim.span),
        _restated(claim),
        sign=canonical_sign(decided.verdict) if decided else None,
        confidence=wording.sure(decided.confidence).capitalize() if decided else "",
        rationale=decided.rationale if decided else "",
        correction=told.corrections.get(claim.id),
        about=_about(claim),
        phase=_phase(claim, told) if running else "",
        problem="" if decided else told.problem(claim.id),
        evidence=evidence if evidence.searches or evidence.sources else None,
        sources_read=len(decided.sources) if decided else 0,
    )


def _phase(claim: Claim, told: Told) -> str:
    if claim.id not in told.started:
        return "waiting its turn"
    found = sum(search.results for search in told.searches.get(claim.id, ()))
    return f"reading {wording.count(found, 'source')}" if found else "searching"


def shared_evidence(told: Told) -> EvidenceView | None:
    """Summary mode: the one round of searches for all claims."""
    return told_evidence(0, told.searches[None], (), told.as_of) if told.searches.get(None) else None


def decided_views(report: Report, told: Told) -> tuple[ClaimView, ...]:
    """With the report: claims with their verdicts and what these rest on; and those that came to none, with the reason."""
    numbering = Numbering(report)
    decided = {
        decision.claim.id: _decided_view(number, decision, numbering, report.engine)
        for number, decision in zip(numbering.claims, report.decisions, strict=True)
    }
    undecided = [
        _told_view(number_of(claim.id, place), claim, told, running=False)
        for place, claim in enumerate(told.claims or (), 1)
        if claim.id not in decided
    ]
    return tuple(sorted([*decided.values(), *undecided], key=lambda view: view.number))


def _decided_view(number: int, decision: Decision, numbering: Numbering, engine: str) -> ClaimView:
    claim, correction, validation = decision.claim, decision.correction, decision.validation
    return ClaimView(
        number,
        claim.wording,
        claim.type,
        found_span(claim.span),
        _restated(claim),
        sign=canonical_sign(decision.verdict),
        confidence=wording.certainty(decision).capitalize(),
        sureness=decision.confidence,
        rationale=decision.rationale,
        correction=correction.corrected if correction else None,
        quotations=tuple(_quotation(evidence, numbering) for evidence in quoted(decision)),
        citations=numbering.citations(decision),
        about=_about(claim),
        parts=tuple(map(_part, decision.parts)),
        account=_account(decision, validation, numbering, engine) if validation else None,
        evidence=read_evidence(number, validation, numbering, decision.as_of) if validation else None,
        sources_read=sources_used(decision),
    )


def _account(decision: Decision, validation: Validation, numbering: Numbering, engine: str) -> AccountView:
    return AccountView(
        summary=tuple(map(numbering.marked, reason(decision))),
        key_findings=tuple(map(numbering.marked, findings(decision, quoted(decision), engine=engine))),
        contradictions=tuple(map(numbering.marked, contradictions(decision))),
        temporal=_times(decision.temporal) if decision.temporal else (),
        consensus=f"{sources_line(validation).capitalize()}.",
        spent=calls_made(validation.usage),
        removed=validation.account.citations_removed,
    )


def _times(temporal: TemporalAnalysis) -> tuple[tuple[str, str], ...]:
    asked = (
        ("What time the claim is about", temporal.claim_timeframe),
        ("How current the evidence is", temporal.evidence_currency),
        ("What came before", temporal.historical_context),
        ("What time makes of the claim", temporal.temporal_verdict),
    )
    return tuple((question, answer) for question, answer in asked if answer)


def _part(part: Part) -> PartView:
    return PartView(_PARTS.get(part.name, part.name), canonical_sign(part.verdict), part_rationale(part))


def _about(claim: Claim) -> tuple[str, ...]:
    framing = (
        () if claim.framing.kind is FramingKind.DIRECT_FACTUAL else (wording.FRAMINGS[claim.framing.kind],)
    )
    return (f"{claim.risk.value.capitalize()} risk", claim.category, *framing)


def _restated(claim: Claim) -> str | None:
    return wording.checked_as(claim) or None


def _quotation(evidence: Evidence, numbering: Numbering) -> Quotation:
    return Quotation(
        stance=wording.STANCES[evidence.stance],
        tone=wording.STANCE_TONES[evidence.stance],
        quote=evidence.assessment.quote,
        reason=evidence.assessment.reason,
        name=wording.source_name(evidence.source),
        date=wording.day(evidence.date),
        number=numbering.source(evidence.source),
        differs=wording.differences_line(evidence),
    )


def report_sources(report: Report) -> tuple[SourceView, ...]:
    """The sources of a report, by their numbers."""
    return tuple(_source(number, source) for number, source in enumerate(report.sources, 1))


def _source(number: int, source: Source) -> SourceView:
    facts = (wording.day(source.date), standing(source), origin(source))
    return SourceView(
        number=number,
        name=wording.source_name(source),
        reference=source.reference,
        link=web_link(source.url),
        about=tuple(filter(None, facts)),
    )
