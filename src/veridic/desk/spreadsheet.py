"""CSV tables for spreadsheets, in which no cell is taken for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet may run; the wide forms count in East Asian versions."""


def rows_as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; text that a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    # With both line ends as its terminator the writer also quotes a carriage return in a cell.
    csv.writer(out, lineterminator="\r\n").writerows([disarm(value) for value in row] for row in rows)
    return out.getvalue()


def disarm(value: object) -> object:
    """Return a cell's value; text that could be a formula with an apostrophe before it."""
    is_formula = isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA)
    return f"'{value}" if is_formula else value
