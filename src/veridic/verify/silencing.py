"""Silences findings that are known and accepted: by a comment beside the words, or by the project's baseline.

A comment is `veridic: ignore[reason]` on the line, or alone on the line above. Markdown
takes `<!-- veridic: ignore[reason] -->` (above a fenced block, it covers the block), reStructuredText
`.. veridic: ignore[reason]`, source files `# veridic: ignore[reason]` or the language's own comment marks.
A comment without a reason silences nothing.
"""

import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.domain.code import CodeVerdict, Finding, Notice, SilencedBy, SilencedFinding, VerifyReport
from veridic.verify.baseline import Baseline, compare_with_baseline

_WORDS = re.compile(r"veridic:\s*ignore\b(?:\[(?P<reason>[^\]\n]{0,500})\])?")
_HTML = re.compile(rf"<!--\s*{_WORDS.pattern}\s*-->")
_RST = re.compile(rf"^\s*\.\.\s+{_WORDS.pattern}\s*$")
_SOURCE = re.compile(rf"(?:#|//|/\*|--|;|<!--)\s*{_WORDS.pattern}")
_BACKTICKS = re.compile(r"`+")
_FENCE = re.compile(r"^\s*(?:>\s*)*(?P<fence>`{3,}|~{3,})")
_LINE_END = re.compile(r"\r\n|\r|\n")


def silence(
    report: VerifyReport,
    read: Callable[[str], str | None],
    documents: Iterable[str] = (),
    *,
    baseline: Baseline | None = None,
    all_were_looked_at: bool = True,
) -> VerifyReport:
    """The report with the findings that comments or the baseline silence in a separate list."""
    commented = silence_by_comments(report.findings, read, documents, all_were_looked_at=all_were_looked_at)
    kept, silenced = commented.kept, commented.silenced
    if baseline is not None:
        compared = compare_with_baseline(baseline, kept)
        kept, silenced = compared.kept, (*silenced, *compared.known)
    changes = {"findings": kept, "silenced": silenced, "notices": commented.notices}
    return report.model_copy(update=changes)


class IgnoreComment(NamedTuple):
    """A comment on `line` that covers the lines from `first` to `last`."""

    line: int
    reason: str
    first: int
    last: int


class Commented(NamedTuple):
    """The findings that remain, those that comments silence, and what is wrong with comments."""

    kept: tuple[Finding, ...]
    silenced: tuple[SilencedFinding, ...]
    notices: tuple[Notice, ...]


def find_ignore_comments(path: str, text: str) -> list[IgnoreComment]:
    """The comments of one file; those without a reason have an empty one."""
    if "veridic:" not in text:
        return []
    lines = _LINE_END.split(text)
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in (".md", ".markdown", ".mdx"):
        comments = _in_markdown(lines)
    elif suffix in (".rst", ".rest"):
        comments = _matches(lines, _RST)
    elif suffix in (".py", ".pyi"):
        comments = _in_python(text, lines)
    else:
        comments = _matches(lines, _SOURCE)
    return [_covering(lines, number, comment) for number, comment in comments]


Comments = Iterable[tuple[int, re.Match[str]]]


def _matches(lines: Sequence[str], pattern: re.Pattern[str]) -> Comments:
    return [(number, match) for number, line in enumerate(lines, 1) if (match := pattern.search(line))]


def _in_markdown(lines: Sequence[str]) -> Comments:
    """Comments outside fenced blocks and code spans: inside them, they are examples."""
    fence = ""
    for number, line in enumerate(lines, 1):
        opened = _FENCE.match(line)
        if opened and not fence:
            fence = opened["fence"]
        elif opened and opened["fence"].startswith(fence):
            fence = ""
        elif not fence and "veridic:" in line and (match := _HTML.search(_without_code(line))):
            yield number, match


