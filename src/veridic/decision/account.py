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
NEAR = 0.3
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
    key = _followable(decision.evidence)
    others = sorted(_followable(considered), key=lambda e: e.weight, reverse=True)
    return Account(
        summary=_summary(decision.verdict, key),
        key_findings=_findings([*key, *others]),
        contradictions=_contradictions([*key, *others]),
        citations=_citations(_each_once([*key, *others])),
    )


def can_be_followed(evidence: Evidence) -> bool:
    """Whether a reader can look it up: it quotes, and says where that stands."""
    return bool((evidence.source.url or evidence.source.path) and evidence.assessment.quote.strip())


def _followable(evidence: Iterable[Evidence]) -> list[Evidence]:
    return [e for e in evidence if can_be_followed(e)]


def _summary(verdict: Verdict, key: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    supporting = _on(Stance.SUPPORTING, key)
    contradicting = _on(Stance.CONTRADICTING, key)
    if not supporting and not contradicting:
        nearest = key[:1]
        return tuple(_sentence(f"Nothing that was read settles the claim; the nearest is {told(e)}", [e]) for e in nearest)  # fmt: skip
    if verdict not in _LEADS:
        return _both_sides(supporting, contradicting)
    is_against = verdict not in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED)
    side, other = (contradicting, supporting) if is_against else (supporting, contradicting)
    if not side:
        return _both_sides(supporting, contradicting)
    sentences = [_sentence(f"{_LEADS[verdict]}: {told(side[0])}", side)]
    if other:
        sentences.append(_sentence(f"{_BESIDES[verdict]} {told(other[0])}", other))
    return tuple(sentences)


def _both_sides(
    supporting: Sequence[Evidence], contradicting: Sequence[Evidence]
) -> tuple[CitedSentence, ...]:
    if not supporting or not contradicting:
        return tuple(_sentence(f"The evidence is not clear: {_retold(e)}", [e]) for e in (*supporting, *contradicting)[:1])  # fmt: skip
    both = _conflict(supporting[0], contradicting[0])
    return (_sentence(f"The evidence is divided: {both}", [*supporting, *contradicting]),)


def _findings(evidence: Sequence[Evidence]) -> tuple[CitedSentence, ...]:
    """One piece of evidence each: of every source its first before its second, what takes a side before context."""
    worth_telling = [e for e in evidence if e.stance is not Stance.CONTEXTUAL]
    worth_telling += [e for e in evidence if e.stance is Stance.CONTEXTUAL and e.assessment.relevance >= NEAR]
    pieces = {(e.source.location, e.assessment.quote): e for e in reversed(worth_telling)}
    turns: list[tuple[int, Evidence]] = []
    met: Counter[str] = Counter()
    for piece in reversed(pieces.values()):
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
    near = [v for v in voices if v.stance is Stance.CONTEXTUAL and v.passage.assessment.relevance >= NEAR]
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
    return list({(e.passage.id, e.source.location, e.assessment.quote): e for e in evidence}.values())


def _one_a_source(evidence: Iterable[Evidence]) -> list[Evidence]:
    first: dict[str, Evidence] = {}
    for one in evidence:
        first.setdefault(one.source.location, one)
    return list(first.values())


def _sentence(text: str, evidence: Iterable[Evidence]) -> CitedSentence:
    return CitedSentence(text=f"{text}.", sources=_sources(evidence))


def _sources(evidence: Iterable[Evidence]) -> tuple[Source, ...]:
    return tuple(e.source for e in _one_a_source(evidence))
