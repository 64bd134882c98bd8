"""Nouns for tests: each function makes a valid one, and a test names only what it is about.

`sample_report` is a whole, realistic report with every kind of verdict, framing and date precision.
"""

from collections.abc import Sequence
from datetime import date

from veridic.domain.claim import (
    Claim,
    ClaimType,
    Framing,
    FramingKind,
    Omission,
    OmissionReason,
    Priority,
    Risk,
)
from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, CorrectionType, Decision, Part, TemporalAnalysis
from veridic.domain.document import Block, BlockKind, Document
from veridic.domain.evidence import (
    TIER_SCORES,
    Assessment,
    Channel,
    Detail,
    Difference,
    Evidence,
    Found,
    Passage,
    Quality,
    Source,
    SourceType,
    Stance,
    Tier,
)
from veridic.domain.report import Failure, Report, collect_sources
from veridic.domain.search import ChannelSearch, Gathered
from veridic.domain.usage import Usage
from veridic.domain.validation import (
    Account,
    Citation,
    CitedSentence,
    SourceConsensus,
    SourceStance,
    Validation,
)
from veridic.domain.verdicts import Verdict

AS_OF = date(2026, 11, 15)

SAMPLE_TEXT = """# Notes on Australia 🦘

The capital of Australia is Canberra. Its population is about 40 million.
The café owner said that inflation doubled last year. People are saying the census was rigged.
Internal memos show that staff numbers fell by half. The unemployment rate is 3.5 percent.
Melbourne is the world's most liveable city. I love its beaches.
"""


def make_document(
    text: str = SAMPLE_TEXT, *, source: str = "article.md", title: str | None = None
) -> Document:
    return Document(
        text=text,
        source=source,
        media_type="text/markdown",
        blocks=(Block(kind=BlockKind.PARAGRAPH, runs=((0, len(text)),)),),
        title=title,
    )


def make_source(
    title: str = "The World Factbook: Australia",
    *,
    url: str | None = "https://www.cia.gov/the-world-factbook/countries/australia/",
    path: str | None = None,
    domain: str | None = "cia.gov",
    published: str | None = "2025-03-01",
    channel: str = Channel.GENERAL,
    found_in: str = "reference",
    tier: Tier = Tier.FEDERAL_GOVERNMENT,
) -> Source:
    return Source(
        title=title,
        type=SourceType.WEB if url else SourceType.DOCUMENTATION,
        url=url,
        path=path,
        domain=domain,
        date=PartialDate.parse(published) if published else None,
        channel=channel,
        found_in=found_in,
        tier=tier,
        credibility=TIER_SCORES[tier],
    )


def make_difference(in_claim: str, in_passage: str, kind: Detail = Detail.FIGURE) -> Difference:
    return Difference(kind=kind, in_claim=in_claim, in_passage=in_passage)


def make_evidence(
    quote: str = "The capital of Australia is Canberra.",
    *,
    stance: Stance = Stance.SUPPORTING,
    source: Source | None = None,
    relevance: float = 0.9,
    differences: tuple[Difference, ...] = (),
    copies: tuple[Source, ...] = (),
) -> Evidence:
    source = source or make_source()
    return Evidence(
        passage=Passage(
            id=f"{source.found_in}:{len(quote)}",
            source=source,
            text=f"{quote} It lies inland.",
            start=0,
            end=len(quote) + len(" It lies inland."),
            score=7.5,
        ),
        assessment=Assessment(
            stance=stance,
            probability=0.95,
            quote=quote,
            reason="The passage states the very thing.",
            relevance=relevance,
            specificity=0.8,
            differences=differences,
        ),
        quality=Quality(authority=source.credibility, recency=0.8, relevance=relevance, specificity=0.8),
        copies=copies,
    )


def make_claim(
    quote: str = "The capital of Australia is Canberra.",
    *,
    number: int = 1,
    text: str | None = None,
    document: Document | None = None,
    type: ClaimType = ClaimType.TECHNICAL,  # noqa: A002
    framing: Framing | None = None,
    risk: Risk = Risk.LOW,
    category: str = "Geography",
    priority: Priority = Priority.MEDIUM,
) -> Claim:
    """A claim whose span is the first place `quote` stands in the document."""
    start = (document or make_document()).text.index(quote)
    return Claim(
        id=f"claim_{number}",
        text=text or quote,
        quote=quote,
        span=(start, start + len(quote)),
        sentence_index=number - 1,
        context=quote,
        type=type,
        framing=framing or Framing(),
        risk=risk,
        category=category,
        priority=priority,
        check_worthiness=0.75,
    )


