"""Finds numbers in English text: digits and words, magnitudes, units, ranges and approximations.

A `Quantity` is an interval in a dimension's base unit (metres, square metres, dollars, ...), so
that "about 2.9 million square miles" and "7,741,220 square kilometres" can be compared.
"""

import itertools
import math
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.text.dates import find_dates
from veridic.text.words import STOPWORDS, stem


class Unit(NamedTuple):
    dimension: str
    factor: float


_LENGTH = {
    "mm|millimetre|millimetres|millimeter|millimeters": 0.001,
    "cm|centimetre|centimetres|centimeter|centimeters": 0.01,
    "m|metre|metres|meter|meters": 1.0,
    "km|kms|kilometre|kilometres|kilometer|kilometers": 1000.0,
    "inch|inches": 0.0254,
    "ft|foot|feet": 0.3048,
    "yard|yards|yd": 0.9144,
    "mile|miles|mi": 1609.344,
    "nautical mile|nautical miles|nmi": 1852.0,
}
_AREA = {
    "square metre|square metres|square meter|square meters|sq m|m²|m2|sqm": 1.0,
    "square kilometre|square kilometres|square kilometer|square kilometers|sq km|sq. km|km²|km2": 1e6,
    "square mile|square miles|sq mi|sq. mi|sq miles|mi²": 2_589_988.11,
    "hectare|hectares|ha": 10_000.0,
    "acre|acres": 4046.856,
    "square foot|square feet|sq ft": 0.092903,
}
_MASS = {
    "g|gram|grams": 0.001,
    "kg|kilogram|kilograms|kilo|kilos": 1.0,
    "tonne|tonnes|metric ton|metric tons|metric tonne|metric tonnes|t": 1000.0,
    "ton|tons": 1000.0,
    "lb|lbs|pounds weight": 0.453592,
    "kt|kiloton|kilotons|kilotonne|kilotonnes": 1e6,
}
_TIME = {
    "second|seconds": 1.0,
    "minute|minutes": 60.0,
    "hour|hours": 3600.0,
    "day|days": 86_400.0,
    "week|weeks": 604_800.0,
    "month|months": 2_629_800.0,
    "year|years": 31_557_600.0,
    "decade|decades": 315_576_000.0,
    "century|centuries": 3_155_760_000.0,
}
_VOLUME = {
    "litre|litres|liter|liters": 0.001,
    "cubic metre|cubic metres|cubic meter|cubic meters": 1.0,
    "cubic kilometre|cubic kilometres|cubic kilometer|cubic kilometers": 1e9,
    "barrel|barrels|bbl": 0.158987,
}
_ENERGY = {
    "kwh": 3.6e6,
    "mwh": 3.6e9,
    "gwh": 3.6e12,
    "twh": 3.6e15,
    "watt|watts|w": 1.0,
    "kw|kilowatt|kilowatts": 1e3,
    "mw|megawatt|megawatts": 1e6,
    "gw|gigawatt|gigawatts": 1e9,
}
_PEOPLE = {
    "people|persons|person|inhabitants|inhabitant|residents|resident|citizens|souls|population": 1.0,
}
_MONEY = {
    "$|us$|usd|dollar|dollars|us dollar|us dollars": "USD",
    "€|eur|euro|euros": "EUR",
    "£|gbp|pound|pounds|pounds sterling": "GBP",
    "¥|jpy|yen": "JPY",
    "₹|inr|rupee|rupees": "INR",
    "a$|aud|australian dollars": "AUD",
    "c$|ca$|cad|canadian dollars": "CAD",
    "chf|swiss franc|swiss francs": "CHF",
    "cny|yuan|renminbi": "CNY",
}


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for dimension, sizes in (
        ("length", _LENGTH),
        ("area", _AREA),
        ("mass", _MASS),
        ("time", _TIME),
        ("volume", _VOLUME),
        ("power", _ENERGY),
        ("people", _PEOPLE),
    ):
        for spellings, factor in sizes.items():
            table |= dict.fromkeys(spellings.split("|"), Unit(dimension, factor))
    for spellings, code in _MONEY.items():
        table |= dict.fromkeys(spellings.split("|"), Unit(f"money:{code}", 1.0))
    return table


UNITS: dict[str, Unit] = _table()
"""All spellings of all units, in lower case."""
CURRENCY_SIGNS = tuple(
    sorted(
        (
            spelling
            for spelling, unit in UNITS.items()
            if unit.dimension.startswith("money:") and (len(spelling) == 3 or not spelling[-1].isalpha())
        ),
        key=len,
    )
)[::-1]
"""Signs before an amount, longest first: `us$`, `usd`, `$`, ..."""


