"""Evidence: a passage of a source, its stance on a claim, and its weight."""

from enum import StrEnum
from typing import NamedTuple

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.dates import DateField, PartialDate
from veridic.domain.urls import canonical_url


class Tier(StrEnum):
    """Credibility tiers; `TIER_SCORES` has the score of each."""

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
    """The kind of source a search looks for."""

    NEWS = "news"
    RESEARCH = "research"
    GENERAL = "general"
    HISTORICAL = "historical"


class CredibilityLevel(StrEnum):
    """A source's credibility in one word."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class SourceType(StrEnum):
    """The kinds that reports and tables may name. Veridic itself finds documentation and the web."""

    CODEBASE = "codebase"
    DOCUMENTATION = "documentation"
    WEB = "web"
    API = "api"
    DATABASE = "database"


class Source(Frozen):
    """Where a passage comes from, in enough detail for a person to look it up."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    title: str
    type: SourceType = SourceType.DOCUMENTATION
    url: str | None = None
    path: str | None = None
    domain: str | None = None
    author: str | None = None
    subject: str = ""
    """For an entry of a reference work, in which each passage states one fact: what the facts are about. Empty for prose."""
    date: DateField | None = None
    channel: str = ""
    """The `Channel` that found it; empty if no search has found it yet."""
    found_in: str = ""
    """The name of the corpus or search provider that found it."""
    kept_in: str = ""
    """The named corpus in which its text can be read; empty for the web, and for files that stay where they are."""
    digest: str | None = None
    """Web pages: SHA-256 of the text as it was read, because pages change."""
    tier: Tier = Tier.UNKNOWN
    credibility: float = Field(default=0.5, ge=0, le=1)

    @property
    def reference(self) -> str:
        """The address, path or title under which a person finds it."""
        return self.url or self.path or self.title

    @property
    def location(self) -> str:
        """The source's identity: its canonical address, path or title. Sources with the same location are one source."""
        if self.url:
            return canonical_url(self.url)
        # Two corpora may each have a file of the same name.
        return f"{self.kept_in}:{self.path}" if self.kept_in and self.path else self.path or self.title

    @property
    def credibility_level(self) -> CredibilityLevel:
        """`credibility` in one word: HIGH for national news and better, MEDIUM for an unknown publisher."""
        if self.credibility >= 0.75:
            return CredibilityLevel.HIGH
        return CredibilityLevel.MEDIUM if self.credibility >= 0.5 else CredibilityLevel.LOW


class Passage(Frozen):
    """A few sentences of a source, as stored in the index."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    id: str
    source: Source
    text: str
    start: int
    end: int
    """`start` and `end`: the offsets of `text` in the source's text, in code points."""
    date: DateField | None = None
    """The date the passage itself gives for what it says; if None, the source's date counts."""
    score: float = 0.0
    """The index's match score; comparable within one query only."""


class Found(NamedTuple):
    """A passage, and the other sources with the same words."""

    passage: Passage
    """Its `score` is comparable across all passages found for the same question."""
    copies: tuple[Source, ...] = ()


class Stance(StrEnum):
    SUPPORTING = "supporting"
    CONTRADICTING = "contradicting"
    CONTEXTUAL = "contextual"


class Detail(StrEnum):
    """The details of a claim that can be compared exactly with a passage."""

    FIGURE = "figure"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"


class Difference(Frozen):
    """A detail in which a passage differs from the claim; the two need not be about the same thing."""

    kind: Detail
    in_claim: str
    in_passage: str
    """Verbatim; empty if one has a negation and the other does not."""


IN_DOUBT = "Whether it says so is in doubt."
"""What is added to the reason of a source that a model cites, where its text bears that out only weakly."""


class Assessment(Frozen):
    """One judge's reading of one passage for one claim."""

    stance: Stance
    probability: float = Field(ge=0, le=1)
    """How sure the judge is of `stance`."""
    quote: str
    """The sentence of the passage that decided the stance, verbatim."""
    reason: str
    """One sentence for the reader."""
    relevance: float = Field(ge=0, le=1)
    """How much of the claim the passage covers."""
    specificity: float = Field(ge=0, le=1)
    """How exact the passage is: 1.0 states the claim itself, 0.0 only mentions the topic."""
    close: bool = False
    """True if the passage supports the claim only roughly: its figure is near, but not the same."""
    differences: tuple[Difference, ...] = ()
    """Details in which the passage differs from the claim, shown to the reader."""

    @property
    def is_in_doubt(self) -> bool:
        return self.reason.endswith(IN_DOUBT)


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
    """Sources of near-identical passages; they are listed, but the passage counts once."""

    @property
    def source(self) -> Source:
        return self.passage.source

    @property
    def date(self) -> PartialDate | None:
        """The passage's date, or else its source's."""
        return self.passage.date or self.passage.source.date

    @property
    def stance(self) -> Stance:
        return self.assessment.stance

    @property
    def weight(self) -> float:
        return self.quality.score * self.assessment.relevance
