"""A sample report: an article in Markdown with twenty claims about countries."""

import re
from datetime import date

from tests.builders import (
    make_account,
    make_cited,
    make_claim,
    make_decision,
    make_evidence,
    make_search,
    make_source,
    make_validation,
    sample_report,
)

from veridic.decision.source_consensus import source_consensus
from veridic.domain.claim import ClaimType, Framing, FramingKind, Omission, OmissionReason, Risk
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, CorrectionType, Decision, TemporalAnalysis
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.domain.evidence import Channel, Evidence, Source, Stance, Tier
from veridic.domain.report import Failure, Report, collect_sources
from veridic.domain.usage import Usage
from veridic.domain.validation import SourceStance, Validation
from veridic.domain.verdicts import Verdict

TEXT = """# A week across the Andes, and three capitals

**Peru is larger than you think.** It covers 1,285,216 square kilometres, and Lima is its capital. The
country has about 52 million inhabitants. Its highest point is Nevado Huascaran, at 6,746 metres.

## The neighbours

Bolivia borders five countries. It has no coast on the Pacific, and its currency is the
boliviano. People are saying the lithium contracts were rigged. I think the salt flats are the
most beautiful place on earth.

- Ecuador uses the US dollar as its currency.
- Quito, at 2,850 metres, is the highest capital city in the world.
- The population of Ecuador is 16.5 million.

> “Chile has a coastline of 6,435 kilometres,” the guide told us, “and copper pays for everything.”

Chile became independent in 1818. Santiago will host the summit next year. Chile borders Peru, Bolivia
and Argentina. Its GDP grew by 11 percent in 2024. Internal memos show that two mines will close.

| Country | Capital | Languages |
| --- | --- | --- |
| Paraguay | Asuncion is the capital of Paraguay | Spanish and Guarani are official in Paraguay |
| Uruguay | Montevideo is the capital of Uruguay | Portuguese is the official language of Uruguay |

Where will you go first? Argentina is the largest country in South America. The Amazon is the longest river.
"""

_BLOCKS = re.compile(
    r"^#+ (?P<heading>.+)$|^- (?P<list_item>.+)$|^> (?P<quote>.+)$|(?<=\| )(?P<table_cell>[A-Z][^|\n]+?)(?= \|)"
    r"|^(?P<paragraph>(?![#>|-]|\n).+(?:\n.+)*)",
    re.MULTILINE,
)
_BOLD = re.compile(r"\*\*")

_SAID: tuple[tuple[str, Verdict, str, str, str | None], ...] = (
    ("It covers 1,285,216 square kilometres", Verdict.SUPPORTED, "Peru", "Total area of Peru: 1,285,216 sq km.", None),
    ("Lima is its capital", Verdict.SUPPORTED, "Peru", "The capital of Peru is Lima.", None),
    ("The\ncountry has about 52 million inhabitants.", Verdict.REFUTED, "Peru", "Population of Peru: 32,600,249 (2024 est.).", "The country has about 32.6 million inhabitants."),
    ("Its highest point is Nevado Huascaran, at 6,746 metres.", Verdict.MOSTLY_SUPPORTED, "Peru", "The highest point of Peru is Nevado Huascaran at 6,746 m; some surveys give 6,768 m.", None),
    ("Bolivia borders five countries.", Verdict.SUPPORTED, "Bolivia", "Border countries of Bolivia (5): Argentina, Brazil, Chile, Paraguay, Peru.", None),
    ("It has no coast on the Pacific", Verdict.SUPPORTED, "Bolivia", "Coastline of Bolivia: 0 km (landlocked).", None),
    ("its currency is the\nboliviano", Verdict.SUPPORTED, "Bolivia", "Currency of Bolivia: bolivianos (BOB).", None),
    ("People are saying the lithium contracts were rigged.", Verdict.UNVERIFIABLE, "Bolivia", "", None),
    ("Ecuador uses the US dollar as its currency.", Verdict.SUPPORTED, "Ecuador", "The US dollar became Ecuador's currency in 2000.", None),
    ("Quito, at 2,850 metres, is the highest capital city in the world.", Verdict.CONTESTED, "Ecuador", "La Paz, seat of government of Bolivia, lies higher than Quito.", None),
    ("The population of Ecuador is 16.5 million.", Verdict.OUTDATED, "Ecuador", "Population of Ecuador: 18,309,984 (2024 est.).", "The population of Ecuador is 18.3 million."),
    ("Chile has a coastline of 6,435 kilometres", Verdict.SUPPORTED, "Chile", "Coastline of Chile: 6,435 km.", None),
    ("Chile became independent in 1818.", Verdict.PARTIAL, "Chile", "Chile declared its independence in 1810, though it was not achieved until 1818.", "Chile declared independence in 1810 and achieved it in 1818."),
    ("Chile borders Peru, Bolivia\nand Argentina.", Verdict.SUPPORTED, "Chile", "Border countries of Chile (3): Argentina, Bolivia, Peru.", None),
    ("Its GDP grew by 11 percent in 2024.", Verdict.REFUTED, "Chile", "Real GDP growth of Chile: 2.6% (2024 est.).", "Its GDP grew by 2.6 percent in 2024."),
    ("Internal memos show that two mines will close.", Verdict.UNVERIFIABLE, "Chile", "", None),
    ("Asuncion is the capital of Paraguay", Verdict.SUPPORTED, "Paraguay", "The capital of Paraguay is Asuncion.", None),
    ("Portuguese is the official language of Uruguay", Verdict.REFUTED, "Uruguay", "Languages of Uruguay: Spanish (official).", "Spanish is the official language of Uruguay"),
    ("Argentina is the largest country in South America.", Verdict.REFUTED, "Argentina", "Argentina is the second-largest country in South America (after Brazil).", "Argentina is the second-largest country in South America."),
    ("The Amazon is the longest river.", Verdict.AMBIGUOUS, "Brazil", "The Amazon carries more water than any other river.", None),
)  # fmt: skip

