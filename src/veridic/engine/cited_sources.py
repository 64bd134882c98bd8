"""Decides whether a source that a language model cites stays cited. All modes use this rule.

The embedded reader reads the source against the claim; shared words are not enough. If the source clearly says the
opposite, or is clearly about something else, the citation is removed. If the reader is not sure, the citation stays and is marked
as in doubt.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.base import Belief, SourceJudge
from veridic.reporting.escaping import one_line
from veridic.text.detect import detect_language

CLEARLY_AGAINST = 0.9
CLEARLY_UNRELATED = 0.98
"""How sure the reader must be that a source says the opposite, or nothing, before its citation is removed. On stories (`python -m
training.citations --statements 300`) this loses 6 of 276 right citations, and stops 22 of 276 for the wrong side and 252 of 600 of sources
that say nothing of the claim."""
MOST_READ = 4
"""Citations of a claim that are read. Most answers have no more, and each one read delays the run."""
_ENGLISH, _UNKNOWN = "en", "und"


class Asked(NamedTuple):
    question: str
    context: str
    """The sentence that contains the claim."""


class CitationCheck(NamedTuple):
    """What remains of a citation after its source was read."""

    says_the_opposite: bool = False
    is_unrelated: bool = False
    in_doubt: bool = False
    """The citation stays, but the reader is not sure of it."""

    @property
    def is_removed(self) -> bool:
        return self.says_the_opposite or self.is_unrelated


def beliefs_in(
    asked: Asked, cited: Collection[str], passages: Sequence[Passage], judge: SourceJudge
) -> Mapping[str, Belief]:
    """Read each cited source by itself; returns beliefs by location. Sources that are not in English and reference works are
    left out.

    `passages` are all passages in the prompt: how rare a word is among them decides which sentences of a source are read.
    """
    texts_of: dict[str, list[str]] = {location: [] for location in cited}
    for passage in passages:
        if passage.source.location in texts_of:
            texts_of[passage.source.location].append(passage.text)
    readable = [location for location, texts in texts_of.items() if texts and _is_english(" ".join(texts))]
    if not readable or not _is_english(asked.question):
        return {}
    return judge.believe_sources(asked.question, passages, asked.context, among=readable)


def check_citation(belief: Belief, stance: Stance) -> CitationCheck:
    """Decide what remains of a citation for this stance."""
    on, against = (belief.supported, belief.refuted)[:: 1 if stance is Stance.SUPPORTING else -1]
    if against >= CLEARLY_AGAINST:
        return CitationCheck(says_the_opposite=True)
    if belief.unsettled >= CLEARLY_UNRELATED:
        return CitationCheck(is_unrelated=True)
    return CitationCheck(in_doubt=on < max(against, belief.unsettled))


def removal_sentence(source: Source, stance: Stance, check: CitationCheck) -> str:
    """Return a sentence that names the source and says why its citation was removed."""
    side = "supporting" if stance is Stance.SUPPORTING else "contradicting"
    reads = "saying the opposite" if check.says_the_opposite else "being on something else"
    return f"{named(source)} was cited as {side} and is taken out: it reads as {reads}."


def named(source: Source) -> str:
    """Return the name of a source for use in a sentence."""
    return f"“{one_line(source.title or source.location)}”"


def _is_english(text: str) -> bool:
    return detect_language(text) in (_ENGLISH, _UNKNOWN)
