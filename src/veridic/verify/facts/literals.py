"""Compares a value in a document with a literal in the code.

A document may say `30 seconds` for `30_000`, `on` for `True`, `info` for `Level.INFO`. A string may have several readings (`10M` is a size or
a time): two values are the same if any of their readings match, and different only if none do.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from veridic.text.numbers import NUMBER_WORDS

_LONGEST = 400
_MOST_FACTORS = 8
_MOST_ITEMS = 40
_LARGEST_EXPONENT = 64

_TIME = {
    Fraction(1, 10**9): "ns nanos nanosecond nanoseconds",
    Fraction(1, 10**6): "us µs μs micros microsecond microseconds",
    Fraction(1, 1000): "ms msec msecs milli millis millisecond milliseconds",
    Fraction(1): "s sec secs second seconds",
    Fraction(60): "m min mins minute minutes",
    Fraction(3600): "h hr hrs hour hours",
    Fraction(86_400): "d day days",
    Fraction(604_800): "w week weeks",
}
_SIZE = {
    (1,): "b byte bytes",
    (1000, 1024): "k kb kilobyte kilobytes",
    (10**6, 1024**2): "m mb meg megs megabyte megabytes",
    (10**9, 1024**3): "g gb gig gigs gigabyte gigabytes",
    (10**12, 1024**4): "t tb terabyte terabytes",
    (1024,): "ki kib kibibyte kibibytes",
    (1024**2,): "mi mib mebibyte mebibytes",
    (1024**3,): "gi gib gibibyte gibibytes",
    (1024**4,): "ti tib tebibyte tebibytes",
}
_COUNT = {1000: "k", 10**6: "m million", 10**9: "b bn billion"}


class _Amount(NamedTuple):
    value: Fraction
    dimension: str
    """`time` (in seconds), `size` (in bytes), `share` (a fraction of 1), or empty if there is no unit."""


def _units() -> dict[str, tuple[_Amount, ...]]:
    units: dict[str, tuple[_Amount, ...]] = {}
    for seconds, words in _TIME.items():
        for word in words.split():
            units[word] = (_Amount(seconds, "time"),)
    for sizes, words in _SIZE.items():
        for word in words.split():
            units[word] = (*units.get(word, ()), *(_Amount(Fraction(size), "size") for size in sizes))
    for count, words in _COUNT.items():
        for word in words.split():
            units[word] = (*units.get(word, ()), _Amount(Fraction(count), ""))
    units["%"] = units["percent"] = (_Amount(Fraction(1, 100), "share"),)
    return units


_UNITS = _units()
_STEPS = {
    "time": tuple(_TIME),
    "size": tuple(Fraction(size) for sizes in _SIZE for size in sizes),
    "share": (Fraction(1, 100), Fraction(1)),
}
"""The units that a number without a unit may be in."""
_RATIOS = frozenset(
    large / small
    for steps in (_STEPS["time"], _STEPS["size"])
    for large in steps
    for small in steps
    if large > small
) - {Fraction(7), Fraction(168)}
"""Two numbers without units whose ratio is one of these may be the same value in two units. Weeks against days or hours are left out."""

_WORDS = dict(list(NUMBER_WORDS.items())[:13])  # zero to twelve
_TRUTHS = dict.fromkeys("true on yes enabled enable".split(), True) | dict.fromkeys(
    "false off no disabled disable".split(), False
)
_NOTHING = frozenset(
    ("", "none", "null", "nil", "undefined", "empty", "unset", "not set", "n/a", "-", "()", "void 0")
)
_PLAIN_NOTHING = frozenset(("none", "null", "nil", "undefined"))

_NUMBER = re.compile(
    r"0[xX][\da-fA-F_]{1,40}|0[bB][01_]{1,80}|0[oO][0-7_]{1,40}"
    r"|(?:\d{1,3}(?:,\d{3}){1,12}|\d[\d_]{0,60})(?:\.\d[\d_]{0,60})?(?:[eE][+-]?\d{1,3})?|\.\d{1,60}"
)
_TYPE = re.compile(r"_?(?:[iu](?:8|16|32|64|128|size)|f(?:32|64)|[uU]?[lL]{1,2}|n|[fF])?(?![\w.])")
_UNIT = re.compile(r"\s?(%|[A-Za-zµμ]{1,14})(?![\w.])")
_GLUED_UNIT = re.compile(r"([A-Za-zµμ]{1,14})(?=\d)")
_NAMED_UNIT = re.compile(
    r"(?:\w{1,40}(?:\.|::)){1,3}(nano|micro|milli)?(second|minute|hour|day|week|sec|min)s?$"
    r"|(?:\w{1,40}(?:\.|::)){0,3}([kmgt]i?b|(?:kilo|mega|giga|kibi|mebi|gibi)bytes?)$",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"(?:\w{1,40}(?:\.|::)){0,4}"
    r"(?:from_?|of)?(nano|micro|milli)?(s|sec|second|minute|min|hour|day|week)?s?\(\s*([^()]{1,40})\)$",
    re.IGNORECASE,
)
_TIME_UNIT = re.compile(
    r"(?:\w{1,40}\.){0,3}(NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS|MINUTES|HOURS|DAYS)\.to[A-Z]\w{2,10}\(\s*([^()]{1,40})\)$"
)
_TIMEDELTA = re.compile(r"(?:\w{1,40}\.){0,3}timedelta\(\s*(\w{1,14})\s*=\s*([^(),]{1,40})\)$")
_WRAPPED = re.compile(
    r"(?:Some|Ok|String::from|PathBuf::from|Path|pathlib\.Path|Optional\.of|Arc::new|Box::new"
    r"|(?:Integer|Long|Boolean|String|Double|BigDecimal)\.valueOf|(?:int|float|str|bool|int64|int32|uint|uint64|float64|string)"
    r"|(?:time\.)?Duration|Integer|Boolean|Number|String)\((.{1,300})\)$",
    re.DOTALL,
)
_CONVERTED = re.compile(
    r"(.{1,300})\.(?:to_string|to_owned|into|to_str|as_str|clone|to_vec|into_iter|unwrap)\(\)$", re.DOTALL
)
_CONVERSIONS = re.compile(r"\s+as\s+(?:[iu](?:8|16|32|64|128|size)|f32|f64|const|[A-Z]\w{0,40})$")
_QUOTED = re.compile(r"(?:[rRbBuU]{0,2}|@)(\"\"\"|'''|\"|'|`)(.*)\1$", re.DOTALL)
_RAW = re.compile(r"b?r(#{1,8})\"(.*)\"\1$", re.DOTALL)
_BRACKETED = re.compile(
    r"(?:&(?:mut )?|vec!|frozenset\(|set\(|new Set\(|list\(|tuple\(|new \w{1,40}\[\]|\[\d{0,9}\]\w[\w.]{0,60}"
    r"|(?:List|Set|ImmutableList|ImmutableSet)\.of|Arrays\.asList)?\s*([\[({])(.{0,300})([\])}])\)?$",
    re.DOTALL,
)
_SETS = re.compile(r"(?:frozenset|set|new Set|Set|ImmutableSet)\b|\{")
_MEMBER = re.compile(r"(?:[A-Za-z_]\w{0,60}::){1,6}\w{1,60}$|(?:[A-Za-z_]\w{0,60}\.){1,6}[A-Z]\w{0,60}$")
_SEPARATORS = re.compile(r"[\s_-]+")
_HOME = re.compile(
    r"^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE|/home/\w{1,40}|/Users/\w{1,40}|/root)(?=[/\\]|$)"
)
_LOCAL = re.compile(r"\b(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[?::1?\]?)(?![\w.])")


def literal(source: str) -> str | None:
    """Return the source text of a literal without its quotes; None for anything else, such as a call, a name or an f-string.

    Arithmetic with numbers, durations and lists of literals also count as literals.
    """
    text = source.strip()
    if len(text) > _LONGEST:
        return None
    if (quoted := _unquoted(text)) is not None:
        return quoted
    if _truth(text) is not None and text.lower() in ("true", "false"):
        return text
    if text in ("None", "null", "nil", "undefined"):
        return text
    if (inner := _unwrapped(text)) != text:
        return literal(inner)
    if any(character.isdigit() for character in text) and list(_amounts(text)):
        return text
    if (items := _items(text)) and items[2] and all(_is_plain(item) for item in items[0]):
        return text
    return text if text in ("[]", "{}", "()") else None


def _is_plain(item: str) -> bool:
    return (
        _unquoted(item) is not None
        or item in ("true", "false", "True", "False")
        or bool(list(_amounts(item)))
    )


def is_nothing(value: str) -> bool:
    """Whether a value says that nothing is set: `undefined`, `None`, empty."""
    return value.strip().strip("`\"'").lower() in _NOTHING


def same_value(document: str, code: str) -> bool | None:
    """Whether both are the same value; None if they can't be compared. They are different only if they differ in every plausible unit."""
    written, source = document.strip()[: _LONGEST + 1], code.strip()[: _LONGEST + 1]
    if max(len(written), len(source)) > _LONGEST:
        return None
    if written == source:
        return True
    return _same(_bare(written), _bare(source), depth=0)


