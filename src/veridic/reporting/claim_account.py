"""The parts of a claim's report besides its evidence: the number of sources read, the reason for the verdict, further findings."""

from collections.abc import Iterable, Sequence

from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.report import Report
from veridic.domain.validation import CitedSentence
from veridic.reporting.escaping import one_line


def sources_used(decision: Decision) -> int:
    """Return the number of sources read for the claim; if it was not recorded, of the sources quoted."""
    return len(_locations(decision))


def sources_read(report: Report) -> int:
    """Return the number of sources read for the report. A source read for several claims counts once."""
    return len(frozenset[str]().union(*map(_locations, report.decisions)))


def sources_counted_by_claim(report: Report) -> int:
    """Return the field `num_sources`: the sum over all claims. In summary mode, all claims share one set of sources."""
    if report.mode == Mode.SUMMARY:
        return sources_read(report)
    return sum(map(sources_used, report.decisions))


def _locations(decision: Decision) -> frozenset[str]:
    if decision.validation is not None:
        return frozenset(one.source.location for one in decision.validation.sources)
    return frozenset(evidence.source.location for evidence in decision.evidence)


_BEST_PASSAGES = 3
_CLOSE = 0.1
"""The least relevance of a further passage that is shown at once for an open claim."""
_PREFIX_LENGTH = 60
"""A sentence with this many characters of a quotation repeats it; the rest of a long quotation may be cut."""


def quoted(decision: Decision) -> tuple[Evidence, ...]:
    """Return the supporting and contradicting evidence; for an unverifiable claim, the closest passages."""
    return tuple(e for e in decision.evidence if e.stance is not Stance.CONTEXTUAL) or decision.evidence


def best_passages(decision: Decision) -> tuple[Evidence, ...]:
    """Return at most three passages to show first; of an open claim, the closest, and others only if they are close too."""
    candidates = quoted(decision)
    return candidates[:1] + tuple(
        e
        for e in candidates[1:_BEST_PASSAGES]
        if e.stance is not Stance.CONTEXTUAL or e.assessment.relevance >= _CLOSE
    )


def reason(decision: Decision) -> tuple[CitedSentence, ...]:
    """Return the reason for the verdict, with citations: the account's summary, unless it only repeats quotations.

    If a gate changed the verdict, the rationale follows the summary, which does not mention the gate. A person's verdict
    has that person's reason.
    """
    if decision.person is not None and not decision.person.accepted:
        return (CitedSentence(text=decision.rationale, sources=decision.person.sources),)
    rationale = CitedSentence(text=decision.rationale, sources=tuple(e.source for e in quoted(decision)))
    if decision.validation is None:
        return (rationale,)
    summary = without_repetitions(decision.validation.account.summary, decision.evidence)
    if not summary:
        return (rationale,)
    return (*summary, rationale) if decision.gates else summary


def findings(decision: Decision, shown: Sequence[Evidence], *, engine: str) -> tuple[CitedSentence, ...]:
    """Return the key findings that don't repeat the evidence shown.

    The embedded engine's findings are all quotations, and the strongest are shown as evidence, so it has none.
    """
    if decision.validation is None or engine == EngineChoice.EMBEDDED:
        return ()
    return without_repetitions(decision.validation.account.key_findings, shown)


def contradictions(decision: Decision) -> tuple[CitedSentence, ...]:
    """Return the sentences on disagreement between sources."""
    return () if decision.validation is None else decision.validation.account.contradictions


def without_repetitions(
    sentences: Iterable[CitedSentence], shown: Iterable[Evidence]
) -> tuple[CitedSentence, ...]:
    """Return the sentences that quote none of the evidence shown."""
    quotes = [_quote_prefix(e.assessment.quote) for e in shown if e.assessment.quote.strip()]
    return tuple(one for one in sentences if not any(quote in one_line(one.text) for quote in quotes))


def _quote_prefix(quote: str) -> str:
    return one_line(quote)[:_PREFIX_LENGTH].rstrip(". ")
