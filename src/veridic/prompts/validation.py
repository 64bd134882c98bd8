"""The prompts of summary and thorough mode.

`system` is the same for every run. `user` begins with what several calls may share and ends with the claim, so that providers can
cache prompts by their prefix; a repeated question begins with the same words. The parsers rely on the labels and formats.
Raise a prompt's version with every change of its wording.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from veridic.domain.claim import Claim, FramingKind
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Channel, Source
from veridic.domain.modes import Mode
from veridic.domain.search import ChannelSearch
from veridic.prompts.fence import enclosed, fenced, on_one_line
from veridic.prompts.validation_wording import (
    LIST_CLAIMS,
    LIST_CLAIMS_WITHOUT_QUERIES,
    LIST_STATEMENTS,
    LIST_STATEMENTS_WITHOUT_QUERIES,
    SAID_AND_SO,
    VALIDATE,
    VALIDATE_SUMMARY,
    WAS_IT_SAID,
)
from veridic.prompts.wording import judged_as_of, today
from veridic.providers.llm.base import Prompt, Sampling

_MAX_STATEMENTS = 2
_LONGEST_TITLE = 200
_LONGEST_URL = 300
_LONGEST_SENTENCE = 600
_LONGEST_ANSWER_SHOWN = 1500
_STOPS = " .!"
_TWO_YEARS = 730
SAID, SO = "part_1", "part_2"
"""The ids of the two answers about a claim that reports what somebody said: whether it was said, and whether it is so."""


class Section(StrEnum):
    """The section of the evidence that a source is listed in, in this order."""

    PROVIDED = "Provided Documents"
    """Local documents that the user chose."""
    NEWS = "News Evidence"
    RESEARCH = "Research Evidence"
    GENERAL = "General Evidence"
    HISTORICAL = "Historical Evidence"


_CHANNELS = {Section[channel.name]: channel for channel in Channel}


class PromptSource(NamedTuple):
    """A source as shown to a model, with the number to cite it by."""

    number: int
    source: Source
    content: str
    """The whole text of a short source; the best passages of a long one, in order."""
    highlights: tuple[str, ...] = ()
    """Other passages of a long source, in order."""
    section: Section = Section.GENERAL


def section_of(source: Source, searches: Sequence[ChannelSearch]) -> Section:
    """Return the section for a source that these searches found."""
    if any(source.found_in in search.corpora for search in searches):
        return Section.PROVIDED
    return Section[source.channel.upper()] if source.channel in list(Channel) else Section.GENERAL


def list_claims_prompt(
    text: str,
    *,
    mode: Mode,
    most: int | None,
    as_of: date,
    published: PartialDate | None = None,
    part: tuple[int, int] | None = None,
    with_queries: bool = True,
    sampling: Sampling | None = None,
) -> Prompt:
    """Ask for the claims to check: in thorough mode single claims, at most `most`; in summary mode the one or two main statements
    of the article. If the text is not the whole article, `part` is its number and the total. Queries are only useful with a
    search engine."""
    is_summary = mode is Mode.SUMMARY
    limit = _MAX_STATEMENTS if is_summary else most
    asked = "statement" if is_summary else "claim"
    wanted = (
        f"List every {asked}."
        if limit is None
        else f"List at most {limit} {asked}{'s' if limit > 1 else ''}."
    )
    of_whole = f", part {part[0]} of {part[1]}" if part else ""
    heading = f"ARTICLE{of_whole}{f' (published {published})' if published else ''}:"
    return Prompt(
        name="list_claims",
        version=3,
        system=_LISTING[is_summary, with_queries],
        user=f"{today(as_of)}\n\n{heading}\n{fenced('ARTICLE', text)}\n\n{wanted}",
        sampling=sampling,
    )


_LISTING = {
    (False, True): LIST_CLAIMS,
    (False, False): LIST_CLAIMS_WITHOUT_QUERIES,
    (True, True): LIST_STATEMENTS,
    (True, False): LIST_STATEMENTS_WITHOUT_QUERIES,
}
"""By whether the mode is summary, and whether search queries are wanted."""


def validation_prompt(
    claim: Claim,
    question: str | None,
    prompt_sources: Sequence[PromptSource],
    searches: Sequence[ChannelSearch],
    *,
    as_of: date,
    published: PartialDate | None = None,
    sampling: Sampling | None = None,
) -> Prompt:
    """Ask for a verdict on `question` (the claim, or the claim underlying it) by the sources shown. If it is None, the claim reports
    what somebody said: ask whether it was said and, if it states a fact, whether it is so.

    `published` is the date of the article.
    """
    evidence = _evidence(prompt_sources, searches, as_of, published)
    return Prompt(
        name="validate",
        version=3,
        system=VALIDATE,
        user=f"{evidence}\n\n{_claim(claim, question or claim.text)}\n\n{_task(claim, question)}",
        sampling=sampling,
    )


def _task(claim: Claim, question: str | None) -> str:
    if question is None:
        return SAID_AND_SO
    if claim.framing.kind is FramingKind.HEARSAY and question == claim.text:
        return "Validate whether this was said, by this speaker and to this effect, whether or not it is so."
    return "Validate this claim."


def summary_validation_prompt(
    claims: Sequence[Claim],
    prompt_sources: Sequence[PromptSource],
    searches: Sequence[ChannelSearch],
    *,
    as_of: date,
    published: PartialDate | None = None,
    sampling: Sampling | None = None,
) -> Prompt:
    """Ask for a verdict on the article, and on each of its main statements, by the sources shown."""
    reported = attributions_of(claims)
    lines = [f"{claim.id}: {on_one_line(claim.framing.underlying_claim or claim.text)}" for claim in claims]
    lines += [f"{number}: {WAS_IT_SAID} {on_one_line(claim.text)}" for number, claim in reported.items()]
    wanted = ", ".join([*(claim.id for claim in claims), *reported])
    evidence = _evidence(prompt_sources, searches, as_of, published)
    return Prompt(
        name="validate_summary",
        version=4,
        system=VALIDATE_SUMMARY,
        user=f"{evidence}\n\nARTICLE CLAIMS:\n{enclosed('CLAIMS', _joined(lines))}\n\nValidate {wanted}.",
        sampling=sampling,
    )


def attributions_of(claims: Sequence[Claim]) -> dict[str, Claim]:
    """Return the claims that report what somebody said, under new ids that continue the claims': the prompt also asks whether it was said."""
    reported = [
        claim
        for claim in claims
        if claim.framing.kind is FramingKind.HEARSAY and claim.framing.underlying_claim
    ]
    last = max((int(claim.id.rpartition("_")[2]) for claim in claims), default=0)
    return {f"claim_{number}": claim for number, claim in enumerate(reported, last + 1)}


