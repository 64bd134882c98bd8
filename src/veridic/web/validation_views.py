"""View models of claims and sources in summary and thorough mode: from events, then from the report."""

from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Decision, Part, TemporalAnalysis
from veridic.domain.evidence import Evidence, Source
from veridic.domain.own_names import own_name
from veridic.domain.report import Report
from veridic.domain.validation import Validation
from veridic.reporting import wording
from veridic.reporting.claim_account import (
    best_passages,
    contradictions,
    findings,
    quoted,
    reason,
)
from veridic.reporting.comparing import Pieces, compare
from veridic.reporting.escaping import web_link
from veridic.reporting.numbering import Numbering
from veridic.reporting.validation_wording import calls_made, origin, part_rationale, sources_line, standing
from veridic.web.claim_views import (
    AccountView,
    ClaimView,
    CorrectionView,
    PartView,
    Quotation,
    SourceView,
    claim_number,
    correction_views,
    nonempty_span,
)
from veridic.web.evidence_views import EvidenceView, live_evidence, report_evidence
from veridic.web.marks import canonical_sign
from veridic.web.own_names import source_name, source_place
from veridic.web.run_events import RunEvents
from veridic.web.source_links import document_link, passage_link

_OWN_SOURCE = "Own source"
_PART_QUESTIONS = {"attribution": "Was it said?", "content": "Is it so?"}


def live_views(events: RunEvents, *, running: bool) -> tuple[ClaimView, ...]:
    """Return the claims before the report, each with its searches and its verdict, if it has one."""
    return tuple(
        _live_view(claim_number(claim.id, place), claim, events, running=running)
        for place, claim in enumerate(events.claims or (), 1)
    )


def _live_view(number: int, claim: Claim, events: RunEvents, *, running: bool) -> ClaimView:
    decided = events.decided.get(claim.id)
    searches = events.searches.get(claim.id, ())
    evidence = live_evidence(number, searches, decided.sources if decided else (), events.as_of)
    return ClaimView(
        number,
        claim.wording,
        claim.type,
        nonempty_span(claim.span),
        None,
        sign=canonical_sign(decided.verdict) if decided else None,
        confidence=wording.sure(decided.confidence).capitalize() if decided else "",
        rationale=decided.rationale if decided else "",
        correction=_live_correction(events.corrections.get(claim.id)),
        read_as=wording.checked_as(claim),
        about=_about(claim),
        phase=_phase(claim, events) if running else "",
        problem="" if decided else events.problem(claim.id),
        evidence=evidence if evidence.searches or evidence.sources else None,
    )


def _live_correction(corrected: str | None) -> CorrectionView | None:
    return CorrectionView(corrected) if corrected else None


def _phase(claim: Claim, events: RunEvents) -> str:
    if claim.id not in events.started:
        return "waiting its turn"
    found = sum(search.results for search in events.searches.get(claim.id, ()))
    return f"reading {wording.count(found, 'source')}" if found else "searching"


def shared_evidence(events: RunEvents) -> EvidenceView | None:
    """Return summary mode's one round of searches for all claims."""
    return live_evidence(0, events.searches[None], (), events.as_of) if events.searches.get(None) else None


def report_views(report: Report, events: RunEvents) -> tuple[ClaimView, ...]:
    """Return the claims of the report with verdicts and evidence, and those without a verdict with the reason."""
    numbering = Numbering(report)
    corrections = correction_views(report)
    decided = {
        decision.claim.id: _report_view(number, decision, numbering, report.engine, corrections.get(number))
        for number, decision in zip(numbering.claims, report.decisions, strict=True)
    }
    undecided = [
        _live_view(claim_number(claim.id, place), claim, events, running=False)
        for place, claim in enumerate(events.claims or (), 1)
        if claim.id not in decided
    ]
    return tuple(sorted([*decided.values(), *undecided], key=lambda view: view.number))


