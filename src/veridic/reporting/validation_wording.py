"""How reports speak of what was read: sources by stance, searches that failed, channels, cost."""

from collections.abc import Mapping

from veridic.config.settings import SEARCH_PROVIDERS
from veridic.domain.decision import Part
from veridic.domain.evidence import Channel, CredibilityLevel, Source, Stance
from veridic.domain.report import Failure, Report
from veridic.domain.search import ChannelSearch, problems_of
from veridic.domain.usage import Usage
from veridic.domain.validation import SourceConsensus, Validation
from veridic.reporting.numbering import Numbering
from veridic.reporting.outside import one_line
from veridic.reporting.wording import TIERS, cost, count, day, percent, verdict_word

AGREEMENT: dict[SourceConsensus, str] = {
    SourceConsensus.STRONG_AGREEMENT: "strong agreement",
    SourceConsensus.MODERATE_AGREEMENT: "moderate agreement",
    SourceConsensus.SPLIT: "split",
    SourceConsensus.NO_CONSENSUS: "no consensus",
    SourceConsensus.INSUFFICIENT_DATA: "too few to tell",
}

CHANNELS: dict[str, str] = {
    Channel.NEWS: "News",
    Channel.RESEARCH: "Research",
    Channel.GENERAL: "General",
    Channel.HISTORICAL: "Historical",
}

LEVELS: dict[CredibilityLevel, str] = {
    CredibilityLevel.HIGH: "high credibility",
    CredibilityLevel.MEDIUM: "medium credibility",
    CredibilityLevel.LOW: "low credibility",
}


def sources_line(validation: Validation) -> str:
    """`7 supporting, 1 contradicting, 4 neutral of 12 read: strong agreement`."""
    if not validation.sources:
        return "no sources read"
    return (
        f"{validation.count(Stance.SUPPORTING)} supporting, {validation.count(Stance.CONTRADICTING)} contradicting, "
        f"{validation.count(Stance.CONTEXTUAL)} neutral of {len(validation.sources)} read: "
        f"{AGREEMENT[validation.consensus]}"
    )


def part_line(part: Part) -> str:
    """`supported. One source quotes it. (1 supporting, 0 contradicting, 2 neutral)`."""
    return f"{verdict_word(part.verdict).lower()}. {part_rationale(part)}"


def part_rationale(part: Part) -> str:
    """Why a part of hearsay came out as it did, and how many of the sources that were read for it say what."""
    why, counts = one_line(part.rationale), _part_counts(part)
    return f"{why} ({counts})" if counts else why


def _part_counts(part: Part) -> str:
    """Empty where nothing was read."""
    stances = (part.supporting_sources, part.contradicting_sources, part.neutral_sources)
    words = ("supporting", "contradicting", "neutral")
    return (
        ", ".join(f"{number} {word}" for number, word in zip(stances, words, strict=True))
        if any(stances)
        else ""
    )


def searches_line(validation: Validation) -> str:
    """`3 of 4 searches answered`; empty where everyone who was asked gave an answer."""
    if not any(search.problems for search in validation.searches):
        return ""
    answered = f"{validation.successful_searches} of {len(validation.searches)} searches answered"
    if validation.successful_searches == len(validation.searches):
        return f"{answered}, not by everyone asked"
    by_corpora = any(search.was_answered and not search.succeeded for search in validation.searches)
    return f"{answered} outside of corpora" if by_corpora else answered


def unanswered(report: Report) -> Mapping[str, tuple[int, ...]]:
    """Why searches gave no answer: each reason once, with the numbers of the claims it touches."""
    found: dict[str, list[int]] = {}
    for number, decision in zip(Numbering(report).claims, report.decisions, strict=True):
        for problem in problems_of(decision.validation.searches) if decision.validation else ():
            found.setdefault(problem, []).append(number)
    return {problem: tuple(numbers) for problem, numbers in found.items()}


def other_errors(report: Report) -> tuple[Failure, ...]:
    """The errors of a report but for those that `unanswered` tells, with the claims they touch."""
    told = unanswered(report)
    return tuple(failure for failure in report.errors if failure.message not in told)


def claims_named(numbers: tuple[int, ...]) -> str:
    """`claim 3`, `claims 1, 3, 4`; `12 claims` where a list would be too long to read."""
    if len(numbers) == 1:
        return f"claim {numbers[0]}"
    return f"claims {', '.join(map(str, numbers))}" if len(numbers) <= 8 else count(len(numbers), "claim")


def window(search: ChannelSearch) -> str:
    """The time a search was limited to: `16 October 2026 to 15 November 2026`."""
    until = day(search.published_to) if search.published_to else "today"
    return f"{day(search.published_from)} to {until}" if search.published_from else f"until {until}"


def spent(usage: Usage) -> str:
    """`12,500 tokens in, 850 out, 0.0342 USD`; empty where nothing was spent."""
    tokens = f"{count(usage.input_tokens, 'token')} in, {usage.output_tokens:,} out" if usage.calls else ""
    return ", ".join(filter(None, (tokens, cost(usage) if usage.calls or usage.cost_usd else "")))


def calls_made(usage: Usage) -> str:
    """`3 model calls, 12 searches, 37,500 tokens in, 2,550 out, 0.1026 USD`; empty where nobody outside was asked."""
    asked = (
        count(usage.calls, "model call") if usage.calls else "",
        count(usage.searches, "search", "searches") if usage.searches else "",
    )
    return ", ".join(filter(None, (*asked, spent(usage))))


def origin(source: Source) -> str:
    """Where a source was found, and on the web by which channel: `news, found in exa`. Of a corpus, most is found by the
    channel without limits, which says nothing about the source."""
    is_of_a_corpus = source.found_in and source.found_in not in SEARCH_PROVIDERS
    channel = "" if is_of_a_corpus else CHANNELS.get(source.channel, source.channel).lower()
    found_in = f"found in {source.found_in}" if source.found_in else ""
    return one_line(", ".join(filter(None, (channel, found_in))))


def standing(source: Source) -> str:
    """How much a source counts: `Government, high credibility (100%)`."""
    return f"{TIERS[source.tier]}, {LEVELS[source.credibility_level]} ({percent(source.credibility)})"
