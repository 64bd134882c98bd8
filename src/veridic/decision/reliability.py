"""The reliability score of a checked text, from 0 to 100: as the reporter gives it, as far as the verdicts allow it."""

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
_NOTHING_BUT = re.compile(r"[%\W_]*+(?:\Z|(?<=[—–(:.-] ).*|(?<=[—–(:.-]).*)")
"""Behind a score on a line of its own: nothing, or a remark set off from it."""
_LINES_BELOW = 3
_LONGEST = 200

_WORTH = {ConsensusVerdict.VERIFIED: 100, ConsensusVerdict.UNVERIFIABLE: 50, ConsensusVerdict.DISPUTED: 0}
_ALL_VERIFIED = 90
_LATITUDE = 20
"""Points that a reporter may go beyond the share of claims that are right: some mistakes matter more than others."""


def parse_reliability_score(report_text: str) -> int | None:
    """The score that a report names, on a scale to 100 and within it; None if it names none.

    It stands behind the label "Reliability Score" or on a line shortly below it. A range ("90-100") belongs
    to the scoring guide and is no score. A label at the beginning of a line goes before one within a sentence.
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
    match = _SCORE.match(text[:_LONGEST])
    if match is None or _RANGE.match(text, match.end("value")):
        return None
    if alone and not _NOTHING_BUT.match(text, match.end()):
        return None
    value = float(match["value"].replace(",", ".").replace("−", "-"))
    scale = int(match["scale"]) if match["scale"] else _scale_of(text, match)
    return _within(floor(100 * value / scale + 0.5), 0, 100) if scale else None


def _scale_of(text: str, match: re.Match[str]) -> int:
    """Of a score that does not say it: `0.85` is part of 1. `8.5` is no score of ours, and of what it is a part nobody says (0)."""
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
    """`score` as far as the verdicts bear it out: at most 20 points below the share of claims that are verified in percent, and at
    most 20 above what that share would be if everything unverifiable were right.

    So it is 0 to 20 if all claims are disputed, and anything if none is settled. If all are verified it is 90 to 100.
    """
    claims = counts.verified + counts.disputed + counts.unverifiable
    if not claims:
        return _within(score, 0, 100)
    if counts.verified == claims:
        return _within(score, _ALL_VERIFIED, 100)
    least = ceil(100 * counts.verified / claims) - _LATITUDE
    most = floor(100 * (counts.verified + counts.unverifiable) / claims) + _LATITUDE
    return _within(score, max(least, 0), min(most, 100))


def computed_score(consensus: Sequence[ClaimConsensus]) -> int | None:
    """The score where the reporter gave none; None without claims.

    A claim is worth 100 if verified, 50 if unverifiable and 0 if disputed, drawn toward 50 by as much as the
    checkers lack in agreement: disputed by two of three is 17. The score is the mean, as far as it is `allowed`.
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


def _within(value: int, least: int, most: int) -> int:
    return max(least, min(most, value))
