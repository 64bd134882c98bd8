"""Who does the thinking in summary and thorough mode: somebody finds the claims, somebody reads the evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

from veridic.domain.claim import Claim, Extraction
from veridic.domain.decision import Judgement, TemporalAnalysis
from veridic.domain.document import Document
from veridic.domain.evidence import Channel
from veridic.domain.modes import Mode
from veridic.domain.search import Gathered
from veridic.domain.validation import Account, CitedSentence
from veridic.domain.verdicts import Verdict

Queries = Mapping[Channel, str]


@dataclass(frozen=True)
class ListedClaims:
    """The claims to check, what was left out, and what to search for where somebody wrote that down."""

    extraction: Extraction
    queries: Mapping[str, Queries] = field(default_factory=dict)
    """By claim id; a claim without queries is searched for in its own words."""

    def narrowed(self, extraction: Extraction) -> "ListedClaims":
        """The same with fewer claims, which may have other ids and places by now."""
        queries = {claim.text: self.queries.get(claim.id) for claim in self.extraction.claims}
        kept = {claim.id: queries[claim.text] for claim in extraction.claims}
        return ListedClaims(extraction, {key: value for key, value in kept.items() if value is not None})


class Reading(NamedTuple):
    """What somebody who has read the evidence makes of a claim."""

    judgement: Judgement
    account: Account | None = None
    """In the reader's own words; None where it is to be told from the evidence."""
    temporal: TemporalAnalysis | None = None
    """Likewise."""


class ArticleVerdict(NamedTuple):
    """What somebody who has read the evidence makes of the whole document."""

    verdict: Verdict
    credibility_score: int | None
    """None where the reader gives none."""
    summary: tuple[CitedSentence, ...]
    """The sentences whose citations hold."""


class ReadTogether(NamedTuple):
    """Several claims, read by the same evidence in one go."""

    readings: Mapping[str, Reading]
    """By claim id; a claim that the reader came to nothing on is not there."""
    article: ArticleVerdict | None = None
    said: Mapping[str, Reading] = MappingProxyType({})
    """By claim id: of what somebody is reported to say, whether it was said, as far as the reader came to it."""


class Lister(Protocol):
    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        """At most so many claims, the most important ones, in the order of the text; what is left out says why.

        In summary mode, they are what the text as a whole stands for.
        """
        ...


class Reader(Protocol):
    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        """A verdict on `question`, which is the claim or what it comes down to, by the evidence alone.

        `stage` is what a model's calls are entered as. Raises a `VeridicError` where nothing could be read.
        """
        ...


class HearsayReading(NamedTuple):
    """What somebody who has read the evidence makes of both questions of hearsay."""

    said: Reading
    so: Reading | None
    """None where what was said states no fact."""


@runtime_checkable
class ReadsHearsay(Reader, Protocol):
    """A reader that answers both questions of hearsay by the same evidence."""

    async def read_hearsay(self, claim: Claim, gathered: Gathered, *, stage: str) -> HearsayReading:
        """Whether it was said, and whether it is so; raises as `Reader.read` does."""
        ...