class Bound(StrEnum):
    """How the words around a number qualify it."""

    EXACT = "exact"
    ABOUT = "about"
    ABOVE = "above"
    JUST_ABOVE = "just above"
    BELOW = "below"
    JUST_BELOW = "just below"


class Quantity(NamedTuple):
    span: Span
    """The number with its unit, without qualifying words."""
    number: Span
    """Only the number with its magnitude ("27 million")."""
    start: int
    """Where the qualifying words ("about") or, without them, the number begins."""
    value: float
    """In the base unit; the middle of a range."""
    low: float
    high: float
    """The interval: the ends of a range, or the rounding of the last digit."""
    step: float
    """The size of the last written digit, in the base unit."""
    bound: Bound
    dimension: str
    """`length`, `area`, `money:USD`, `percent`, `people`, `count`, ..."""
    unit: str
    """The unit as written, in lower case; for `count` the stems of the counted nouns, or empty."""


_MAGNITUDES = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "lakh": 1e5, "million": 1e6, "mn": 1e6, "m": 1e6, "crore": 1e7,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_FRACTIONS = {
    "half": 50.0, "a third": 100 / 3, "one third": 100 / 3, "two thirds": 200 / 3, "a quarter": 25.0,
    "one quarter": 25.0, "three quarters": 75.0, "a fifth": 20.0, "one fifth": 20.0, "a tenth": 10.0, "one tenth": 10.0,
}  # fmt: skip
_QUALIFIERS: tuple[tuple[str, Bound], ...] = (
    (r"(?:just|slightly|a little|a bit) (?:over|above|more than)", Bound.JUST_ABOVE),
    (r"(?:just|slightly|a little|a bit) (?:under|below|less than|fewer than|short of)", Bound.JUST_BELOW),
    (r"nearly|almost|close to|approaching|not quite", Bound.JUST_BELOW),
    (r"more than|over|above|at least|upwards of|in excess of|exceed(?:s|ed|ing)?|no (?:less|fewer) than|surpass(?:es|ed|ing)?|greater than|top(?:s|ped)", Bound.ABOVE),
    (r"less than|fewer than|under|below|at most|up to|no more than|smaller than|not more than", Bound.BELOW),
    (r"about|around|approximately|approx\.?|roughly|some|circa|ca\.|c\.|an estimated|estimated at|estimated|in the region of|or so", Bound.ABOUT),
)  # fmt: skip

_DIGITS = r"\d{1,3}(?:[,\u00a0\u202f ’']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
# "And" joins within a number only after a hundred or a thousand: "five and six" are two numbers.
_UNDER_100 = rf"(?:(?:{_TENS})(?:[ -](?:{_ONES})\b)?|{_TEENS}|(?:{_ONES}))"
_UNDER_1000 = rf"(?:(?:(?:{_UNDER_100}|an?)[ -])?hundred\b(?:[ -](?:and[ -])?{_UNDER_100}\b)?|{_UNDER_100})"
_NUMBER_WORDS = (
    rf"(?:(?:(?:{_UNDER_1000}|an?)[ -])?thousand\b(?:[ -](?:and[ -])?{_UNDER_1000}\b)?"
    rf"|(?:(?:{_UNDER_100}|half a|a)[ -])?dozen|{_UNDER_1000}|half an?|an?)"
)
_SIGNS = "|".join(re.escape(sign) for sign in CURRENCY_SIGNS)
_MAGNITUDE = r"(?:[ \u00a0-]?(?P<magnitude>hundred|thousand|lakh|million|crore|billion|trillion|mn|bn|tn)\b|(?P<short>[kmb])(?![\w²]))"
# What a number can begin with; checked first, because it excludes most positions.
_OPENING = r"(?=[\d\-−–$€£¥₹acefghijmnostuyACEFGHIJMNOSTUY])"
_NUMBER = re.compile(
    rf"(?<![\w.,/]){_OPENING}(?<![A-Za-z][-–](?![$€£¥]))(?<!\bAD )(?P<sign>[-−–](?=\d|[$€£¥])|(?i:minus )(?=\d))?(?P<currency>(?i:{_SIGNS})\s?)?"
    rf"(?:(?P<digits>{_DIGITS})|(?P<words>(?<![\w])(?i:(?<!\bno )(?:{_NUMBER_WORDS}))(?![\w])))(?i:{_MAGNITUDE})?",
)
# What may follow and make it something else: 3rd, twenty-first, one of, 1.2.3, 9/11, 44 BC.
_NOT_A_NUMBER = re.compile(
    r"(?i:st|nd|rd|th)\b|(?i:(?<=ty)-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))\b"
    r"|(?i:(?<=one) (?:of|another))\b|[.,/]\d|\s(?:BCE?|CE|AD)\b|\sB\.C\."
)
_ARTICLES = ("a", "an", "half a", "half an")
_AND_A_HALF = re.compile(
    r" and a half(?: (?P<magnitude>hundred|thousand|million|billion|trillion)\b)?", re.IGNORECASE
)
_PERCENT = re.compile(r"\s?(?:%|percent\b|per cent\b|pct\b|percentage points?\b)", re.IGNORECASE)
_UNIT_SPELLINGS = sorted((u for u in UNITS if u[0].isalpha()), key=len, reverse=True)
_UNIT = re.compile(
    rf"[\s\u00a0-]?(?P<unit>{'|'.join(map(re.escape, _UNIT_SPELLINGS))})(?![\w²]|/[a-z])", re.IGNORECASE
)
_COUNTED = re.compile(r"(?:[\s-][a-z][a-z-]*[a-z]\b){1,3}")
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_RANGE_JOIN = re.compile(r"\s?(?:-|–|—|to|and)\s?")
_FRACTION = re.compile(rf"\b(?:{'|'.join(sorted(_FRACTIONS, key=len, reverse=True))})\b(?= (?:of|the))".replace(" ", "[ -]"), re.IGNORECASE)  # fmt: skip
_OUT_OF = re.compile(r"\b(?<!\bno )(?P<part>\w+) (?:out of|in) (?:every )?(?P<whole>\w+)\b", re.IGNORECASE)
_BEFORE = [(re.compile(rf"(?:\b|(?<=\W)|^)(?:{words})\s+(?:a |an |the |US\$|\$)?$", re.IGNORECASE), bound) for words, bound in _QUALIFIERS]  # fmt: skip
_BEFORE.append((re.compile(r"[~≈]\s?$"), Bound.ABOUT))
_AFTER_ABOVE = re.compile(r"\s(?:or more|and more|or above|and above)\b", re.IGNORECASE)


