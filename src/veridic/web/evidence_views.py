"""Searches, and what they brought, as the page of a check shows them: live from events, later from the report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from veridic.api.validation_payloads import ReadSource, SearchCompleted, SearchedSource
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Channel, Source, Stance
from veridic.domain.search import ChannelSearch
from veridic.domain.urls import canonical_url
from veridic.domain.validation import Validation
from veridic.reporting.dateline import DatedPoint, dateline, point_label
from veridic.reporting.json_validation import publication
from veridic.reporting.numbering import Numbering
from veridic.reporting.outside import one_line, web_link
from veridic.reporting.wording import STANCES, count, day, source_name

_NOT_READ = "not read yet"
_UNTITLED = "untitled source"
_ORDER = list(Channel)
_COUNTED = {
    Stance.SUPPORTING: "supporting",
    Stance.CONTRADICTING: "contradicting",
    Stance.CONTEXTUAL: "neutral",
}


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source of one claim: found, or read and so with a stance."""

    name: str
    link: str | None
    publication: str
    date: PartialDate | None
    channel: str
    stance: Stance | None = None
    credibility: str = ""
    number: int | None = None
    """Its place in the report's list; None before the report, and for what is not listed there."""
    relevance: str = ""

    @property
    def published(self) -> str:
        return day(self.date)

    @property
    def stance_word(self) -> str:
        return _NOT_READ if self.stance is None else STANCES[self.stance]


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """Everything that was looked for and found for one claim, or in summary mode for all of them."""

    number: int
    """The claim's; 0 for what all claims share."""
    searches: tuple[ChannelSearch, ...]
    sources: tuple[FoundSource, ...]
    """The newest first, the undated last."""
    dates: Markup
    """The sources on a line; empty where none has a date."""

    @property
    def successful(self) -> int:
        return sum(search.succeeded for search in self.searches)

    @property
    def undated(self) -> int:
        return sum(source.date is None for source in self.sources)

    @property
    def stances(self) -> tuple[tuple[Stance | None, str, int], ...]:
        """What the shapes on the line mean, and how many there are of each."""
        found = [source.stance for source in self.sources]
        words = ((None, _NOT_READ), *_COUNTED.items())
        return tuple((stance, word, found.count(stance)) for stance, word in words if stance in found)


def told_evidence(
    number: int, searches: Sequence[SearchCompleted], read: Sequence[ReadSource], as_of: date | None
) -> EvidenceView:
    """As the events have it so far: what the searches found, and once the claim is decided, what was read."""
    sources: dict[str, FoundSource] = {}
    for search in searches:
        for found in search.sources:
            sources.setdefault(_location(found), _told_source(found, search.channel))
    if read:
        sources = {_location(one): _told_source(one, one.channel, one.stance) for one in read}
    asked = [
        ChannelSearch.model_validate(search.model_dump(include=set(ChannelSearch.model_fields)))
        for search in searches
    ]
    return _evidence(number, asked, sources.values(), as_of)


def read_evidence(number: int, validation: Validation, numbering: Numbering, as_of: date) -> EvidenceView:
    """As the report has it."""
    relevance = {one.source.location: one.relevance for one in validation.account.citations}
    sources = (
        _read_source(
            one.source, one.stance, numbering.source(one.source), relevance.get(one.source.location, "")
        )
        for one in validation.sources
    )
    return _evidence(number, validation.searches, sources, as_of)


def outcome(search: ChannelSearch) -> str:
    """How a search went, in words; to find nothing is an answer."""
    if not search.was_answered:
        return "no answer"
    found = count(search.results, "source") if search.results else "nothing found"
    return found if search.succeeded else f"no answer but from corpora: {found}"


def anchor(number: int, place: int) -> str:
    """The id on the page of a claim's source, by its place from 1."""
    return f"read-{number}-{place}"


def _evidence(
    number: int, searches: Sequence[ChannelSearch], found: Iterable[FoundSource], as_of: date | None
) -> EvidenceView:
    sources = _newest_first(found)
    points = [
        DatedPoint(
            date=source.date,
            stance=source.stance,
            label=point_label(source.name, source.date, source.stance_word.lower(), source.number),
            href=f"#{anchor(number, place)}",
        )
        for place, source in enumerate(sources, 1)
        if source.date is not None
    ]
    until = as_of or max((point.date.last for point in points), default=date.max)
    return EvidenceView(
        number=number,
        searches=tuple(sorted(searches, key=lambda one: _ORDER.index(one.channel))),
        sources=sources,
        dates=dateline(points, as_of=until, name="Sources by date"),
    )


def _newest_first(sources: Iterable[FoundSource]) -> tuple[FoundSource, ...]:
    return tuple(sorted(sources, key=lambda one: one.date.last if one.date else date.min, reverse=True))


def _told_source(found: SearchedSource, channel: str, stance: Stance | None = None) -> FoundSource:
    return FoundSource(
        name=one_line(found.title) or one_line(found.url or "") or _UNTITLED,
        link=web_link(found.url),
        publication=found.domain or "",
        date=found.date,
        channel=channel,
        stance=stance,
    )


def _read_source(source: Source, stance: Stance, number: int | None, relevance: str) -> FoundSource:
    return FoundSource(
        name=source_name(source),
        link=web_link(source.url),
        publication=publication(source),
        date=source.date,
        channel=source.channel,
        stance=stance,
        credibility=source.credibility_level.value.capitalize(),
        number=number,
        relevance=relevance,
    )


def _location(source: SearchedSource) -> str:
    """One location is one source, whichever channels found it; of a file, its title and date are known."""
    return canonical_url(source.url) if source.url else f"{source.title} {source.date}"
