"""A claim's evidence retold in sentences, each of which cites what it says.

Nothing is said here that a source doesn't say: sentences are put together from titles, dates and quotations. Only
evidence that a reader can follow counts: a quotation, and an address or a path.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from veridic.decision.source_consensus import source_stances
from veridic.decision.wording import quoted, told
from veridic.domain.decision import Decision
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.validation import Account, Citation, CitedSentence
from veridic.domain.verdicts import Verdict

MOST_FINDINGS = 5
FEWEST_CITATIONS, MOST_CITATIONS = 8, 10
MOST_CONTRADICTIONS = 3
NEAR = 0.6
"""How relevant a source that settles nothing must be to be worth a reader's time."""

_LEADS = {
    Verdict.SUPPORTED: "The sources bear the claim out",
    Verdict.MOSTLY_SUPPORTED: "The sources bear the claim out but for a detail",
    Verdict.REFUTED: "The sources say otherwise",
    Verdict.OUTDATED: "The claim is out of date",
    Verdict.MISLEADING: "The claim misleads",
}
_BESIDES = {
    Verdict.SUPPORTED: "Against it speaks",
    Verdict.MOSTLY_SUPPORTED: "Against it speaks",
    Verdict.REFUTED: "For it speaks",
    Verdict.OUTDATED: "Earlier evidence bears it out:",
    Verdict.MISLEADING: "For it speaks",
}
_MEANS = {
    Stance.SUPPORTING: "which bears the claim out",
    Stance.CONTRADICTING: "which says otherwise",
    Stance.CONTEXTUAL: "for context",
}
_RELEVANCE = {
    Stance.SUPPORTING: "Supports the claim",
    Stance.CONTRADICTING: "Contradicts the claim",
    Stance.CONTEXTUAL: "Gives context without settling the claim",
}
_BOTH_SIDES = "Speaks both for and against the claim"


def account_of(decision: Decision, considered: Sequence[Evidence]) -> Account:
    """What was found for a decision, retold. `considered` is everything that was read for it.

    Where there is nothing to cite, there is no sentence.
    """
    key = [e for e in decision.evidence if _is_worth_telling(e)]
    others = [e for e in considered if _is_worth_telling(e)]
    others.sort(key=lambda e: e.weight, reverse=True)
    evidence = [*key, *others]
    return Account(
        summary=_summary(decision.verdict, key or others),
        key_findings=_findings(evidence),
        contradictions=_contradictions(evidence),
        citations=_citations(_each_once(evidence)),
    )


def can_be_followed(evidence: Evidence) -> bool:
    """Whether a reader can look it up: it quotes, and says where that stands."""
    return bool((evidence.source.url or evidence.source.path) and evidence.assessment.quote.strip())


def _is_worth_telling(evidence: Evidence) -> bool:
    is_near = evidence.stance is not Stance.CONTEXTUAL or evidence.assessment.relevance >= NEAR
    return is_near and can_be_followed(evidence)


def _summary(verdict: Verdict, evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    supporting = _on(Stance.SUPPORTING, evidence)
    contradicting = _on(Stance.CONTRADICTING, evidence)
    if not supporting and not contradicting:
        return _nothing_settles(evidence)
    if verdict not in _LEADS:
        return (_sentence(_unclear(supporting, contradicting), [*supporting, *contradicting]),)
    side, other = supporting, contradicting
    if verdict not in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED) and contradicting:
        side, other = contradicting, supporting
    sentences = [_sentence(f"{_LEADS[verdict]}: {told(side[0])}", side)] if side else []
    if other:
        sentences.append(_sentence(f"{_BESIDES[verdict]} {told(other[0])}", other[:1]))
    return tuple(sentences)


