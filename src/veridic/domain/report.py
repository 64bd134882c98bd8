"""The report: all decisions on a document, with everything needed to render it again later."""

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
    """A stage that could not be completed. A failure never counts as a verdict."""

    stage: str
    message: str
    claim_id: str | None = None


class WholeVerdict(Frozen):
    """A verdict on the whole document."""

    verdict: Verdict
    credibility_score: int | None = Field(default=None, ge=0, le=100)


class KeptFrom(Frozen):
    """The verdicts that were taken over from an earlier check, since neither the claims nor the evidence had changed."""

    check: str
    """The id of the earlier check."""
    claims: tuple[str, ...] = ()
    """The ids of the claims whose verdicts were kept, as they are called in this report."""
    why_none: str = ""
    """Why no verdict could be kept, in words that follow "because"."""


class Report(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    id: str | None = None
    """`FC-2026-000001`, or None if the run could not be saved."""
    mode: str
    engine: str
    """`embedded`, or `llm` if a language model judged the evidence or the claims."""
    models: dict[str, str] = Field(default_factory=dict)
    """Summary and thorough mode: the language models used, by role."""
    as_of: date
    document: Document
    language: str = "en"
    verdict: Verdict
    """The document's verdict on the canonical scale; each face translates it."""
    credibility_score: int | None = Field(default=None, ge=0, le=100)
    by_claims: WholeVerdict | None = None
    """Summary mode with a language model: `verdict` and `credibility_score` are the model's. This is the verdict computed
    from the claims, if it differs; otherwise None."""
    summary: str
    decisions: tuple[Decision, ...]
    omissions: tuple[Omission, ...] = ()
    sources: tuple[Source, ...] = ()
    """Every source shown, once. A source's number in the report is its position here, from 1."""
    corpora: tuple[str, ...] = ()
    """The names of the corpora and providers searched."""
    errors: tuple[Failure, ...] = ()
    kept: KeptFrom | None = None
    """Set if the check was made to keep verdicts of an earlier one."""
    consensus: ConsensusDetails | None = None
    """Consensus mode only."""
    usage: Usage = Usage()
    usage_by_stage: dict[str, Usage] = Field(default_factory=dict)
    """By stage (`extract`, `search`, `validate`, ...); the values add up to `usage`."""
    processing_time_ms: int = 0

    def counts(self) -> dict[Verdict, int]:
        """Return the number of claims with each verdict, without verdicts that did not occur."""
        found = [decision.verdict for decision in self.decisions]
        return {verdict: found.count(verdict) for verdict in Verdict if verdict in found}


def collect_sources(
    decisions: tuple[Decision, ...], summary: tuple[CitedSentence, ...] = ()
) -> tuple[Source, ...]:
    """Return every source that the decisions cite, each once.

    Sources quoted as evidence come first, in reading order; then those cited only by corrections, accounts and the
    document's summary.
    """
    quoted = (evidence.source for decision in decisions for evidence in decision.evidence)
    in_summary = (source for sentence in summary for source in sentence.sources)
    seen: dict[str, Source] = {}
    for source in chain(quoted, *map(_cited_elsewhere, decisions), in_summary):
        seen.setdefault(source.location, source)
    return tuple(seen.values())


def _cited_elsewhere(decision: Decision) -> Iterator[Source]:
    if decision.person is not None:
        yield from decision.person.sources
    if decision.correction is not None:
        yield from decision.correction.sources
    if decision.validation is not None:
        account = decision.validation.account
        yield from (citation.source for citation in account.citations)
        for sentence in (*account.summary, *account.key_findings, *account.contradictions):
            yield from sentence.sources
