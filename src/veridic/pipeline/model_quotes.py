"""What a model cites of a repository, held against the files: only what stands there is evidence."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridic.code.excerpts import file_lines
from veridic.code.index import FactIndex
from veridic.code.languages import language_of
from veridic.domain.code import CodeEvidence, DocClaim, EvidenceTier, FileFacts, Origin
from veridic.domain.evidence import Stance
from veridic.judging.parse_code import CitedLine
from veridic.prompts.fence import on_one_line

_NEAR = 3
"""Lines that a model may be off by."""
_LONGEST_QUOTE = 12
"""Lines."""
_LEAST_SAID = 3
"""Letters and digits: a lone bracket stands everywhere."""
_DOCUMENTS = frozenset(("markdown", "rst", "text", None))
_SPOKEN = (Origin.DOCSTRING, Origin.COMMENT)
_BEHIND_A_HASH = frozenset("python toml yaml ini makefile dockerfile shell text".split())
_HASH_COMMENT = re.compile(r"\s*(?:[#;]|[rRuU]?(?:\"{3}|'{3}))")
"""Or a text that stands alone, as behind a field."""
_SLASH_COMMENT = re.compile(r"\s*(?://|/\*|\*(?:\s|/|\Z)|<!--)")
_QUOTATION = re.compile(r"[\"'`#/*]+|\b[rRuU](?=[\"'])")


class _Stretch(NamedTuple):
    first: int
    lines: tuple[str, ...]


def cited_evidence(
    claim: DocClaim, cited: CitedLine, index: FactIndex, unsaid: Stance
) -> CodeEvidence | None:
    """The lines of the file that a quotation is taken from; None where it is found neither at its line nor near it.

    Comments and docstrings count as documentation, wherever they stand; the claim itself counts as nothing. `unsaid`
    is the stance of what the model cites without saying what for.
    """
    if index.digest(cited.path) is None:
        return None
    lines = file_lines(index, cited.path)
    stretch = _find(lines, cited.line, cited.quote)
    if stretch is None or _is_the_claim(claim, cited.path, stretch):
        return None
    return CodeEvidence(
        tier=_tier(cited.path, stretch, index),
        stance=cited.stance or unsaid,
        path=cited.path,
        line=stretch.first,
        quote="\n".join(stretch.lines),
        digest=index.digest(cited.path),
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


def _tier(path: str, stretch: _Stretch, index: FactIndex) -> EvidenceTier:
    file = index.files[path]
    if not file.facts and language_of(path) in _DOCUMENTS:
        return EvidenceTier.DOCUMENTATION
    numbered = enumerate(stretch.lines, stretch.first)
    is_code = any(line.strip() and not _is_spoken(file, number, line) for number, line in numbered)
    return EvidenceTier.CODE if is_code else EvidenceTier.DOCUMENTATION


def _is_spoken(file: FileFacts, number: int, line: str) -> bool:
    """Whether a line of a source file is a comment, or belongs to a docstring."""
    comment = _HASH_COMMENT if language_of(file.path) in _BEHIND_A_HASH else _SLASH_COMMENT
    if comment.match(line):
        return True
    plain = _plain(line)
    for text in file.texts:
        if text.origin in _SPOKEN and text.line <= number <= text.line + text.text.count("\n") + 1:
            said = [_plain(one) for one in text.text.splitlines()]
            if not plain or plain in said:
                return True
    return False


def _plain(line: str) -> str:
    return " ".join(_QUOTATION.sub(" ", line).split())
