"""The evidence behind a verdict: what each source says, how far they agree, and a summary that cites them."""

from enum import StrEnum

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.evidence import Source, Stance
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import Usage


class SourceConsensus(StrEnum):
    """How far the sources that take a side agree; the rule is in `decision/source_consensus.py`."""

    STRONG_AGREEMENT = "STRONG_AGREEMENT"
    MODERATE_AGREEMENT = "MODERATE_AGREEMENT"
    SPLIT = "SPLIT"
    NO_CONSENSUS = "NO_CONSENSUS"
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"


class CitedSentence(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    text: str
    """Without citation marks: each face adds `[n]` at the end, with the report's numbers."""
    sources: tuple[Source, ...] = ()


class Citation(Frozen):
    """A source recommended to the reader."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    source: Source
    relevance: str
    """Why it matters for the claim, in one sentence."""


class SourceStance(Frozen):
    """The stance of one source on the claim, over all its passages."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    source: Source
    stance: Stance


class Account(Frozen):
    """A claim's evidence, summarised in sentences."""

    summary: tuple[CitedSentence, ...] = ()
    key_findings: tuple[CitedSentence, ...] = ()
    """Three to five, if the evidence has that many."""
    contradictions: tuple[CitedSentence, ...] = ()
    """Each names and cites both sides."""
    citations: tuple[Citation, ...] = ()
    """The eight to ten most credible sources, if there are that many, most credible first."""
    citations_removed: int = Field(default=0, ge=0)
    """Citations by a model that were removed: the source does not exist, or does not say what was cited."""


class Validation(Frozen):
    """The sources, searches and summary behind a verdict."""

    account: Account
    sources: tuple[SourceStance, ...]
    """Every source that was read, each once."""
    consensus: SourceConsensus
    searches: tuple[ChannelSearch, ...]
    usage: Usage = Usage()
    processing_time_ms: int = 0

    def count(self, stance: Stance) -> int:
        """Return the number of sources with this stance; the three counts add up to `sources`."""
        return sum(one.stance is stance for one in self.sources)

    @property
    def successful_searches(self) -> int:
        return sum(search.succeeded for search in self.searches)