_RATIONALES: dict[Verdict, str] = {
    Verdict.SUPPORTED: "The source states the same.",
    Verdict.MOSTLY_SUPPORTED: "The source names the same mountain; the height it gives first is the same.",
    Verdict.PARTIAL: "The year is the one in which independence was achieved, not declared.",
    Verdict.OUTDATED: "The figure held in 2017; the newest source gives another.",
    Verdict.REFUTED: "The source gives another value for the same thing.",
    Verdict.CONTESTED: "Sources disagree on whether a seat of government counts as a capital.",
    Verdict.AMBIGUOUS: "It doesn't say longest where: in South America or in the world.",
    Verdict.UNVERIFIABLE: "No passage in the searched sources speaks for or against it.",
}

_LEFT_OUT = (
    ("I think the salt flats are the\nmost beautiful place on earth.", OmissionReason.OPINION, "I think"),
    ("Santiago will host the summit next year.", OmissionReason.NOT_A_CLAIM, None),
    ("Where will you go first?", OmissionReason.QUESTION, None),
)


def article_report() -> Report:
    """Twenty claims with every verdict but one, corrections, omissions and one failure."""
    document = Document(
        text=TEXT,
        source="travel/andes.md",
        media_type="text/markdown",
        blocks=tuple(_blocks()),
        title="A week across the Andes, and three capitals",
        author="R. Quispe",
        published=PartialDate(2026, 11, 9),
    )
    decisions = tuple(_decision(number, document) for number in range(1, len(_SAID) + 1))
    return sample_report().model_copy(
        update={
            "id": "FC-2026-000042",
            "document": document,
            "as_of": date(2026, 11, 15),
            "engine": "llm",
            "verdict": Verdict.MISLEADING,
            "credibility_score": 62,
            "summary": "Of 20 claims, 10 hold and 4 are contradicted by the sources; the figures for Peru, Chile and "
            "Uruguay need correcting before this is published [1][2].",
            "decisions": decisions,
            "omissions": tuple(
                Omission(span=_place(text), text=text, reason=reason, detail=detail)
                for text, reason, detail in _LEFT_OUT
            ),
            "sources": collect_sources(decisions),
            "errors": (
                Failure(
                    stage="evidence",
                    message="The corpus “desk” was being rebuilt; it was read as of yesterday.",
                ),
            ),
            "processing_time_ms": 2840,
            "usage": Usage(
                calls=20,
                input_tokens=62_400,
                output_tokens=8200,
                cost_usd=0.242,
                searches=80,
                search_cost_usd=0.2,
            ),
        }
    )


