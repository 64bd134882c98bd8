"""Units of measure: what dimension each belongs to, and its size in that dimension's base unit."""

from typing import NamedTuple


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
"""Every spelling of every unit, in lower case."""
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
"""What stands before an amount, longest first: `us$`, `usd`, `$`, ..."""
