"""Checks a model's citations against the files: only what is really there is evidence."""

from collections.abc import Sequence
from typing import NamedTuple

from veridic.domain.code import CodeEvidence, DocClaim, EvidenceTier
from veridic.domain.evidence import Stance
from veridic.prompts.fence import on_one_line
from veridic.verify.models.answers import CitedLine
from veridic.verify.models.excerpts import file_lines
from veridic.verify.revisions import is_document
from veridic.verify.rules.context import Context
from veridic.verify.source_text import TokenKind, read_source

_NEAR = 3
"""How many lines a model may be off."""
_LONGEST_QUOTE = 12
"""In lines."""
_MIN_CHARACTERS = 3
"""Letters and digits: a lone bracket is everywhere."""


class _Stretch(NamedTuple):
    first: int
    lines: tuple[str, ...]


def cited_evidence(
    claim: DocClaim, cited: CitedLine, context: Context, unsaid: Stance
) -> CodeEvidence | None:
    """The lines of the file that a quotation is taken from; None if it is found neither at its line nor near it.

    Comments and docstrings count as documentation in every file; the claim itself doesn't count. `unsaid` is the stance of
    citations for which the model gives none.
    """
    if cited.path not in context.paths or context.digest(cited.path) is None:
        return None  # files that are ignored or not listed were never shown
    lines = file_lines(context, cited.path)
    stretch = _find(lines, cited.line, cited.quote)
    if stretch is None or _is_the_claim(claim, cited.path, stretch):
        return None
    return CodeEvidence(
        tier=_tier(cited.path, stretch, context),
        stance=cited.stance or unsaid,
        path=cited.path,
        line=stretch.first,
        quote="\n".join(stretch.lines),
        digest=context.digest(cited.path),
    )


def _find(lines: Sequence[str], line: int, quote: str) -> _Stretch | None:
    """The line where the quotation begins, nearest first. Both are compared in the form that the model was shown."""
    wanted = on_one_line(quote)
    if sum(map(str.isalnum, wanted)) < _MIN_CHARACTERS:
        return None
    near = sorted(range(line - _NEAR, line + _NEAR + 1), key=lambda number: abs(number - line))
    found = (_from(lines, first, wanted) for first in near if 1 <= first <= len(lines))
    return next((stretch for stretch in found if stretch), None)


def _from(lines: Sequence[str], first: int, wanted: str) -> _Stretch | None:
    """As many lines as the quotation needs, if it begins in the first of them."""
    head = len(on_one_line(lines[first - 1]))
    for count in range(1, _LONGEST_QUOTE + 1):
        stretch = tuple(lines[first - 1 : first - 1 + count])
        place = on_one_line("\n".join(stretch)).find(wanted)
        if place >= 0:
            return _Stretch(first, stretch) if place < head else None
    return None


def _is_the_claim(claim: DocClaim, path: str, stretch: _Stretch) -> bool:
    last = stretch.first + len(stretch.lines) - 1
    return path == claim.document and stretch.first <= claim.end_line and last >= claim.line


def _tier(path: str, stretch: _Stretch, context: Context) -> EvidenceTier:
    """Comments and docstrings count as documentation in every file."""
    if is_document(path):
        return EvidenceTier.DOCUMENTATION
    tokens = read_source(path, context.text(path)).tokens
    code = {token.line + 1 for token in tokens if token.kind is not TokenKind.MARK}
    lines = range(stretch.first, stretch.first + len(stretch.lines))
    return EvidenceTier.CODE if code.intersection(lines) else EvidenceTier.DOCUMENTATION
