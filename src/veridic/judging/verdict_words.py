"""Parses the lines and fields of a checker's answer that give a verdict: after a label, over a group of claims, behind a claim, or as a
choice between boxes.

On the scale of consensus mode, only what holds entirely is VERIFIED: "partially verified", "mostly true" and "VERIFIED (but misleading)" are
DISPUTED, because part of the claim doesn't hold; "not verified" and "cannot be verified" are UNVERIFIABLE.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from veridic.domain.consensus import Confidence, ConsensusVerdict
from veridic.domain.verdicts import Scale, Verdict
from veridic.judging.strict_verdict import begins_with_verdict, exact_verdict, is_count, read_verdict_words
from veridic.text.answer_fields import percent_in

_OWN_WORD = re.compile(r"(?:un)?(?:verifi|disput)", re.IGNORECASE)
_FAULTY = re.compile(
    r"(?P<first>[^()\[\]]{1,60}?)\s?[(\[]\s?(?:but|though|although|however|yet),?\s(?P<fault>[^()\[\]]{1,60})[)\]][\W_]{0,6}",
    re.IGNORECASE,
)
"""`VERIFIED (but misleading)`."""
_MAX_CHARACTERS = 240
"""Characters in which to look for a confidence."""
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
_ALSO_SAID_OF_OTHER_THINGS = frozenset(("proven", "valid", "factual", "right", "mixed", "mixture"))
"""Words that are no verdict over a list: the factual claims of a text aren't those that are true."""


class ParsedVerdict(NamedTuple):
    verdict: ConsensusVerdict
    rest: str
    """The text after it on the same line."""


def read_verdict(value: str, *, trusted: bool, is_field: bool = False) -> ParsedVerdict | None:
    """Return the verdict that `value` consists of or begins with; None if there is none, or if it is qualified.

    After a label (`trusted`) "Verified by NASA" is a verdict; elsewhere a sentence that happens to begin like that is not. A list of
    all verdicts is copied from the format, and is none.
    """
    if (faulty := _FAULTY.fullmatch(value.strip()[:_MAX_CHARACTERS])) is not None:
        first, fault = _exact_verdict(faulty["first"].strip(" *_`")), _exact_verdict(faulty["fault"])
        is_disputed = (first, fault) == (ConsensusVerdict.VERIFIED, ConsensusVerdict.DISPUTED)
        return ParsedVerdict(ConsensusVerdict.DISPUTED, "") if is_disputed else None
    found = read_verdict_words(value, Scale.CONSENSUS, is_field=is_field)
    if found is None:
        return None
    rest = value[found.end :]
    is_shouted = found.word.upper() in value
    if (
        not trusted
        and rest
        and not is_shouted
        and (
            not _OWN_WORD.match(found.word) or rest.lstrip().lower().startswith(("by ", "because ", "since "))
        )
    ):
        return None
    return ParsedVerdict(_on_scale(found.verdict), rest)


def is_qualified(value: str, *, trusted: bool, is_field: bool = False) -> bool:
    """Whether a verdict comes first that can't be read as it stands: "VERIFIED AS FALSE", "TRUE, but misleading"."""
    is_verdict = begins_with_verdict(value) if trusted else _SHOUTED.match(value) is not None
    return (
        is_verdict and read_verdict(value, trusted=trusted, is_field=is_field) is None and not is_count(value)
    )


_SHOUTED = re.compile(r"[\W_]{0,12}(?:(?:NOT|PARTIALLY|MOSTLY) )?(?:VERIFIED|DISPUTED|UNVERIFI(?:ED|ABLE))\b")
"""The format's own words, in capitals."""


def _on_scale(verdict: Verdict) -> ConsensusVerdict:
    if verdict is Verdict.SUPPORTED:
        return ConsensusVerdict.VERIFIED
    return ConsensusVerdict.UNVERIFIABLE if verdict is Verdict.UNVERIFIABLE else ConsensusVerdict.DISPUTED