def find_quantities(text: str) -> list[Quantity]:
    """Return all quantities of a text in reading order; years and other dates are not quantities."""
    shares = [*_fractions(text), *_shares(text)]
    taken = bytearray(len(text))
    for start, end in [*(mention.span for mention in find_dates(text)), *(share.span for share in shares)]:
        taken[start:end] = b"\1" * (end - start)
    parts = [part for part in _numbers(text) if not any(taken[part.start : part.end])]
    found = [*_join_ranges(text, parts), *shares]
    return sorted(found, key=lambda quantity: quantity.span)


class _Part(NamedTuple):
    start: int
    end: int
    number_end: int
    value: float
    step: float
    unit: Unit | None
    unit_text: str
    magnitude: float


def _numbers(text: str) -> Iterator[_Part]:
    for match in _NUMBER.finditer(text):
        if (match["words"] or "").lower() in _ARTICLES and not match["magnitude"]:
            continue
        if _NOT_A_NUMBER.match(text, match.end()):
            continue
        part = _measure(text, match)
        is_part_of_a_word = part.unit is None and text[part.end : part.end + 1].isalnum()  # 4x, 3D, 747s
        if math.isfinite(part.value) and not is_part_of_a_word:
            yield part


def _measure(text: str, match: re.Match[str]) -> _Part:
    value, step = _read_digits(match["digits"]) if match["digits"] else _read_words(match["words"])
    # A failed lookup means a spelling with "ı" or "ſ", which match "i" and "s" when case is ignored.
    magnitude = _MAGNITUDES.get((match["magnitude"] or match["short"] or "").lower(), 1.0)
    end = match.end()
    if half := _AND_A_HALF.match(text, end):
        value, step, end = value + 0.5, 0.5, half.end()
        magnitude = _MAGNITUDES.get((half["magnitude"] or "").lower(), magnitude)
    number_end = end
    unit: Unit | None = None
    unit_text = ""
    if percent := _PERCENT.match(text, end):
        unit, unit_text, end = Unit("percent", 1.0), "%", percent.end()
    elif match["currency"]:
        unit_text = match["currency"].strip().lower()
        unit = UNITS.get(unit_text)
    elif (named := _UNIT.match(text, end)) and named["unit"] != "G":  # 5G is a network, 5 g a mass
        unit_text = named["unit"].lower()
        unit, end = UNITS.get(unit_text), named.end()
    if match["short"] == "m" and unit is None:
        unit, unit_text, magnitude = UNITS["m"], "m", 1.0  # "2,228m" is a height; "$5m" is money
    factor = magnitude * (unit.factor if unit else 1.0) * (-1 if match["sign"] else 1)
    return _Part(
        match.start(), end, number_end, value * factor, abs(step * factor), unit, unit_text, magnitude
    )


