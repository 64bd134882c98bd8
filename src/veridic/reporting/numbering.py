"""The numbers of a report's claims and sources, and the citation marks in its sentences."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from veridic.domain.decision import Decision
from veridic.domain.evidence import Source, Stance
from veridic.domain.report import Report
from veridic.domain.validation import CitedSentence

_CLAIM_ID = re.compile(r"claim_(\d{1,9})")
_CLOSING = re.compile(r"[.!?…。！？؟।]+\Z")
MARK = re.compile(r"\[(\d{1,4})\]")
"""A citation mark in a text from `cited`; the group is the source's number."""
_LOOKS_LIKE_A_MARK = re.compile(r"\[(\d+)\]")


class Marked(NamedTuple):
    """A sentence, split where its citation marks belong."""

    words: str
    numbers: tuple[int, ...]
    closing: str
    """The punctuation at the end, which follows the marks; may be empty."""

    def __str__(self) -> str:
        return f"{self.words} {marks(self.numbers)}".rstrip() + self.closing


def marks(numbers: Iterable[int]) -> str:
    """Return `[1][4]`."""
    return "".join(f"[{number}]" for number in numbers)


class SourceNumbers:
    """Citation numbers: a source's number is its position in the report's list, from 1."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.location: number for number, source in enumerate(sources, 1)}

    def source(self, source: Source) -> int | None:
        """Return a source's citation number; None if the report doesn't list it."""
        return self._sources.get(source.location)

    def sources(self, sources: Iterable[Source]) -> tuple[int, ...]:
        """Return the citation numbers of the sources, ascending and without duplicates."""
        found = {self._sources[source.location] for source in sources if source.location in self._sources}
        return tuple(sorted(found))

    def marked(self, sentence: CitedSentence) -> Marked:
        """Return the sentence with its numbers. A `[7]` in the text itself gets round brackets, so that every mark is a citation."""
        text = _LOOKS_LIKE_A_MARK.sub(r"(\1)", sentence.text.strip())
        closing = _CLOSING.search(text)
        end = closing.start() if closing else len(text)
        return Marked(text[:end].rstrip(), self.sources(sentence.sources), text[end:])

    def cited(self, sentences: Iterable[CitedSentence]) -> str:
        """Return the sentences as one text, each with its marks before the closing punctuation: `It fell to 5% [1][2].`"""
        return " ".join(str(self.marked(sentence)) for sentence in sentences)


class Numbering(SourceNumbers):
    """All numbers of one report."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.sources)
        self.claims = _claim_numbers(report.decisions)
        """The number of each decision's claim, in the order of `report.decisions`."""

    def citations(self, decision: Decision) -> tuple[int, ...]:
        """Return the numbers of the supporting and contradicting sources."""
        return self.sources(e.source for e in decision.evidence if e.stance is not Stance.CONTEXTUAL)


def _claim_numbers(decisions: tuple[Decision, ...]) -> tuple[int, ...]:
    """Return 7 for `claim_7`, so that errors and verdicts match; if ids have no unique numbers, count from 1."""
    matches = [_CLAIM_ID.fullmatch(decision.claim.id) for decision in decisions]
    numbers = tuple(int(match[1]) for match in matches if match is not None)
    if len(set(numbers)) == len(decisions):
        return numbers
    return tuple(range(1, len(decisions) + 1))