def _nothing_settles(context: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    if not context:
        return ()
    nearest = max(context, key=lambda e: e.assessment.relevance)
    text = f"Nothing that was read settles the claim; the nearest is {told(nearest)}"
    return (_sentence(text, [nearest]),)


def _unclear(supporting: Sequence[Evidence], contradicting: Sequence[Evidence]) -> str:
    if supporting and contradicting:
        return f"The evidence is divided: {_conflict(supporting[0], contradicting[0])}"
    return f"The evidence is not clear: {_retold((*supporting, *contradicting)[0])}"


def _findings(evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    """One piece of evidence each, of every source its first before its second; context only where nothing takes a side."""
    takes_a_side = [e for e in evidence if e.stance is not Stance.CONTEXTUAL]
    in_order = _each_once(takes_a_side or evidence)
    met: Counter[str] = Counter()
    turns: list[tuple[int, Evidence]] = []
    for piece in in_order:
        met[piece.source.location] += 1
        turns.append((met[piece.source.location], piece))
    chosen = [piece for _, piece in sorted(turns, key=lambda turn: turn[0])[:MOST_FINDINGS]]
    return tuple(_sentence(_retold(piece), [piece]) for piece in chosen)


def _contradictions(evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    """The strongest of one side beside the strongest of the other, then the next two."""
    supporting = _one_a_source(_on(Stance.SUPPORTING, evidence))
    contradicting = _one_a_source(_on(Stance.CONTRADICTING, evidence))
    pairs = list(zip(supporting, contradicting, strict=False))[:MOST_CONTRADICTIONS]
    return tuple(_sentence(_conflict(*pair), pair) for pair in pairs)


class _Voice(NamedTuple):
    """A source with the side it takes and the passage that speaks for it."""

    stance: Stance
    passage: Evidence

    @property
    def credibility(self) -> tuple[float, float]:
        return self.passage.source.credibility, self.passage.weight


def _citations(evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """The most credible of the sources that take a side; if they are few, the most relevant of the others too."""
    voices = _voices(evidence)
    on_a_side = [v for v in voices if v.stance is not Stance.CONTEXTUAL]
    on_a_side.sort(key=lambda v: v.credibility, reverse=True)
    near = [v for v in voices if v.stance is Stance.CONTEXTUAL]
    near.sort(key=lambda v: (v.passage.assessment.relevance, v.credibility), reverse=True)
    room = max(0, FEWEST_CITATIONS - len(on_a_side))
    chosen = [*on_a_side[:MOST_CITATIONS], *near[:room]]
    chosen.sort(key=lambda v: v.credibility, reverse=True)
    return tuple(Citation(source=v.passage.source, relevance=_relevance(v)) for v in chosen)


def _voices(evidence: Sequence[Evidence]) -> list[_Voice]:
    by_source: dict[str, list[Evidence]] = {}
    for one in evidence:
        by_source.setdefault(one.source.location, []).append(one)
    stances = [one.stance for one in source_stances(evidence)]
    return [
        _Voice(stance, max(_on(stance, own) or own, key=lambda e: e.weight))
        for stance, own in zip(stances, by_source.values(), strict=True)
    ]


def _relevance(voice: _Voice) -> str:
    is_divided = voice.stance is Stance.CONTEXTUAL and voice.passage.stance is not Stance.CONTEXTUAL
    when = f" as of {voice.passage.date}" if voice.passage.date else ""
    does = _BOTH_SIDES if is_divided else _RELEVANCE[voice.stance]
    return f"{does}{when}: {quoted(voice.passage.assessment.quote)}."


def _retold(evidence: Evidence) -> str:
    return f"{told(evidence)}, {_MEANS[evidence.stance]}"


def _conflict(supporting: Evidence, contradicting: Evidence) -> str:
    return f"{told(supporting)} speaks for the claim, {told(contradicting)} against it"


def _on(stance: Stance, evidence: Iterable[Evidence]) -> list[Evidence]:
    return [e for e in evidence if e.stance is stance]


def _each_once(evidence: Iterable[Evidence]) -> list[Evidence]:
    first: dict[tuple[str, str], Evidence] = {}
    for one in evidence:
        first.setdefault((one.source.location, one.assessment.quote), one)
    return list(first.values())


def _one_a_source(evidence: Iterable[Evidence]) -> list[Evidence]:
    first: dict[str, Evidence] = {}
    for one in evidence:
        first.setdefault(one.source.location, one)
    return list(first.values())


def _sentence(text: str, evidence: Iterable[Evidence]) -> CitedSentence:
    return CitedSentence(text=f"{text}.", sources=_sources(evidence))


def _sources(evidence: Iterable[Evidence]) -> tuple[Source, ...]:
    return tuple(e.source for e in _one_a_source(evidence))