def _report_view(
    number: int, decision: Decision, numbering: Numbering, engine: str, correction: CorrectionView | None
) -> ClaimView:
    claim, validation = decision.claim, decision.validation
    best = best_passages(decision)
    others = [e for e in decision.evidence if e not in best]
    compared = compare(
        claim.text, [(e.assessment.quote, e.assessment.differences) for e in (*best, *others)], len(best)
    )
    quotations = tuple(
        _quotation(evidence, words, numbering)
        for evidence, words in zip((*best, *others), compared.passages, strict=True)
    )
    return ClaimView(
        number,
        claim.wording,
        claim.type,
        nonempty_span(claim.span),
        None,
        sign=canonical_sign(decision.verdict),
        confidence=wording.certainty(decision).capitalize(),
        rationale=decision.rationale,
        correction=correction,
        read_as=wording.checked_as(claim),
        pieces=compared.claim if quotations else (),
        quotations=quotations[: len(best)],
        more_quotations=quotations[len(best) :],
        person=wording.person_line(decision),
        citations=numbering.citations(decision),
        about=_about(claim),
        parts=tuple(map(_part, decision.parts)),
        account=_account(decision, validation, numbering, engine) if validation else None,
        evidence=report_evidence(number, validation, numbering, decision.as_of) if validation else None,
    )


def _account(decision: Decision, validation: Validation, numbering: Numbering, engine: str) -> AccountView:
    return AccountView(
        summary=tuple(map(numbering.marked, reason(decision))),
        key_findings=tuple(map(numbering.marked, findings(decision, quoted(decision), engine=engine))),
        contradictions=tuple(map(numbering.marked, contradictions(decision))),
        temporal=_temporal_answers(decision.temporal) if decision.temporal else (),
        consensus=f"{sources_line(validation).capitalize()}.",
        spent=calls_made(validation.usage),
        removed=validation.account.citations_removed,
    )


def _temporal_answers(temporal: TemporalAnalysis) -> tuple[tuple[str, str], ...]:
    asked = (
        ("Time the claim is about", temporal.claim_timeframe),
        ("How current the evidence is", temporal.evidence_currency),
        ("Background", temporal.historical_context),
        ("Over time", temporal.temporal_verdict),
    )
    return tuple((question, answer) for question, answer in asked if answer)


def _part(part: Part) -> PartView:
    return PartView(
        _PART_QUESTIONS.get(part.name, part.name), canonical_sign(part.verdict), part_rationale(part)
    )


def _about(claim: Claim) -> tuple[str, ...]:
    framing = (
        () if claim.framing.kind is FramingKind.DIRECT_FACTUAL else (wording.FRAMINGS[claim.framing.kind],)
    )
    return (f"{claim.risk.value.capitalize()} risk", claim.category, *framing)


def _quotation(evidence: Evidence, pieces: Pieces, numbering: Numbering) -> Quotation:
    source = evidence.source
    return Quotation(
        stance=wording.STANCES[evidence.stance],
        tone=wording.STANCE_TONES[evidence.stance],
        pieces=pieces,
        name=source_name(source),
        link=passage_link(evidence.passage) or web_link(source.url),
        date=wording.day(evidence.date),
        standing=wording.TIERS[source.tier] if source.url else _OWN_SOURCE,
        number=numbering.source(source),
        differs=wording.differences_line(evidence),
    )


def report_sources(report: Report) -> tuple[SourceView, ...]:
    """Return the sources of a report by number."""
    return tuple(_source(number, source) for number, source in enumerate(report.sources, 1))


def _source(number: int, source: Source) -> SourceView:
    named = source.model_copy(update={"found_in": own_name(source.found_in)})
    facts = (wording.day(source.date), standing(source), origin(named))
    return SourceView(
        number=number,
        name=source_name(source),
        reference=source_place(source),
        link=document_link(source) or web_link(source.url),
        about=tuple(filter(None, facts)),
    )
