"""What reading all the sources of a claim came to, in sentences that cite them."""

from enum import StrEnum

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.evidence import Source, Stance
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import Usage


class SourceConsensus(StrEnum):
    """How far the sources that say anything agree; `decision/source_consensus.py` has the rule."""

    STRONG_AGREEMENT = "STRONG_AGREEMENT"
    MODERATE_AGREEMENT = "MODERATE_AGREEMENT"
    SPLIT = "SPLIT"
    NO_CONSENSUS = "NO_CONSENSUS"
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"


class CitedSentence(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    text: str
    """Without marks: faces write `[n]` where the sentence ends, by the numbers of the report."""
    sources: tuple[Source, ...] = ()


class Citation(Frozen):
    """A source worth a reader's time."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    source: Source
    relevance: str
    """Why it matters for the claim, in one sentence."""


class SourceStance(Frozen):
    """What one source says about the claim, all its passages together."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    source: Source
    stance: Stance


class Account(Frozen):
    """A claim's evidence retold."""

    summary: tuple[CitedSentence, ...] = ()
    key_findings: tuple[CitedSentence, ...] = ()
    """Three to five where the evidence has so many."""
    contradictions: tuple[CitedSentence, ...] = ()
    """Each names both sides, and cites both."""
    citations: tuple[Citation, ...] = ()
    """The eight to ten most credible sources where there are so many, most credible first."""
    citations_removed: int = Field(default=0, ge=0)
    """Marks that a model wrote and that led nowhere, or to a source without what was cited."""


class Validation(Frozen):
    """Everything that stands behind a verdict."""

    account: Account
    sources: tuple[SourceStance, ...]
    """Every source that was read, each once."""
    consensus: SourceConsensus
    searches: tuple[ChannelSearch, ...]
    usage: Usage = Usage()
    processing_time_ms: int = 0

    def count(self, stance: Stance) -> int:
        """How many of the sources read take this stance; the three counts add up to `sources`."""
        return sum(one.stance is stance for one in self.sources)

    @property
    def successful_searches(self) -> int:
        return sum(search.succeeded for search in self.searches)