def asked_again(prompt: Prompt, answer: str, problem: str) -> Prompt:
    """Ask the same question again, with the first answer and what was wrong with it."""
    excerpt = fenced("ANSWER", answer[:_LONGEST_ANSWER_SHOWN])
    return prompt.model_copy(
        update={
            "user": f"{prompt.user}\n\nYOUR EARLIER ANSWER (its beginning):\n{excerpt}\n\n"
            f"It could not be used: it has {problem}. Write the whole answer again, in exactly the format asked for, and nothing else."
        }
    )


def _claim(claim: Claim, question: str) -> str:
    lines = [f"Claim: {on_one_line(question)}"]
    context = on_one_line(claim.context, _LONGEST_SENTENCE)
    if context and context.rstrip(_STOPS) != on_one_line(question).rstrip(_STOPS):
        lines.append(f"Stands in: {context}")
    return f"CLAIM BEING VALIDATED:\n{enclosed('CLAIM', _joined(lines))}"


def _evidence(
    prompt_sources: Sequence[PromptSource],
    searches: Sequence[ChannelSearch],
    as_of: date,
    published: PartialDate | None,
) -> str:
    dates = judged_as_of("ARTICLE", as_of, published)
    sections = "\n\n".join(_sections(prompt_sources, searches, as_of)) or "No evidence was found."
    return f"{dates}\n\nEVIDENCE COLLECTED ({_sources(len(prompt_sources))} total):\n{enclosed('EVIDENCE', sections)}"


def _sections(
    prompt_sources: Sequence[PromptSource], searches: Sequence[ChannelSearch], as_of: date
) -> Iterator[str]:
    """Yield the sections that have sources, and a line for the web searches that found nothing."""
    ranges = {search.channel: search for search in searches}
    filled = {one.section for one in prompt_sources}
    for section in Section:
        own = [one for one in prompt_sources if one.section is section]
        if own:
            within = (
                ""
                if section is Section.PROVIDED
                else f", {_timeframe(ranges.get(_CHANNELS[section]), as_of)}"
            )
            yield "\n\n".join([f"### {section.value} ({_sources(len(own))}{within})", *map(_source, own)])
    without_results = [
        channel.value
        for section, channel in _CHANNELS.items()
        if section not in filled and channel in ranges and _searched_web(ranges[channel])
    ]
    if without_results:
        yield f"Searched without a result: {', '.join(without_results)}."


def _searched_web(search: ChannelSearch) -> bool:
    return search.was_answered and not set(search.asked) <= set(search.corpora)


def _sources(number: int) -> str:
    return f"{number} source{'' if number == 1 else 's'}"


def _timeframe(search: ChannelSearch | None, as_of: date) -> str:
    if search is None or search.published_from is None:
        return "unlimited timeframe"
    days = (as_of - search.published_from).days
    return f"last {days // 365} years" if days >= _TWO_YEARS and days % 365 == 0 else f"last {days} days"


def _source(prompt_source: PromptSource) -> str:
    source = prompt_source.source
    lines = [
        f"Source {prompt_source.number}: {on_one_line(source.title, _LONGEST_TITLE)}",
        *([f"By: {on_one_line(source.author, _LONGEST_TITLE)}"] if source.author else []),
        *([f"Domain: {on_one_line(source.domain)}"] if source.domain else []),
        f"Published: {source.date or 'Date unknown'}",
    ]
    if source.url and prompt_source.section is not Section.PROVIDED:
        lines.append(f"URL: {on_one_line(source.url, _LONGEST_URL)}")
    lines.append(f"Key content: {on_one_line(prompt_source.content)}")
    if prompt_source.highlights:
        lines += [
            "Relevant highlights:",
            *(f"- {on_one_line(highlight)}" for highlight in prompt_source.highlights),
        ]
    return _joined(lines)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)
