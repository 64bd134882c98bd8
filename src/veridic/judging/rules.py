"""The judge that compares what can be compared exactly, and says "contextual" about the rest."""

from collections.abc import Sequence

from veridic.domain.evidence import Assessment, Passage, Stance
from veridic.judging.alignment import Alignment
from veridic.judging.comparisons import Comparison, compare_two, read_comparison
from veridic.judging.dates import (
    compare_dates,
    dates_outside_parentheses,
    held_at_another_time,
    holder_at_the_time,
    speaks_of_another_time,
)
from veridic.judging.denial import without_denial
from veridic.judging.drafts import (
    Draft,
    contextual,
    conviction,
    leave_older_figures,
    leave_other_measures,
    put_together,
)
from veridic.judging.facets import split_facets
from veridic.judging.finding import Finding, Outcome
from veridic.judging.names import compare_names
from veridic.judging.order import compare_order, read_order
from veridic.judging.polarity import SAME_RANK, compare_contraries, compare_polarity
from veridic.judging.quantities import compare_quantities
from veridic.judging.reading import Reader, Reading, Term
from veridic.language.dates import DateMention
from veridic.language.sentences import split_sentences

_COVERED = 0.7
"""A sentence must speak about this much of the claim to support it."""
_COVERED_WITH_FIGURE = 0.6
"""... somewhat less where a figure or date agrees, ..."""
_COVERED_UNNAMED = 0.9
"""... and this much where the claim names nothing that would tie the two together."""
_MENTIONED = 0.2
_MENTIONED_TOGETHER = 0.3
_ON_THE_POINT = 0.5
"""How much of a sentence must be about the claim to bear it out: least where a figure agrees, more where
only names do, most where there is nothing to compare."""
_SURE_ENOUGH = 0.7
_COMPARED = 0.9
"""How sure a comparison of two figures is; each was found by itself."""
_ROUGHLY = 0.15
"""What a figure that is only close takes from the certainty of the support."""


class RulesJudge:
    """Figures with units, dates, names and roles, ranks and negation, and how well a sentence covers the claim."""

    name = "rules"

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def assess(self, claim: str, passages: Sequence[Passage]) -> list[Assessment]:
        """See `Judge.assess`."""
        denied = without_denial(claim)
        if denied is not None and len(split_facets(self._reader.read(claim), self._reader)) == 0:
            return [_turned_round(draft) for draft in self._drafts(self._reader.read(denied), passages)]
        return [_assessment(draft) for draft in self._drafts(self._reader.read(claim), passages)]

    def _drafts(self, claim: Reading, passages: Sequence[Passage]) -> list[Draft]:
        drafts = self._compare(claim, passages)
        order = read_order(claim)
        if order is not None and (settled := compare_order(order, self._read_sentences(passages))):
            return _settled_together(settled, drafts)
        comparison = read_comparison(claim)
        if comparison is not None:
            return self._compare_two(comparison, passages, drafts)
        facets = split_facets(claim, self._reader)
        if facets:
            return put_together(drafts, [self._compare(facet, passages) for facet in facets])
        return drafts

    def _compare(self, claim: Reading, passages: Sequence[Passage]) -> list[Draft]:
        drafts = [self._read_passage(claim, passage) for passage in passages]
        return leave_older_figures(claim, passages, leave_other_measures(drafts))

    def _compare_two(
        self, comparison: Comparison, passages: Sequence[Passage], drafts: list[Draft]
    ) -> list[Draft]:
        return _settled_together(
            compare_two(comparison, self._read_sentences(passages), self._reader), drafts
        )

    def _read_sentences(self, passages: Sequence[Passage]) -> list[list[Reading]]:
        return [[self._reader.read(sentence) for sentence in _sentences(passage)] for passage in passages]

    def _read_passage(self, claim: Reading, passage: Passage) -> Draft:
        """The sentence of the passage that says most about the claim; the title and names said before help."""
        title = self._reader.read(passage.source.title)
        context, times = list(title.terms), title.dates
        best: Draft | None = None
        for text in _sentences(passage):
            sentence = self._reader.read(text)
            times = dates_outside_parentheses(sentence) or times
            draft = _read_sentence(claim, sentence, context, times, passage)
            if best is None or conviction(draft) > conviction(best):
                best = draft
            context += sentence.names
        return best or contextual("", 0.0, "The passage is empty.")


def _settled_together(settled: dict[int, tuple[str, Finding]], drafts: list[Draft]) -> list[Draft]:
    """The drafts, with those of the passages that settle a comparison together put in."""
    stances = {Outcome.AGREE: Stance.SUPPORTING, Outcome.DIFFER: Stance.CONTRADICTING}
    return [
        Draft(stances[settled[i][1].outcome], _COMPARED, 1.0, 1.0, settled[i][0], settled[i][1].reason)
        if i in settled
        else draft
        for i, draft in enumerate(drafts)
    ]


def _sentences(passage: Passage) -> list[str]:
    return [passage.text[start:end] for start, end in split_sentences(passage.text)] or [passage.text]