def make_decision(
    claim: Claim | None = None,
    verdict: Verdict = Verdict.SUPPORTED,
    *,
    evidence: Sequence[Evidence] | None = None,
    confidence: float = 0.93,
    rationale: str = "One source states it.",
    correction: Correction | None = None,
    temporal: TemporalAnalysis | None = None,
    validation: Validation | None = None,
    parts: tuple[Part, ...] = (),
    opinions: tuple[ClaimVerification, ...] = (),
    gates: tuple[str, ...] = (),
) -> Decision:
    return Decision(
        claim=claim or make_claim(),
        verdict=verdict,
        confidence=confidence,
        rationale=rationale,
        evidence=tuple([make_evidence()] if evidence is None else evidence),
        correction=correction,
        temporal=temporal,
        validation=validation,
        parts=parts,
        opinions=opinions,
        gates=gates,
        passages_read=12,
        as_of=AS_OF,
    )


def make_search(
    channel: Channel = Channel.NEWS,
    *,
    query: str = "capital of Australia (current date: 2026-11-15)",
    asked: tuple[str, ...] = ("reference", "desk"),
    corpora: tuple[str, ...] = (),
    published_from: date | None = None,
    results: int = 5,
    problems: tuple[str, ...] = (),
) -> ChannelSearch:
    return ChannelSearch(
        channel=channel,
        query=query,
        asked=asked,
        corpora=corpora,
        published_from=published_from,
        published_to=AS_OF,
        results=results,
        problems=problems,
    )


def make_found(
    text: str = "The capital of Australia is Canberra.",
    *,
    source: Source | None = None,
    score: float = 1.0,
    copies: tuple[Source, ...] = (),
) -> Found:
    source = source or make_source()
    passage = Passage(
        id=f"{source.location}:0-{len(text)}", source=source, text=text, start=0, end=len(text), score=score
    )
    return Found(passage, copies)


def make_gathered(
    question: str = "The capital of Australia is Canberra.",
    *,
    found: Sequence[Found] | None = None,
    rest: Sequence[Passage] = (),
    searches: Sequence[ChannelSearch] | None = None,
) -> Gathered:
    """By default one passage, and four searches that were all answered."""
    return Gathered(
        question=question,
        searches=tuple([make_search(channel) for channel in Channel] if searches is None else searches),
        found=tuple([make_found()] if found is None else found),
        rest=tuple(rest),
    )


def make_cited(text: str = "The capital of Australia is Canberra.", *sources: Source) -> CitedSentence:
    return CitedSentence(text=text, sources=sources)


def make_account(
    *sources: Source,
    summary: Sequence[CitedSentence] | None = None,
    key_findings: Sequence[CitedSentence] | None = None,
    contradictions: Sequence[CitedSentence] = (),
    citations_removed: int = 0,
) -> Account:
    """An account that cites `sources`, by default the factbook, in everything it says."""
    cited = sources or (make_source(),)
    finding = make_cited("The capital has been Canberra since 1913.", *cited)
    return Account(
        summary=tuple([make_cited("The sources name Canberra.", *cited)] if summary is None else summary),
        key_findings=tuple([finding] if key_findings is None else key_findings),
        contradictions=tuple(contradictions),
        citations=tuple(
            Citation(source=source, relevance="It speaks of the very thing.") for source in cited
        ),
        citations_removed=citations_removed,
    )


def make_validation(
    sources: Sequence[SourceStance] | None = None,
    *,
    account: Account | None = None,
    consensus: SourceConsensus = SourceConsensus.STRONG_AGREEMENT,
    searches: Sequence[ChannelSearch] | None = None,
    usage: Usage | None = None,
    processing_time_ms: int = 840,
) -> Validation:
    """What stands behind a verdict, by default the factbook alone, and four searches that were answered."""
    read = [SourceStance(source=make_source(), stance=Stance.SUPPORTING)] if sources is None else sources
    return Validation(
        account=account or make_account(*(one.source for one in read)),
        sources=tuple(read),
        consensus=consensus,
        searches=tuple([make_search(channel) for channel in Channel] if searches is None else searches),
        usage=usage or Usage(),
        processing_time_ms=processing_time_ms,
    )


def make_report(
    decisions: Sequence[Decision] | None = None,
    *,
    document: Document | None = None,
    verdict: Verdict = Verdict.SUPPORTED,
    credibility_score: int | None = 95,
    omissions: tuple[Omission, ...] = (),
    errors: tuple[Failure, ...] = (),
    processing_time_ms: int = 1234,
) -> Report:
    decided = tuple([make_decision()] if decisions is None else decisions)
    return Report(
        mode="thorough",
        engine="embedded",
        as_of=AS_OF,
        document=document or make_document(),
        verdict=verdict,
        credibility_score=credibility_score,
        summary="What the article says about Australia was compared with two sources.",
        decisions=decided,
        omissions=omissions,
        sources=collect_sources(decided),
        corpora=("reference", "desk"),
        errors=errors,
        usage=Usage(input_tokens=0, output_tokens=0, calls=0, cost_usd=0.0),
        processing_time_ms=processing_time_ms,
    )


