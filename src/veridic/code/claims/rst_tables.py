"""Tables of reStructuredText: drawn, ruled, or listed."""

import itertools
import re
from collections.abc import Iterator, Sequence

from veridic.code.claims.blocks import Table
from veridic.code.claims.inline import rst_inline
from veridic.code.claims.passage import Passage, SourceLine, stripped

GRID_RULE = re.compile(r"\+[-=+]{2,}\+\s*\Z")
SIMPLE_RULE = re.compile(r"={2,}(?: +={2,})+\s*\Z")


def grid_rows(lines: Sequence[SourceLine]) -> Iterator[tuple[Passage, ...]]:
    row: list[list[SourceLine]] = []
    for line in lines:
        if line.text.startswith("+"):
            if row:
                yield tuple(rst_inline([part for part in cell if part.text])[0] for cell in row)
            row = []
            continue
        edges = [match.start() for match in re.finditer(r"\|", line.text)]
        cells = [
            stripped(SourceLine(line.text[left + 1 : right], line.line, line.column + left + 1))
            for left, right in itertools.pairwise(edges)
        ]
        if not row:
            row = [[] for _ in cells]
        for cell, part in zip(row, cells, strict=False):
            cell.append(part)


def simple_rows(lines: Sequence[SourceLine]) -> Iterator[tuple[Passage, ...]]:
    bounds = [match.span() for match in re.finditer("=+", lines[0].text)]
    rows: list[list[list[SourceLine]]] = []
    for line in lines:
        if SIMPLE_RULE.match(line.text) or not line.text.strip("-= "):
            continue
        cells = []
        for number, (left, right) in enumerate(bounds):
            end = right if number + 1 < len(bounds) else len(line.text)
            cells.append(stripped(SourceLine(line.text[left:end], line.line, line.column + left)))
        if not cells[0].text and rows:
            for cell, part in zip(rows[-1], cells, strict=True):
                cell.append(part)
        else:
            rows.append([[cell] for cell in cells])
    for row in rows:
        yield tuple(rst_inline([part for part in cell if part.text])[0] for cell in row)


def listed_table(lines: list[SourceLine]) -> Iterator[Table]:
    """`* - cell` begins a row, `  - cell` a further cell."""
    rows: list[list[list[SourceLine]]] = []
    for line in lines:
        if match := re.match(r"\* +- ?", line.text):
            rows.append([[stripped(line, match.end())]])
        elif rows and (match := re.match(r" +- ?", line.text)):
            rows[-1].append([stripped(line, match.end())])
        elif rows and line.text.strip():
            rows[-1][-1].append(stripped(line))
    read = [tuple(rst_inline([part for part in cell if part.text])[0] for cell in row) for row in rows]
    if read:
        yield Table(read[0], tuple(read[1:]))
