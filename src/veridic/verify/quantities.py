"""Amounts in code: the results of constant arithmetic, and the unit that names beside a number show."""

import operator
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from veridic.verify.source_text import Token, TokenKind

_TIME = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "day": Fraction(86_400),
    "week": Fraction(604_800),
}
_SIZE = {"b": Fraction(1), "kb": Fraction(1024), "mb": Fraction(1024**2), "gb": Fraction(1024**3)}
_WORDS = {
    "ms": "ms millis milli millisecond milliseconds msec msecs",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "day": "d day days",
    "week": "w week weeks",
    "b": "byte bytes",
    "kb": "kb kib kilobyte kilobytes kibibytes k",
    "mb": "mb mib megabyte megabytes mebibytes",
    "gb": "gb gib gigabyte gigabytes gibibytes",
}
UNIT_OF = {word: unit for unit, words in _WORDS.items() for word in words.split()}
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_AMOUNT = re.compile(r"(0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)([A-Za-z]*)")
_OPERATORS = ("**", "<<", "*", "/", "+", "-", "(", ")")
_LONGEST = 24
"""Tokens of an expression."""
_BESIDE = 5
"""Tokens between a number and the name that shows its unit."""
_LARGEST = 10**15


def read_number(text: str) -> tuple[Fraction, str] | None:
    """The value of a literal and the letters that follow it: `10_000L`, `0x1F`, `5e-3`, `30s`."""
    match = _AMOUNT.fullmatch(text.replace("_", ""))
    if match is None or len(text) > 20:
        return None
    if match[1][:2] in ("0x", "0X"):
        return Fraction(int(match[1], 16)), match[2]
    _, _, exponent = match[1].lower().partition("e")
    return (Fraction(match[1]), match[2]) if not exponent or abs(int(exponent)) < 20 else None


def unit_beside(tokens: Sequence[Token], index: int) -> str | None:
    """The unit of a number, from its own letters or from the nearest name in its line: `from_secs(30)`, `30 * time.Second`, `weeks=1`."""
    own = read_number(tokens[index].text)
    if own and own[1] and own[1].lower() in UNIT_OF and own[1] != "L":
        return UNIT_OF[own[1].lower()]
    # The end of the name before it, or a factor, is better evidence than other names.
    for distance in range(1, _BESIDE + 1):
        for place in (index - distance, index + distance):
            if not 0 <= place < len(tokens) or tokens[place].line != tokens[index].line:
                continue
            if tokens[place].kind is not TokenKind.NAME:
                continue
            words = [word.lower() for word in _PIECES.findall(tokens[place].text)]
            units = [UNIT_OF[word] for word in words if len(word) > 1 and word in UNIT_OF]
            if units and words[0] != "to":
                return units[-1]
    return None


def in_other_units(value: Fraction, unit: str) -> list[tuple[Fraction, str]]:
    """The same amount in the other units of its kind, if it is a plain number in them."""
    scale = _TIME if unit in _TIME else _SIZE
    found = [(value * scale[unit] / scale[other], other) for other in scale if other != unit]
    return [(amount, other) for amount, other in found if 0 < amount < 10**7 and is_plain(amount)]


def same_amount(value: Fraction, unit: str, other: Fraction, other_unit: str) -> bool:
    scale = _TIME if unit in _TIME else _SIZE
    return other_unit in scale and value * scale[unit] == other * scale[other_unit]


def is_plain(value: Fraction) -> bool:
    """Whether it has at most one digit after the decimal point."""
    return (value * 10).denominator == 1


def words_of(unit: str) -> tuple[str, ...]:
    return tuple(_WORDS[unit].split())


def computed(tokens: Sequence[Token], index: int) -> Fraction | None:
    """The result of the constant expression that a number is part of; None if it is part of none."""
    first, last = index, index
    if tokens[index].kind is not TokenKind.NUMBER:
        return None
    while first > 0 and index - first < _LONGEST and _is_arithmetic(tokens[first - 1]):
        first -= 1
    while last + 1 < len(tokens) and last - index < _LONGEST and _is_arithmetic(tokens[last + 1]):
        last += 1
    if first == last:
        return None
    # A name that is multiplied or called is not part of the expression.
    before = tokens[first - 1] if first else None
    span = _trimmed(
        [token.text for token in tokens[first : last + 1]],
        before is not None and before.kind is TokenKind.NAME,
    )
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    if (
        after is not None
        and after.kind is TokenKind.NAME
        and span
        and span[-1] in _OPERATORS
        and span[-1] != ")"
    ):
        span = span[:-1]
    return _Evaluation(span).value() if sum(text[0].isdigit() for text in span) > 1 else None


def _is_arithmetic(token: Token) -> bool:
    return token.kind is TokenKind.NUMBER or (token.kind is TokenKind.MARK and token.text in "*/+-()<")


def _trimmed(texts: list[str], follows_name: bool) -> list[str]:
    """The expression without brackets and operators at its ends that belong to the code around it."""
    joined: list[str] = []
    for text in texts:
        if joined and text in "*<" and joined[-1] == text:
            joined[-1] += text
        else:
            joined.append(text)
    while (
        joined
        and joined[0] in _OPERATORS
        and (joined[0] != "(" or joined.count("(") > joined.count(")") or follows_name)
    ):
        joined.pop(0)
    while (
        joined and joined[-1] in _OPERATORS and (joined[-1] != ")" or joined.count(")") > joined.count("("))
    ):
        joined.pop()
    return joined


_BASIC: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "+": operator.add,
    "-": operator.sub,
}
_ORDER = {"<<": 0, "+": 1, "-": 1, "*": 2, "/": 2, "**": 3}


class _Evaluation:
    """Evaluates numbers, brackets and operators; recursion is no deeper than the brackets of a line."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._at = 0

    def value(self) -> Fraction | None:
        try:
            found = self._expression(0)
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        return found if self._at == len(self._texts) else None

    def _expression(self, least: int) -> Fraction:
        left = self._operand()
        while self._at < len(self._texts) and _ORDER.get(self._texts[self._at], -1) >= least:
            sign = self._texts[self._at]
            self._at += 1
            left = _apply(sign, left, self._expression(_ORDER[sign] + 1))
        return left

    def _operand(self) -> Fraction:
        if self._at >= len(self._texts):
            raise ValueError
        text = self._texts[self._at]
        self._at += 1
        if text == "-":
            return -self._operand()
        if text == "(":
            inner = self._expression(0)
            if self._at >= len(self._texts) or self._texts[self._at] != ")":
                raise ValueError
            self._at += 1
            return inner
        number = read_number(text)
        if number is None:
            raise ValueError
        return number[0]


def _apply(sign: str, left: Fraction, right: Fraction) -> Fraction:
    if sign in ("**", "<<"):
        if right.denominator != 1 or not 0 <= right <= 64 or abs(left) > _LARGEST:
            raise ValueError
        value = left ** int(right) if sign == "**" else left * Fraction(2) ** int(right)
    else:
        value = _BASIC[sign](left, right)
    if abs(value) > _LARGEST:
        raise ValueError
    return Fraction(value)
