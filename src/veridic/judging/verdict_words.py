"""The words a checker puts a verdict and its confidence in.

A verdict that takes something back is not VERIFIED: "partially verified" and "mostly true" are DISPUTED, as
part of the claim does not hold; "not verified" and "cannot be verified" are UNVERIFIABLE.
"""

import re
from typing import NamedTuple

from veridic.domain.consensus import Confidence, ConsensusVerdict

_LIMIT = r"(?P<limit>(?:partial|part|most|large|some|main|half)\w*[\s-]+|not (?:entirely|fully|completely|quite|wholly) )?"
_NOT = r"(?P<not>not |un|non-?|(?:can ?not|can['’]t|could not|couldn['’]t)(?: be)? )?"
_SAID = re.compile(
    rf"[\W_]{{0,12}}{_LIMIT}{_NOT}(?P<word>verified|verifiable|disputed)(?![a-z])", re.IGNORECASE
)
_ALTERNATIVES = re.compile(
    r"[\s*_`]{0,4}(?:\([^)]{0,80}\))?\s{0,2}(?:/|\||,? or\b)[\s*_`]{0,4}(?:un)?(?:verifi|disput)",
    re.IGNORECASE,
)
_RUNS_ON = re.compile(r" [a-z]")
_SYNONYM = re.compile(
    rf"[\W_]{{0,12}}{_LIMIT}{_NOT}(?:(?P<good>true|accurate|correct|confirmed|supported)|"
    r"(?P<bad>false|inaccurate|incorrect|misleading|refuted|debunked|contradicted|wrong)|"
    r"(?P<open>unknown|uncertain|inconclusive|undetermined|unclear|determined?|insufficient (?:evidence|information)))"
    r"\s?(?:\([^)]{0,80}\))?[\W_]{0,6}",
    re.IGNORECASE,
)
_LONGEST = 240
"""Characters in which a verdict is looked for."""


class Said(NamedTuple):
    verdict: ConsensusVerdict
    rest: str
    """What stands behind it on the same line."""


def read_verdict(value: str, *, trusted: bool) -> Said | None:
    """The verdict that `value` begins with.

    Behind a label of its own (`trusted`) "Verified by NASA" is one; elsewhere a sentence that happens to begin
    like that is not. All verdicts side by side are the format's own list, copied, and none.
    """
    head = value[:_LONGEST]
    match = _SAID.match(head)
    if match is None:
        synonym = _SYNONYM.fullmatch(head)
        return Said(_meaning(synonym), "") if synonym else None
    if _ALTERNATIVES.match(head, match.end()):
        return None
    if not trusted and not match["word"].isupper() and _RUNS_ON.match(head, match.end()):
        return None
    verdict = _verdict(match)
    return Said(verdict, value[match.end() :]) if verdict else None


def _verdict(match: re.Match[str]) -> ConsensusVerdict | None:
    word = match["word"].lower()
    if word == "verifiable":
        return ConsensusVerdict.UNVERIFIABLE if match["not"] else None
    if match["not"]:
        return ConsensusVerdict.UNVERIFIABLE
    return ConsensusVerdict.DISPUTED if word == "disputed" or match["limit"] else ConsensusVerdict.VERIFIED


def _meaning(match: re.Match[str]) -> ConsensusVerdict:
    if match["open"]:
        return ConsensusVerdict.UNVERIFIABLE
    if match["bad"]:
        return ConsensusVerdict.UNVERIFIABLE if match["not"] else ConsensusVerdict.DISPUTED
    return ConsensusVerdict.DISPUTED if match["not"] or match["limit"] else ConsensusVerdict.VERIFIED


_CONFIDENCE = re.compile(
    r"\b(?:(?P<HIGH>high|certain|strong)|(?P<MEDIUM>medium|moderate)|(?P<LOW>low|weak)|(?P<percent>[0-9]{1,3})(?:\.[0-9]{1,4})?\s?%"
    r"|(?P<fraction>[01]\.[0-9]{1,4})(?![0-9]|\s?%))",
    re.IGNORECASE,
)
_HIGH_FROM, _MEDIUM_FROM = 80, 50


def read_confidence(value: str) -> Confidence | None:
    """HIGH, MEDIUM or LOW; of two that are named ("MEDIUM to HIGH") the lower, of all three none."""
    named = {_level(match) for match in _CONFIDENCE.finditer(value[:_LONGEST])}
    if not named or len(named) == len(Confidence):
        return None
    return max(named, key=list(Confidence).index)


def _level(match: re.Match[str]) -> Confidence:
    if match["percent"]:
        percent = float(match["percent"])
    elif match["fraction"]:
        percent = 100 * float(match["fraction"])
    else:
        return Confidence(str(match.lastgroup))
    if percent >= _HIGH_FROM:
        return Confidence.HIGH
    return Confidence.MEDIUM if percent >= _MEDIUM_FROM else Confidence.LOW
