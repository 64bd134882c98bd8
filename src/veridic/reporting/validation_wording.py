"""Wording for the evidence part of reports: sources by stance, failed searches, channels, cost."""

from collections.abc import Mapping

from veridic.config.settings import SEARCH_PROVIDERS
from veridic.domain.decision import Part
from veridic.domain.evidence import Channel, CredibilityLevel, Source, Stance
from veridic.domain.phrases import count
from veridic.domain.report import Failure, Report
from veridic.domain.search import ChannelSearch, problems_of
from veridic.domain.usage import Usage
from veridic.domain.validation import SourceConsensus, Validation
from veridic.reporting.escaping import one_line
from veridic.reporting.numbering import Numbering
from veridic.reporting.wording import TIERS, cost, day, percent, verdict_word

AGREEMENT: dict[SourceConsensus, str] = {
    SourceConsensus.STRONG_AGREEMENT: "strong agreement",
    SourceConsensus.MODERATE_AGREEMENT: "moderate agreement",
    SourceConsensus.SPLIT: "split",
    SourceConsensus.NO_CONSENSUS: "no consensus",
    SourceConsensus.INSUFFICIENT_DATA: "",
}
"""Empty for INSUFFICIENT_DATA: with fewer than two sources on a side, there is no agreement to report."""

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
    """Return `7 supporting, 1 contradicting, 4 neutral of 12 read: strong agreement`."""
    if not validation.sources:
        return "no sources read"
    counts = (
        f"{validation.count(Stance.SUPPORTING)} supporting, {validation.count(Stance.CONTRADICTING)} contradicting, "
        f"{validation.count(Stance.CONTEXTUAL)} neutral of {len(validation.sources)} read"
    )
    return ": ".join(filter(None, (counts, AGREEMENT[validation.consensus])))


def part_line(part: Part) -> str:
    """Return `supported. One source quotes it. (1 supporting, 0 contradicting, 2 neutral)`."""
    return f"{verdict_word(part.verdict).lower()}. {part_rationale(part)}"


def part_rationale(part: Part) -> str:
    """Return the rationale of a part of hearsay, with the number of sources by stance."""
    why, counts = one_line(part.rationale), _part_counts(part)
    return f"{why} ({counts})" if counts else why


def _part_counts(part: Part) -> str:
    """Return the sources by stance; empty if none was read."""
    stances = (part.supporting_sources, part.contradicting_sources, part.neutral_sources)
    words = ("supporting", "contradicting", "neutral")
    return (
        ", ".join(f"{number} {word}" for number, word in zip(stances, words, strict=True))
        if any(stances)
        else ""
    )


def searches_line(validation: Validation) -> str:
    """Return `3 of 4 searches answered`; empty if no search had a problem."""
    if not any(search.problems for search in validation.searches):
        return ""
    answered = f"{validation.successful_searches} of {len(validation.searches)} searches answered"
    if validation.successful_searches == len(validation.searches):
        return f"{answered}, but not by every provider"
    by_corpora = any(search.was_answered and not search.succeeded for search in validation.searches)
    return f"{answered} outside of corpora" if by_corpora else answered


def unanswered(report: Report) -> Mapping[str, tuple[int, ...]]:
    """Return the reasons for failed searches, each with the numbers of the claims concerned."""
    found: dict[str, list[int]] = {}
    for number, decision in zip(Numbering(report).claims, report.decisions, strict=True):
        for problem in problems_of(decision.validation.searches) if decision.validation else ():
            found.setdefault(problem, []).append(number)
    return {problem: tuple(numbers) for problem, numbers in found.items()}


def other_errors(report: Report) -> tuple[Failure, ...]:
    """Return the errors of a report that are not already in `unanswered`."""
    search_problems = unanswered(report)
    return tuple(failure for failure in report.errors if failure.message not in search_problems)


def claims_named(numbers: tuple[int, ...]) -> str:
    """Return `claim 3` or `claims 1, 3, 4`; for more than eight claims, `12 claims`."""
    if len(numbers) == 1:
        return f"claim {numbers[0]}"
    return f"claims {', '.join(map(str, numbers))}" if len(numbers) <= 8 else count(len(numbers), "claim")


def window(search: ChannelSearch) -> str:
    """Return the period a search was limited to: `16 October 2026 to 15 November 2026`."""
    until = day(search.published_to) if search.published_to else "today"
    return f"{day(search.published_from)} to {until}" if search.published_from else f"until {until}"


def spent(usage: Usage) -> str:
    """Return `12,500 tokens in, 850 out, 0.0342 USD`; empty if nothing was spent."""
    tokens = f"{count(usage.input_tokens, 'token')} in, {usage.output_tokens:,} out" if usage.calls else ""
    return ", ".join(filter(None, (tokens, cost(usage) if usage.calls or usage.cost_usd else "")))


def calls_made(usage: Usage) -> str:
    """Return `3 model calls, 12 searches, 37,500 tokens in, 2,550 out, 0.1026 USD`; empty without calls and searches."""
    asked = (
        count(usage.calls, "model call") if usage.calls else "",
        count(usage.searches, "search", "searches") if usage.searches else "",
    )
    return ", ".join(filter(None, (*asked, spent(usage))))


def origin(source: Source) -> str:
    """Return where a source was found and, on the web, by which channel: `news, found in exa`.

    The channel is left out for a corpus: most of its sources are found by the general channel, which says nothing about them.
    """
    is_of_a_corpus = source.found_in and source.found_in not in SEARCH_PROVIDERS
    channel = "" if is_of_a_corpus else CHANNELS.get(source.channel, source.channel).lower()
    found_in = f"found in {source.found_in}" if source.found_in else ""
    return one_line(", ".join(filter(None, (channel, found_in))))


def standing(source: Source) -> str:
    """Return the tier and credibility of a source: `Government, high credibility (100%)`."""
    return f"{TIERS[source.tier]}, {LEVELS[source.credibility_level]} ({percent(source.credibility)})"
