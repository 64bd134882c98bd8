"""Wikidata: statements about people, places, organizations and things. Needs no key."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from veridic.domain.evidence import Channel
from veridic.providers.search.asking import error_message
from veridic.providers.search.base import SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row, UnreadableResultsError
from veridic.providers.search.words import any_keyword

_MOST_ITEMS = 5
"""An item can have a megabyte of statements."""
_MOST_NAMES = 50
"""The API returns no more entities in one response."""
_MOST_VALUES = 3
"""Of one property of one item."""
_MAX_CHARACTERS = 300
_DATE_LENGTHS = {9: 4, 10: 7, 11: 10}
"""Characters of an ISO date by Wikidata's precision: a year, a month, a day. Coarser dates are left out."""
_QUALIFIERS = {"P585": "as of", "P580": "from", "P582": "until"}
"""What says when a statement holds: point in time, start time, end time."""


class _Statement(NamedTuple):
    property: str
    value: str
    """An item's number, or words and numbers."""
    unit: str
    """An item's number, or empty."""
    when: str

    def names(self) -> Iterator[str]:
        """Yield the numbers whose names are needed to read it."""
        yield from (number for number in self[:3] if _is_number(number))


@dataclass(frozen=True)
class Wikidata(Engine):
    """Serves the general channel, in three requests: one finds items, the next gets their statements, and the last the
    names of what these refer to. `published` is the day of the last edit, so a search as of an earlier day finds little.
    """

    base_url: str = "https://www.wikidata.org"
    name = "wikidata"
    label = "Wikidata"
    api_key = None
    own_domains = ("wikidata.org",)

    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:  # noqa: ARG002 - others need the day
        if query.channel is not Channel.GENERAL:
            return None
        return _call(
            action="query",
            list="search",
            srsearch=any_keyword(query.claim or query.query, _MAX_CHARACTERS),
            srlimit=str(min(query.count, _MOST_ITEMS)),
            srprop="",
        )

    def follow_up(self, answers: Sequence[Any]) -> SearchRequest | None:
        found = dicts_in(answers[0], "query", "search")
        numbers = [str(item["title"]) for item in found if _is_number(item.get("title"))]
        if len(answers) == 1 and numbers:
            return _entities(numbers, "info|labels|descriptions|claims")
        if len(answers) == 1 and found:
            raise UnreadableResultsError("none of the results is an item")
        names = _names_needed(_items(answers)) if len(answers) == 2 else []
        return _entities(names, "labels") if names else None

    def joined(self, answers: Sequence[Any]) -> Any:
        return answers

    def rows(self, answer: Any) -> Sequence[Row]:
        named = _read_entities(answer[2]) if len(answer) > 2 else {}
        names = {number: _english(entity.get("labels")) for number, entity in named.items()}
        return [_row(item, names) for item in _items(answer)]


def _call(**parameters: str) -> SearchRequest:
    return SearchRequest("/w/api.php", {"format": "json", "formatversion": "2"} | parameters)


def _entities(numbers: Sequence[str], properties: str) -> SearchRequest:
    # Names that are the same in all languages are found as a fallback.
    return _call(
        action="wbgetentities", ids="|".join(numbers), props=properties, languages="en", languagefallback="1"
    )


