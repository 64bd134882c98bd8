"""An earlier run's claims and evidence, for the same check once more: nothing is extracted or searched for again."""

from collections.abc import Mapping

from veridic.domain.claim import Extraction
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.pipeline.readers import ListedClaims, Queries
from veridic.pipeline.telling import Tell


class Replayed:
    """Plays the parts of the lister and the observer."""

    def __init__(self, report: Report, evidence: Mapping[str, Gathered]) -> None:
        """`evidence` is what was gathered for the report, by question."""
        self._report = report
        self._evidence = evidence
        self._shared = next(iter(evidence.values()), None) if report.mode == Mode.SUMMARY else None
        """A summary's one round is for all its claims, also for those that were not decided then."""

    @property
    def searched(self) -> tuple[str, ...]:
        return self._report.corpora

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:  # noqa: ARG002
        """See `Lister.list_claims`: the claims that were decided then."""
        report = self._report
        return ListedClaims(
            Extraction(
                claims=tuple(decision.claim for decision in report.decisions),
                omissions=report.omissions,
                sentence_count=0,
                language=report.language,
            )
        )

    async def gather(
        self,
        question: str,
        *,
        claim_id: str | None,
        queries: Queries | None,  # noqa: ARG002
        tell: Tell,
    ) -> Gathered:
        """See `Observer.gather`: what was found then."""
        gathered = self._evidence.get(question) or self._shared or Gathered(question=question)
        tell(Event(name=EventName.EVIDENCE_GATHERED, data={"claim_id": claim_id, "gathered": gathered}))
        return gathered
