"""Splits the document's text into segments at the boundaries of claims, omissions and blocks."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from veridic.domain.claim import Omission
from veridic.domain.document import Span
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.numbering import Numbering


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the document in which no claim, omission or block begins or ends."""

    text: str
    claims: tuple[int, ...] = ()
    """The numbers of the claims it belongs to, from the longest to the shortest."""
    verdict: Verdict | None = None
    """The verdict of the innermost claim."""
    ends: tuple[int, ...] = ()
    """The numbers of the claims that end with it; their superscripts go here."""
    omission: Omission | None = None
    block: int | None = None
    """The index of its block in the document; None for markup between the words."""


class _Spans:
    """Spans by start and end, and those that are open at the current position."""

    def __init__(self, spans: Iterable[Span], length: int) -> None:
        self.spans = [(max(0, start), min(end, length)) for start, end in spans]
        self._starting: defaultdict[int, list[int]] = defaultdict(list)
        self._ending: defaultdict[int, list[int]] = defaultdict(list)
        self.open: dict[int, int] = {}
        """The index of each open span, with its length."""
        for index, (start, end) in enumerate(self.spans):
            if start < end:
                self._starting[start].append(index)
                self._ending[end].append(index)

    @property
    def cuts(self) -> set[int]:
        return self._starting.keys() | self._ending.keys()

    def move_to(self, position: int) -> None:
        for index in self._ending.get(position, ()):
            del self.open[index]
        for index in self._starting.get(position, ()):
            start, end = self.spans[index]
            self.open[index] = end - start

    def ending_at(self, position: int) -> list[int]:
        return self._ending.get(position, [])

    def nested(self) -> list[int]:
        """Return the indexes of the open spans, the innermost last."""
        return sorted(self.open, key=lambda index: (-self.open[index], index))


def annotate(report: Report) -> tuple[Segment, ...]:
    """Return the whole text in segments; their texts joined are exactly `report.document.text`."""
    text = report.document.text
    numbers = Numbering(report).claims
    runs = [(run, place) for place, block in enumerate(report.document.blocks) for run in block.runs]
    claims = _Spans((decision.claim.span for decision in report.decisions), len(text))
    omissions = _Spans((omission.span for omission in report.omissions), len(text))
    blocks = _Spans((run for run, _ in runs), len(text))

    cuts = sorted(claims.cuts | omissions.cuts | blocks.cuts | {0, len(text)})
    segments = []
    for start, end in pairwise(cuts):
        for spans in (claims, omissions, blocks):
            spans.move_to(start)
        nested = claims.nested()
        open_omissions = omissions.nested()
        open_blocks = blocks.nested()
        segments.append(
            Segment(
                text=text[start:end],
                claims=tuple(numbers[index] for index in nested),
                verdict=report.decisions[nested[-1]].verdict if nested else None,
                ends=tuple(sorted(numbers[index] for index in claims.ending_at(end))),
                omission=report.omissions[open_omissions[-1]] if open_omissions else None,
                block=runs[open_blocks[-1]][1] if open_blocks else None,
            )
        )
    return tuple(segments)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Segments that are shown as one paragraph."""

    kind: str
    """The block's kind; `markup` for lines outside any block; `text` if the document has no blocks."""
    segments: tuple[Segment, ...]


_MERGED_KINDS = frozenset({"table_cell", "code"})
"""Adjacent blocks of these kinds are shown together, because their line breaks and gaps carry meaning."""


def paragraphs(report: Report) -> tuple[Paragraph, ...]:
    """Return the text by block, including markup on a block's own lines.

    Blank lines between blocks are left out, and so is front matter, because the report's header has its content.
    """
    if not report.document.blocks:
        return (Paragraph("text", annotate(report)),)
    found: list[tuple[str, list[Segment]]] = []
    gap: list[Segment] = []
    current: int | None = None
    for segment in annotate(report):
        if segment.block is None:
            gap.append(segment)
            continue
        kind = report.document.blocks[segment.block].kind.value
        if not found and gap and gap[0].text.lstrip().startswith("---"):
            gap = []
        if segment.block == current or (found and found[-1][0] == kind and kind in _MERGED_KINDS):
            found[-1][1].extend(gap)
        else:
            found.append((kind, _assign_gap(found, gap)))
        found[-1][1].append(segment)
        gap = []
        current = segment.block
    if rest := _assign_gap(found, gap):
        found.append(("markup", rest))
    return tuple(Paragraph(kind, tuple(segments)) for kind, segments in found)


def _assign_gap(found: list[tuple[str, list[Segment]]], gap: list[Segment]) -> list[Segment]:
    """Assign the text between two blocks to paragraphs; return the part that belongs to the next block's line."""
    text = "".join(segment.text for segment in gap)
    if "\n" not in text:
        return gap
    ending, lines = _split(gap, text.index("\n") if found else 0)
    between, beginning = _split(lines, text.rindex("\n") + 1 - (text.index("\n") if found else 0))
    if found:
        found[-1][1].extend(ending)
    if any(segment.text.strip() or segment.ends for segment in between):
        found.append(("markup", between))
    return beginning


def _split(segments: Sequence[Segment], position: int) -> tuple[list[Segment], list[Segment]]:
    """Split segments at a position in their joined text."""
    before: list[Segment] = []
    after: list[Segment] = []
    for segment in segments:
        head, tail = segment.text[:position], segment.text[position:]
        if head:
            before.append(replace(segment, text=head, ends=() if tail else segment.ends))
        if tail:
            after.append(replace(segment, text=tail))
        position -= len(head)
    return before, after