def sample_decisions(document: Document) -> tuple[Decision, ...]:
    """One decision of each kind, in the order of `SAMPLE_TEXT`."""
    factbook = make_source()
    handbook = make_source(
        "Handbook of Australia",
        url=None,
        path="sources/handbook.txt",
        domain=None,
        published="2024",
        channel=Channel.HISTORICAL,
        found_in="desk",
        tier=Tier.UNKNOWN,
    )
    weekly = make_source(
        "Liveable cities",
        url="https://weekly.example/cities?a=1&b=<2>",
        domain="weekly.example",
        published="2023-06",
        channel=Channel.NEWS,
        found_in="desk",
        tier=Tier.REGIONAL_NEWS,
    )
    return (
        make_decision(make_claim(document=document, number=1)),
        _wrong_population(document, factbook),
        _reported_inflation(document, handbook),
        _insinuated_census(document, handbook),
        _private_memos(document),
        _old_unemployment(document, factbook),
        _contested_city(document, handbook, weekly),
    )


def sample_report() -> Report:
    """A realistic report that has one of everything a face must be able to show."""
    document = make_document(title="Notes on Australia 🦘")
    opinion = "I love its beaches."
    start = document.text.index(opinion)
    return make_report(
        sample_decisions(document),
        document=document,
        verdict=Verdict.MISLEADING,
        credibility_score=48,
        omissions=(
            Omission(
                span=(start, start + len(opinion)),
                text=opinion,
                reason=OmissionReason.OPINION,
                detail="I love",
            ),
        ),
        errors=(Failure(stage="evidence", message="The index of the corpus desk was busy.", claim_id=None),),
        processing_time_ms=21_400,
    ).model_copy(
        update={
            "engine": "llm",
            "usage": _spent(),
            "usage_by_stage": {"extract": Usage(), "validate": _spent()},
        }
    )


def _spent() -> Usage:
    """What the one model call and the four searches of the sample report cost."""
    return Usage(
        input_tokens=3100,
        output_tokens=420,
        calls=1,
        cost_usd=0.0151,
        searches=4,
        search_cost_usd=0.01,
    )


def _wrong_population(document: Document, factbook: Source) -> Decision:
    quote = "Its population is about 40 million."
    said = "Population of Australia: 26,768,598 (2024 est.)."
    return make_decision(
        make_claim(
            quote,
            number=2,
            text="Australia's population is about 40 million.",
            document=document,
            type=ClaimType.STATISTIC,
            category="Demographics",
            risk=Risk.HIGH,
            priority=Priority.HIGH,
        ),
        Verdict.REFUTED,
        evidence=[
            make_evidence(
                said,
                stance=Stance.CONTRADICTING,
                source=factbook,
                differences=(make_difference("40 million", "26,768,598"),),
            )
        ],
        rationale="The source gives 26,768,598, not about 40 million.",
        validation=_validated_population(factbook),
        correction=Correction(
            type=CorrectionType.REPLACE,
            original=quote,
            corrected="Its population is about 26.8 million.",
            confidence=0.9,
            sources=(factbook,),
        ),
    )


def _validated_population(factbook: Source) -> Validation:
    """Read by a language model; one search failed."""
    study = make_source(
        "Projections of population",
        url="https://journal.example/projections",
        domain="journal.example",
        published="2024-11",
        channel=Channel.RESEARCH,
        found_in="exa",
        tier=Tier.RESEARCH_INSTITUTIONS,
    )
    undated = make_source(
        "Forum", url="https://forum.example/1", domain="forum.example", published=None, tier=Tier.UNKNOWN
    )
    failed = make_search(
        Channel.NEWS, asked=("exa",), results=0, problems=("Exa gave no answer within 20 seconds.",)
    )
    return make_validation(
        [
            SourceStance(source=factbook, stance=Stance.CONTRADICTING),
            SourceStance(source=study, stance=Stance.CONTRADICTING),
            SourceStance(source=undated, stance=Stance.CONTEXTUAL),
        ],
        account=make_account(
            factbook,
            study,
            summary=[make_cited("Australia has about 26.8 million inhabitants.", factbook, study)],
            key_findings=[
                make_cited("An estimate for 2024 is 26,768,598.", factbook),
                make_cited("Projections reach 40 million after 2060 at the earliest", study),
            ],
            citations_removed=1,
        ),
        searches=[failed, *(make_search(channel, asked=("exa",)) for channel in list(Channel)[1:])],
        usage=_spent(),
    )


