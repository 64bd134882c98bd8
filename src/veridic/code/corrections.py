"""What a document should say in place of what the code contradicts, in the document's own style."""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from veridic.code.compare.literals import Amount, Text, Truth, read_source
from veridic.code.compare.units import UNITS, Dimension, Worth, unit_of_name
from veridic.code.compare.words import NUMBER_WORDS
from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    DocClaim,
    Place,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.errors import InputError
from veridic.domain.evidence import Stance

APPLIED_ABOVE = 0.8
"""A correction that is surer than this may be applied without a person's look."""
_FOR_A_PERSON = 0.8
_TYPES = {
    CodeVerdict.REFUTED: CorrectionType.REPLACE,
    CodeVerdict.STALE: CorrectionType.UPDATE,
    CodeVerdict.INCOMPLETE: CorrectionType.CLARIFY,
    CodeVerdict.MISLEADING: CorrectionType.CLARIFY,
}
_EXACT = frozenset(
    {
        AssertionKind.DEFAULT,
        AssertionKind.EQUALS,
        AssertionKind.REQUIRES,
        AssertionKind.COUNT,
        AssertionKind.LINKS,
    }
)
"""Where the code's value takes the place of the document's; elsewhere the value found is a guess at what was meant."""
_OPPOSITES = {
    "true": "false", "yes": "no", "on": "off", "enabled": "disabled", "enable": "disable", "active": "inactive",
}  # fmt: skip
_QUANTITY = re.compile(
    r"(?P<number>[-−]?\d[\d,_.]*)(?P<space>[ \u00a0-]?)(?P<unit>[A-Za-zµ]*)(?P<rest>.*)", re.DOTALL
)
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_BOUND = re.compile(r"(?:>=|==|~=|\^|~|=|≥)?\s*v?(\d+(?:\.\d+)*)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_PLAIN = re.compile(r"[^\n\r`]{1,200}")


def correction(claim: DocClaim, verdict: AgentVerdict) -> CodeCorrection | None:
    """A change of the one place where the wrong value stands; None where no place or no value is known."""
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
    corrected = (
        _clarified(said[0], found) if kind is CorrectionType.CLARIFY else _restyled(claim, said[0], found)
    )
    if not corrected or corrected == said[0] or not _PLAIN.fullmatch(corrected):
        return None
    is_exact = claim.assertion.kind in _EXACT and kind is not CorrectionType.CLARIFY
    confidence = verdict.confidence if is_exact else min(verdict.confidence, _FOR_A_PERSON)
    return CodeCorrection(
        type=kind, place=place, original=said[0], corrected=corrected, confidence=confidence
    )


def may_be_applied(correction: CodeCorrection) -> bool:
    """Whether it is sure enough to be applied automatically; else a person decides."""
    return correction.confidence > APPLIED_ABOVE


def apply(text: str, corrections: Sequence[CodeCorrection]) -> str:
    """The document's text with the corrections made and nothing else changed.

    Raises:
        InputError: If what stands at a place is not what the correction replaces, or two corrections overlap.
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
    values = {e.value for e in verdict.evidence if e.value is not None and _is_against(e)}
    return values.pop() if len(values) == 1 else None


def _is_against(evidence: CodeEvidence) -> bool:
    return evidence.stance is not Stance.SUPPORTING


def _clarified(said: str, found: str) -> str:
    return f"{said} (in the code: {found})"


def _restyled(claim: DocClaim, said: str, found: str) -> str | None:
    """The value of the code as the document would write it; None where that is not certain."""
    if claim.assertion.kind is AssertionKind.REQUIRES:
        return _version(said, found)
    if claim.assertion.kind not in (AssertionKind.DEFAULT, AssertionKind.EQUALS, AssertionKind.COUNT):
        return found
    value = read_source(found)
    if isinstance(value, Amount):
        return _quantity(said, _measured(claim, value))
    if isinstance(value, Truth):
        return _truth(said, value)
    if isinstance(value, Text):
        return _text(claim, said, value)
    return found if value is not None else None


def _measured(claim: DocClaim, value: Amount) -> Amount:
    """A bare number with the unit that the name of its constant says."""
    worths = unit_of_name(claim.assertion.subject.name) if claim.assertion.subject else ()
    if value.dimension is not None or not worths:
        return value
    return Amount(value.number * worths[0][1], worths[0][0])


def _version(said: str, found: str) -> str | None:
    """Only the number changes: "3.10 or newer" to "3.11 or newer", `>=3.10` to `>=3.11`."""
    bound = _BOUND.match(found.strip().strip("\"'"))
    return _VERSION.sub(bound[1], said, count=1) if bound and _VERSION.search(said) else None


def _text(claim: DocClaim, said: str, value: Text) -> str | None:
    quoted = re.fullmatch(r"([\"']).*\1", said)
    if quoted:
        return f"{quoted[1]}{value.text}{quoted[1]}"
    if value.text:
        return value.text
    return '""' if f"`{said}`" in claim.text else None


def _truth(said: str, value: Truth) -> str:
    lowered = said.lower()
    for yes, no in _OPPOSITES.items():
        if lowered in (yes, no):
            return _as_capitalised(said, yes if value.value else no)
    return "true" if value.value and said.islower() else str(value.value)


def _as_capitalised(said: str, word: str) -> str:
    if said.isupper() and len(said) > 1:
        return word.upper()
    return word.capitalize() if said[:1].isupper() else word


def _quantity(said: str, value: Amount) -> str | None:
    """A number with the document's unit, separators and precision."""
    if said.lower() in NUMBER_WORDS:
        return _number_word(said, value)
    match = _QUANTITY.fullmatch(said)
    if not match:
        return _digits(value.number, "") if value.dimension is None else None
    unit, rest = match["unit"], match["rest"]
    if rest.startswith("%") and value.number < 1:
        value = Amount(value.number * 100)
    worths = UNITS.get(unit.lower() if len(unit) > 1 else unit)
    number = _in_unit(value, worths) if worths else _plain_number(value, unit)
    if number is None:
        return None
    shown_unit = _inflected(unit, number) if worths else unit
    return f"{_digits(number, match['number'])}{match['space']}{shown_unit}{rest}"


def _plain_number(value: Amount, unit: str) -> Fraction | None:
    """The number where the document names no unit; hexadecimal and scientific spellings are not imitated."""
    return None if value.dimension or re.match(r"[xobe]", unit, re.IGNORECASE) else value.number


def _number_word(said: str, value: Amount) -> str | None:
    number = value.number
    if value.dimension or number.denominator != 1:
        return None
    is_small = 0 <= number < len(NUMBER_WORDS)
    return _as_capitalised(said, NUMBER_WORDS[int(number)]) if is_small else _digits(number, said)


def _in_unit(value: Amount, worths: Sequence[Worth]) -> Fraction | None:
    """The value counted in the document's unit, where that gives a whole number."""
    dimension = worths[0][0]
    if value.dimension not in (None, dimension):
        return None
    if value.dimension is None and (worths[0][1] == 1 or dimension is Dimension.TIME):
        # Nothing says what a bare number counts, unless the unit itself is the one that code counts in.
        return value.number if worths[0][1] == 1 else None
    counted = (value.number / worth for _, worth in worths)
    return next((number for number in counted if number.denominator == 1), None)


def _inflected(unit: str, number: Fraction) -> str:
    if len(unit) < 3 or unit.isupper():
        return unit
    if number == 1:
        return unit.removesuffix("s")
    singular = unit.lower() in ("second", "minute", "hour", "day", "week", "byte", "millisecond", "megabyte")
    return f"{unit}s" if singular else unit


def _digits(number: Fraction, like: str) -> str:
    if number.denominator != 1:
        return f"{float(number):g}"
    if "," in like:
        return f"{int(number):,}"
    return f"{int(number):_}" if "_" in like else str(int(number))