def _same(document: str, code: str, depth: int) -> bool | None:
    if document == code or document.lower() == code.lower():
        return True
    if document.lower() in _NOTHING or code.lower() in _NOTHING or _is_empty(code) or _is_empty(document):
        return _same_nothing(document, code)
    ours, theirs = _truth(document), _truth(code)
    if ours is not None or theirs is not None:
        return ours == theirs if ours is not None and theirs is not None else None
    amounts, others = list(_amounts(document)), list(_amounts(code))
    if amounts and others:
        return _same_amounts(amounts, others)
    if amounts or others:
        return None
    if depth == 0 and (of_document := _items(document)) and (of_code := _items(code)):
        return _same_items(of_document, of_code)
    if _items(code) or (_items(document) and document[:1] in "[({"):
        return None
    return _same_text(document, code)


def _same_nothing(document: str, code: str) -> bool | None:
    if (document.lower() in _NOTHING or _is_empty(document)) and (
        code.lower() in _NOTHING or _is_empty(code)
    ):
        return True
    if document.lower() not in _PLAIN_NOTHING:
        return None  # Code often uses `None` for "decided later".
    return False if any(amount.value > 0 for amount in _amounts(code)) or _truth(code) else None


def _is_empty(text: str) -> bool:
    return text in ("[]", "{}", "()", '""', "''", "new()", "Vec::new()", "String::new()")


