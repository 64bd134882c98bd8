"""What the words of a document may mean as a value: "30 seconds", "10 MB", "enabled", "not set", "a, b and c"."""

import re
from fractions import Fraction

from veridic.code.compare.literals import Amount, Items, Name, Nothing, Pairs, Text, Truth, Value, read_source
from veridic.code.compare.units import UNITS

LONGEST_WORDS = 500
_TRUE = frozenset("true yes on enabled enable active".split())
_FALSE = frozenset("false no off disabled disable inactive".split())
_NOTHING = frozenset(
    ("none", "null", "nil", "not set", "unset", "empty", "nothing", "no default", "undefined", "no limit",
     "unlimited", "no value", "blank", "n/a", "-", "–", "—", "infinite", "no timeout"),
)  # fmt: skip
_EMPTY: dict[str, Value] = {
    "empty string": Text(""),
    "the empty string": Text(""),
    "an empty string": Text(""),
    "empty list": Items(()),
    "an empty list": Items(()),
    "empty tuple": Items(()),
    "an empty tuple": Items(()),
    "empty dict": Pairs(()),
    "an empty dict": Pairs(()),
    "an empty dictionary": Pairs(()),
}
NUMBER_WORDS = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty".split()
)
_OCTAL = re.compile(r"0[0-7]{3,4}")
"""Permissions of a file."""
_BRACED = re.compile(r"\{[^{},:]+\}")
_QUOTES = "\"'`‘’“”"
_ABOUT = re.compile(r"(?:about|approximately|approx\.?|around|roughly|nearly|~|≈)\s*", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?P<sign>[-+−])?(?P<number>\d{1,3}(?:[,\u202f\u00a0]\d{3})+(?:\.\d+)?|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)"
    r"(?:\s?(?P<percent>%|percent\b)|[\s-]?(?P<unit>[A-Za-zµ]+)\b)?(?P<rest>.*)",
    re.DOTALL,
)
_PLAIN_REST = re.compile(r"\.?|[\s,;(].*", re.DOTALL)
_ARTICLES = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_LIST = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*\|\s*")


def bare(words: str) -> str:
    """Without quotes, backticks and a full stop around it."""
    stripped = words.strip()
    if len(stripped) > 1 and stripped.endswith(".") and not stripped[:-1].endswith("."):
        stripped = stripped[:-1]
    if _BRACED.fullmatch(stripped):  # `(default: {False})`, as some editors write it
        stripped = stripped[1:-1]
    if len(stripped) >= 2 and stripped[0] in _QUOTES and stripped[-1] in _QUOTES:
        stripped = stripped.strip(_QUOTES)
    return stripped.strip()


def is_rough(words: str) -> bool:
    """Whether the document itself says that the number is not exact."""
    return _ABOUT.match(words.strip()) is not None


def readings(words: str) -> tuple[Value, ...]:
    """Every value the words may stand for, the most specific first; the words as a text come last."""
    if len(words) > LONGEST_WORDS:
        return ()
    plain = bare(words)
    found: list[Value] = []
    lowered = plain.lower()
    if lowered in _TRUE or lowered in _FALSE:
        found.append(Truth(lowered in _TRUE))
    if lowered in _NOTHING:
        found.append(Nothing())
    if lowered in _EMPTY:
        found.append(_EMPTY[lowered])
    found += quantities(plain)
    if _OCTAL.fullmatch(plain):
        found.append(Amount(Fraction(int(plain, 8))))
    for literal in (read_source(plain), read_source(f'"{plain}"') if "\\" in plain else None):
        if literal is not None and not isinstance(literal, Name):
            found.append(literal)
    found.append(Text(plain))
    return tuple(dict.fromkeys(found))


def quantities(plain: str) -> tuple[Amount, ...]:
    """A number with or without a unit, in digits or as a word."""
    text = _ABOUT.sub("", plain, count=1) if _ABOUT.match(plain) else plain
    first, _, after = _ARTICLES.sub("", text).partition(" ")
    if first.lower() in NUMBER_WORDS:
        text = f"{NUMBER_WORDS.index(first.lower())} {after}".strip()
    match = _QUANTITY.fullmatch(text)
    if not match:
        return ()
    number = Fraction(re.sub(r"[,_\u202f\u00a0]", "", match["number"]))
    number = -number if match["sign"] in ("-", "−") else number
    if not _PLAIN_REST.fullmatch(match["rest"]):
        return ()
    if match["percent"]:
        return Amount(number), Amount(number / 100)
    unit = match["unit"]
    if not unit:
        return (Amount(number),)
    worths = UNITS.get(unit.lower() if len(unit) > 1 else unit)
    if worths:
        return tuple(Amount(number * worth, dimension) for dimension, worth in worths)
    is_counted_noun = f" {unit}" in text
    return (Amount(number),) if is_counted_noun else ()


def listed(words: str) -> tuple[str, ...]:
    """The members of "a, b and c" or "a | b"; a single word is a list of one."""
    return tuple(member for part in _LIST.split(words[:LONGEST_WORDS]) if (member := bare(part)))
