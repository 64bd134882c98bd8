"""A run's report with the verdicts of people, which lead; the machine's stay beside them."""

from collections.abc import Sequence

from veridic.decision.aggregation import article_summary, credibility_score, document_verdict
from veridic.desk.reading import People, load_claims
from veridic.desk.records import ClaimRecord, SourceRecord, Verification
from veridic.domain.claim import Claim, ClaimType, Framing, FramingKind, Risk
from veridic.domain.decision import Decision, PersonVerdict
from veridic.domain.document import Span
from veridic.domain.evidence import Assessment, Evidence, Passage, Source, SourceType, Stance, Tier
from veridic.domain.report import Report, collect_sources
from veridic.domain.verdicts import Scale, Verdict, read, say, words
from veridic.evidence.credibility import rate_quality
from veridic.reporting.numbering import SourceNumbers
from veridic.reporting.wording import count
from veridic.store.columns import storable
from veridic.store.rows import same_words
from veridic.store.runs import RunStore

_NOWHERE = (0, 0)
_STANCES = {True: Stance.SUPPORTING, False: Stance.CONTRADICTING, None: Stance.CONTEXTUAL}
_CORRECTABLE = (Verdict.REFUTED, Verdict.MISLEADING, Verdict.OUTDATED, Verdict.PARTIAL)


def load_report(store: RunStore, run_id: str) -> Report:
    """Return a run's report as it stands now, with what people decided. Raises what `RunStore.get` raises."""
    report = store.get(run_id)
    with store.read() as session:
        claims = load_claims(session, run_id, People(session))
    return with_people(report, claims)


def with_people(report: Report, claims: Sequence[ClaimRecord]) -> Report:
    """Return the report in which a person's verdict takes the place of the machine's, with all that follows from it.

    `claims` are those of the report's run. Claims that only people have decided come last. The report is unchanged
    if nobody has decided anything.
    """
    decided = {claim_key(claim.span, claim.text): claim for claim in claims if _by_person(claim)}
    if not decided:
        return report
    own = {claim_key(decision.claim.span, decision.claim.text) for decision in report.decisions}
    by_words = {same_words(key[1]): key for key in decided if key not in own}
    decisions: list[Decision] = []
    for decision in report.decisions:
        key = claim_key(decision.claim.span, decision.claim.text)
        # A claim that a person wrote has no place, and perhaps no full stop.
        if key not in decided:
            key = by_words.pop(same_words(decision.claim.text), key)
        claim = decided.pop(key, None)
        decisions.append(decision if claim is None else _with_person(decision, claim))
    for number, claim in enumerate(decided.values(), len(decisions) + 1):
        decisions.append(_with_person(_undecided(claim, number, report), claim, machine=False))
    return _summed_up(report, tuple(decisions))


def claim_key(span: Span | None, text: str) -> tuple[Span, str]:
    """Return what a claim of a report and its row at the desk have in common."""
    start, end = span or _NOWHERE
    return (start, end), storable(text)


def _by_person(claim: ClaimRecord) -> bool:
    leading = claim.leading
    return leading is not None and leading.is_by_person and leading.rating in words(Scale.RATING)


def _with_person(decision: Decision, claim: ClaimRecord, *, machine: bool = True) -> Decision:
    """Return the decision with a person's verdict, reason and sources. `machine`: whether the decision is the machine's."""
    verification = claim.leading
    if verification is None or verification.rating is None:
        return decision
    agrees = say(decision.verdict, Scale.RATING) == verification.rating
    # Where both say the same, the machine's verdict is the more exact: a person's scale has no word for OUTDATED.
    verdict = decision.verdict if machine and agrees else read(verification.rating, Scale.RATING)
    accepted = machine and agrees and verification.is_accepted
    person = PersonVerdict(
        verdict=verdict,
        by=verification.verified_by.name if verification.verified_by else None,
        at=verification.verified_at,
        # What was accepted stands in the machine's part of the decision already.
        notes="" if accepted else verification.notes or "",
        sources=() if accepted else tuple(map(_source, verification.sources)),
        accepted=accepted,
        machine_verdict=decision.verdict if machine else None,
        machine_confidence=decision.confidence if machine else 0.0,
        differs=machine and not agrees,
    )
    if accepted:
        return decision.model_copy(update={"confidence": 1.0, "person": person})
    return decision.model_copy(
        update={
            "verdict": verdict,
            "confidence": 1.0,
            "rationale": person.notes or "No reason was noted.",
            "evidence": (*_evidence(verification, decision), *decision.evidence),
            "correction": decision.correction if verdict in _CORRECTABLE else None,
            "person": person,
        }
    )


def _source(record: SourceRecord) -> Source:
    return Source(
        title=record.title or record.domain or record.url,
        type=SourceType.WEB,
        url=record.url,
        domain=record.domain,
        date=record.published,
        tier=next((tier for tier in Tier if tier == record.credibility_tier), Tier.UNKNOWN),
        credibility=0.5 if record.credibility_score is None else record.credibility_score,
    )


def _evidence(verification: Verification, decision: Decision) -> list[Evidence]:
    """Return the excerpts that a person noted as evidence; a source without one is only cited."""
    found = []
    for record in verification.sources:
        if not record.excerpt:
            continue
        passage = Passage(
            id=f"verification-source-{record.id}",
            source=_source(record),
            text=record.excerpt,
            start=0,
            end=len(record.excerpt),
        )
        assessment = Assessment(
            stance=_STANCES[record.supports_claim],
            probability=1.0,
            quote=record.excerpt,
            reason=record.notes or "A person read it.",
            relevance=1.0 if record.relevance_score is None else record.relevance_score,
            specificity=1.0,
        )
        quality = rate_quality(passage, assessment, decision.as_of)
        found.append(Evidence(passage=passage, assessment=assessment, quality=quality))
    return found


def _undecided(claim: ClaimRecord, number: int, report: Report) -> Decision:
    """Return a decision without a verdict for a claim that the machine's report doesn't have."""
    span = claim.span or _NOWHERE
    kind = (
        FramingKind(claim.claim_type) if claim.claim_type in list(FramingKind) else FramingKind.DIRECT_FACTUAL
    )
    return Decision(
        claim=Claim(
            id=f"claim_{number}",
            text=claim.text,
            quote=report.document.text[slice(*span)],
            span=span,
            sentence_index=claim.sentence_index or 0,
            context=claim.text,
            type=ClaimType.TECHNICAL,
            framing=Framing(kind=kind),
            risk=Risk.MEDIUM,
            category="General",
            priority=claim.priority,
            check_worthiness=1.0,
        ),
        verdict=Verdict.UNVERIFIABLE,
        confidence=0.0,
        rationale="",
        as_of=report.as_of,
    )


def _summed_up(report: Report, decisions: tuple[Decision, ...]) -> Report:
    """Return the report with these decisions, and with verdict, score, summary and sources that follow from them."""
    summary = article_summary(decisions)
    sources = collect_sources(decisions, summary)
    by_people = sum(decision.person is not None for decision in decisions)
    verb = "was" if by_people == 1 else "were"
    note = f"{by_people} of {count(len(decisions), 'claim')} {verb} decided by people."
    return report.model_copy(
        update={
            "verdict": document_verdict(decisions),
            "credibility_score": credibility_score(decisions),
            "by_claims": None,
            "summary": f"{SourceNumbers(sources).cited(summary)} {note}",
            "decisions": decisions,
            "sources": sources,
        }
    )
