"""Evidence: a passage of a source, what it says about a claim, and how much that counts."""

from enum import StrEnum
from typing import NamedTuple

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.dates import DateField, PartialDate
from veridic.domain.urls import canonical_url


class Tier(StrEnum):
    """Credibility tiers, with the score each stands for in `TIER_SCORES`."""

    FEDERAL_GOVERNMENT = "federal_government"
    FACT_CHECKERS = "fact_checkers"
    RESEARCH_INSTITUTIONS = "research_institutions"
    NATIONAL_NEWS = "national_news"
    REGIONAL_NEWS = "regional_news"
    BLOGS_OPINION = "blogs_opinion"
    UNKNOWN = "unknown"


TIER_SCORES: dict[Tier, float] = {
    Tier.FEDERAL_GOVERNMENT: 1.0,
    Tier.FACT_CHECKERS: 0.9,
    Tier.RESEARCH_INSTITUTIONS: 0.85,
    Tier.NATIONAL_NEWS: 0.75,
    Tier.REGIONAL_NEWS: 0.65,
    Tier.BLOGS_OPINION: 0.3,
    Tier.UNKNOWN: 0.5,
}


class Channel(StrEnum):
    """What kind of source a search is after."""

    NEWS = "news"
    RESEARCH = "research"
    GENERAL = "general"
    HISTORICAL = "historical"


class CredibilityLevel(StrEnum):
    """How far a source can be trusted, in one word."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class SourceType(StrEnum):
    CODEBASE = "codebase"
    DOCUMENTATION = "documentation"
    WEB = "web"
    API = "api"
    DATABASE = "database"


class Source(Frozen):
    """Where a passage stands, so that a person can follow it."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    title: str
    type: SourceType = SourceType.DOCUMENTATION
    url: str | None = None
    path: str | None = None
    domain: str | None = None
    author: str | None = None
    subject: str = ""
    """What every passage states one fact of, each by itself, as an entry of a reference work does; empty for prose."""
    date: DateField | None = None
    channel: str = ""
    """The `Channel` that found it; empty for a passage that no search has found yet."""
    found_in: str = ""
    """Where it was found: a corpus or a search provider, by name."""
    digest: str | None = None
    """SHA-256 of a page's text as it was read, for pages, which change."""
    tier: Tier = Tier.UNKNOWN
    credibility: float = Field(default=0.5, ge=0, le=1)

    @property
    def reference(self) -> str:
        """Where a person finds it."""
        return self.url or self.path or self.title

    @property
    def location(self) -> str:
        """What identifies it, the same for every way to write an address: one location is one source."""
        return canonical_url(self.url) if self.url else self.path or self.title

    @property
    def credibility_level(self) -> CredibilityLevel:
        """`credibility` in one word: national news and better is HIGH, a publisher nobody knows MEDIUM."""
        if self.credibility >= 0.75:
            return CredibilityLevel.HIGH
        return CredibilityLevel.MEDIUM if self.credibility >= 0.5 else CredibilityLevel.LOW


class Passage(Frozen):
    """A few sentences of a source, as the index keeps them."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    id: str
    source: Source
    text: str
    start: int
    end: int
    """Where `text` stands in the source's own text, in code points."""
    date: DateField | None = None
    """When what it says was so, where the passage itself says; else the source's date counts."""
    score: float = 0.0
    """How well the index found it to match; comparable within one query only."""


class Found(NamedTuple):
    """A passage, and where else the same words stand."""

    passage: Passage
    """Its `score` can be compared with that of any other passage found for the same question."""
    copies: tuple[Source, ...] = ()


class Stance(StrEnum):
    SUPPORTING = "supporting"
    CONTRADICTING = "contradicting"
    CONTEXTUAL = "contextual"


class Detail(StrEnum):
    """What of a claim can be compared exactly with a passage."""

    FIGURE = "figure"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"


class Difference(Frozen):
    """Something in a claim that a passage gives otherwise; it need not be about the same thing."""

    kind: Detail
    in_claim: str
    in_passage: str
    """Word for word; empty where the one has a negation and the other none."""


class Assessment(Frozen):
    """What one judge makes of one passage for one claim."""

    stance: Stance
    probability: float = Field(ge=0, le=1)
    """How sure the judge is of `stance`."""
    quote: str
    """The sentence of the passage that decided it, word for word."""
    reason: str
    """One sentence a reader can follow."""
    relevance: float = Field(ge=0, le=1)
    """How much of the claim the passage speaks about."""
    specificity: float = Field(ge=0, le=1)
    """How exact: 1.0 states the very thing, 0.0 mentions the topic."""
    close: bool = False
    """Supports the claim only roughly: a figure that is near, not the same."""
    differences: tuple[Difference, ...] = ()
    """What the passage gives otherwise than the claim, for a reader to look at."""


class Quality(Frozen):
    """The four factors of evidence quality, each from 0 to 1, and their weighted sum."""

    authority: float = Field(ge=0, le=1)
    recency: float = Field(ge=0, le=1)
    relevance: float = Field(ge=0, le=1)
    specificity: float = Field(ge=0, le=1)

    @property
    def score(self) -> float:
        return 0.3 * self.authority + 0.25 * self.recency + 0.25 * self.relevance + 0.2 * self.specificity


class Evidence(Frozen):
    passage: Passage
    assessment: Assessment
    quality: Quality
    copies: tuple[Source, ...] = ()
    """Near-identical passages elsewhere: listed, counted once."""

    @property
    def source(self) -> Source:
        return self.passage.source

    @property
    def date(self) -> PartialDate | None:
        """As of when the evidence speaks."""
        return self.passage.date or self.passage.source.date

    @property
    def stance(self) -> Stance:
        return self.assessment.stance

    @property
    def weight(self) -> float:
        return self.quality.score * self.assessment.relevance