def _truth(text: str) -> bool | None:
    return _TRUTHS.get(text.lower().removeprefix("boolean."))


# ---- Numbers


def _same_amounts(ours: list[_Amount], theirs: list[_Amount]) -> bool | None:
    results = [_same_amount(one, other) for one in ours for other in theirs]
    if True in results:
        return True
    return False if None not in results else None


def _same_amount(one: _Amount, other: _Amount) -> bool | None:
    if one.dimension == other.dimension:
        if one.value == other.value:
            return True
        return False if one.dimension else _same_in_two_units(one.value, other.value)
    if one.dimension and other.dimension:
        return None
    known, bare = (one, other) if one.dimension else (other, one)
    return any(bare.value * step == known.value for step in _STEPS[known.dimension])


def _same_in_two_units(one: Fraction, other: Fraction) -> bool | None:
    small, large = sorted((abs(one), abs(other)))
    if other < 0 <= one:
        return None  # Code often uses -1 for "decided later".
    if small == 0 or one < 0 <= other:
        return False
    ratio = large / small
    return None if ratio in _RATIOS or (ratio == 100 and small < 1) else False


def _amounts(text: str) -> Iterator[_Amount]:
    """Every reading of a number with or without a unit."""
    if text.lower() in _WORDS:
        yield _Amount(Fraction(_WORDS[text.lower()]), "")
        return
    sign, body = (-1, text[1:].lstrip()) if text[:1] in "-−" and len(text) > 1 else (1, text)
    found = list(_sequence(body)) or list(_duration(body)) or list(_product(body))
    yield from (_Amount(sign * amount.value, amount.dimension) for amount in found)