def _blocks() -> list[Block]:
    found = []
    for match in _BLOCKS.finditer(TEXT):
        kind = str(match.lastgroup)
        start, end = match.span(kind)
        cuts = [position for bold in _BOLD.finditer(TEXT, start, end) for position in bold.span()]
        edges = [start, *cuts, end]
        runs = tuple((a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b)
        found.append(Block(kind=BlockKind(kind), runs=runs))
    return found


def _place(text: str) -> Span:
    start = TEXT.index(text)
    return start, start + len(text)


def _source(country: str) -> Source:
    if country == "Chile":
        return make_source(
            "Chile: economic survey",
            url=None,
            path="sources/economy/chile-survey.pdf",
            domain=None,
            published="2025-06",
            found_in="desk",
            tier=Tier.RESEARCH_INSTITUTIONS,
        )
    slug = country.lower()
    return make_source(
        f"The World Factbook: {country}",
        url=f"https://www.cia.gov/the-world-factbook/countries/{slug}/",
        published="2025",
    )


def _validation(number: int, country: str, evidence: list[Evidence]) -> Validation | None:
    """More than twenty sources of all ages; the research search of every fifth claim failed."""
    if not evidence:
        return None
    dates = ["1985-03-12", "1998", "2009-06", "2019", "2023-02-01", "2024", "2024-05", "2025-01-20", "2025-08",
             "2026-03-03", "2026-09-30", "2026-10-12", "2026-10-28", "2026-11-02", None, None]  # fmt: skip
    others = [
        make_source(
            f"{country}, item {place}",
            url=f"https://{country.lower()}.example/{number}/{place}",
            domain=f"{country.lower()}.example",
            published=published,
            channel=list(Channel)[place % 4],
            found_in="exa",
            tier=list(Tier)[place % len(Tier)],
        )
        for place, published in enumerate(dates)
    ]
    sides = [list(Stance)[(place * number) % 3] for place in range(len(others))]
    read = [SourceStance(source=e.source, stance=e.stance) for e in evidence]
    read += [SourceStance(source=one, stance=stance) for one, stance in zip(others, sides, strict=True)]
    failed = make_search(Channel.RESEARCH, asked=("exa",), results=0, problems=("Exa gave no answer within 20 seconds.",))  # fmt: skip
    searches = [
        make_search(channel, asked=("exa",), published_from=date(2026, 10, 16)) for channel in Channel
    ]
    first = evidence[0].source
    stances = tuple({one.source.location: one for one in read}.values())
    return make_validation(
        stances,
        account=make_account(
            first,
            others[5],
            summary=[make_cited(f"What was read about {country} settles the point.", first, others[5])],
            key_findings=[
                make_cited(f"The figures for {country} were last revised in 2024.", first, others[5]),
                make_cited(f"{country}'s own statistics office gives the same value", others[5]),
            ],
            contradictions=[make_cited("One source counts residents, the other citizens.", first, others[5])]
            if number % 4 == 0
            else [],
        ),
        consensus=source_consensus(stances),
        searches=[failed if s.channel is Channel.RESEARCH and number % 5 == 0 else s for s in searches],
        usage=Usage(
            calls=1, input_tokens=3120, output_tokens=410, cost_usd=0.0121, searches=4, search_cost_usd=0.01
        ),
    )


def _decision(number: int, document: Document) -> Decision:
    quote, verdict, country, said, corrected = _SAID[number - 1]
    source = _source(country)
    framing = (
        Framing(
            kind=FramingKind.PLAUSIBLE_DENIABILITY,
            patterns_matched=("people are saying",),
            deniability_score=0.85,
            underlying_claim="The lithium contracts were rigged.",
        )
        if quote.startswith("People")
        else Framing()
    )
    against = verdict in (Verdict.REFUTED, Verdict.OUTDATED, Verdict.CONTESTED)
    evidence = [] if not said else [
        make_evidence(
            said,
            stance=Stance.CONTRADICTING if against else Stance.SUPPORTING,
            source=source,
            relevance=0.62 + number * 0.017,
        )
    ]  # fmt: skip
    if verdict is Verdict.OUTDATED:
        almanac = make_source("Almanac of the Americas", url="https://almanac.example/ecuador", domain="almanac.example", published="2017-05-03", tier=Tier.UNKNOWN)  # fmt: skip
        evidence.append(make_evidence("Ecuador has 16.5 million inhabitants.", source=almanac, relevance=0.8))
    if verdict is Verdict.CONTESTED:
        guide = make_source("Capitals of the world", url="https://atlas.example/capitals", domain="atlas.example", published=None, tier=Tier.UNKNOWN)  # fmt: skip
        evidence.insert(
            0, make_evidence("Quito is the highest capital on earth.", source=guide, relevance=0.9)
        )
    if verdict is Verdict.AMBIGUOUS:
        evidence = [make_evidence(said, stance=Stance.CONTEXTUAL, source=source, relevance=0.5)]
    correction = corrected and Correction(
        type=CorrectionType.UPDATE if verdict is Verdict.OUTDATED else CorrectionType.REPLACE,
        original=" ".join(quote.split()),
        corrected=corrected,
        confidence=0.9,
        sources=(source,),
    )
    claim = make_claim(
        quote,
        number=number,
        document=document,
        text=" ".join(quote.split()),
        type=ClaimType.STATISTIC if any(c.isdigit() for c in quote) else ClaimType.TECHNICAL,
        framing=framing,
        risk=Risk.HIGH if verdict is Verdict.REFUTED else Risk.LOW,
    )
    return make_decision(
        claim,
        verdict,
        evidence=evidence,
        validation=_validation(number, country, evidence),
        temporal=TemporalAnalysis(
            claim_timeframe="The claim gives no date; it speaks of 9 November 2026, when it was published.",
            evidence_currency="Dated sources run from 1985 to 2026-10; the newest is a month old.",
            historical_context="",
            temporal_verdict="Nothing that was read since 2025 says otherwise.",
        ),
        confidence=0.0 if verdict is Verdict.UNVERIFIABLE else 0.97 - number * 0.013,
        rationale=_RATIONALES[verdict],
        correction=correction or None,
    )