def _without_code(line: str) -> str:
    """The line with its code spans blanked; a code span ends at the next run of as many backticks."""
    runs = [run.span() for run in _BACKTICKS.finditer(line)]
    next_alike: dict[int, int] = {}
    seen: dict[int, int] = {}
    for number in reversed(range(len(runs))):
        length = runs[number][1] - runs[number][0]
        if length in seen:
            next_alike[number] = seen[length]
        seen[length] = number
    pieces: list[str] = []
    at = number = 0
    while number < len(runs):
        if (closing := next_alike.get(number)) is not None:
            start, end = runs[number][0], runs[closing][1]
            pieces += [line[at:start], " " * (end - start)]
            at, number = end, closing
        number += 1
    return "".join([*pieces, line[at:]])


def _in_python(text: str, lines: Sequence[str]) -> Comments:
    """Real comments, and reStructuredText comments inside docstrings."""
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
        starts = [token.start for token in tokens if token.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError):  # not valid Python for this version
        return [*_matches(lines, _RST), *_matches(lines, _SOURCE)]
    real = ((row, _SOURCE.match(lines[row - 1], column)) for row, column in starts)
    return [*_matches(lines, _RST), *((row, match) for row, match in real if match)]


def _covering(lines: Sequence[str], number: int, comment: re.Match[str]) -> IgnoreComment:
    line = lines[number - 1]
    reason = (comment["reason"] or "").strip()
    beside = (line[: comment.start()] + line[comment.end() :]).strip().removesuffix("*/")
    if beside:
        return IgnoreComment(number, reason, number, number)
    after = next((n for n in range(number + 1, len(lines) + 1) if lines[n - 1].strip()), number)
    opened = _FENCE.match(lines[after - 1])
    return IgnoreComment(
        number, reason, number, _fence_end(lines, after, opened["fence"]) if opened else after
    )


def _fence_end(lines: Sequence[str], start: int, fence: str) -> int:
    for number in range(start + 1, len(lines) + 1):
        closing = _FENCE.match(lines[number - 1])
        if closing and closing["fence"].startswith(fence):
            return number
    return len(lines)


def silence_by_comments(
    findings: Sequence[Finding],
    read: Callable[[str], str | None],
    documents: Iterable[str] = (),
    *,
    all_were_looked_at: bool = True,
) -> Commented:
    """Remove the findings that comments in their documents silence.

    `read` returns a document's text, or None; `documents` are searched for comments even if nothing was found in them.
    A comment that covers only Verified claims silences nothing: that is reported if all claims were checked, not only those
    that a change concerns.
    """
    comments = {
        document: find_ignore_comments(document, text)
        for document in dict.fromkeys((*(f.claim.document for f in findings), *documents))
        if (text := read(document)) is not None
    }
    by_line = {
        (document, line): comment
        for document, found in comments.items()
        for comment in found
        if comment.reason
        for line in range(comment.first, comment.last + 1)
    }
    kept: list[Finding] = []
    silenced: list[SilencedFinding] = []
    used: set[tuple[str, IgnoreComment]] = set()
    for finding in findings:
        document = finding.claim.document
        lines = range(finding.claim.line, max(finding.claim.line, finding.claim.end_line) + 1)
        covering = [by_line[document, line] for line in lines if (document, line) in by_line]
        if covering and finding.verdict is not CodeVerdict.VERIFIED:
            used.update((document, comment) for comment in covering)
            reason = covering[0].reason
            silenced.append(SilencedFinding(finding=finding, by=SilencedBy.COMMENT, reason=reason))
        else:
            kept.append(finding)
    if not all_were_looked_at:
        used.update((document, one) for document, found in comments.items() for one in found)
    return Commented(tuple(kept), tuple(silenced), tuple(_notices(comments, used)))


def _notices(
    comments: dict[str, list[IgnoreComment]], used: set[tuple[str, IgnoreComment]]
) -> Iterator[Notice]:
    for document, ignored in comments.items():
        for comment in ignored:
            if not comment.reason:
                message = "This comment needs a reason: veridic: ignore[why the finding can stand]."
            elif (document, comment) not in used:
                message = "This comment silences nothing; it can be deleted."
            else:
                continue
            yield Notice(document=document, line=comment.line, message=message)