def _number(text: str) -> Fraction | None:
    match = _NUMBER.fullmatch(text)
    if not match:
        return None
    digits = text.replace("_", "").replace(",", "")
    if digits[:2].lower() in ("0x", "0b", "0o"):
        return Fraction(int(digits, 0)) if len(digits) > 2 else None
    return Fraction(digits)


def _sequence(text: str) -> list[_Amount]:
    """`30`, `30_000L`, `10 MB`, `1h30m`, `1 hour 30 minutes`."""
    at, total, parts = 0, [_Amount(Fraction(0), "")], 0
    while at < len(text) and parts < _MOST_FACTORS:
        match = _NUMBER.match(text, at)
        value = _number(match[0]) if match else None
        if match is None or value is None:
            return []
        at = match.end()
        unit = _UNIT.match(text, at) or _GLUED_UNIT.match(text, at)
        units = _UNITS.get(unit[1].lower(), ()) if unit else ()
        typed = _TYPE.match(text, at)
        if units and unit:
            at = unit.end()
        elif typed and parts == 0:
            at, units = typed.end(), (_Amount(Fraction(1), ""),)
        else:
            return []
        now = [_Amount(value * one.value, one.dimension) for one in units]
        total = (
            now
            if not parts
            else [
                _Amount(a.value + b.value, "time")
                for a in total
                for b in now
                if a.dimension == b.dimension == "time"
            ]
        )
        parts += 1
        at += len(text[at:]) - len(text[at:].lstrip())
    return total if parts and at >= len(text) else []


def _duration(text: str) -> Iterator[_Amount]:
    """`Duration::from_secs(5)`, `SECONDS.toMillis(30)`, `timedelta(seconds=30)`."""
    if match := _TIME_UNIT.match(text) or _TIMEDELTA.match(text):
        prefix, unit, number = "", match[1].lower(), match[2]
    elif match := _DURATION.match(text):
        if not (match[1] or match[2]):
            return
        prefix, unit, number = (match[1] or "").lower(), (match[2] or "s").lower(), match[3]
    else:
        return
    word = f"{prefix}s" if prefix else unit
    for size in _UNITS.get(word, ()):
        if size.dimension == "time":
            for amount in _product(number.strip()):
                yield _Amount(amount.value * size.value, "time") if not amount.dimension else amount


def _product(text: str) -> list[_Amount]:
    """`60 * 60`, `10 * time.Second`, `1 << 20`, `10 ** 6`."""
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    if match := re.fullmatch(r"(\d{1,12})\s*(<<|\*\*)\s*(\d{1,2})", text):
        base, exponent = int(match[1]), int(match[3])
        if exponent > _LARGEST_EXPONENT:
            return []
        return [_Amount(Fraction(base << exponent if match[2] == "<<" else base**exponent), "")]
    factors = text.split("*")
    if len(factors) > _MOST_FACTORS:
        return []
    value, dimension = Fraction(1), ""
    for factor in map(str.strip, factors):
        amounts = _sequence(factor) or _named_unit(factor)
        if len(amounts) != 1 or (dimension and amounts[0].dimension):
            return []
        value, dimension = value * amounts[0].value, dimension or amounts[0].dimension
    return [_Amount(value, dimension)]


def _named_unit(text: str) -> list[_Amount]:
    match = _NAMED_UNIT.match(text)
    if not match:
        return []
    if match[3]:
        # `units.MB` may be decimal or binary; multiply only if the size is unambiguous.
        sizes = _UNITS.get(
            match[3].lower().replace("b", "ib") if "i" not in match[3].lower() else match[3].lower(), ()
        )
        return [size for size in sizes if size.dimension == "size"][:1] if len(sizes) == 1 else []
    word = f"{match[1].lower()}s" if match[1] else match[2].lower()
    return [size for size in _UNITS.get(word, ()) if size.dimension == "time"]


# ---- Lists


