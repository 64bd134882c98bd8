"""Finds fallback values for settings: `options.limit ?? 3`, `config.get("limit", 3)`, `if c.Limit == 0 { c.Limit = 3 }`.

They are inside functions, where definitions are not read. Each idiom has the name of the setting next to the literal, so one regular
expression per idiom is enough.
"""

import re
from collections.abc import Iterator

from veridic.verify.facts.literals import literal
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.facts.symbols import family

_NAME = r"(?P<name>[A-Za-z_$][\w$-]{2,60})"
_VALUE = r"(?P<value>\"[^\"\n]{0,120}\"|'[^'\n]{0,120}'|-?\d[\w.]*(?:\s*\*\s*[\w.]+){0,3}|[A-Za-z][\w.:]*\(\d[\d_]*\)|true|false|True|False|time\.\w+(?:\s*\*\s*\d+)?)"
_END = r"(?=\s*(?:[,;)}\]\n]|//|#|$))"
_PATH = r"(?:[\w$#.!]|\?\.|\[[\"']\w+[\"']\])*"
_IDIOMS = {
    "js": (
        rf"(?<![\w$]){_NAME}\s*(?:\?\?=?|\|\|=?)\s*{_VALUE}{_END}",
        rf"(?<![\w$.]){_NAME}\s*[:=]\s*{_PATH}\s*(?:\?\?|\|\|)\s*{_VALUE}{_END}",
        rf"[{{,]\s*(?:[\w$]+:\s*)?{_NAME}\s*=\s*{_VALUE}(?=\s*[,}}])",
    ),
    "py": (
        rf"\.(?:get|pop|setdefault)\(\s*[\"']{_NAME}[\"']\s*,\s*{_VALUE}\s*\)",
        rf"\bgetattr\(\s*[\w.]+\s*,\s*[\"']{_NAME}[\"']\s*,\s*{_VALUE}\s*\)",
        rf"(?<![\w.]){_NAME}\s*=\s*[\w.]+ or {_VALUE}{_END}",
        rf"\bif {_PATH}\b(?P<same>\w{{3,60}}) is None:\s*\n\s*{_PATH}\b(?P<name>(?P=same)) = {_VALUE}{_END}",
    ),
    "go": (
        rf"\.SetDefault\(\s*\"{_NAME}\"\s*,\s*{_VALUE}\s*\)",
        rf"\bif (?:[\w.]+\.)?(?P<same>[A-Za-z]\w{{2,60}}) (?:==|<=|<) (?:0|\"\"|nil|1) \{{\s*\n\s*(?:[\w.]+\.)?(?P<name>(?P=same)) = {_VALUE}{_END}",
    ),
    "rs": (
        rf"(?<!\w){_NAME}(?:\.\w+\(\))?\.unwrap_or\(\s*{_VALUE}\s*\)",
        rf"(?<!\w){_NAME}\s*:\s*[\w.?()&]*\.unwrap_or\(\s*{_VALUE}\s*\)",
    ),
    "java": (rf"\bget(?:Property|OrDefault|Int|Integer|Long|Boolean|String)\(\s*\"{_NAME}\"\s*,\s*{_VALUE}\s*\)",),
}  # fmt: skip
_COMPILED = {
    language: tuple(re.compile(one, re.MULTILINE) for one in idioms) for language, idioms in _IDIOMS.items()
}
_COMMENT = ("#", "//", "*", "/*")
_LONGEST = 400_000


def read_fallbacks(path: str, text: str) -> Iterator[Fact]:
    """Yield the literals that a file falls back to, as constants with the name of the setting."""
    if len(text) > _LONGEST:
        return
    lines = text.split("\n")
    for idiom in _COMPILED.get(family(path), ()):
        for found in idiom.finditer(text):
            plain = literal(found["value"])
            number = text.count("\n", 0, found.start("value")) + 1
            quote = lines[number - 1].strip()
            if plain is not None and not quote.startswith(_COMMENT):
                yield Fact(
                    FactKind.CONSTANT, found["name"], path, number, quote[:300], value=plain, is_literal=True
                )
