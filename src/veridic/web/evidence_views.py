"""View models of searches and their sources: from events during the run, then from the report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from veridic.api.payloads import ReadSource, SearchCompleted, SearchedSource
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Channel, Source, Stance
from veridic.domain.own_names import own_name
from veridic.domain.search import ChannelSearch
from veridic.domain.urls import canonical_url
from veridic.domain.validation import Validation
from veridic.reporting.dateline import DatedPoint, dateline, point_label
from veridic.reporting.escaping import one_line, web_link
from veridic.reporting.json_report import publication
from veridic.reporting.numbering import Numbering
from veridic.reporting.wording import STANCES, count, day
from veridic.web.own_names import source_name
from veridic.web.source_links import document_link

_NOT_READ = "not read yet"
_UNTITLED = "untitled source"
_CHANNEL_ORDER = list(Channel)
_STANCE_COUNT_WORDS = {
    Stance.SUPPORTING: "supporting",
    Stance.CONTRADICTING: "contradicting",
    Stance.CONTEXTUAL: "neutral",
}


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source of one claim; it has a stance once it was read."""

    name: str
    link: str | None
    publication: str
    date: PartialDate | None
    channel: str
    stance: Stance | None = None
    credibility: str = ""
    number: int | None = None
    """Its number in the report; None before the report, and if the report does not list it."""
    relevance: str = ""

    @property
    def published(self) -> str:
        return day(self.date)

    @property
    def stance_word(self) -> str:
        return _NOT_READ if self.stance is None else STANCES[self.stance]


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """The searches and sources for one claim, or in summary mode for all claims."""

    number: int
    """The claim's number; 0 if all claims share the evidence."""
    searches: tuple[ChannelSearch, ...]
    sources: tuple[FoundSource, ...]
    """Newest first, undated last."""
    dates: Markup
    """The sources on a timeline; empty if none has a date."""

    @property
    def successful(self) -> int:
        return sum(search.succeeded for search in self.searches)

    @property
    def undated(self) -> int:
        return sum(source.date is None for source in self.sources)

    @property
    def stances(self) -> tuple[tuple[Stance | None, str, int], ...]:
        """The legend of the timeline: each stance with its word and number."""
        found = [source.stance for source in self.sources]
        words = ((None, _NOT_READ), *_STANCE_COUNT_WORDS.items())
        return tuple((stance, word, found.count(stance)) for stance, word in words if stance in found)


def live_evidence(
    number: int, searches: Sequence[SearchCompleted], read: Sequence[ReadSource], as_of: date | None
) -> EvidenceView:
    """Return the evidence from events: what the searches found or, once the claim is decided, what was read."""
    sources: dict[str, FoundSource] = {}
    for search in searches:
        for found in search.sources:
            sources.setdefault(_location(found), _live_source(found, search.channel))
    if read:
        sources = {_location(source): _live_source(source, source.channel, source.stance) for source in read}
    channel_searches = [
        ChannelSearch.model_validate(search.model_dump(include=set(ChannelSearch.model_fields)))
        for search in searches
    ]
    return _evidence(number, channel_searches, sources.values(), as_of)


def report_evidence(number: int, validation: Validation, numbering: Numbering, as_of: date) -> EvidenceView:
    """Return the evidence as the report has it."""
    relevance = {citation.source.location: citation.relevance for citation in validation.account.citations}
    sources = (
        _report_source(
            item.source, item.stance, numbering.source(item.source), relevance.get(item.source.location, "")
        )
        for item in validation.sources
    )
    return _evidence(number, validation.searches, sources, as_of)


def search_outcome(search: ChannelSearch) -> str:
    """Return the result of a search in words."""
    if not search.was_answered:
        return "no answer"
    found = count(search.results, "source") if search.results else "nothing found"
    return found if search.succeeded else f"only corpora answered: {found}"


def anchor(number: int, position: int) -> str:
    """Return the HTML id of a claim's source, by its position from 1."""
    return f"read-{number}-{position}"


def _evidence(
    number: int, searches: Sequence[ChannelSearch], found: Iterable[FoundSource], as_of: date | None
) -> EvidenceView:
    sources = _newest_first(found)
    points = [
        DatedPoint(
            date=source.date,
            stance=source.stance,
            label=point_label(source.name, source.date, source.stance_word.lower(), source.number),
            href=f"#{anchor(number, position)}",
        )
        for position, source in enumerate(sources, 1)
        if source.date is not None
    ]
    until = as_of or max((point.date.last for point in points), default=date.max)
    return EvidenceView(
        number=number,
        searches=tuple(sorted(searches, key=lambda search: _CHANNEL_ORDER.index(search.channel))),
        sources=sources,
        dates=dateline(points, as_of=until, name="Sources by date"),
    )


def _newest_first(sources: Iterable[FoundSource]) -> tuple[FoundSource, ...]:
    return tuple(
        sorted(sources, key=lambda source: source.date.last if source.date else date.min, reverse=True)
    )


def _live_source(found: SearchedSource, channel: str, stance: Stance | None = None) -> FoundSource:
    return FoundSource(
        name=one_line(found.title) or one_line(found.url or "") or _UNTITLED,
        link=web_link(found.url),
        publication=found.domain or "",
        date=found.date,
        channel=channel,
        stance=stance,
    )


def _report_source(source: Source, stance: Stance, number: int | None, relevance: str) -> FoundSource:
    return FoundSource(
        name=source_name(source),
        link=document_link(source) or web_link(source.url),
        publication=own_name(publication(source)),
        date=source.date,
        channel=source.channel,
        stance=stance,
        credibility=source.credibility_level.value.capitalize(),
        number=number,
        relevance=relevance,
    )


def _location(source: SearchedSource) -> str:
    """Return what identifies a source across channels: its URL, or a file's title and date."""
    return canonical_url(source.url) if source.url else f"{source.title} {source.date}"
