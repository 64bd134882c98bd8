"""Parses the words for a verdict and its confidence in a checker's answer.

A qualified verdict is not VERIFIED: "partially verified", "mostly true" and "VERIFIED (but misleading)" are DISPUTED, because part of
the claim doesn't hold; "not verified" and "cannot be verified" are UNVERIFIABLE.
"""

import re
from typing import NamedTuple

from veridic.domain.consensus import Confidence, ConsensusVerdict

_LIMIT = r"(?P<limit>(?:partial|part|most|large|some|main|half)\w*[\s-]+|not (?:entirely|fully|completely|quite|wholly) )?"
_NOT = r"(?P<not>not |un|non-?|(?:can ?not|can['’]t|could not|couldn['’]t)(?: be)? )?"
_VERDICT_WORD = re.compile(
    rf"[\W_]{{0,12}}{_LIMIT}{_NOT}(?P<word>verified|verifiable|disputed)(?![a-z])", re.IGNORECASE
)
_ALTERNATIVES = re.compile(
    r"[\s*_`]{0,4}(?:\([^)]{0,80}\))?\s{0,2}(?:/|\||,? or\b)[\s*_`]{0,4}(?:un)?(?:verifi|disput)",
    re.IGNORECASE,
)
_STRUCK_OUT = re.compile(r"~~[^~\n]{1,80}~~")
"""Struck-out text in Markdown."""
_SECOND_VERDICT = re.compile(
    rf"[^\w.]{{0,8}}(?:[0-9]{{1,3}}\s?%)?[^\w.]{{1,8}}{_LIMIT}{_NOT}(?P<word>verified|verifiable|disputed)(?![a-z])",
    re.IGNORECASE,
)
"""A second verdict: `VERIFIED → DISPUTED`, `VERIFIED 60% / DISPUTED 40%`."""
_COUNT = re.compile(
    r"(?:\s(?:claims?|statements?))?[\s*_]{0,4}[:：=–—-][\s*_]{0,4}[0-9]{1,4}(?:\s(?:claims?|statements?|of [0-9]{1,4}))?[\W_]{0,6}",
    re.IGNORECASE,
)
"""A count, as `Verified: 2` in a summary."""
_SENTENCE_CONTINUES = re.compile(r" [a-z]")
_SYNONYM = re.compile(
    rf"[\W_]{{0,12}}{_LIMIT}{_NOT}(?:(?P<good>true|accurate|correct|confirmed|supported)|"
    r"(?P<bad>false|inaccurate|incorrect|misleading|refuted|debunked|contradicted|wrong)|"
    r"(?P<open>unknown|uncertain|inconclusive|undetermined|unclear|determined?|insufficient (?:evidence|information)))"
    r"\s?(?:\([^)]{0,80}\))?[\W_]{0,6}",
    re.IGNORECASE,
)
_FAULT = (
    r"(?<!not )(?<!n't )\b(?:mislead\w*|outdated|out of date|inaccura\w*|incorrect\w*|incomplete|exaggerat\w*|overstat\w*|"
    r"oversimplif\w*|imprecise|false|wrong|distort\w*|partial\w*|partly|in part|mostly|largely|half|"
    r"(?:lack|miss|need|omit)\w* (?:\w+ )?(?:context|nuance)|out of context|caveats?|reservations?|not (?:entirely|fully|quite|wholly))\b"
)
_BUT = r"\b(?:but|however|though|although|yet|except|albeit)\b"
_QUALIFIED = re.compile(
    rf"[\s*_`\])]{{0,4}}(?:[(\[](?:[^)\]]{{0,120}}?)(?:{_BUT}|{_FAULT})|[,;]?\s{{0,2}}{_BUT}"
    rf"|(?:[,;/–—-]|\s-)\s{{0,2}}(?:{_BUT}\s)?(?:\w{{1,12}}\s)?{_FAULT})",
    re.IGNORECASE,
)
"""A qualification after VERIFIED, in brackets or joined to it. A new sentence is evidence."""
_MAX_CHARACTERS = 240
"""Characters in which to look for a verdict."""
_GROUP = re.compile(
    r"[\W_]{0,12}(?:[0-9]{1,2}[.)]\s{1,3})?[\W_]{0,6}"
    r"(?P<label>(?:(?:final |overall )?(?:verdict|status|category|group|rating|assessment|result)s?)[\s*_]{0,4}[:：–—-][\s*_]{0,4})?"
    r"(?:(?:the following |these )?(?:claims?|statements?)(?: (?:that|which))?(?: (?:are|is|were|have been|I consider))? )?"
    r"(?P<said>.*?)"
    r"(?P<noun>[\s*_]{1,4}(?:claims?|statements?|facts|items?))?"
    r"[\W_]{0,6}(?P<count>[(\[]\s?[0-9]{1,4}(?: (?:claims?|statements?|items?|total))?\s?[)\]])?[\W_]{0,8}",
    re.IGNORECASE,
)
_GROUP_WORDS = re.compile(r"\s*(?:/|\||,|;|&|\band\b|\bor\b)\s*", re.IGNORECASE)
_LONGEST_HEADING = 90


class ParsedVerdict(NamedTuple):
    verdict: ConsensusVerdict
    rest: str
    """The text after it on the same line."""


