"""The sources that a validator cites, the side it cites them for, and the passage of each that is quoted.

Whether a source that was shown says what a model cites it for is a question for reading, not for words in common: the embedded
reader reads it against the claim, the first few that a verdict rests on. What it reads as clearly saying the opposite, or as clearly being on something else, is taken out; where
it is not sure, the model's word stands and the doubt is shown. `citations_of` is the one place where a citation can be taken out.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridic.domain.evidence import Passage, Stance
from veridic.domain.verdicts import Verdict
from veridic.judging.base import Belief, SourceJudge
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.parse_validation import ValidationAnswer
from veridic.pipeline.shown import Shown
from veridic.reporting.outside import one_line
from veridic.text.citation_marks import find_marks, without_marks
from veridic.text.detect import detect_language
from veridic.text.sentences import split_sentences

SIDE_OF = {
    Verdict.SUPPORTED: Stance.SUPPORTING,
    Verdict.MOSTLY_SUPPORTED: Stance.SUPPORTING,
    Verdict.REFUTED: Stance.CONTRADICTING,
    Verdict.MISLEADING: Stance.CONTRADICTING,
}
"""The side that a verdict of a model's scale rests on."""
CLEARLY_AGAINST = 0.9
CLEARLY_ELSEWHERE = 0.98
"""How sure the reader must be that a source says the opposite, or nothing, for its citation to be taken out. On stories (`python -m
training.citations --statements 300`) this loses 6 of 276 right citations, and stops 22 of 276 for the wrong side and 252 of 600 of sources
that say nothing of the claim."""
_MOST_READ = 4
"""Citations of a claim that are read, those for its verdict first: that is as many as most answers have, and each takes time while all else waits."""
_ENGLISH, _UNKNOWN = "en", "und"
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


class Asked(NamedTuple):
    question: str
    context: str
    """The sentence that the claim stands in."""


def citations_of(
    asked: Asked, answer: ValidationAnswer, shown: Shown, judge: SourceJudge
) -> dict[int, Cited]:
    """By number, for every source that was shown; what the model cites for neither side is contextual."""
    sides = _sides(answer, shown)
    first = SIDE_OF.get(answer.verdict)
    listed = sorted(
        (number for number in sides if number in shown.found), key=lambda n: sides[n] is not first
    )
    beliefs = _beliefs(asked, listed[:_MOST_READ], shown, judge)
    found = {}
    for number in shown.found:
        passage, quote = _quotation(asked.question, answer, number, shown)
        cited = Cited(sides.get(number, Stance.CONTEXTUAL), passage, quote)
        found[number] = _read(cited, beliefs[number]) if number in beliefs else cited
    return found


def _beliefs(asked: Asked, numbers: Sequence[int], shown: Shown, judge: SourceJudge) -> Mapping[int, Belief]:
    """What each of these sources says by itself, as far as it can be read: in English, and no reference work."""
    sources = {number: shown.found[number][0].passage.source for number in numbers}
    readable = {
        source.location: number
        for number, source in sources.items()
        if _is_english(" ".join(p.text for p in shown.passages(number)))
    }
    if not readable or not _is_english(asked.question):
        return {}
    passages = [passage for number in shown.found for passage in shown.passages(number)]
    beliefs = judge.believe_sources(asked.question, passages, asked.context, among=readable.keys())
    return {readable[location]: belief for location, belief in beliefs.items()}


def _is_english(text: str) -> bool:
    return detect_language(text) in (_ENGLISH, _UNKNOWN)


def _read(cited: Cited, belief: Belief) -> Cited:
    """The citation as far as the reader's belief in its source leaves it standing."""
    supports = cited.stance is Stance.SUPPORTING
    on, against = (belief.supported, belief.refuted)[:: 1 if supports else -1]
    if against >= CLEARLY_AGAINST:
        why = "it reads as saying the opposite"
    elif belief.unsettled >= CLEARLY_ELSEWHERE:
        why = "it reads as being on something else"
    else:
        return cited._replace(in_doubt=on < max(against, belief.unsettled))
    title = one_line(cited.passage.source.title or cited.passage.source.location)
    side = "supporting" if supports else "contradicting"
    return cited._replace(
        stance=Stance.CONTEXTUAL, taken_out=f"“{title}” was cited as {side} and is taken out: {why}."
    )


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
