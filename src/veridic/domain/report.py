"""The report: decisions put together, with everything needed to show them again later."""

from collections.abc import Iterator
from datetime import date
from itertools import chain

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.claim import Omission
from veridic.domain.consensus import ConsensusDetails
from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.evidence import Source
from veridic.domain.usage import Usage
from veridic.domain.validation import CitedSentence
from veridic.domain.verdicts import Verdict


class Failure(Frozen):
    """A stage that could not be completed. Never a verdict."""

    stage: str
    message: str
    claim_id: str | None = None


class WholeVerdict(Frozen):
    """A verdict on the whole document."""

    verdict: Verdict
    credibility_score: int | None = Field(default=None, ge=0, le=100)


class Report(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    id: str | None = None
    """`FC-2026-000001`, or None where the run could not be saved."""
    mode: str
    engine: str
    """`embedded`, or `llm` where a language model read the evidence or checked."""
    models: dict[str, str] = Field(default_factory=dict)
    """Summary and thorough mode: the language models that worked on it, by role."""
    as_of: date
    document: Document
    language: str = "en"
    verdict: Verdict
    """The document's verdict on the canonical scale; faces translate it."""
    credibility_score: int | None = Field(default=None, ge=0, le=100)
    by_claims: WholeVerdict | None = None
    """Summary mode with a language model, whose verdict on the document the two above are: what the verdicts on its
    claims come to by our own count, where that differs."""
    summary: str
    decisions: tuple[Decision, ...]
    omissions: tuple[Omission, ...] = ()
    sources: tuple[Source, ...] = ()
    """Every source shown, once; a source's number in the report is its place here, from 1."""
    corpora: tuple[str, ...] = ()
    """What was searched, by name."""
    errors: tuple[Failure, ...] = ()
    consensus: ConsensusDetails | None = None
    """Consensus mode only."""
    usage: Usage = Usage()
    usage_by_stage: dict[str, Usage] = Field(default_factory=dict)
    """`extract`, `search`, `validate`, ...: they add up to `usage`."""
    processing_time_ms: int = 0

    def counts(self) -> dict[Verdict, int]:
        """How many claims got each verdict; verdicts that did not occur are left out."""
        found = [decision.verdict for decision in self.decisions]
        return {verdict: found.count(verdict) for verdict in Verdict if verdict in found}


def collect_sources(
    decisions: tuple[Decision, ...], summary: tuple[CitedSentence, ...] = ()
) -> tuple[Source, ...]:
    """Every source that the decisions cite, each once: what the evidence quotes comes first, in reading order,
    then what else the corrections and accounts, and the document's summary, cite."""
    quoted = (evidence.source for decision in decisions for evidence in decision.evidence)
    summed_up = (source for sentence in summary for source in sentence.sources)
    seen: dict[str, Source] = {}
    for source in chain(quoted, *map(_cited_besides, decisions), summed_up):
        seen.setdefault(source.location, source)
    return tuple(seen.values())


def _cited_besides(decision: Decision) -> Iterator[Source]:
    if decision.correction is not None:
        yield from decision.correction.sources
    if decision.validation is not None:
        account = decision.validation.account
        yield from (citation.source for citation in account.citations)
        for sentence in (*account.summary, *account.key_findings, *account.contradictions):
            yield from sentence.sources
