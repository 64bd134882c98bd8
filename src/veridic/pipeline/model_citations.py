"""The sources that a validator cites, the side it cites them for, and the passage of each that is quoted.

The first few that a verdict rests on are read (`cited_sources`). `citations_of` is the one place where a citation can be taken out.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridic.domain.evidence import Passage, Stance
from veridic.domain.verdicts import Verdict
from veridic.judging.base import Belief, SourceJudge
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.parse_validation import ValidationAnswer
from veridic.pipeline.cited_sources import MOST_READ, Asked, beliefs_in, standing, why_taken_out
from veridic.pipeline.shown import Shown
from veridic.text.citation_marks import find_marks, without_marks
from veridic.text.sentences import split_sentences

SIDE_OF = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.MISLEADING: Stance.CONTRADICTING,
}
"""The side that a verdict of a model's scale rests on."""
_ANY_NUMBER = 10**6


class Cited(NamedTuple):
    """A source that was shown, as the model uses it."""

    stance: Stance
    passage: Passage
    quote: str
    """Of the passage, word for word."""
    taken_out: str = ""
    """Why it is cited for neither side any more, in a sentence."""
    in_doubt: bool = False
    """The model's word stands, and the reader is not sure of it."""


def citations_of(
    asked: Asked, answer: ValidationAnswer, shown: Shown, judge: SourceJudge
) -> dict[int, Cited]:
    """By number, for every source that was shown; what the model cites for neither side is contextual.

    Those for the verdict are read first, and of these the best that was found.
    """
    sides = _sides(answer, shown)
    first = SIDE_OF.get(answer.verdict)
    listed = sorted(
        (number for number in shown.promising if number in sides), key=lambda n: sides[n] is not first
    )
    beliefs = _beliefs(asked, listed[:MOST_READ], shown, judge)
    found = {}
    for number in shown.found:
        passage, quote = _quotation(asked.question, answer, number, shown)
        cited = Cited(sides.get(number, Stance.CONTEXTUAL), passage, quote)
        found[number] = _read(cited, beliefs[number]) if number in beliefs else cited
    return found


def read_ahead(asked: Asked, shown: Shown, judge: SourceJudge) -> None:
    """Read what a model will most likely cite, so that a judge who remembers it has read it when the answer comes."""
    _beliefs(asked, shown.promising[:MOST_READ], shown, judge)


def _beliefs(asked: Asked, numbers: Sequence[int], shown: Shown, judge: SourceJudge) -> Mapping[int, Belief]:
    places = {shown.found[number][0].passage.source.location: number for number in numbers}
    passages = [passage for number in shown.found for passage in shown.passages(number)]
    beliefs = beliefs_in(asked, places, passages, judge)
    return {places[location]: belief for location, belief in beliefs.items()}


def _read(cited: Cited, belief: Belief) -> Cited:
    """The citation as far as the reader's belief in its source leaves it standing."""
    left = standing(belief, cited.stance)
    if not left.is_taken_out:
        return cited._replace(in_doubt=left.in_doubt)
    why = why_taken_out(cited.passage.source, cited.stance, left)
    return cited._replace(stance=Stance.CONTEXTUAL, taken_out=why)


def _sides(answer: ValidationAnswer, shown: Shown) -> Mapping[int, Stance]:
    """As the model lists them; one that is in both lists, since it says one thing and another, is on the side of the verdict. Where it
    lists none for its verdict, what it cites in its reasons and lists nowhere is on that side."""
    supporting, contradicting = set(answer.supporting), set(answer.contradicting)
    side = SIDE_OF.get(answer.verdict)
    sides = dict.fromkeys(supporting - contradicting, Stance.SUPPORTING)
    sides |= dict.fromkeys(contradicting - supporting, Stance.CONTRADICTING)
    if side is not None:
        sides |= dict.fromkeys(supporting & contradicting, side)
    if side is None or any(sides.get(number) is side for number in shown.found):
        return sides
    written = {n for text in _reasons(answer) for mark in find_marks(text) for n in mark.numbers}
    return sides | dict.fromkeys(written - supporting - contradicting, side)


def _reasons(answer: ValidationAnswer) -> tuple[str, ...]:
    return (answer.summary, *answer.key_findings)


def _quotation(question: str, answer: ValidationAnswer, number: int, shown: Shown) -> tuple[Passage, str]:
    """The sentence closest to the question and to what the model cites the source for."""
    asked = " ".join([question, *_cited_for(answer, number)])
    parts = [(passage, part) for passage in shown.passages(number) for part in split_parts(passage.text)]
    closest = by_closeness(asked, [part for _, part in parts])[:1]
    if not closest:
        first = shown.passages(number)[0]
        return first, first.text
    return parts[closest[0]]


def _cited_for(answer: ValidationAnswer, number: int) -> list[str]:
    sentences = [text[start:end] for text in _reasons(answer) for start, end in split_sentences(text)]
    return [
        without_marks(sentence, below=_ANY_NUMBER)
        for sentence in sentences
        if any(number in mark.numbers for mark in find_marks(sentence))
    ]
