"""The prompts of summary and thorough mode.

`system` is the same for every run. In `user` what several calls may share comes first and the claim last, so that a
provider which caches prompts by their beginning has something to cache; a question that is asked again begins with the
same words. Labels and formats are what the parsers read. A version goes up with every change of wording.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from veridic.domain.claim import Claim, FramingKind
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Channel, Source
from veridic.domain.modes import Mode
from veridic.domain.search import ChannelSearch
from veridic.prompts.fence import enclosed, fenced, on_one_line
from veridic.prompts.validation_wording import LIST_CLAIMS, LIST_STATEMENTS, VALIDATE, VALIDATE_SUMMARY
from veridic.providers.llm.base import Prompt, Sampling

_MOST_STATEMENTS = 2
_LONGEST_TITLE = 200
_LONGEST_URL = 300
_LONGEST_SENTENCE = 600
_LONGEST_ANSWER_SHOWN = 1500
_TWO_YEARS = 730
_HEADINGS = {
    Channel.NEWS: "News Evidence",
    Channel.RESEARCH: "Research Evidence",
    Channel.GENERAL: "General Evidence",
    Channel.HISTORICAL: "Historical Evidence",
}


class ShownSource(NamedTuple):
    """A source as a model sees it, under the number it is cited by."""

    number: int
    source: Source
    content: str
    highlights: tuple[str, ...] = ()


def list_claims_prompt(
    text: str,
    *,
    mode: Mode,
    most: int | None,
    as_of: date,
    published: PartialDate | None = None,
    part: tuple[int, int] | None = None,
    sampling: Sampling | None = None,
) -> Prompt:
    """Asks for the claims to check with a query a channel: in thorough mode discrete ones, at most so many, in
    summary mode the one or two statements that the article stands for. `part` says which of how many parts of the
    article the text is, where it is not the whole."""
    is_summary = mode is Mode.SUMMARY
    limit = _MOST_STATEMENTS if is_summary else most
    asked = "statement" if is_summary else "claim"
    wanted = (
        f"List every {asked}."
        if limit is None
        else f"List at most {limit} {asked}{'s' if limit > 1 else ''}."
    )
    of_whole = f", part {part[0]} of {part[1]}" if part else ""
    written = f"ARTICLE{of_whole}{f' (published {published})' if published else ''}:"
    return Prompt(
        name="list_claims",
        version=1,
        system=LIST_STATEMENTS if is_summary else LIST_CLAIMS,
        user=f"{_today(as_of)}\n\n{written}\n{fenced('ARTICLE', text)}\n\n{wanted}",
        sampling=sampling,
    )


def validation_prompt(
    claim: Claim,
    question: str,
    shown: Sequence[ShownSource],
    searches: Sequence[ChannelSearch],
    *,
    as_of: date,
    sampling: Sampling | None = None,
) -> Prompt:
    """Asks for a verdict on `question`, which is the claim or what it comes down to, by the sources shown."""
    lines = [f"Claim: {on_one_line(question)}"]
    context = on_one_line(claim.context, _LONGEST_SENTENCE)
    if context and context != on_one_line(question):
        lines.append(f"Stands in: {context}")
    is_attribution = claim.framing.kind is FramingKind.HEARSAY and question == claim.text
    task = (
        "Validate whether this was said, whether or not it is so."
        if is_attribution
        else "Validate this claim."
    )
    return Prompt(
        name="validate",
        version=1,
        system=VALIDATE,
        user=f"{_evidence(shown, searches, as_of)}\n\nCLAIM BEING VALIDATED:\n{enclosed('CLAIM', _joined(lines))}\n\n{task}",
        sampling=sampling,
    )


def summary_validation_prompt(
    claims: Sequence[Claim],
    shown: Sequence[ShownSource],
    searches: Sequence[ChannelSearch],
    *,
    as_of: date,
    sampling: Sampling | None = None,
) -> Prompt:
    """Asks for a verdict on the article, and on each of the statements it stands for, by the sources shown."""
    lines = [f"{claim.id}: {on_one_line(claim.framing.underlying_claim or claim.text)}" for claim in claims]
    wanted = ", ".join(claim.id for claim in claims)
    return Prompt(
        name="validate_summary",
        version=1,
        system=VALIDATE_SUMMARY,
        user=f"{_evidence(shown, searches, as_of)}\n\nARTICLE CLAIMS:\n{enclosed('CLAIMS', _joined(lines))}\n\nValidate {wanted}.",
        sampling=sampling,
    )


def asked_again(prompt: Prompt, answer: str, problem: str) -> Prompt:
    """The same question once more, with what the first answer had or lacked."""
    shown = fenced("ANSWER", answer[:_LONGEST_ANSWER_SHOWN])
    return prompt.model_copy(
        update={
            "user": f"{prompt.user}\n\nYOUR EARLIER ANSWER (its beginning):\n{shown}\n\n"
            f"It could not be used: it has {problem}. Write the whole answer again, in exactly the format asked for, and nothing else."
        }
    )


def _today(as_of: date) -> str:
    return f"TODAY'S DATE: {as_of.isoformat()}"


def _evidence(shown: Sequence[ShownSource], searches: Sequence[ChannelSearch], as_of: date) -> str:
    sections = "\n\n".join(_sections(shown, searches, as_of)) or "No evidence was found."
    total = f"{len(shown)} source{'' if len(shown) == 1 else 's'} total"
    return f"{_today(as_of)}\n\nEVIDENCE COLLECTED ({total}):\n{enclosed('EVIDENCE', sections)}"


def _sections(shown: Sequence[ShownSource], searches: Sequence[ChannelSearch], as_of: date) -> Iterator[str]:
    ranges = {search.channel: search for search in searches}
    for channel, heading in _HEADINGS.items():
        own = [one for one in shown if channel_of(one.source) is channel]
        if own or channel in ranges:
            count = f"{len(own)} source{'' if len(own) == 1 else 's'}"
            first = f"### {heading} ({count}, {_timeframe(ranges.get(channel), as_of)})"
            yield "\n\n".join([first, *map(_source, own)])


def channel_of(source: Source) -> Channel:
    """The section that a source stands in."""
    return Channel(source.channel) if source.channel in list(Channel) else Channel.GENERAL


def _timeframe(search: ChannelSearch | None, as_of: date) -> str:
    if search is None or search.published_from is None:
        return "unlimited timeframe"
    days = (as_of - search.published_from).days
    return f"last {days // 365} years" if days >= _TWO_YEARS and days % 365 == 0 else f"last {days} days"


def _source(shown: ShownSource) -> str:
    source = shown.source
    lines = [
        f"Source {shown.number}: {on_one_line(source.title, _LONGEST_TITLE)}",
        f"Domain: {on_one_line(source.domain or 'none')}",
        f"Published: {source.date or 'Date unknown'}",
    ]
    if source.url:
        lines.append(f"URL: {on_one_line(source.url, _LONGEST_URL)}")
    lines.append(f"Key content: {on_one_line(shown.content)}")
    if shown.highlights:
        lines += ["Relevant highlights:", *(f"- {on_one_line(highlight)}" for highlight in shown.highlights)]
    return _joined(lines)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)
