"""A claim's account, as far as it says more than the evidence that is quoted beside it."""

from collections.abc import Iterable, Sequence

from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.modes import EngineChoice
from veridic.domain.validation import CitedSentence
from veridic.reporting.outside import one_line

_RECOGNISED_BY = 60
"""So many characters of a quotation tell that a sentence repeats it: a long one may be cut short there."""


def quoted(decision: Decision) -> tuple[Evidence, ...]:
    """The evidence that is for the claim or against it; of a claim that is open, the passages closest to it."""
    return tuple(e for e in decision.evidence if e.stance is not Stance.CONTEXTUAL) or decision.evidence


def reason(decision: Decision) -> tuple[CitedSentence, ...]:
    """Why the verdict is what it is, cited: the account's summary where it has words of its own.

    Where a rule of evidence changed the verdict, what it says comes last, for the summary doesn't know of it.
    """
    own = CitedSentence(text=decision.rationale, sources=tuple(e.source for e in quoted(decision)))
    if decision.validation is None:
        return (own,)
    summary = without_repetitions(decision.validation.account.summary, decision.evidence)
    if not summary:
        return (own,)
    return (*summary, own) if decision.gates else summary


def findings(decision: Decision, shown: Sequence[Evidence], *, engine: str) -> tuple[CitedSentence, ...]:
    """The key findings that don't just repeat the evidence shown.

    The embedded engine's are quotations one and all, and the strongest are shown as evidence: none is left.
    """
    if decision.validation is None or engine == EngineChoice.EMBEDDED:
        return ()
    return without_repetitions(decision.validation.account.key_findings, shown)


def contradictions(decision: Decision) -> tuple[CitedSentence, ...]:
    """Where sources disagree, both sides of it."""
    return () if decision.validation is None else decision.validation.account.contradictions


def without_repetitions(
    sentences: Iterable[CitedSentence], shown: Iterable[Evidence]
) -> tuple[CitedSentence, ...]:
    """The sentences that quote none of the evidence shown."""
    quotes = [_recognisable(e.assessment.quote) for e in shown if e.assessment.quote.strip()]
    return tuple(one for one in sentences if not any(quote in one_line(one.text) for quote in quotes))


def _recognisable(quote: str) -> str:
    return one_line(quote)[:_RECOGNISED_BY].rstrip(". ")