_BOX = re.compile(r"(?P<ticked>\[[xX✓✔]\]|\([xX✓✔]\)|[☑☒🗹])|(?P<empty>\[\s?\]|\(\s?\)|☐)")
_YES = r"(?P<yes>yes|true|y|[✅✔✓])|(?P<no>no|false|n|[❌✘✗✖])"
_ANSWERED = re.compile(
    rf"[\W_]{{0,12}}(?:is |claim )?(?P<said>[a-z][a-z ]{{2,30}}?)[\s*_`]{{0,4}}[:：=?|–—-][\s*_`]{{0,4}}(?:{_YES})\ufe0f?[\s*_`.]{{0,6}}",
    re.IGNORECASE,
)
"""A verdict as the name of a field: `Verified: No`, `Verified? ❌`."""


class Choice(NamedTuple):
    """One of several verdicts, chosen or not."""

    verdict: ConsensusVerdict
    is_chosen: bool


def read_choices(line: str) -> tuple[Choice, ...]:
    """Return the verdicts that a line says yes or no to: with boxes, or as the names of fields. Empty if it is no such line."""
    boxes = list(_BOX.finditer(line[:_MAX_CHARACTERS]))
    if not boxes:
        return _answered(line)
    if line[: boxes[0].start()].strip(" \t-*+•_|"):
        return ()
    ends = [*(box.start() for box in boxes[1:]), len(line)]
    said = [
        _exact_verdict(line[box.end() : end].strip(" \t*_|,;/."))
        for box, end in zip(boxes, ends, strict=True)
    ]
    return tuple(
        Choice(verdict, is_chosen=box["ticked"] is not None)
        for box, verdict in zip(boxes, said, strict=True)
        if verdict is not None and None not in said
    )


def _answered(line: str) -> tuple[Choice, ...]:
    match = _ANSWERED.fullmatch(line) if len(line) <= _LONGEST_HEADING else None
    verdict = _exact_verdict(match["said"]) if match else None
    if match is None or verdict is None:
        return ()
    return (Choice(verdict, is_chosen=match["yes"] is not None),)


def chosen(choices: Iterable[Choice]) -> ConsensusVerdict | None:
    """Return the one verdict that is chosen. None if it is none, or several: of what is not verified, nobody knows whether it is disputed."""
    said = {choice.verdict for choice in choices if choice.is_chosen}
    denied = {choice.verdict for choice in choices if not choice.is_chosen}
    return next(iter(said)) if len(said) == 1 and not said & denied else None


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
    if len(line) > _LONGEST_HEADING or _BOX.search(line) or (match := _GROUP.fullmatch(line)) is None:
        return None
    verdicts = {_exact_verdict(part) for part in _GROUP_WORDS.split(match["said"].strip(" *_`[]()"))}
    if None in verdicts or not _marks_fit(line, verdicts):
        return None
    closing = line.rstrip(" *_`")
    is_title = closing.endswith((":", "：")) or line.lstrip().startswith(("#", "=")) or bool(match["noun"])
    return Heading(
        next(iter(verdicts)) if len(verdicts) == 1 else None,
        is_labelled=match["label"] is not None,
        is_title=is_title or match["count"] is not None,
        names_claims=match["noun"] is not None,
    )


def _marks_fit(line: str, verdicts: Iterable[ConsensusVerdict | None]) -> bool:
    """Whether no cross stands at VERIFIED: `VERIFIED ❌` answers a question."""
    return ConsensusVerdict.VERIFIED not in set(verdicts) or not set("❌✘✗✖").intersection(line)


def _exact_verdict(words: str) -> ConsensusVerdict | None:
    """Return the verdict that `words` consist of."""
    found = exact_verdict(words)
    return _on_scale(found[0]) if found and found[1] not in _ALSO_SAID_OF_OTHER_THINGS else None


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
    if match is None or verdict is None or not _marks_fit(match[0], [verdict]):
        return None
    return line[: len(line) - len(tail) + match.start()].rstrip(" \t*_`—–-:"), verdict


_HIGH_FROM, _MEDIUM_FROM = 80, 50
_EVERY_LEVEL = re.compile(r"\b(?:high|medium|low)\b", re.IGNORECASE)


def read_confidence(value: str) -> Confidence | None:
    """Return HIGH, MEDIUM or LOW; for two levels ("MEDIUM to HIGH") the lower, for all three None."""
    percent = percent_in(value[:_MAX_CHARACTERS])
    if percent is None:
        return None
    if percent >= _HIGH_FROM:
        return Confidence.HIGH
    return Confidence.MEDIUM if percent >= _MEDIUM_FROM else Confidence.LOW