def _read_digits(digits: str) -> tuple[float, float]:
    plain = re.sub(r"[,\u00a0\u202f ’']", "", digits)
    if "." in plain:
        return float(plain), 10.0 ** -len(plain.split(".")[1])
    return float(plain), _last_digit(float(plain))


def _read_words(words: str) -> tuple[float, float]:
    if words.lower() in ("half a", "half an"):
        return 0.5, 0.5
    total, current = 0.0, 0.0
    for word in re.split(r"[\s-]+", words.lower()):
        if word in ("a", "an"):
            current = current or 1.0
        elif word == "half":
            current = 0.5
        elif word == "dozen":
            current = (current or 1.0) * 12
        elif word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word == "hundred":
            current = max(current, 1.0) * 100
        elif word == "thousand":
            total, current = total + max(current, 1.0) * 1000, 0.0
    value = total + current
    return value, _last_digit(value)


def _last_digit(value: float) -> float:
    """Return the size of a whole number's last digit that isn't a rounding zero; counts below 100 are exact."""
    digits = f"{value:.0f}"
    return 10.0 ** (len(digits) - len(digits.rstrip("0"))) if value >= 100 else 1.0


def _join_ranges(text: str, parts: list[_Part]) -> Iterator[Quantity]:
    index = 0
    while index < len(parts):
        first = parts[index]
        second = parts[index + 1] if index + 1 < len(parts) else None
        if second is not None and _is_range(text, first, second):
            yield _range(text, first, second)
            index += 2
        else:
            yield _single(text, first)
            index += 1


def _is_range(text: str, first: _Part, second: _Part) -> bool:
    joint = text[first.end : second.start]
    if _RANGE_JOIN.fullmatch(joint) is None:
        return False
    if joint.strip() == "and":
        return _BETWEEN.search(text, max(0, first.start - 12), first.start) is not None
    compatible = first.unit is None or second.unit is None or first.unit.dimension == second.unit.dimension
    return compatible and second.value > 0


def _range(text: str, first: _Part, second: _Part) -> Quantity:
    factor = second.unit.factor if second.unit and not first.unit else 1.0
    # "3 to 5 million" begins at 3 million, "500,000 to 2 million" doesn't begin at 500 billion.
    scale = second.magnitude if first.magnitude == 1.0 and first.value < 1000 else 1.0
    low, high = sorted((first.value * factor * scale, second.value))
    dimension, unit = _dimension(text, second if second.unit else first)
    span, number = (first.start, second.end), (first.start, second.number_end)
    middle = (low + high) / 2
    return Quantity(span, number, first.start, middle, low, high, second.step, Bound.EXACT, dimension, unit)


def _single(text: str, part: _Part) -> Quantity:
    bound, start = _bound(text, part)
    dimension, unit = _dimension(text, part)
    low, high = part.value - part.step / 2, part.value + part.step / 2
    span, number = (part.start, part.end), (part.start, part.number_end)
    return Quantity(span, number, start, part.value, low, high, part.step, bound, dimension, unit)


def _bound(text: str, part: _Part) -> tuple[Bound, int]:
    offset = max(0, part.start - 40)
    before = text[offset : part.start]
    for pattern, bound in _BEFORE:
        if match := pattern.search(before):
            return bound, offset + match.start()
    return (Bound.ABOVE if _AFTER_ABOVE.match(text, part.end) else Bound.EXACT), part.start


def _dimension(text: str, part: _Part) -> tuple[str, str]:
    if part.unit is not None:
        return part.unit.dimension, part.unit_text
    if counted := _COUNTED.match(text, part.end):
        nouns = itertools.takewhile(
            lambda word: word not in STOPWORDS, re.split(r"[\s-]", counted.group()[1:])
        )
        return "count", " ".join(map(stem, nouns))
    return "count", ""


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text):
        value = _FRACTIONS.get(match.group().lower().replace("-", " "))
        if value is None:
            continue
        part = _Part(match.start(), match.end(), match.end(), value, 5.0, Unit("percent", 1.0), "%", 1.0)
        yield _single(text, part)


def _shares(text: str) -> Iterator[Quantity]:
    """Yield "seven out of ten" and "one in five" as percentages."""
    for match in _OUT_OF.finditer(text):
        part, whole = (
            NUMBER_WORDS.get(word.lower()) or (int(word) if word.isdecimal() and len(word) <= 4 else 0)
            for word in match.groups()
        )
        if 0 < part < whole <= 1000:
            found = _Part(
                match.start(),
                match.end(),
                match.end(),
                100 * part / whole,
                100 / whole,
                Unit("percent", 1.0),
                "%",
                1.0,
            )
            yield _single(text, found)