def _items(answers: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the items that were found, best first."""
    if len(answers) < 2:
        return []
    entities = _read_entities(answers[1])
    found = [str(item.get("title")) for item in dicts_in(answers[0], "query", "search")]
    return [entities[number] for number in found if number in entities and "missing" not in entities[number]]


def _read_entities(answer: Any) -> dict[str, dict[str, Any]]:
    entities = answer.get("entities") if isinstance(answer, dict) else None
    if not isinstance(entities, dict):
        raise UnreadableResultsError(error_message(answer))
    return {number: entity for number, entity in entities.items() if isinstance(entity, dict)}


def _names_needed(items: Sequence[dict[str, Any]]) -> list[str]:
    """Return whose names to get, so that each item gets an equal part."""
    needed: dict[str, None] = {}
    for position, item in enumerate(items, start=1):
        limit = _MOST_NAMES * position // len(items)
        for statement in _statements(item):
            new = [name for name in statement.names() if name not in needed]
            if len(needed) + len(new) <= limit:
                needed.update(dict.fromkeys(new))
    return list(needed)


def _row(item: dict[str, Any], names: dict[str, str]) -> Row:
    label, description = _english(item.get("labels")), _english(item.get("descriptions"))
    lines = [f"{label}: {description}"] if description else []
    for statement in _statements(item):
        if all(names.get(name) for name in statement.names()):
            property_, value, unit = (names.get(part, part) for part in statement[:3])
            lines.append(f"{label}: {property_}: {' '.join(filter(None, (value, unit, statement.when)))}")
    return Row(
        title=label,
        url=f"https://www.wikidata.org/wiki/{item.get('id')}",
        published=item.get("modified"),
        text="\n".join(lines),
    )


def _statements(item: dict[str, Any]) -> Iterator[_Statement]:
    """Yield an item's statements that can be put in words, the best of each property."""
    claims = item.get("claims")
    for property_, found in claims.items() if isinstance(claims, dict) else ():
        made = [claim for claim in found if isinstance(claim, dict)] if isinstance(found, list) else []
        preferred = [claim for claim in made if claim.get("rank") == "preferred"]
        best = preferred or [claim for claim in made if claim.get("rank") == "normal"]
        read = [statement for claim in best if (statement := _statement(str(property_), claim))]
        yield from read[:_MOST_VALUES]


def _statement(property_: str, claim: dict[str, Any]) -> _Statement | None:
    kind, value = _value(claim.get("mainsnak"))
    when = _when(claim.get("qualifiers"))
    if kind == "wikibase-entityid" and _is_number(value.get("id")):
        return _Statement(property_, value["id"], "", when)
    if kind == "time" and (day := _day(value)):
        return _Statement(property_, day, "", when)
    if kind == "quantity" and (amount := _amount(value.get("amount"))):
        unit = str(value.get("unit")).rpartition("/")[2]
        return _Statement(property_, amount, unit if _is_number(unit) else "", when)
    return None


def _value(snak: object) -> tuple[str, dict[str, Any]]:
    """Return a value with its type; both are empty for an unknown one, and for one that isn't structured."""
    found = snak.get("datavalue") if isinstance(snak, dict) else None
    if not isinstance(found, dict) or not isinstance(value := found.get("value"), dict):
        return "", {}
    return str(found.get("type")), value


def _when(qualifiers: object) -> str:
    """Say when a statement holds: `(from 2021-12-08 until 2025-05-06)`."""
    if not isinstance(qualifiers, dict):
        return ""
    parts = []
    for property_, word in _QUALIFIERS.items():
        snaks = qualifiers.get(property_)
        if isinstance(snaks, list) and snaks and (day := _day(_value(snaks[0])[1])):
            parts.append(f"{word} {day}")
    return f"({' '.join(parts)})" if parts else ""


def _day(value: dict[str, Any]) -> str:
    """Return a date of our era as precise as it is given: `+2021-12-00T00:00:00Z` and 10 is December 2021."""
    time, precision = value.get("time"), value.get("precision")
    length = _DATE_LENGTHS.get(precision) if isinstance(precision, int) else None
    return time[1 : 1 + length] if length and isinstance(time, str) and time.startswith("+") else ""


def _amount(amount: object) -> str:
    """Return a number with separators: `+3755251` is 3,755,251."""
    text = amount.removeprefix("+") if isinstance(amount, str) else ""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, point, rest = digits.partition(".")
    if not (whole.isascii() and whole.isdecimal() and len(whole) < 30):
        return ""
    return f"{sign}{int(whole):,}{point}{rest[:30]}"


def _english(texts: object) -> str:
    found = texts.get("en") if isinstance(texts, dict) else None
    value = found.get("value") if isinstance(found, dict) else None
    return value if isinstance(value, str) else ""


def _is_number(value: object) -> bool:
    """Whether it is the number of an item or a property: `Q64`."""
    return (
        isinstance(value, str) and value[:1] in ("Q", "P") and value[1:].isascii() and value[1:].isdecimal()
    )