def _items(text: str) -> tuple[list[str], bool, bool] | None:
    """The items of a list, whether it is unordered, and whether it has brackets."""
    match = _BRACKETED.match(text)
    if match and _partner(match[1]) == match[3]:
        inside = match[2].strip().rstrip(",")
        if any(bracket in inside for bracket in "[({") or re.search(r"\w\s*:\s", inside):
            return None
        return _split(inside), _SETS.match(text) is not None, True
    if "," in text and not re.search(r"[\[\](){}]", text):
        return [re.sub(r"^(?:and|or)\s+", "", item) for item in _split(text)], True, False
    return None


def _partner(bracket: str) -> str:
    return {"[": "]", "(": ")", "{": "}"}[bracket]


def _split(text: str) -> list[str]:
    return [item.strip() for item in text.split(",")] if text else []


def _same_items(ours: tuple[list[str], bool, bool], theirs: tuple[list[str], bool, bool]) -> bool | None:
    (document, _, is_bracketed), (code, is_set, _) = ours, theirs
    if max(len(document), len(code)) > _MOST_ITEMS:
        return None
    document, code = [_bare(item) for item in document], [_bare(item) for item in code]
    if len(document) == len(code):
        one_by_one = [_same(a, b, 1) for a, b in zip(document, code, strict=True)]
        if all(one_by_one):
            return True
    pairs = {(a, b): _same(a, b, 1) for a in document for b in code}
    both_ways = all(any(pairs[a, b] for b in code) for a in document) and all(
        any(pairs[a, b] for a in document) for b in code
    )
    if both_ways:
        return True if is_set or not is_bracketed else None
    is_plain = None not in pairs.values()
    return False if is_plain and is_bracketed else None


# ---- Texts


def _unquoted(text: str) -> str | None:
    """The content of a plain string literal; None for anything else."""
    match = _QUOTED.match(text) or _RAW.match(text)
    if not match or (match[1] in match[2] and match[1] not in "#########"):
        return None
    if match[1] == "`" and "${" in match[2]:
        return None
    return match[2]


def _unwrapped(text: str) -> str:
    """Strip what only changes the type: `Some(5)`, `"a".to_string()`, `5 as u64`."""
    for _ in range(4):
        bare = _CONVERSIONS.sub("", text)
        if match := _CONVERTED.match(bare) or _WRAPPED.match(bare):
            bare = match[1].strip()
        if bare == text:
            break
        text = bare
    return text


def _bare(text: str) -> str:
    for _ in range(3):
        unwrapped = _unwrapped(text)
        unquoted = _unquoted(unwrapped)
        bare = unwrapped if unquoted is None else unquoted.strip()
        if bare == text:
            break
        text = bare
    return text


def _same_text(document: str, code: str) -> bool | None:
    ours, theirs = _plain(document), _plain(code)
    if ours == theirs:
        return True
    is_member, other_is_member = _MEMBER.match(document), _MEMBER.match(code)
    if is_member or other_is_member:
        return (
            _same_member(document, code)
            if not (is_member and other_is_member)
            else _same_members(document, code)
        )
    if not ours or not theirs or ours in theirs or theirs in ours:
        return None
    if " " in document or " " in code or not document.isprintable() or not code.isprintable():
        return None  # A sentence is not a value.
    if _LOCAL.sub("", document) == _LOCAL.sub("", code):
        return None
    return None if re.search(r"[{}$<>%*()]", document + code) else False


def _same_member(one: str, other: str) -> bool | None:
    """Compare `Level.INFO` with `info`. Another member may have that value, so they are never different."""
    names = [_plain(re.split(r"\.|::", text)[-1]) for text in (one, other)]
    return True if names[0] == names[1] else None


def _same_members(one: str, other: str) -> bool | None:
    (*owners, name), (*others, another) = re.split(r"\.|::", one), re.split(r"\.|::", other)
    if _plain(name) == _plain(another):
        return True
    return False if owners[-1] == others[-1] else None


def _plain(text: str) -> str:
    text = _HOME.sub("~", text).replace("\\", "/").rstrip("/").removeprefix("./")
    return _SEPARATORS.sub("", text).casefold()
