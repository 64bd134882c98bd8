"""Writes sentences about currencies, exchange rates and trade partners."""

import re
from collections.abc import Callable, Iterable, Mapping

from veridic.evidence.reference.clean import finish, paragraphs, split_year
from veridic.evidence.reference.facts import FactbookLeaf, write_paragraph

_CURRENCY = re.compile(r"^(?P<name>.+?)(?: \((?P<code>[A-Z/]+)\))? per US dollar\b")
_SINGULARS: Mapping[str, str] = {
    "colones": "colon", "emalangeni": "lilangeni", "koruny": "koruna", "kroner": "krone", "kronor": "krona",
    "kronur": "krona", "lei": "leu", "leke": "lek", "leva": "lev", "maloti": "loti", "meticais": "metical",
    "quetzales": "quetzal", "zlotych": "zloty",
}  # fmt: skip
_FRANC_ZONES: Mapping[str, str] = {
    "Communaute Financiere Africaine franc": "CFA",
    "Cooperation Financiere en Afrique Centrale franc": "CFA",
    "Coopération Financière en Afrique Centrale franc": "CFA",
    "Comptoirs Francais du Pacifique franc": "CFP",
}


def singular(plural: str) -> str:
    """Return one unit of a currency that the Factbook names in the plural: `Swedish krona` for `Swedish kronor`."""
    head, space, last = plural.rpartition(" ")
    if " or " in plural:
        return " or ".join(singular(name) for name in plural.split(" or "))
    if "/" in last:
        return head + space + "/".join(singular(name) for name in last.split("/"))
    if last in _SINGULARS:
        return head + space + _SINGULARS[last]
    return plural.removesuffix("s")


def currency(text: str) -> str | None:
    """Turn `Australian dollars (AUD) per US dollar -` into `Australian dollar (AUD)`."""
    match = _CURRENCY.match(text)
    if match is None:
        return None
    name = singular(match["name"])
    zone = _FRANC_ZONES.get(name)
    if zone:
        return f"{zone} franc ({name}, {match['code']})"
    return f"{name} ({match['code']})" if match["code"] else name


def _currency(fact: FactbookLeaf) -> Iterable[str]:
    name = currency(fact.text)
    if name is None:
        yield from write_paragraph(fact.country, "currency", fact.text)
    else:
        yield finish(f"The currency of {fact.country.name} is the {name}")


def _exchange_rate(fact: FactbookLeaf) -> Iterable[str]:
    match = _CURRENCY.match(fact.sibling("Currency"))
    if fact.sub is not None and match:
        rate, when = split_year(fact.text)
        code = f" ({match['code']})" if match["code"] else ""
        yield finish(
            f"The exchange rate of {fact.country.name} was {rate} {match['name']}{code} per US dollar{when}"
        )
        return
    for text in paragraphs(fact.html, line_break="; "):
        yield from _currency_from_text(fact, text)


def _currency_from_text(fact: FactbookLeaf, text: str) -> Iterable[str]:
    used = re.match(r"^(?:note: )?(?:uses )?the (US dollar|euro)(?: is used)?(?P<rest>.*)$", text)
    named = currency(text)
    if used and not used["rest"].startswith(" became"):
        yield finish(f"The currency of {fact.country.name} is the {used[1]}")
        if used["rest"]:
            yield finish(f"The {used[1]} is used in {fact.country.name}{used['rest']}")
    elif named and fact.country.code != "us":
        yield finish(f"The currency of {fact.country.name} is the {named}")
        yield finish(f"The exchange rate of {fact.country.name}: {text}")
    elif "became" in text:
        yield from write_paragraph(fact.country, "currency", text)
        yield finish(f"The currency of {fact.country.name} is the US dollar")
    else:
        yield from (
            finish(f"The exchange rates of {fact.country.name}: {line}")
            for line in re.split(r"; (?=[A-Za-z])", text)
        )


def _partners(direction: str) -> Callable[[FactbookLeaf], Iterable[str]]:
    def write(fact: FactbookLeaf) -> Iterable[str]:
        value, *others = paragraphs(fact.html)
        listed, when = split_year(value)
        listed = re.sub(r"[^,;]+(?= \d)", lambda match: _partner(match.group(), fact.names), listed)
        yield finish(f"The main {direction} partners of {fact.country.name} were {listed}{when}")
        for text in others:
            yield from write_paragraph(fact.country, f"{direction} partners", text)

    return write


def _partner(text: str, names: Mapping[str, str]) -> str:
    name = text.strip()
    return text.replace(name, names.get(name, name)) if name else text


WRITERS: Mapping[str, Callable[[FactbookLeaf], Iterable[str]]] = {
    "Exchange rates/Currency": _currency,
    "Exchange rates": _exchange_rate,
    "Exports - partners": _partners("export"),
    "Imports - partners": _partners("import"),
}
