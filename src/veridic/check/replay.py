"""Repeats a check with the claims and evidence of an earlier run; nothing is extracted or searched for."""

from collections.abc import Mapping

from veridic.domain.claim import Extraction
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.domain.search import Gathered
from veridic.engine.event_stream import Emit
from veridic.engine.readers import ListedClaims, Queries


class Replayed:
    """A lister and observer that returns what an earlier run found."""

    def __init__(self, report: Report, evidence: Mapping[str, Gathered]) -> None:
        """`evidence` is what was gathered for the report, by question."""
        self._report = report
        self._evidence = evidence
        self._shared = next(iter(evidence.values()), None) if report.mode == Mode.SUMMARY else None
        """In summary mode the evidence is for all claims, including those that were not decided."""

    @property
    def searched(self) -> tuple[str, ...]:
        return self._report.corpora

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:  # noqa: ARG002
        """See `Lister.list_claims`; returns the claims that the earlier run decided."""
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
        emit: Emit,
    ) -> Gathered:
        """See `Observer.gather`; returns what the earlier run found."""
        gathered = self._evidence.get(question) or self._shared or Gathered(question=question)
        emit(Event(name=EventName.EVIDENCE_GATHERED, data={"claim_id": claim_id, "gathered": gathered}))
        return gathered
