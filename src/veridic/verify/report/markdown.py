"""The report of `veridic verify` as a comment on a pull request. Text from the repository is escaped."""

import re
from collections.abc import Sequence
from itertools import groupby

from veridic.domain.code import (
    AgentVerdict,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    Finding,
    VerifyReport,
)
from veridic.reporting.escaping import escape, one_line
from veridic.verify.report.frames import FrameLine, document_frame, evidence_frame
from veridic.verify.report.wording import (
    MEANINGS,
    ReadText,
    by_severity,
    correction_label,
    evidence_label,
    how_sure,
    mark,
    proposals_line,
    silenced_line,
    summary,
    tier_difference,
    where,
)

_LONGEST = 60_000
"""A comment on GitHub can have 65,536 characters."""
_OPEN = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
_BACKTICKS = re.compile(r"`+")
_MENTION = re.compile(r"@(?=\w)")


def findings_markdown(report: VerifyReport, read: ReadText, *, everything: bool = False) -> str:
    """A comment that fits a pull request: what to act on in full, open claims in one line each, then the counts."""
    findings = by_severity(report.findings)
    shown = [f for f in findings if f.verdict not in (*_OPEN, CodeVerdict.VERIFIED)]
    blocks = [
        "## Documentation against code",
        _prose(" ".join(filter(None, (summary(report), silenced_line(report), proposals_line(report))))),
    ]
    left = _LONGEST - sum(map(len, blocks))
    sections = [_section(finding, read) for finding in shown] + _short_lists(findings, everything=everything)
    sections += _remarks(report)
    for number, section in enumerate(sections):
        left -= len(section) + 2
        if left < 0:
            blocks.append(
                f"*{len(sections) - number} more parts are left out here: a comment has a largest size.*"
            )
            break
        blocks.append(section)
    return "\n\n".join(blocks) + "\n"


def _section(finding: Finding, read: ReadText) -> str:
    claim = finding.claim
    confidence = f" ({likely})" if (likely := how_sure(finding)) else ""
    place = _code(where(claim.document, claim.line))
    blocks = [f"### {mark(finding.verdict)} {finding.verdict}{confidence}: {place}", _prose(finding.reason)]
    if finding.flags:
        blocks.append(f"*{', '.join(flag.value for flag in finding.flags)}*")
    blocks.append(_fenced(document_frame(read(claim.document), finding)))
    blocks += _sides(finding.sides) if finding.sides else _evidence(finding.evidence)
    if finding.correction is not None:
        blocks.append(_correction(finding.correction))
    return "\n\n".join(blocks)


def _evidence(evidence: Sequence[CodeEvidence]) -> list[str]:
    blocks = []
    for one in evidence:
        blocks += [
            f"{_code(where(one.path, one.line))} ({evidence_label(one)})",
            _fenced(evidence_frame(one)),
        ]
    return blocks


def _sides(sides: Sequence[AgentVerdict]) -> list[str]:
    blocks = []
    for side in sides:
        blocks += [
            f"**{_prose(side.agent)}: {side.verdict}.** {_prose(side.reason)}",
            *_evidence(side.evidence),
        ]
    if difference := tier_difference(sides):
        blocks.append(_prose(difference))
    return blocks


def _correction(correction: CodeCorrection) -> str:
    change = f"{_code(correction.original)} → {_code(correction.corrected)}"
    return f"**Correction** ({correction_label(correction)}): {change}"


def _short_lists(findings: Sequence[Finding], *, everything: bool) -> list[str]:
    """One folded list for each verdict that needs no action from this change."""
    wanted = (*_OPEN, CodeVerdict.VERIFIED) if everything else _OPEN
    return [
        _folded(verdict, list(group))
        for verdict, group in groupby(findings, key=lambda finding: finding.verdict)
        if verdict in wanted
    ]


def _folded(verdict: CodeVerdict, findings: Sequence[Finding]) -> str:
    rows = [
        f"- {_code(where(finding.claim.document, finding.claim.line))} {_prose(finding.would_settle or finding.reason)}"
        for finding in findings
    ]
    title = f"<summary>{len(findings)} {verdict.lower()}: {MEANINGS[verdict]}</summary>"
    return "\n".join(("<details>", title, "", *rows, "", "</details>"))


def _remarks(report: VerifyReport) -> list[str]:
    rows = [f"- {_code(where(n.document, n.line))} {_prose(n.message)}" for n in report.notices]
    rows += [f"- {_prose(failure.what)}: {_prose(failure.message)}" for failure in report.errors]
    return ["\n".join(rows)] if rows else []


def _prose(text: str) -> str:
    """Text from outside, escaped; a name in it doesn't notify that person."""
    return _MENTION.sub("@\u200b", escape(text))


def _code(text: str) -> str:
    text = one_line(text)
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(text)), default=0) + 1)
    padding = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def _fenced(lines: Sequence[FrameLine]) -> str:
    """The frame in a code fence that nothing in it can close."""
    width = max((len(str(line.number or "")) for line in lines), default=0)
    rows = []
    for line in lines:
        rows.append(f"{line.number or '':>{width}} │ {line.text}".rstrip())
        if line.underlined is not None:
            start, end = line.underlined
            rows.append(f"{'':>{width}} │ {' ' * start}{'^' * (end - start)}")
    longest = max((len(run) for row in rows for run in _BACKTICKS.findall(row)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{fence}text", *rows, fence))
