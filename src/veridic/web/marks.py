"""Marks claims in the checked text, and defines the sign of each verdict."""

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.decision import Decision
from veridic.domain.document import Document, Span
from veridic.domain.report import Report
from veridic.domain.verdicts import RATING_LABELS, Scale, Verdict, rated_verdict, say
from veridic.ingest.formats import MARKDOWN
from veridic.reporting.wording import TONES, Tone, headline, verdict_word


@dataclass(frozen=True, slots=True)
class Sign:
    """How a verdict is shown: word and icon besides the colour."""

    word: str
    marker: ConsensusVerdict
    """The word in brackets after the claim in the annotated text."""
    tone: Tone
    icon: str


_CONSENSUS_SIGNS = {
    ConsensusVerdict.VERIFIED: Sign("Verified", ConsensusVerdict.VERIFIED, Tone.GOOD, "supported"),
    ConsensusVerdict.DISPUTED: Sign("Disputed", ConsensusVerdict.DISPUTED, Tone.BAD, "refuted"),
    ConsensusVerdict.UNVERIFIABLE: Sign(
        "Unverifiable", ConsensusVerdict.UNVERIFIABLE, Tone.OPEN, "unverifiable"
    ),
}


def consensus_sign(verdict: ConsensusVerdict) -> Sign:
    return _CONSENSUS_SIGNS[verdict]


def canonical_sign(verdict: Verdict) -> Sign:
    return Sign(
        word=verdict_word(verdict),
        marker=ConsensusVerdict(say(verdict, Scale.CONSENSUS)),
        tone=TONES[verdict],
        icon=verdict.value.lower().replace("_", "-"),
    )


def decided_sign(decision: Decision) -> Sign:
    """Return the sign of a claim's verdict; what a person decided is called as people rate it."""
    sign = canonical_sign(decision.verdict)
    return replace(sign, word=RATING_LABELS[say(decision.verdict, Scale.RATING)]) if decision.person else sign


def article_sign(report: Report) -> Sign:
    """Return the sign of the whole text's rating; its word is "Nothing checked" if there are no claims."""
    verdict = rated_verdict([decision.verdict for decision in report.decisions], report.verdict)
    return replace(canonical_sign(verdict), word=headline(report))


@dataclass(frozen=True, slots=True)
class ClaimMark:
    """A claim's position in the text, and its verdict."""

    number: int
    span: Span
    sign: Sign | None


@dataclass(frozen=True, slots=True)
class UncheckedMark:
    """The position of words that were not checked, and why."""

    letter: str
    """`a`, `b`, ...: claims have numbers."""
    span: Span
    reason: str


Mark = ClaimMark | UncheckedMark


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the text in which no claim and nothing unchecked begins or ends."""

    text: str
    claim: ClaimMark | None = None
    """The innermost claim it belongs to."""
    unchecked: UncheckedMark | None = None
    """What it belongs to that was not checked, if it is in no claim."""
    ends: tuple[Mark, ...] = ()
    """What ends with this piece, claims first; their numbers and letters follow it."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, heading or the like, as pieces of text."""

    kind: str
    """The document's block kind, or `text` for plain text."""
    pieces: tuple[TextPiece, ...]


def marked_blocks(document: Document, marks: Iterable[Mark]) -> tuple[TextBlock, ...]:
    """Split a document into blocks with marked claims: Markdown without its syntax, other text unchanged."""
    if document.media_type != MARKDOWN or not document.blocks:
        return (TextBlock("text", split_text(document.text, marks)),)
    pieces = _pieces_by_run(document, marks)
    return tuple(
        TextBlock(block.kind.value, tuple(piece for run in block.runs for piece in pieces[run]))
        for block in document.blocks
    )


def _pieces_by_run(document: Document, marks: Iterable[Mark]) -> dict[Span, list[TextPiece]]:
    """Return the pieces of each run of text. A claim that ends between two runs is marked after the first."""
    runs = sorted(run for block in document.blocks for run in block.runs)
    pieces: dict[Span, list[TextPiece]] = {run: [] for run in runs}
    cuts = {offset for run in runs for offset in run}
    remaining = iter(runs)
    run = next(remaining, None)
    last: list[TextPiece] = []
    for start, piece in _cut(document.text, _inside(document.text, marks), cuts):
        while run is not None and run[1] <= start:
            run = next(remaining, None)
        if run is not None and run[0] <= start:
            last = pieces[run]
            last.append(piece)
        elif piece.ends and last:
            last[-1] = replace(last[-1], ends=(*last[-1].ends, *piece.ends))
    return pieces


def split_text(text: str, marks: Iterable[Mark]) -> tuple[TextPiece, ...]:
    """Split `text` into pieces at the claims' boundaries; marks outside of the text are ignored."""
    return tuple(piece for _, piece in _cut(text, _inside(text, marks)))


def _inside(text: str, marks: Iterable[Mark]) -> list[Mark]:
    return [mark for mark in marks if 0 <= mark.span[0] < mark.span[1] <= len(text)]


def _cut(text: str, marks: list[Mark], cuts: Collection[int] = ()) -> Iterator[tuple[int, TextPiece]]:
    """Yield each piece with its start offset; the text is also cut at `cuts`."""
    starts: defaultdict[int, list[Mark]] = defaultdict(list)
    ends: defaultdict[int, list[Mark]] = defaultdict(list)
    for mark in marks:
        starts[mark.span[0]].append(mark)
        ends[mark.span[1]].append(mark)
    open_marks: dict[Mark, None] = {}
    for start, end in pairwise(sorted({*starts, *ends, *cuts, 0, len(text)})):
        for mark in ends.get(start, ()):
            open_marks.pop(mark, None)
        open_marks.update(dict.fromkeys(starts.get(start, ())))
        claims = [mark for mark in open_marks if isinstance(mark, ClaimMark)]
        unchecked = [mark for mark in open_marks if isinstance(mark, UncheckedMark)]
        yield (
            start,
            TextPiece(
                text=text[start:end],
                claim=min(claims, key=_length, default=None),
                unchecked=min(unchecked, key=_length, default=None) if not claims else None,
                ends=tuple(sorted(ends.get(end, ()), key=_claims_first)),
            ),
        )


def _length(mark: Mark) -> int:
    return mark.span[1] - mark.span[0]


def _claims_first(mark: Mark) -> tuple[int, str]:
    """Order claims by number, then what was not checked by letter."""
    return (mark.number, "") if isinstance(mark, ClaimMark) else (sys.maxsize, mark.letter)


def letter(position: int) -> str:
    """Return `a` for 1, `z` for 26, `aa` for 27."""
    letters = ""
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
