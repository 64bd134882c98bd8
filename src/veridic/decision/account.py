"""Summarises a claim's evidence in sentences that cite their sources.

The sentences are built from titles, dates and quotations only, so they say nothing a source doesn't say. Only evidence
that a reader can look up counts: it needs a quotation, and an address or a path.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from veridic.decision.source_consensus import source_stances
from veridic.decision.wording import quote_with_origin, quoted
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.validation import Account, Citation, CitedSentence
from veridic.domain.verdicts import Verdict

MAX_FINDINGS = 5
MIN_CITATIONS, MAX_CITATIONS = 8, 10
MAX_CONTRADICTIONS = 3
MIN_CONTEXT_RELEVANCE = 0.6
"""The relevance a contextual passage needs to be cited."""

_LEADS = {
    Verdict.SUPPORTED: "The sources support the claim",
    Verdict.MOSTLY_SUPPORTED: "The sources support the claim except for a detail",
    Verdict.REFUTED: "The sources contradict the claim",
    Verdict.OUTDATED: "The claim is out of date",
    Verdict.MISLEADING: "The claim is misleading",
}
_OTHER_SIDE_LEADS = {
    Verdict.SUPPORTED: "Evidence against it:",
    Verdict.MOSTLY_SUPPORTED: "Evidence against it:",
    Verdict.REFUTED: "Evidence for it:",
    Verdict.OUTDATED: "Earlier evidence supports it:",
    Verdict.MISLEADING: "Evidence for it:",
}
_STANCE_WORDS = {
    Stance.SUPPORTING: "which supports the claim",
    Stance.CONTRADICTING: "which contradicts the claim",
    Stance.CONTEXTUAL: "for context",
}
_RELEVANCE = {
    Stance.SUPPORTING: "Supports the claim",
    Stance.CONTRADICTING: "Contradicts the claim",
    Stance.CONTEXTUAL: "Gives context without deciding the claim",
}
_BOTH_SIDES = "Has passages for and against the claim"


def account_of(decision: Decision, considered: Sequence[Evidence]) -> Account:
    """Return the account of a decision. `considered` is all evidence that was read for it.

    If there is nothing to cite, the account is empty.
    """
    key = [e for e in decision.evidence if _is_worth_citing(e)]
    others = [e for e in considered if _is_worth_citing(e)]
    others.sort(key=lambda e: e.weight, reverse=True)
    evidence = [*key, *others]
    return Account(
        summary=_summary(decision.verdict, key or others),
        key_findings=_findings(evidence),
        contradictions=_contradictions(evidence),
        citations=_citations(_unique_quotes(evidence)),
    )


def is_citable(evidence: Evidence) -> bool:
    """Whether a reader can look the evidence up: it has a quotation, and an address or path."""
    return bool((evidence.source.url or evidence.source.path) and evidence.assessment.quote.strip())


def _is_worth_citing(evidence: Evidence) -> bool:
    is_relevant = (
        evidence.stance is not Stance.CONTEXTUAL or evidence.assessment.relevance >= MIN_CONTEXT_RELEVANCE
    )
    return is_relevant and is_citable(evidence)


def _summary(verdict: Verdict, evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    supporting = _with_stance(Stance.SUPPORTING, evidence)
    contradicting = _with_stance(Stance.CONTRADICTING, evidence)
    if not supporting and not contradicting:
        return _unverifiable_summary(evidence)
    if verdict not in _LEADS:
        return (_sentence(_undecided_text(supporting, contradicting), [*supporting, *contradicting]),)
    side, other = supporting, contradicting
    if verdict not in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED) and contradicting:
        side, other = contradicting, supporting
    sentences = [_sentence(f"{_LEADS[verdict]}: {quote_with_origin(side[0])}", side)] if side else []
    if other:
        sentences.append(_sentence(f"{_OTHER_SIDE_LEADS[verdict]} {quote_with_origin(other[0])}", other[:1]))
    return tuple(sentences)


def _unverifiable_summary(context: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    if not context:
        return ()
    nearest = max(context, key=lambda e: e.assessment.relevance)
    text = f"The claim is unverifiable; the closest passage is {quote_with_origin(nearest)}"
    return (_sentence(text, [nearest]),)


def _undecided_text(supporting: Sequence[Evidence], contradicting: Sequence[Evidence]) -> str:
    if supporting and contradicting:
        return f"The evidence is divided: {_conflict_text(supporting[0], contradicting[0])}"
    return f"The evidence is not clear: {_finding_text((*supporting, *contradicting)[0])}"


def _findings(evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    """Return one sentence per passage, with the first passage of every source before any second one.

    Contextual passages count only if no passage takes a side.
    """
    takes_a_side = [e for e in evidence if e.stance is not Stance.CONTEXTUAL]
    in_order = _unique_quotes(takes_a_side or evidence)
    met: Counter[str] = Counter()
    turns: list[tuple[int, Evidence]] = []
    for piece in in_order:
        met[piece.source.location] += 1
        turns.append((met[piece.source.location], piece))
    chosen = [piece for _, piece in sorted(turns, key=lambda turn: turn[0])[:MAX_FINDINGS]]
    return tuple(_sentence(_finding_text(piece), [piece]) for piece in chosen)


def _contradictions(evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    """Pair the strongest passages of the two sides, then the next, one per source."""
    supporting = _first_per_source(_with_stance(Stance.SUPPORTING, evidence))
    contradicting = _first_per_source(_with_stance(Stance.CONTRADICTING, evidence))
    pairs = list(zip(supporting, contradicting, strict=False))[:MAX_CONTRADICTIONS]
    return tuple(_sentence(_conflict_text(*pair), pair) for pair in pairs)


class _CitedSource(NamedTuple):
    """A source with its stance and the passage to quote for it."""

    stance: Stance
    passage: Evidence

    @property
    def credibility(self) -> tuple[float, float]:
        return self.passage.source.credibility, self.passage.weight


def _citations(evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """Return the most credible sources that take a side; if they are few, also the most relevant others."""
    cited = _cited_sources(evidence)
    on_a_side = [c for c in cited if c.stance is not Stance.CONTEXTUAL]
    on_a_side.sort(key=lambda c: c.credibility, reverse=True)
    near = [c for c in cited if c.stance is Stance.CONTEXTUAL]
    near.sort(key=lambda c: (c.passage.assessment.relevance, c.credibility), reverse=True)
    room = max(0, MIN_CITATIONS - len(on_a_side))
    chosen = [*on_a_side[:MAX_CITATIONS], *near[:room]]
    chosen.sort(key=lambda c: c.credibility, reverse=True)
    return tuple(Citation(source=c.passage.source, relevance=_relevance(c)) for c in chosen)


def _cited_sources(evidence: Sequence[Evidence]) -> list[_CitedSource]:
    by_source: dict[str, list[Evidence]] = {}
    for one in evidence:
        by_source.setdefault(one.source.location, []).append(one)
    stances = [one.stance for one in source_stances(evidence)]
    return [
        _CitedSource(stance, max(_with_stance(stance, own) or own, key=lambda e: e.weight))
        for stance, own in zip(stances, by_source.values(), strict=True)
    ]


def _relevance(cited: _CitedSource) -> str:
    is_divided = cited.stance is Stance.CONTEXTUAL and cited.passage.stance is not Stance.CONTEXTUAL
    when = f" as of {cited.passage.date}" if cited.passage.date else ""
    does = _BOTH_SIDES if is_divided else _RELEVANCE[cited.stance]
    return f"{does}{when}: {quoted(cited.passage.assessment.quote)}."


def _finding_text(evidence: Evidence) -> str:
    return f"{quote_with_origin(evidence)}, {_STANCE_WORDS[evidence.stance]}"


def _conflict_text(supporting: Evidence, contradicting: Evidence) -> str:
    return f"{quote_with_origin(supporting)} supports the claim, {quote_with_origin(contradicting)} contradicts it"


def _with_stance(stance: Stance, evidence: Iterable[Evidence]) -> list[Evidence]:
    return [e for e in evidence if e.stance is stance]


def _unique_quotes(evidence: Iterable[Evidence]) -> list[Evidence]:
    first: dict[tuple[str, str], Evidence] = {}
    for one in evidence:
        first.setdefault((one.source.location, one.assessment.quote), one)
    return list(first.values())


def _first_per_source(evidence: Iterable[Evidence]) -> list[Evidence]:
    first: dict[str, Evidence] = {}
    for one in evidence:
        first.setdefault(one.source.location, one)
    return list(first.values())


def _sentence(text: str, evidence: Iterable[Evidence]) -> CitedSentence:
    return CitedSentence(text=f"{text}.", sources=_sources(evidence))


def _sources(evidence: Iterable[Evidence]) -> tuple[Source, ...]:
    return tuple(e.source for e in _first_per_source(evidence))
