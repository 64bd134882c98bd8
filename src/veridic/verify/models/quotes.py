"""What a model cites of a repository, held against the files: only what stands there is evidence."""

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
"""Lines that a model may be off by."""
_LONGEST_QUOTE = 12
"""Lines."""
_LEAST_SAID = 3
"""Letters and digits: a lone bracket stands everywhere."""


class _Stretch(NamedTuple):
    first: int
    lines: tuple[str, ...]


def cited_evidence(
    claim: DocClaim, cited: CitedLine, context: Context, unsaid: Stance
) -> CodeEvidence | None:
    """The lines of the file that a quotation is taken from; None where it is found neither at its line nor near it.

    Comments and docstrings count as documentation, wherever they stand; the claim itself counts as nothing. `unsaid`
    is the stance of what the model cites without saying what for.
    """
    if cited.path not in context.paths or context.digest(cited.path) is None:
        return None  # what is ignored or not listed was never shown
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
    """Where the quotation begins, the nearest place first. Both are compared as the model was shown them."""
    wanted = on_one_line(quote)
    if sum(map(str.isalnum, wanted)) < _LEAST_SAID:
        return None
    near = sorted(range(line - _NEAR, line + _NEAR + 1), key=lambda number: abs(number - line))
    found = (_from(lines, first, wanted) for first in near if 1 <= first <= len(lines))
    return next((stretch for stretch in found if stretch), None)


def _from(lines: Sequence[str], first: int, wanted: str) -> _Stretch | None:
    """So many lines as the quotation needs, if it begins in the first of them."""
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
    """Comments and docstrings count as documentation, wherever they stand."""
    if is_document(path):
        return EvidenceTier.DOCUMENTATION
    tokens = read_source(path, context.text(path)).tokens
    code = {token.line + 1 for token in tokens if token.kind is not TokenKind.MARK}
    lines = range(stretch.first, stretch.first + len(stretch.lines))
    return EvidenceTier.CODE if code.intersection(lines) else EvidenceTier.DOCUMENTATION
