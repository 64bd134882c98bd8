"""Whether a source can be cited for what a language model cites it for: the rule of all modes.

That is a question for reading, not for words in common. The embedded reader reads the source against the claim. What it reads as
clearly saying the opposite, or as clearly being on something else, is taken out; where it is not sure, the model's word
stands and the doubt is shown.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.base import Belief, SourceJudge
from veridic.reporting.outside import one_line
from veridic.text.detect import detect_language

CLEARLY_AGAINST = 0.9
CLEARLY_ELSEWHERE = 0.98
"""How sure the reader must be that a source says the opposite, or nothing, for its citation to be taken out. On stories (`python -m
training.citations --statements 300`) this loses 6 of 276 right citations, and stops 22 of 276 for the wrong side and 252 of 600 of sources
that say nothing of the claim."""
MOST_READ = 4
"""Citations of a claim that are read: that is as many as most answers have, and each takes time while all else waits."""
_ENGLISH, _UNKNOWN = "en", "und"


class Asked(NamedTuple):
    question: str
    context: str
    """The sentence that the claim stands in."""


class Standing(NamedTuple):
    """What reading a source leaves of its citation."""

    says_the_opposite: bool = False
    is_elsewhere: bool = False
    in_doubt: bool = False
    """The model's word stands, and the reader is not sure of it."""

    @property
    def is_taken_out(self) -> bool:
        return self.says_the_opposite or self.is_elsewhere


def beliefs_in(
    asked: Asked, cited: Collection[str], passages: Sequence[Passage], judge: SourceJudge
) -> Mapping[str, Belief]:
    """By location, what each of the cited sources says by itself, as far as it can be read: in English, and no reference work.

    `passages` are all that were shown: how rare a word is among them tells which of a source's sentences to read.
    """
    told: dict[str, list[str]] = {location: [] for location in cited}
    for passage in passages:
        if passage.source.location in told:
            told[passage.source.location].append(passage.text)
    readable = [location for location, texts in told.items() if texts and _is_english(" ".join(texts))]
    if not readable or not _is_english(asked.question):
        return {}
    return judge.believe_sources(asked.question, passages, asked.context, among=readable)


def standing(belief: Belief, stance: Stance) -> Standing:
    """What is left of a citation for this side."""
    on, against = (belief.supported, belief.refuted)[:: 1 if stance is Stance.SUPPORTING else -1]
    if against >= CLEARLY_AGAINST:
        return Standing(says_the_opposite=True)
    if belief.unsettled >= CLEARLY_ELSEWHERE:
        return Standing(is_elsewhere=True)
    return Standing(in_doubt=on < max(against, belief.unsettled))


def why_taken_out(source: Source, stance: Stance, left: Standing) -> str:
    """A sentence that names the source."""
    side = "supporting" if stance is Stance.SUPPORTING else "contradicting"
    reads = "saying the opposite" if left.says_the_opposite else "being on something else"
    return f"{named(source)} was cited as {side} and is taken out: it reads as {reads}."


def named(source: Source) -> str:
    """A source as a sentence names it."""
    return f"“{one_line(source.title or source.location)}”"


def _is_english(text: str) -> bool:
    return detect_language(text) in (_ENGLISH, _UNKNOWN)