def _reported_inflation(document: Document, handbook: Source) -> Decision:
    return make_decision(
        make_claim(
            "The café owner said that inflation doubled last year.",
            number=3,
            document=document,
            type=ClaimType.ATTRIBUTION,
            category="Economy",
            framing=Framing(
                kind=FramingKind.HEARSAY,
                patterns_matched=("said that",),
                hearsay_confidence=0.9,
                speaker="The café owner",
                underlying_claim="Inflation doubled last year.",
            ),
        ),
        Verdict.PARTIAL,
        evidence=[
            make_evidence("Inflation rose in 2023.", source=handbook),
            make_evidence("Inflation did not double.", stance=Stance.CONTRADICTING, source=handbook),
        ],
        confidence=0.6,
        rationale="That it was said could not be verified; what was said holds in part.",
        opinions=(
            ClaimVerification(
                claim_id="claim_3",
                verdict=ConsensusVerdict.DISPUTED,
                evidence="Prices rose by a tenth.",
                correction="Inflation rose by a tenth.",
                confidence=Confidence.MEDIUM,
                checker_model="vendor/checker",
            ),
        ),
        parts=(
            Part(
                name="attribution",
                text="The café owner said it.",
                verdict=Verdict.UNVERIFIABLE,
                confidence=0.0,
                rationale="No source quotes the speaker.",
            ),
            Part(
                name="content",
                text="Inflation doubled last year.",
                verdict=Verdict.PARTIAL,
                confidence=0.6,
                rationale="It rose, but did not double.",
            ),
        ),
    )


def _insinuated_census(document: Document, handbook: Source) -> Decision:
    return make_decision(
        make_claim(
            "People are saying the census was rigged.",
            number=4,
            document=document,
            category="Politics",
            risk=Risk.HIGH,
            framing=Framing(
                kind=FramingKind.PLAUSIBLE_DENIABILITY,
                patterns_matched=("people are saying",),
                deniability_score=0.85,
                underlying_claim="The census was rigged.",
            ),
        ),
        Verdict.UNVERIFIABLE,
        evidence=[
            make_evidence("A census is held every five years.", stance=Stance.CONTEXTUAL, source=handbook)
        ],
        confidence=0.0,
        rationale="No passage speaks for or against it.",
        gates=("no citation",),
    )


def _private_memos(document: Document) -> Decision:
    return make_decision(
        make_claim(
            "Internal memos show that staff numbers fell by half.",
            number=5,
            document=document,
            category="Economy",
            framing=Framing(
                kind=FramingKind.PRIVATE_DATA,
                patterns_matched=("internal memos",),
                private_data_detected=True,
            ),
        ),
        Verdict.UNVERIFIABLE,
        evidence=[],
        confidence=0.0,
        rationale="It rests on private data.",
    )


def _old_unemployment(document: Document, factbook: Source) -> Decision:
    return make_decision(
        make_claim(
            "The unemployment rate is 3.5 percent.",
            number=6,
            document=document,
            type=ClaimType.STATISTIC,
            category="Economy",
        ),
        Verdict.OUTDATED,
        evidence=[
            make_evidence("The unemployment rate was 3.5 percent in 2022.", source=factbook),
            make_evidence(
                "The unemployment rate is 4.1 percent.", stance=Stance.CONTRADICTING, source=factbook
            ),
        ],
        rationale="It was so in 2022; the newer figure is 4.1 percent.",
        temporal=TemporalAnalysis(
            claim_timeframe="The present.",
            evidence_currency="The newest source is of 2025-03-01.",
            historical_context="The figure held in 2022.",
            temporal_verdict="Once right, no longer so.",
        ),
        validation=make_validation(
            [SourceStance(source=factbook, stance=Stance.CONTRADICTING)],
            account=make_account(
                factbook,
                summary=[make_cited("The rate was 3.5 percent in 2022, and is 4.1 percent now.", factbook)],
                key_findings=[],
            ),
        ),
    )


def _contested_city(document: Document, handbook: Source, weekly: Source) -> Decision:
    return make_decision(
        make_claim(
            "Melbourne is the world's most liveable city.",
            number=7,
            document=document,
            type=ClaimType.COMPARISON,
        ),
        Verdict.CONTESTED,
        evidence=[
            make_evidence(
                "Melbourne was ranked first.",
                source=weekly,
                copies=(make_source("Reprint", url="https://copy.example/1", domain="copy.example"),),
            ),
            make_evidence("Vienna was ranked first.", stance=Stance.CONTRADICTING, source=handbook),
        ],
        rationale="Two sources disagree.",
        validation=make_validation(
            [
                SourceStance(source=weekly, stance=Stance.SUPPORTING),
                SourceStance(source=handbook, stance=Stance.CONTRADICTING),
            ],
            account=make_account(
                weekly,
                handbook,
                summary=[make_cited("Rankings differ on the city.", weekly, handbook)],
                key_findings=[],
                contradictions=[
                    make_cited("One ranking puts Melbourne first, another Vienna.", weekly, handbook)
                ],
            ),
            consensus=SourceConsensus.SPLIT,
        ),
    )
