"""The sources that a validator cites, the side it cites them for, and the passage of each that is quoted.

A numbered source that was shown stands where the model puts it. Whether it says so is a question for reading: `citations_of` is
the one place where a citation can be taken out, and words in common take none out.
"""

from collections.abc import Mapping
from typing import NamedTuple

from veridic.domain.evidence import Passage, Stance
from veridic.domain.verdicts import Verdict
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.parse_validation import ValidationAnswer
from veridic.pipeline.shown import Shown
from veridic.text.citation_marks import find_marks, without_marks
from veridic.text.sentences import split_sentences

_SIDE_OF = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.MISLEADING: Stance.CONTRADICTING,
}
_ANY_NUMBER = 10**6


class Cited(NamedTuple):
    """A source that was shown, as the model uses it."""

    stance: Stance
    passage: Passage
    quote: str
    """Of the passage, word for word."""


def citations_of(question: str, answer: ValidationAnswer, shown: Shown) -> dict[int, Cited]:
    """By number, for every source that was shown; what the model cites for neither side is contextual."""
    sides = _sides(answer, shown)
    return {
        number: Cited(sides.get(number, Stance.CONTEXTUAL), *_quotation(question, answer, number, shown))
        for number in shown.found
    }


def _sides(answer: ValidationAnswer, shown: Shown) -> Mapping[int, Stance]:
    """As the model lists them, in both lists neither. Where it lists none for its verdict, what it cites in its reasons and
    lists nowhere is on that side."""
    supporting, contradicting = set(answer.supporting), set(answer.contradicting)
    sides = dict.fromkeys(supporting - contradicting, Stance.SUPPORTING)
    sides |= dict.fromkeys(contradicting - supporting, Stance.CONTRADICTING)
    side = _SIDE_OF.get(answer.verdict)
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
