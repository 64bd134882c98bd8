"""The reliability score of a checked text, from 0 to 100: parsed from the reporter's text, limited by the verdicts, or computed."""

import re
from collections.abc import Sequence
from math import ceil, floor

from veridic.domain.consensus import ClaimConsensus, ConsensusVerdict, VerdictCounts

_LABEL = re.compile(r"\breliability(?:[\s*_]{1,3}(?:score|rating)\b|(?=[*_]{0,2}:))", re.IGNORECASE)
_AT_START = re.compile(
    r"[\W_]{0,12}(?:[0-9]{1,2}[.)]\s)?[\W_]{0,4}(?:overall\s)?\s?reliability\b", re.IGNORECASE
)
_SCORE = re.compile(
    r"(?:[^\w\n-]|_|-(?=\s)){0,12}(?:(?:is|of|=|at|score|assessed at|rated)\b[\W_]{0,6}){0,2}"
    r"(?P<value>[-−]?[0-9]{1,4}(?:[.,][0-9]{1,4})?)(?![0-9])(?P<behind>[*_`\]\s]{0,6}(?:(?:/|out of|of)[*_`\s\[]{0,4}(?P<scale>[0-9]{1,4}))?)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"[*_`\]\s]{0,4}(?:[-–—]|to\b)[*_`\s]{0,4}[0-9]")
_SCORE_ENDS = re.compile(r"[%\W_]*+(?:\Z|(?<=[—–(:.-] ).*|(?<=[—–(:.-]).*)")
"""What may follow a score on a line of its own: nothing, or a remark set off from it."""
_LINES_BELOW = 3
_MAX_SCORE_TEXT = 200

_WORTH = {ConsensusVerdict.VERIFIED: 100, ConsensusVerdict.UNVERIFIABLE: 50, ConsensusVerdict.DISPUTED: 0}
_ALL_VERIFIED = 90
_TOLERANCE = 20
"""Points by which a reporter's score may differ from the share of verified claims: some mistakes matter more than others."""


def parse_reliability_score(report_text: str) -> int | None:
    """Return the score stated in a report, scaled and clamped to 0 to 100; None if there is none.

    The score follows the label "Reliability Score" or is on one of the next lines. A range ("90-100") is part of
    the scoring guide, not a score. A label at the start of a line takes precedence over one within a sentence.
    """
    lines = [line.strip() for line in report_text.splitlines()]
    labelled = [(place, match) for place, line in enumerate(lines) if (match := _LABEL.search(line))]
    labelled.sort(key=lambda found: _AT_START.match(lines[found[0]]) is None)
    for place, label in labelled:
        below = next((line for line in lines[place + 1 : place + 1 + _LINES_BELOW] if line), "")
        score = _read_score(lines[place][label.end() :])
        if score is None:
            score = _read_score(below, alone=True)
        if score is not None:
            return score
    return None


def _read_score(text: str, *, alone: bool = False) -> int | None:
    match = _SCORE.match(text[:_MAX_SCORE_TEXT])
    if match is None or _RANGE.match(text, match.end("value")):
        return None
    if alone and not _SCORE_ENDS.match(text, match.end()):
        return None
    value = float(match["value"].replace(",", ".").replace("−", "-"))
    scale = int(match["scale"]) if match["scale"] else _scale_of(text, match)
    return _clamp(floor(100 * value / scale + 0.5), 0, 100) if scale else None


def _scale_of(text: str, match: re.Match[str]) -> int:
    """Return the scale of a score that names none: 1 for `0.85`, 100 for `85`, 0 (unknown) for `8.5`."""
    is_fraction = (
        match["value"].strip("-−")[1:2] in (".", ",") and text[match.end("value") :].lstrip()[:1] != "%"
    )
    if not is_fraction:
        return 100
    return (
        1
        if match["value"].lstrip("-−")[0] == "0"
        or float(match["value"].replace(",", ".").replace("−", "-")) == 1
        else 0
    )


def allowed(score: int, counts: VerdictCounts) -> int:
    """Limit `score` to what the verdicts allow: at most 20 points below the percentage of verified claims, and at most 20
    above that percentage if all unverifiable claims were verified.

    So it is 0 to 20 if all claims are disputed, and anything if all are unverifiable. If all are verified, it is 90 to 100.
    """
    claims = counts.verified + counts.disputed + counts.unverifiable
    if not claims:
        return _clamp(score, 0, 100)
    if counts.verified == claims:
        return _clamp(score, _ALL_VERIFIED, 100)
    least = ceil(100 * counts.verified / claims) - _TOLERANCE
    most = floor(100 * (counts.verified + counts.unverifiable) / claims) + _TOLERANCE
    return _clamp(score, max(least, 0), min(most, 100))


def computed_score(consensus: Sequence[ClaimConsensus]) -> int | None:
    """Compute the score if the reporter gave none; None without claims.

    A claim is worth 100 if verified, 50 if unverifiable and 0 if disputed, moved toward 50 by the checkers'
    disagreement: disputed by two of three is 17. The score is the mean, limited by `allowed`.
    """
    if not consensus:
        return None
    worths = [50 + (_WORTH[c.consensus_verdict] - 50) * c.agreement_rate / 100 for c in consensus]
    verdicts = [c.consensus_verdict for c in consensus]
    counts = VerdictCounts(
        verified=verdicts.count(ConsensusVerdict.VERIFIED),
        disputed=verdicts.count(ConsensusVerdict.DISPUTED),
        unverifiable=verdicts.count(ConsensusVerdict.UNVERIFIABLE),
    )
    return allowed(round(sum(worths) / len(worths)), counts)


def _clamp(value: int, least: int, most: int) -> int:
    return max(least, min(most, value))
