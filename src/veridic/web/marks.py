"""Marks claims in the checked text, and defines the sign of each verdict."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from veridic.domain.consensus import ConsensusVerdict
from veridic.domain.document import Document, Span
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, say
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


def article_sign(report: Report) -> Sign:
    """Return the sign of the whole text's verdict; its word is "Nothing checked" if there are no claims."""
    return replace(canonical_sign(report.verdict), word=headline(report))


@dataclass(frozen=True, slots=True)
class ClaimMark:
    """A claim's position in the text, and its verdict."""

    number: int
    span: Span
    sign: Sign | None


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of the text without a claim boundary inside."""

    text: str
    claim: ClaimMark | None = None
    """The innermost claim it belongs to."""
    ends: tuple[ClaimMark, ...] = ()
    """The claims that end with this piece; their numbers follow it."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, heading or the like, as pieces of text."""

    kind: str
    """The document's block kind, or `text` for plain text."""
    pieces: tuple[TextPiece, ...]


def marked_blocks(document: Document, marks: Iterable[ClaimMark]) -> tuple[TextBlock, ...]:
    """Split a document into blocks with marked claims: Markdown without its syntax, other text unchanged."""
    if document.media_type != MARKDOWN or not document.blocks:
        return (TextBlock("text", split_text(document.text, marks)),)
    pieces = _pieces_by_run(document, marks)
    return tuple(
        TextBlock(block.kind.value, tuple(piece for run in block.runs for piece in pieces[run]))
        for block in document.blocks
    )


def _pieces_by_run(document: Document, marks: Iterable[ClaimMark]) -> dict[Span, list[TextPiece]]:
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


def split_text(text: str, marks: Iterable[ClaimMark]) -> tuple[TextPiece, ...]:
    """Split `text` into pieces at the claims' boundaries; marks outside of the text are ignored."""
    return tuple(piece for _, piece in _cut(text, _inside(text, marks)))


def _inside(text: str, marks: Iterable[ClaimMark]) -> list[ClaimMark]:
    return [mark for mark in marks if 0 <= mark.span[0] < mark.span[1] <= len(text)]


def _cut(text: str, marks: list[ClaimMark], cuts: Collection[int] = ()) -> Iterator[tuple[int, TextPiece]]:
    """Yield each piece with its start offset; the text is also cut at `cuts`."""
    starts: defaultdict[int, list[ClaimMark]] = defaultdict(list)
    ends: defaultdict[int, list[ClaimMark]] = defaultdict(list)
    for mark in marks:
        starts[mark.span[0]].append(mark)
        ends[mark.span[1]].append(mark)
    open_marks: dict[ClaimMark, None] = {}
    for start, end in pairwise(sorted({*starts, *ends, *cuts, 0, len(text)})):
        for mark in ends.get(start, ()):
            open_marks.pop(mark, None)
        open_marks.update(dict.fromkeys(starts.get(start, ())))
        yield (
            start,
            TextPiece(
                text=text[start:end],
                claim=min(open_marks, key=_length, default=None),
                ends=tuple(sorted(ends.get(end, ()), key=lambda mark: mark.number)),
            ),
        )


def _length(mark: ClaimMark) -> int:
    return mark.span[1] - mark.span[0]
