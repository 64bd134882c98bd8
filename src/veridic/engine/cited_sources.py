"""Decides whether a source that a language model cites stays cited. All modes use this rule.

The embedded reader reads the source against the claim; shared words are not enough. If the source clearly says the
opposite, the citation is removed. If it is clearly about something else, it is read once more against what the model cites it for, and the citation
is removed unless the source says that: a claim may follow from two sources, or by arithmetic. If the reader is not sure, the
citation stays and is marked as in doubt.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veridic.domain.evidence import Passage, Source, Stance
from veridic.judging.base import Belief, SourceJudge
from veridic.reporting.escaping import one_line
from veridic.text.citation_marks import find_marks, without_marks
from veridic.text.detect import detect_language
from veridic.text.sentences import split_sentences

CLEARLY_AGAINST = 0.9
CLEARLY_UNRELATED = 0.98
"""How sure the reader must be that a source says the opposite, or nothing, before its citation is removed. On stories (`python -m
training.citations --statements 300`) this loses 6 of 276 right citations, and stops 22 of 276 for the wrong side and 252 of 600 of sources
that say nothing of the claim."""
_LIKELY_AGAINST = 0.7
_HARDLY_FOR = 0.1
"""A citation that stays is in doubt if the reader is so sure of the opposite, or less sure than that of the model's side. This doubts 36 of 279
right citations, 123 of 279 for the wrong side, and 492 of 600 of sources that say nothing (the same measure)."""
_SAYS_SO = 0.5
"""From here a source says what a model cites it for."""
MOST_READ = 4
"""Citations of a claim that are read. Most answers have no more, and each one read delays the run."""
_ENGLISH, _UNKNOWN = "en", "und"
_ANY_NUMBER = 10**6


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


class CitedFor(NamedTuple):
    """How a model uses a source."""

    stance: Stance
    reasons: tuple[str, ...]
    """The model's sentences that cite it."""


def check_citations(
    asked: Asked, cited: Mapping[str, CitedFor], passages: Sequence[Passage], judge: SourceJudge
) -> dict[str, CitationCheck]:
    """Return what remains of each citation, by the location of its source. Sources that can't be read are left out.

    `passages` are all passages in the prompt.
    """
    beliefs = beliefs_in(asked, cited, passages, judge)
    checks = {location: _check(belief, cited[location].stance) for location, belief in beliefs.items()}
    return {
        location: CitationCheck(in_doubt=True)
        if check.is_unrelated and _says_so(location, cited[location].reasons, passages, judge)
        else check
        for location, check in checks.items()
    }


def sentences_citing(texts: Iterable[str], numbers: Collection[int]) -> Iterator[str]:
    """Yield the sentences that cite one of the numbers in brackets, without the brackets."""
    for text in texts:
        for start, end in split_sentences(text):
            sentence = text[start:end]
            if any(not set(mark.numbers).isdisjoint(numbers) for mark in find_marks(sentence)):
                yield without_marks(sentence, below=_ANY_NUMBER)


def _says_so(location: str, reasons: Sequence[str], passages: Sequence[Passage], judge: SourceJudge) -> bool:
    """Whether the source bears out one of the sentences that cite it."""
    return any(
        belief.supported >= _SAYS_SO
        for reason in reasons
        for belief in beliefs_in(Asked(reason, ""), [location], passages, judge).values()
    )


def _check(belief: Belief, stance: Stance) -> CitationCheck:
    on, against = (belief.supported, belief.refuted)[:: 1 if stance is Stance.SUPPORTING else -1]
    if against >= CLEARLY_AGAINST:
        return CitationCheck(says_the_opposite=True)
    if belief.unsettled >= CLEARLY_UNRELATED:
        return CitationCheck(is_unrelated=True)
    return CitationCheck(in_doubt=on < _HARDLY_FOR or against >= _LIKELY_AGAINST)


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
