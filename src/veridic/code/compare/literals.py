"""Literal values of several languages, read from their source text without ever evaluating it.

`read_source` knows numbers, strings, truth values, nothing, lists, mappings, arithmetic of literals, and the
few constructors whose meaning is fixed (`timedelta(seconds=30)`, `Duration::from_secs(30)`, `Path("x")`).
Anything else, down to one unknown name within it, is not understood, and None is the answer.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from veridic.code.compare.units import UNITS, Dimension

LONGEST_SOURCE = 2_000
_DEEPEST = 20
_LARGEST_EXPONENT = 256


@dataclass(frozen=True, slots=True)
class Amount:
    number: Fraction
    dimension: Dimension | None = None


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing:
    """None, null, nil: no value."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list, a tuple or a set."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    pairs: tuple[tuple["Value", "Value"], ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A member or a constant of another name: `Level.INFO`, `DEFAULT_TIMEOUT`."""

    name: str


Value = Amount | Text | Truth | Nothing | Items | Pairs | Name

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)
        (?P<suffix>(?:[uif](?:8|16|32|64|128|size)|[lLnfFdD])\b)?
    | (?P<prefix>[rRbBuU]{0,2})(?P<string>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''
        |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`)
    | (?P<name>[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)*!?)
    | (?P<operator>\*\*|//|<<|=>|[-+*/%()\[\]{},:=&|?;])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", "'": "'", '"': '"', "\n": ""}
_WORDS: dict[str, Value] = {
    "True": Truth(True), "true": Truth(True), "False": Truth(False), "false": Truth(False),
    "None": Nothing(), "null": Nothing(), "nil": Nothing(), "undefined": Nothing(),
}  # fmt: skip
_GO_UNITS = {"time.Nanosecond": "ns", "time.Microsecond": "us", "time.Millisecond": "ms", "time.Second": "s",
             "time.Minute": "min", "time.Hour": "h"}  # fmt: skip
_DURATIONS = {
    "Duration::from_secs": "s", "Duration::from_millis": "ms", "Duration::from_micros": "us",
    "Duration::from_mins": "min", "Duration.ofSeconds": "s", "Duration.ofMillis": "ms",
    "Duration.ofMinutes": "min", "Duration.ofHours": "h", "Duration.ofDays": "d",
}  # fmt: skip
_SAME_AS_THEIR_ARGUMENT = frozenset(
    "Path PurePath pathlib.Path String::from Some str int float Decimal list tuple set frozenset List.of Set.of "
    "Integer.valueOf Long.valueOf vec! SecretStr Arrays.asList Number String Boolean BigInt".split()
)
_COLLECTIONS = frozenset("list tuple set frozenset List.of Set.of Arrays.asList dict Map.of".split())
_LAST_PART = re.compile(r"(?:^|\.|::)((?:Duration(?:::|\.))?\w+!?)$")
_TIMEDELTA_POSITIONS = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
_CONVERSIONS = (".to_string()", ".to_owned()", ".into()", ".as_str()")


class _UnreadableError(Exception):
    """Not a literal whose meaning is certain."""


def read_source(source: str) -> Value | None:
    """The value of a literal expression; None where it is not understood or says nothing certain."""
    if len(source) > LONGEST_SOURCE:
        return None
    try:
        return _Reader(_without_conversions(source)).read()
    except (_UnreadableError, ArithmeticError, ValueError, RecursionError):
        return None


def _without_conversions(source: str) -> str:
    """`"json".to_string()` as `"json"`."""
    stripped = source.strip().rstrip(";").rstrip()
    for conversion in _CONVERSIONS:
        stripped = stripped.removesuffix(conversion)
    return stripped


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def _tokens(source: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if not match or match.end() == at:
            raise _UnreadableError
        at = match.end()
        kind = next(kind for kind in ("number", "string", "name", "operator") if match[kind] is not None)
        if kind == "string" and "b" in match["prefix"].lower():
            raise _UnreadableError
        raw = kind == "string" and "r" in match["prefix"].lower()
        tokens.append(_Token("raw" if raw else kind, match[kind]))
    return tokens


class _Reader:
    """Recursive descent over at most `LONGEST_SOURCE` characters, `_DEEPEST` levels deep."""

    def __init__(self, source: str) -> None:
        self._tokens = _tokens(source)
        self._at = 0
        self._depth = 0

    def read(self) -> Value:
        value = self._sum()
        if self._at != len(self._tokens):
            raise _UnreadableError
        return value

    def _peek(self) -> str:
        """The next operator; empty where something else is next."""
        if self._at < len(self._tokens) and self._tokens[self._at].kind == "operator":
            return self._tokens[self._at].text
        return ""

    def _next(self) -> _Token:
        if self._at >= len(self._tokens):
            raise _UnreadableError
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, operator: str) -> bool:
        if self._peek() != operator:
            return False
        self._at += 1
        return True

    def _sum(self) -> Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnreadableError
        value = self._product()
        while (operator := self._peek()) in ("+", "-", "<<"):
            self._at += 1
            value = _calculated(operator, value, self._product())
        self._depth -= 1
        return value

    def _product(self) -> Value:
        value = self._sign()
        while (operator := self._peek()) in ("*", "/", "//", "%"):
            self._at += 1
            value = _calculated(operator, value, self._sign())
        return value

    def _sign(self) -> Value:
        if self._take("-"):
            return _calculated("-", Amount(Fraction(0)), self._sign())
        if self._take("+") or self._take("&"):
            return self._sign()
        value = self._atom()
        return _calculated("**", value, self._sign()) if self._take("**") else value

    def _atom(self) -> Value:
        token = self._next()
        if token.kind == "number":
            return _number(token.text)
        if token.kind in ("string", "raw"):
            return self._string(token)
        if token.kind == "name":
            return self._named(token.text)
        if token.text == "(":
            return self._parenthesis()
        if token.text == "[":
            return Items(tuple(self._listed("]")))
        if token.text == "{":
            return self._braces()
        raise _UnreadableError

    def _string(self, first: _Token) -> Value:
        text = _string(first)
        while self._at < len(self._tokens) and self._tokens[self._at].kind in ("string", "raw"):
            text += _string(self._next())
        return Text(text)

    def _parenthesis(self) -> Value:
        if self._take(")"):
            return Items(())
        value = self._sum()
        if self._take(")"):
            return value
        if self._take(","):
            return Items((value, *self._listed(")")))
        raise _UnreadableError

    def _listed(self, end: str) -> list[Value]:
        values: list[Value] = []
        while not self._take(end):
            values.append(self._sum())
            if not self._take(",") and self._peek() != end:
                raise _UnreadableError
        return values

    def _braces(self) -> Value:
        pairs: list[tuple[Value, Value]] = []
        if self._take("}"):
            return Pairs(())
        first = self._sum()
        if self._peek() in (",", "}"):
            self._take(",")
            return Items((first, *self._listed("}")))
        while True:
            if not (self._take(":") or self._take("=>")):
                raise _UnreadableError
            pairs.append((first, self._sum()))
            if self._take("}") or (self._take(",") and self._take("}")):
                return Pairs(tuple(pairs))
            first = self._sum()

    def _named(self, name: str) -> Value:
        if name in _WORDS:
            return _WORDS[name]
        if name in _GO_UNITS:
            return _of_unit(Fraction(1), _GO_UNITS[name])
        if name.endswith("!"):
            if not self._take("["):
                raise _UnreadableError
            return Items(tuple(self._listed("]")))
        if self._take("("):
            return self._call(name)
        return Name(name.replace("::", "."))

    def _call(self, name: str) -> Value:
        positional: list[Value] = []
        keywords: dict[str, Value] = {}
        while not self._take(")"):
            keyword = self._keyword()
            value = self._sum()
            if keyword:
                keywords[keyword] = value
            else:
                positional.append(value)
            if not self._take(",") and self._peek() != ")":
                raise _UnreadableError
        return _constructed(name, positional, keywords)

    def _keyword(self) -> str:
        following = self._tokens[self._at : self._at + 2]
        if len(following) == 2 and following[0].kind == "name" and following[1] == _Token("operator", "="):
            self._at += 2
            return following[0].text
        return ""


def _number(text: str) -> Amount:
    digits = text.replace("_", "")
    if digits[:2].lower() in ("0x", "0o", "0b"):
        return Amount(Fraction(int(digits, 0)))
    exponent = re.search(r"[eE]([+-]?\d+)$", digits)
    if exponent and abs(int(exponent[1])) > _LARGEST_EXPONENT:
        raise _UnreadableError
    return Amount(Fraction(digits.rstrip(".") if "e" not in digits.lower() else digits))


def _string(token: _Token) -> str:
    quoted = token.text
    width = 3 if quoted[:3] in ('"""', "'''") else 1
    inner = quoted[width:-width]
    if token.kind == "raw" or quoted[0] == "`":
        return inner
    if re.search(r"\\[^ntr0\\'\"\n]", inner):
        raise _UnreadableError
    return re.sub(r"\\(.)", lambda match: _ESCAPES[match[1]], inner, flags=re.DOTALL)


def _calculated(operator: str, left: Value, right: Value) -> Value:
    if operator == "+" and isinstance(left, Text) and isinstance(right, Text):
        return Text(left.text + right.text)
    if not isinstance(left, Amount) or not isinstance(right, Amount):
        raise _UnreadableError
    dimension = left.dimension or right.dimension
    if operator in ("+", "-"):
        if left.dimension != right.dimension and left.number != 0:
            raise _UnreadableError
        return Amount(
            left.number + right.number if operator == "+" else left.number - right.number, dimension
        )
    if (left.dimension and right.dimension) or (right.dimension and operator != "*"):
        raise _UnreadableError
    return Amount(_result(operator, left.number, right.number), dimension)


def _result(operator: str, left: Fraction, right: Fraction) -> Fraction:
    if operator == "*":
        return left * right
    if operator == "/":
        return left / right
    if operator == "//":
        return Fraction(left // right)
    if operator == "%":
        return left % right
    if right.denominator != 1 or abs(right) > _LARGEST_EXPONENT or abs(left) > 10**9:
        raise _UnreadableError
    return left * 2 ** int(right) if operator == "<<" else Fraction(left ** int(right))


def _of_unit(number: Fraction, unit: str) -> Amount:
    dimension, worth = UNITS[unit][0]
    return Amount(number * worth, dimension)


def _constructed(name: str, positional: list[Value], keywords: dict[str, Value]) -> Value:
    last = _LAST_PART.search(name)
    bare = last[1] if last else name
    if bare == "timedelta":
        return _timedelta(positional, keywords)
    if keywords:
        raise _UnreadableError
    if bare in _DURATIONS and len(positional) == 1 and isinstance(positional[0], Amount):
        return _of_unit(positional[0].number, _DURATIONS[bare])
    if not positional and (name in _COLLECTIONS or bare in _COLLECTIONS):
        return Pairs(()) if bare in ("dict", "Map.of") else Items(())
    if name in ("List.of", "Set.of", "Arrays.asList"):
        return Items(tuple(positional))
    if len(positional) == 1 and (name in _SAME_AS_THEIR_ARGUMENT or bare in _SAME_AS_THEIR_ARGUMENT):
        return positional[0]
    raise _UnreadableError


def _timedelta(positional: list[Value], keywords: dict[str, Value]) -> Value:
    parts = dict(zip(_TIMEDELTA_POSITIONS, positional, strict=False)) | keywords
    total = Fraction(0)
    for unit, value in parts.items():
        if unit not in UNITS or not isinstance(value, Amount):
            raise _UnreadableError
        total += _of_unit(value.number, unit).number
    return Amount(total, Dimension.TIME)
