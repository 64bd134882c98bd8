"""A run of summary or thorough mode to show: four claims, fourteen sources, a channel that fails, a claim that fails."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from tests.builders import make_cited, make_claim, make_document, make_evidence, make_source

from veridic.domain.claim import Claim, ClaimType, Framing, FramingKind, Risk
from veridic.domain.decision import Correction, CorrectionType, Decision, Part, TemporalAnalysis
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Channel, Evidence, Source, Stance, Tier
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report, collect_sources
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import Usage
from veridic.domain.validation import Account, Citation, SourceConsensus, SourceStance, Validation
from veridic.domain.verdicts import Verdict
from veridic.runtime.client_events import as_logged
from veridic.store.event_log import LoggedEvent

AS_OF = date(2026, 11, 16)
TEXT = """# The price of money

The central bank raised its key rate to 5.5 percent in December 2024. It was the sixth rise in a row.
The governor said that inflation had fallen to 3.4 percent. The bank of today still charges 5.5 percent.

I think that is far too much.
"""
PROBLEM = "Exa did not answer within 20 seconds."
UNREAD = "test/validator gave no answer that could be read, twice."

_NEWS = (
    ("Central bank lifts key rate to 5.5%", "reuters.com", "2026-11-14", Tier.NATIONAL_NEWS),
    ("Markets shrug off the decision", "apnews.com", "2026-10-30", Tier.NATIONAL_NEWS),
    ("Rate cut to 4.25% takes effect", "bbc.com", "2026-11-02", Tier.NATIONAL_NEWS),
)
_RESEARCH = (
    ("How policy rates reach households", "nature.com", "2025-06-10", Tier.RESEARCH_INSTITUTIONS),
    ("Rates and prices: a panel", "arxiv.org", "2024-12", Tier.RESEARCH_INSTITUTIONS),
)
_GENERAL = (
    ("Key rate", "wikipedia.org", "2025-02-01", Tier.UNKNOWN),
    ("What the 2024 decisions meant", "brookings.edu", "2024-12-20", Tier.RESEARCH_INSTITUTIONS),
    ("Press release of 15 December 2024", "centralbank.gov", "2024-12-15", Tier.FEDERAL_GOVERNMENT),
)
_HISTORICAL = (
    ("Fighting inflation in the 1980s", "history.example", "1985-03-12", Tier.UNKNOWN),
    ("A century of rates", "history.example", "1998", Tier.UNKNOWN),
    ("An undated leaflet", "leaflet.example", None, Tier.BLOGS_OPINION),
)
FOUND: dict[Channel, tuple[tuple[str, str, str | None, Tier], ...]] = {
    Channel.NEWS: _NEWS,
    Channel.RESEARCH: _RESEARCH,
    Channel.GENERAL: _GENERAL,
    Channel.HISTORICAL: _HISTORICAL,
}


def found(channel: Channel) -> tuple[Source, ...]:
    return tuple(
        make_source(
            title,
            url=f"https://{domain}/{title.lower().replace(' ', '-')}",
            domain=domain,
            published=published,
            channel=channel,
            found_in="exa",
            tier=tier,
        )
        for title, domain, published, tier in FOUND[channel]
    )


def search(channel: Channel, *, fails: bool = False) -> ChannelSearch:
    return ChannelSearch(
        channel=channel,
        query=f"central bank key rate {channel} (current date: 2026-11-16)",
        asked=("exa",),
        published_from={Channel.NEWS: date(2026, 10, 17), Channel.HISTORICAL: None}.get(
            channel, date(2024, 11, 16)
        ),
        published_to=AS_OF,
        results=0 if fails else len(FOUND[channel]),
        problems=(PROBLEM,) if fails else (),
    )


def document() -> Document:
    return make_document(TEXT, source="text")


def claims() -> tuple[Claim, ...]:
    text = document()
    return (
        make_claim(
            "The central bank raised its key rate to 5.5 percent in December 2024.",
            number=1, document=text, type=ClaimType.STATISTIC, risk=Risk.HIGH, category="Economy",
        ),
        make_claim(
            "It was the sixth rise in a row.",
            number=2, text="The rise of December 2024 was the sixth rise in a row.", document=text,
            type=ClaimType.COMPARISON, risk=Risk.MEDIUM, category="Economy",
        ),
        make_claim(
            "The governor said that inflation had fallen to 3.4 percent.",
            number=3, document=text, type=ClaimType.ATTRIBUTION, risk=Risk.HIGH, category="Economy",
            framing=Framing(
                kind=FramingKind.HEARSAY, speaker="The governor", underlying_claim="Inflation has fallen to 3.4 percent."
            ),
        ),
        make_claim(
            "The bank of today still charges 5.5 percent.",
            number=4, document=text, type=ClaimType.STATISTIC, risk=Risk.HIGH, category="Economy",
        ),
    )  # fmt: skip


def _stances(against: Sequence[str], context: Sequence[str]) -> tuple[SourceStance, ...]:
    def stance(one: Source) -> Stance:
        if one.title in against:
            return Stance.CONTRADICTING
        return Stance.CONTEXTUAL if one.title in context else Stance.SUPPORTING

    return tuple(
        SourceStance(source=one, stance=stance(one)) for channel in Channel for one in found(channel)
    )


_CONTEXT = ("Markets shrug off the decision", "How policy rates reach households", "Fighting inflation in the 1980s",
            "A century of rates", "An undated leaflet", "Key rate")  # fmt: skip


def _validation(
    stances: tuple[SourceStance, ...], account: Account, consensus: SourceConsensus, *, fails: bool = False
) -> Validation:
    return Validation(
        account=account,
        sources=stances,
        consensus=consensus,
        searches=tuple(search(one, fails=fails and one is Channel.RESEARCH) for one in Channel),
        usage=Usage(
            input_tokens=4_120, output_tokens=610, calls=1, cost_usd=0.0171, searches=4, search_cost_usd=0.01
        ),
        processing_time_ms=8_420,
    )


def _citations(stances: Sequence[SourceStance]) -> tuple[Citation, ...]:
    return tuple(
        Citation(source=one.source, relevance="It reports the decision itself.") for one in stances[:4]
    )


def _evidence(quote: str, stance: Stance, one: Source) -> Evidence:
    return make_evidence(quote, stance=stance, source=one)


def decisions() -> tuple[Decision, ...]:
    """Of claims 1, 3 and 4; claim 2 came to none."""
    first, _, third, fourth = claims()
    agreed = _stances((), _CONTEXT)
    turned = _stances(("Rate cut to 4.25% takes effect", "Central bank lifts key rate to 5.5%"), _CONTEXT)
    release, cut = agreed[7].source, turned[2].source
    return (
        Decision(
            claim=first,
            verdict=Verdict.SUPPORTED,
            confidence=0.95,
            rationale="Five sources state it.",
            evidence=(_evidence("The key rate is raised to 5.5 percent.", Stance.SUPPORTING, release),),
            temporal=TemporalAnalysis(
                claim_timeframe="December 2024.",
                evidence_currency="The newest source is of 14 November 2026, 2 days before the check.",
                historical_context="The oldest source is of 12 March 1985.",
                temporal_verdict="No newer source says otherwise.",
            ),
            validation=_validation(
                agreed,
                Account(
                    summary=(make_cited("The bank raised its key rate to 5.5 percent.", release, agreed[0].source),),
                    key_findings=(
                        make_cited("The decision was announced on 15 December 2024.", release),
                        make_cited("It followed a year of rising prices.", agreed[4].source, agreed[6].source),
                    ),
                    citations=_citations(agreed),
                    citations_removed=1,
                ),
                SourceConsensus.STRONG_AGREEMENT,
            ),
            passages_read=14,
            as_of=AS_OF,
        ),
        Decision(
            claim=third,
            verdict=Verdict.UNVERIFIABLE,
            confidence=0.0,
            rationale="No source quotes the governor.",
            parts=(
                Part(name="attribution", text=third.text, verdict=Verdict.UNVERIFIABLE, confidence=0.0, rationale="No source quotes the governor."),
                Part(name="content", text="Inflation has fallen to 3.4 percent.", verdict=Verdict.SUPPORTED, confidence=0.7, rationale="One source gives the figure."),
            ),
            validation=_validation((), Account(), SourceConsensus.INSUFFICIENT_DATA),
            as_of=AS_OF,
        ),
        Decision(
            claim=fourth,
            verdict=Verdict.OUTDATED,
            confidence=0.88,
            rationale="It was so until 2 November 2026; the rate is 4.25 percent since.",
            evidence=(
                _evidence("The cut to 4.25 percent takes effect today.", Stance.CONTRADICTING, cut),
                _evidence("The key rate is raised to 5.5 percent.", Stance.SUPPORTING, release),
            ),
            correction=Correction(
                type=CorrectionType.UPDATE,
                original=fourth.text,
                corrected="The bank charges 4.25 percent since 2 November 2026.",
                confidence=0.88,
                sources=(cut,),
            ),
            temporal=TemporalAnalysis(
                claim_timeframe="The present, 16 November 2026.",
                evidence_currency="The newest source is of 14 November 2026.",
                historical_context="From 15 December 2024 to 2 November 2026 the rate was 5.5 percent.",
                temporal_verdict="Once right; since 2 November 2026 no longer so.",
            ),
            validation=_validation(
                turned,
                Account(
                    summary=(make_cited("The rate was cut to 4.25 percent in November 2026.", cut),),
                    contradictions=(
                        make_cited("One source still gives 5.5 percent, another 4.25 percent.", release, cut),
                    ),
                    citations=_citations(turned),
                ),
                SourceConsensus.SPLIT,
                fails=True,
            ),
            passages_read=14,
            as_of=AS_OF,
        ),
    )  # fmt: skip


FAILURES = (
    Failure(stage="validate", message=UNREAD, claim_id="claim_2"),
    Failure(stage="search", message=PROBLEM),
)


def report(mode: Mode = Mode.THOROUGH) -> Report:
    decided = decisions() if mode is Mode.THOROUGH else decisions()[:1]
    return Report(
        mode=mode.value,
        engine="llm",
        as_of=AS_OF,
        document=document(),
        verdict=Verdict.MISLEADING,
        credibility_score=61,
        summary="Of 4 claims 1 holds, 1 is outdated and 2 are open [1][3].",
        decisions=decided,
        sources=collect_sources(decided),
        corpora=("exa",),
        errors=FAILURES if mode is Mode.THOROUGH else (),
        usage=Usage(input_tokens=12_400, output_tokens=1_850, calls=4, cost_usd=0.0513, searches=16, search_cost_usd=0.04),
        usage_by_stage={
            "extract": Usage(input_tokens=1_200, output_tokens=400, calls=1, cost_usd=0.002),
            "search": Usage(searches=16, search_cost_usd=0.04, cost_usd=0.04),
            "validate": Usage(input_tokens=11_200, output_tokens=1_450, calls=3, cost_usd=0.0093),
        },
        processing_time_ms=26_300,
    )  # fmt: skip


def _event(name: EventName, **data: Any) -> Event:
    return Event(name=name, data=data)


def _searched(claim_id: str | None, channel: Channel, *, fails: bool = False) -> Event:
    made = search(channel, fails=fails)
    sources = [
        {
            "title": one.title,
            "url": one.url,
            "domain": one.domain,
            "date": str(one.date) if one.date else None,
        }
        for one in (() if fails else found(channel))
    ]
    data = {
        "claim_id": claim_id,
        **made.model_dump(mode="json"),
        "succeeded": made.succeeded,
        "sources": sources,
    }
    return Event(name=EventName.SEARCH_COMPLETED, data=data)


def _spent(share: int) -> Event:
    return _event(
        EventName.USAGE_UPDATED,
        input_tokens=3_100 * share, output_tokens=462 * share, calls=share, searches=4 * share, cost_usd=0.0128 * share,
    )  # fmt: skip


def _checked(decision: Decision, share: int, *, shared: bool = False, fails: bool = False) -> Iterator[Event]:
    claim = decision.claim
    yield _event(EventName.CLAIM_STARTED, claim_id=claim.id, text=claim.text)
    for channel in () if shared else Channel:
        yield _searched(claim.id, channel, fails=fails and channel is Channel.RESEARCH)
    validation = decision.validation
    counts = {stance.value: validation.count(stance) if validation else 0 for stance in Stance}
    read = len(validation.sources) if validation else 0
    yield _event(
        EventName.EVIDENCE_COLLECTED, claim_id=claim.id, passages=read, sources_checked=read, **counts
    )
    if decision.correction:
        correction = decision.correction.model_dump(mode="json")
        yield _event(EventName.CORRECTION_GENERATED, claim_id=claim.id, correction=correction)
    yield _event(EventName.CLAIM_DECIDED, decision=decision)
    yield _spent(share)


def events(mode: Mode = Mode.THOROUGH) -> list[Event]:
    """The run as the pipeline tells it."""
    listed = claims() if mode is Mode.THOROUGH else claims()[:1]
    beginning = [
        _event(EventName.CHECK_STARTED, mode=mode.value, engine="llm", source="text", as_of=AS_OF.isoformat()),
        _event(
            EventName.CLAIMS_EXTRACTED,
            claims=[claim.model_dump(mode="json") for claim in listed], left_out=1, language="en",
        ),
    ]  # fmt: skip
    ending = [_event(EventName.REPORT_READY, report=report(mode))]
    if mode is Mode.SUMMARY:
        searches = [_searched(None, channel) for channel in Channel]
        return [*beginning, *searches, *_checked(decisions()[0], 1, shared=True), *ending]
    first, third, fourth = decisions()
    failing = [
        _event(EventName.CLAIM_STARTED, claim_id="claim_2", text=claims()[1].text),
        *(_searched("claim_2", channel) for channel in Channel),
        _event(EventName.STAGE_FAILED, failure=FAILURES[0].model_dump()),
    ]
    last = [
        *_checked(fourth, 4, fails=True),
        _event(EventName.STAGE_FAILED, failure=FAILURES[1].model_dump()),
    ]
    return [*beginning, *_checked(first, 1), *failing, *_checked(third, 3), *last, *ending]


def logged(happened: Sequence[Event], mode: Mode = Mode.THOROUGH) -> list[LoggedEvent]:
    """As clients are told."""
    shown = [one for one in (as_logged(event, mode, "FC-2026-000042") for event in happened) if one]
    return [LoggedEvent(number, name, data) for number, (name, data) in enumerate(shown, 1)]