def read_verdict(value: str, *, trusted: bool) -> ParsedVerdict | None:
    """Return the verdict that `value` begins with.

    After a label (`trusted`) "Verified by NASA" is a verdict; elsewhere a sentence that happens to begin like that is not. A list of
    all verdicts is copied from the format, and is none.
    """
    value = _STRUCK_OUT.sub("", value[:_MAX_CHARACTERS]) + value[_MAX_CHARACTERS:]
    head = value[:_MAX_CHARACTERS]
    match = _VERDICT_WORD.match(head)
    if match is None:
        synonym = _SYNONYM.fullmatch(head)
        if synonym is None:
            return None
        aside = "(" + head.partition("(")[2]
        is_qualified = _meaning(synonym) is ConsensusVerdict.VERIFIED and _QUALIFIED.match(aside)
        return ParsedVerdict(ConsensusVerdict.DISPUTED if is_qualified else _meaning(synonym), "")
    if _ALTERNATIVES.match(head, match.end()) or _COUNT.fullmatch(head, match.end()):
        return None
    if not trusted and not match["word"].isupper() and _SENTENCE_CONTINUES.match(head, match.end()):
        return None
    verdict = _verdict(match)
    second = _SECOND_VERDICT.match(head, match.end())
    if second is not None and _verdict(second) is not verdict:
        return None
    if verdict is ConsensusVerdict.VERIFIED and _QUALIFIED.match(head, match.end()):
        verdict = ConsensusVerdict.DISPUTED
    return ParsedVerdict(verdict, value[match.end() :]) if verdict else None


class Heading(NamedTuple):
    """A line that is only a verdict: over a group of claims, or below one of them."""

    verdict: ConsensusVerdict | None
    """None if it names different ones, so that the verdict of the claims under it is unknown."""
    is_labelled: bool
    """As in `Verdict: VERIFIED`."""
    is_title: bool
    """Its form says that claims follow: `### Verified`, `VERIFIED:`, `Verified claims (2)`."""
    names_claims: bool
    """It contains the word itself: `Verified claims`."""


def read_heading(line: str) -> Heading | None:
    """Return the verdict that a whole line consists of."""
    if len(line) > _LONGEST_HEADING or (match := _GROUP.fullmatch(line)) is None:
        return None
    verdicts = {_exact_verdict(part) for part in _GROUP_WORDS.split(match["said"].strip(" *_`[]()"))}
    if None in verdicts:
        return None
    closing = line.rstrip(" *_`")
    is_title = closing.endswith((":", "：")) or line.lstrip().startswith(("#", "=")) or bool(match["noun"])
    return Heading(
        next(iter(verdicts)) if len(verdicts) == 1 else None,
        is_labelled=match["label"] is not None,
        is_title=is_title or match["count"] is not None,
        names_claims=match["noun"] is not None,
    )


def _exact_verdict(words: str) -> ConsensusVerdict | None:
    """Return the verdict that `words` consist of."""
    match = _VERDICT_WORD.fullmatch(words)
    if match is not None:
        return _verdict(match)
    synonym = _SYNONYM.fullmatch(words)
    return _meaning(synonym) if synonym and "(" not in words else None


_TRAILING = re.compile(
    r"(?:\s[–—-]{1,2}|[:：→⇒]|=>|->|\s[(\[]|\s\*\*[(\[]?)[\s*_`✅❌⚠️✔✘✓✗❓?\[(]{0,8}"
    r"(?P<said>VERIFIED|DISPUTED|UNVERIFIABLE|(?:PARTIALLY|MOSTLY|NOT) VERIFIED)[\s*_`\])✅❌.]{0,8}\Z"
)
_TAIL = 60


def read_trailing_verdict(line: str) -> tuple[str, ConsensusVerdict] | None:
    """Split `The bridge opened in 1932 — VERIFIED` into claim and verdict; only accepts the format's own words, in capitals."""
    tail = line[-_TAIL:]
    match = _TRAILING.search(tail)
    verdict = _exact_verdict(match["said"]) if match else None
    if match is None or verdict is None:
        return None
    return line[: len(line) - len(tail) + match.start()].rstrip(" \t*_`—–-:"), verdict


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
    r"\b(?:(?P<HIGH>high|certain|strong)|(?P<MEDIUM>medium|moderate)|(?P<LOW>low|weak))"
    r"|(?<![0-9.,/])(?P<number>[0-9]{1,3}(?:[.,][0-9]{1,4})?)(?![0-9])\s?(?P<unit>%|(?:/|out of |of )\s?(?P<scale>100|10|5)\b)?",
    re.IGNORECASE,
)
_HIGH_FROM, _MEDIUM_FROM = 80, 50


def read_confidence(value: str) -> Confidence | None:
    """Return HIGH, MEDIUM or LOW; for two levels ("MEDIUM to HIGH") the lower, for all three None."""
    named = {level for match in _CONFIDENCE.finditer(value[:_MAX_CHARACTERS]) if (level := _level(match))}
    if not named or len(named) == len(Confidence):
        return None
    return max(named, key=list(Confidence).index)


def _level(match: re.Match[str]) -> Confidence | None:
    if not match["number"]:
        return Confidence(str(match.lastgroup))
    percent = _percent(match["number"].replace(",", "."), match["unit"], match["scale"])
    if percent is None:
        return None
    if percent >= _HIGH_FROM:
        return Confidence.HIGH
    return Confidence.MEDIUM if percent >= _MEDIUM_FROM else Confidence.LOW


def _percent(number: str, unit: str | None, scale: str | None) -> float | None:
    """Convert `0.85`, `8.5/10` and `85` to percent; None if the scale is unknown."""
    if scale:
        return 100 * float(number) / float(scale)
    if unit:
        return float(number)
    if "." in number and float(number) <= 1:
        return 100 * float(number)
    return float(number) if float(number) > _MAX_AMBIGUOUS_NUMBER else None


_MAX_AMBIGUOUS_NUMBER = 10
"""A bare number up to here may be out of ten, of five or of a hundred."""
