"""Proposes what a document should say instead of a value that the code contradicts, in the document's own style."""

import re
from collections.abc import Sequence
from itertools import pairwise

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    CodeCorrection,
    CodeVerdict,
    DocClaim,
    Place,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.errors import InputError
from veridic.domain.evidence import Stance

APPLIED_FROM = 0.9
"""A correction with lower confidence is only suggested: a person applies it."""
_SUGGESTED = 0.5
_TYPES = {
    CodeVerdict.REFUTED: CorrectionType.REPLACE,
    CodeVerdict.STALE: CorrectionType.UPDATE,
    CodeVerdict.INCOMPLETE: CorrectionType.CLARIFY,
    CodeVerdict.MISLEADING: CorrectionType.CLARIFY,
}
_EXACT = frozenset({AssertionKind.DEFAULT, AssertionKind.EQUALS, AssertionKind.LINKS})
"""Kinds where a literal of the code replaces the one in the document; for other kinds the value is a guess at what was meant."""
_NAME_ONLY_RULE = "value"
"""This rule connects a document to the code by a name alone, without a table of facts: it only suggests."""
_OPPOSITES = (("true", "false"), ("yes", "no"), ("on", "off"), ("enabled", "disabled"))
_WHOLE_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})+|-?\d[\d_]*")
_NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d+)?")
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_PLAIN = re.compile(r"[^\n\r`]{1,200}")


def propose_correction(claim: DocClaim, verdict: AgentVerdict) -> CodeCorrection | None:
    """A correction of the one place that has the wrong value. None if the place or the value is unknown, or if the document writes
    the value in a form that the code's value can't be converted to without a person's judgement.
    """
    place = claim.assertion.expected_place
    kind = _TYPES.get(verdict.verdict)
    said = claim.assertion.expected
    found = _value_found(verdict)
    if (
        place is None
        or kind is None
        or len(said) != 1
        or not found
        or place.end - place.start != len(said[0])
    ):
        return None
    if kind is CorrectionType.CLARIFY:
        corrected: str | None = f"{said[0]} (in the code: {found})"
    else:
        corrected = _restyled(claim.assertion.kind, said[0], found)
    if not corrected or corrected == said[0] or not _PLAIN.fullmatch(corrected):
        return None
    is_tied = (verdict.rule or "").partition(":")[0] != _NAME_ONLY_RULE
    is_exact = is_tied and claim.assertion.kind in _EXACT and kind is not CorrectionType.CLARIFY
    confidence = verdict.confidence if is_exact else min(verdict.confidence, _SUGGESTED)
    return CodeCorrection(
        type=kind, place=place, original=said[0], corrected=corrected, confidence=confidence
    )


def may_be_applied(correction: CodeCorrection) -> bool:
    """Whether the correction is certain enough to be written without review."""
    return correction.confidence >= APPLIED_FROM


def corrected_text(text: str, corrections: Sequence[CodeCorrection]) -> str:
    """The document's text with the corrections applied and nothing else changed.

    Raises:
        InputError: If the text at a place is not what the correction replaces, or two corrections overlap.
    """
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    spans = (
        sorted((_span(text, starts, one), one) for one in dict.fromkeys(corrections)) if corrections else []
    )
    for (one, _), (other, _) in pairwise(spans):
        if other[0] < one[1]:
            raise InputError("Two corrections change the same words: apply one, and verify again.")
    pieces, at = [], 0
    for (start, end), made in spans:
        pieces += [text[at:start], made.corrected]
        at = end
    return "".join([*pieces, text[at:]])


def _span(text: str, starts: Sequence[int], one: CodeCorrection) -> tuple[int, int]:
    place: Place = one.place
    if place.line <= len(starts):
        start = starts[place.line - 1] + place.start
        end = starts[place.line - 1] + place.end
        if text[start:end] == one.original:
            return start, end
    raise InputError(f"Line {place.line} does not say {one.original!r} any more: verify the document again.")


def _value_found(verdict: AgentVerdict) -> str | None:
    values = {
        evidence.value
        for evidence in verdict.evidence
        if evidence.value is not None and evidence.stance is not Stance.SUPPORTING
    }
    return values.pop() if len(values) == 1 else None


def _restyled(kind: AssertionKind, said: str, found: str) -> str | None:
    """The code's value in the document's style; None unless both are clearly of the same form."""
    if kind is AssertionKind.REQUIRES:
        return (
            _VERSION.sub(found, said, count=1)
            if _VERSION.fullmatch(found) and _VERSION.search(said)
            else None
        )
    if kind not in (AssertionKind.DEFAULT, AssertionKind.EQUALS):
        return found
    if _NUMBER.fullmatch(found):
        return _number(said, found)
    if found.lower() in ("true", "false"):
        return _truth(said, is_true=found.lower() == "true")
    quoted = re.fullmatch(r"([\"']).*\1", said)
    if quoted:
        return f"{quoted[1]}{found}{quoted[1]}"
    return found if not any(map(str.isdigit, said)) or any(map(str.isdigit, found)) else None


def _number(said: str, found: str) -> str | None:
    """A bare number only: if the document has a unit, the unit of the code's number is unknown."""
    if not _WHOLE_NUMBER.fullmatch(said) or "." in found:
        return found if _NUMBER.fullmatch(said) else None
    value = int(found.replace("_", ""))
    return f"{value:,}" if "," in said else f"{value:_}" if "_" in said else str(value)


def _truth(said: str, *, is_true: bool) -> str | None:
    for yes, no in _OPPOSITES:
        if said.lower() in (yes, no):
            word = yes if is_true else no
            return word.upper() if said.isupper() else word.capitalize() if said[:1].isupper() else word
    return None