def _read_sentence(
    claim: Reading, sentence: Reading, context: Sequence[Term], times: Sequence[DateMention], passage: Passage
) -> Draft:
    alignment = Alignment(claim, sentence, context)
    if not claim.says_something:
        return contextual(sentence.text, alignment.coverage, "The claim says too little to compare.")
    contrary = compare_contraries(claim, sentence, alignment)
    if contrary is not None:
        return _contradiction(sentence, alignment, contrary)
    names = compare_names(claim, sentence, alignment)
    if names is not None and names.outcome is Outcome.APART:
        return contextual(sentence.text, alignment.coverage, names.reason)
    if (
        names is not None
        and names.outcome is Outcome.DIFFER
        and held_at_another_time(claim, sentence, passage)
    ):
        return contextual(sentence.text, alignment.coverage, "The source speaks of another time.")
    if alignment.is_off_topic():
        return contextual(sentence.text, alignment.coverage, "The source is on another topic.")
    if speaks_of_another_time(claim, times, passage.date):
        return contextual(sentence.text, alignment.coverage, "The source gives the figure of another year.")
    if claim.is_comparison and not sentence.is_comparison:
        return contextual(sentence.text, alignment.coverage, "The source doesn't compare the two.")
    findings = compare_polarity(claim, sentence, alignment)
    figures = compare_quantities(claim, sentence, alignment)
    dates = [] if claim.quantities else _dates(claim, sentence, alignment, passage)
    findings = (
        ([] if alignment.lacks_a_relation() else figures + dates) + findings + ([names] if names else [])
    )
    apart = next((finding for finding in findings if finding.outcome is Outcome.APART), None)
    if apart is not None:
        return contextual(sentence.text, alignment.coverage, apart.reason)
    differing = [finding for finding in findings if finding.outcome is Outcome.DIFFER]
    if differing:
        return _contradiction(sentence, alignment, max(differing, key=lambda f: f.strength))
    missing = _what_is_missing(claim, findings, len(figures), len(dates))
    if missing:
        return contextual(sentence.text, alignment.coverage, missing)
    return _support(sentence, alignment, findings)


def _dates(claim: Reading, sentence: Reading, alignment: Alignment, passage: Passage) -> list[Finding]:
    return compare_dates(claim, sentence, alignment) or holder_at_the_time(claim, sentence, passage)


def _what_is_missing(claim: Reading, findings: list[Finding], figures: int, dates: int) -> str | None:
    """What the claim gives and the sentence doesn't, in words."""
    if figures < len(claim.quantities) or (claim.dates and not claim.quantities and not dates):
        return "The source doesn't give the figure or date."
    if len(claim.ranks) > sum(finding.reason == SAME_RANK for finding in findings):
        return "The source doesn't give the rank."
    return None


def _contradiction(sentence: Reading, alignment: Alignment, finding: Finding) -> Draft:
    relevance = alignment.coverage_without(alignment.missing_names)
    probability = 0.5 + 0.48 * finding.strength * relevance
    is_named = finding.value is None or any(t.text == finding.value for t in alignment.other_names)
    if probability < _SURE_ENOUGH:
        return contextual(sentence.text, alignment.coverage, "The source speaks of something similar only.")
    return Draft(
        Stance.CONTRADICTING,
        probability,
        finding.strength,
        relevance,
        sentence.text,
        finding.reason,
        alignment.directness(names_answer=is_named),
        finding.value,
        finding.replaces,
    )


def _support(sentence: Reading, alignment: Alignment, findings: list[Finding]) -> Draft:
    coverage = alignment.coverage
    agrees = any(f.outcome is Outcome.AGREE and f.strength >= _SURE_ENOUGH for f in findings)
    agrees = agrees and not alignment.lacks_a_relation()
    if coverage < _needed(alignment, agrees=agrees) or alignment.leaves_open():
        return contextual(sentence.text, coverage, "The source covers only part of the claim.")
    if alignment.focus < _needed_focus(alignment.claim) or alignment.is_scattered():
        return contextual(sentence.text, coverage, "The source only mentions it.")
    compared = [f for f in findings if f.outcome in (Outcome.AGREE, Outcome.CLOSE)]
    strength = min((f.strength for f in compared), default=0.6)
    close = any(f.outcome is Outcome.CLOSE for f in compared)
    probability = 0.5 + 0.48 * coverage * max(strength, 0.6) - (_ROUGHLY if close else 0.0)
    if probability < _SURE_ENOUGH:
        return contextual(sentence.text, coverage, "The source speaks of something similar only.")
    reason = next((f.reason for f in compared if f.strength), "The source says the same.")
    directness = alignment.directness(names_answer=False)
    return Draft(
        Stance.SUPPORTING, probability, strength, coverage, sentence.text, reason, directness, close=close
    )


def _needed_focus(claim: Reading) -> float:
    if claim.quantities or claim.dates or claim.ranks:
        return _MENTIONED
    return _MENTIONED_TOGETHER if len(claim.names) > 1 else _ON_THE_POINT


def _needed(alignment: Alignment, *, agrees: bool) -> float:
    if alignment.is_unanchored:
        return _COVERED_UNNAMED
    has_figure = agrees and bool(alignment.claim.quantities or alignment.claim.dates)
    return _COVERED_WITH_FIGURE if has_figure else _COVERED


def _turned_round(draft: Draft) -> Assessment:
    """What a draft for a statement says of its denial."""
    opposite = {Stance.SUPPORTING: Stance.CONTRADICTING, Stance.CONTRADICTING: Stance.SUPPORTING}
    stance = opposite.get(draft.stance, draft.stance)
    return _assessment(draft._replace(stance=stance, value=None, replaces=None))


def _assessment(draft: Draft) -> Assessment:
    settled = draft.stance is not Stance.CONTEXTUAL
    return Assessment(
        stance=draft.stance,
        probability=round(draft.probability, 4),
        quote=draft.quote,
        reason=draft.reason,
        relevance=round(min(1.0, draft.relevance), 4),
        specificity=round(draft.strength if settled else 0.3 * min(1.0, draft.relevance), 4),
        close=draft.close,
        value=draft.value,
        replaces=draft.replaces,
    )
