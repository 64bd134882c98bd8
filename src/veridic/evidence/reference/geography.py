"""Writes sentences about location, borders, coast, elevation, rivers and lakes."""

import re
from collections.abc import Callable, Iterable, Mapping

from veridic.evidence.reference.clean import finish, join_and, paragraphs, spell_units, split_top_level
from veridic.evidence.reference.facts import FactbookLeaf, frame, write_paragraph

_BORDER = re.compile(r"^(?P<name>.+?) (?P<length>[\d,.]+) km(?: (?P<remark>\(.*\)))?$")
_HEIGHT = re.compile(r"^(?P<name>.+?),?\s+(?P<more>more than )?(?P<height>-?\d[\d,.]*)(?: m\b)?(?P<rest>.*)$")
_REMARK = re.compile(r"\s*(\([a-z][^()]*\))\s*")
_LENGTH = re.compile(r"^(?P<name>.+?)(?:\s*[-–]\s*|\s+)(?P<value>\d[\d,.-]*)(?: (?:sq )?km)?(?P<rest>.*)$")
_SHARED = re.compile(r"\s*\((?P<shared>[^()]*shared with.*)\)\s*$")
_SOURCE_OR_MOUTH = re.compile(r"\s*\[[sm/]+\]")
_RIVER_ROLE = re.compile(r"\s+(?:river )?(source and mouth|source|mouth)$")
_ENGLISH_NAME = re.compile(r"^(?P<local>[^()]+) \((?P<english>[^()]+)\)$")
_TERRITORIES = frozenset(
    {"the Gaza Strip", "the West Bank", "Gibraltar", "Hong Kong", "Macau", "Western Sahara"}
)
_NOT_A_REGION = re.compile(
    r"^(?:islands?|archipelago|group|continent|atoll|reefs?|chain|territory|landmass)\b", re.IGNORECASE
)
_TAKES_AN_ARTICLE = re.compile(
    r"^(?!the\b)(?:.* (?:Sea|Ocean|River|Gulf|Channel)|(?:Gulf|Bay|Strait) of .*)$", re.IGNORECASE
)
_COMPARES = re.compile(
    r"(?:about|almost|approximately|around|roughly|nearly|slightly|just|more|less|over|larger|smaller|similar|comparable|the size"
    r"|half|twice|one|two|three|four|five|six|seven|eight|nine|ten|\d)"
)
_IS_RIVER_NAME = re.compile(r"^(?:River|Rio|Río|Amu|Syr)\b|(?:River|Creek|He|Darya|Jiang)$")


def _location(fact: FactbookLeaf) -> Iterable[str]:
    value, *others = paragraphs(fact.html)
    value = spell_units(value)
    if _NOT_A_REGION.match(value):
        yield finish(f"The location of {fact.country.name}: {value}")
    else:
        region, comma, detail = value.partition(", ")
        yield finish(f"{fact.country.initial} is located in {region}{': ' if comma else ''}{detail}")
    for text in others:
        yield from write_paragraph(fact.country, "location", text)


def _comparison(fact: FactbookLeaf) -> Iterable[str]:
    for text in paragraphs(fact.html):
        for clause in split_top_level(text):
            if _COMPARES.match(clause):
                yield finish(f"{fact.country.initial} is {clause} in area")
            else:
                yield frame(fact.country, "area, comparative", clause)


def _total_boundary(fact: FactbookLeaf) -> Iterable[str]:
    if fact.text.startswith("0 km"):
        yield f"{fact.country.initial} has no land borders with any other country."
    else:
        yield finish(
            f"The land boundaries of {fact.country.name} have a total length of {spell_units(fact.text)}"
        )


def _borders(fact: FactbookLeaf) -> Iterable[str]:
    """Yield the complete list with its count, then each neighbour alone."""
    neighbours: dict[str, list[tuple[str, str, str]]] = {}
    for part in re.split(r";\s*|(?<=km), |(?<=km) and ", fact.text):
        match = _BORDER.match(part.strip())
        if match is None:
            yield frame(fact.country, "land boundaries", spell_units(part))
            continue
        name, place = _neighbour(match["name"], fact.names)
        neighbours.setdefault(name, []).append((place, match["length"], match["remark"] or ""))
    listed = join_and(
        f"{name} ({', '.join(f'{place} {length} km'.strip() for place, length, _ in stretches)})"
        for name, stretches in neighbours.items()
    )
    count = len(neighbours)
    if count == 1:
        yield finish(f"{fact.country.initial} has a land border with one country: {listed}")
    elif count:
        kind = "countries" if _TERRITORIES.isdisjoint(neighbours) else "countries and territories"
        yield finish(f"{fact.country.initial} has land borders with {count} {kind}: {listed}")
    for name, stretches in neighbours.items():
        lengths = " and ".join(
            " ".join(filter(None, (f"{length} kilometres", place and f"({place})")))
            for place, length, _ in stretches
        )
        remark = "".join(f" {spell_units(remark)}" for *_, remark in stretches if remark)
        yield finish(f"The land border between {fact.country.name} and {name} is {lengths} long{remark}")


def _neighbour(name: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Split a border into the country and, if the data has two stretches, which one: `Russia`, `northeast`."""
    if name in names:
        return names[name], ""
    bare, bracket, place = name.partition(" (")
    return names.get(bare, bare), place.rstrip(")") if bracket else ""


def _coastline(fact: FactbookLeaf) -> Iterable[str]:
    country = fact.country
    first, *others = paragraphs(fact.html)
    value = spell_units(first)
    if "landlocked" in value:
        doubly = "doubly " if "doubly" in value else ""
        yield f"{country.initial} is {doubly}landlocked and has no coastline."
    elif re.match(r"[\d,.]+ ", value):
        yield finish(f"{country.initial} has a coastline of {value}")
    else:
        yield finish(f"The coastline of {country.name}: {value}")
    for text in others:
        yield from write_paragraph(country, "coastline", text)


def _maritime_claims(fact: FactbookLeaf) -> Iterable[str]:
    if fact.text.startswith("none"):
        yield finish(f"{fact.country.initial} has no maritime claims{fact.text.removeprefix('none')}")
        return
    for text in paragraphs(fact.html):
        yield from write_paragraph(fact.country, "maritime claims", text)


def _extreme_point(kind: str) -> Callable[[FactbookLeaf], Iterable[str]]:
    def write(fact: FactbookLeaf) -> Iterable[str]:
        first, *others = paragraphs(fact.html)
        points = split_top_level(re.sub(r";?\s*note\s*-\s*", "; note - ", first))
        heights = [point for point in points if re.search(r"\d m$", point) and not point.startswith("note")]
        if len(heights) > 1:
            yield finish(f"The {kind} points of {fact.country.name} are {spell_units('; '.join(heights))}")
        elif heights or points:
            yield _point(fact, kind, points[0])
        remarks = [point for point in points if point not in heights][0 if heights else 1 :]
        for remark in (*remarks, *others):
            yield from write_paragraph(fact.country, f"{kind} point", remark)

    return write


def _point(fact: FactbookLeaf, kind: str, text: str) -> str:
    match = _last_height(text)
    if match is None:
        return finish(f"The {kind} point in {fact.country.name} is {spell_units(text)}")
    name, height = match["name"], match["height"]
    remarks = _REMARK.findall(name)
    name = _REMARK.sub(" ", name).strip(" ,")
    name = name.replace(" pre-eruption height was", " (height before its eruption)")
    if re.match(r"unnamed (?:elevation|location|point)", name):
        name = f"an {name}"
    elif _TAKES_AN_ARTICLE.search(name):
        name = f"the {name}"
    below = f" ({height[1:]} metres below sea level)" if height.startswith("-") else ""
    tail = " ".join(filter(None, (*remarks, (match["rest"] or "").strip())))
    return finish(
        f"The {kind} point in {fact.country.name} is {spell_units(name)}, at {match['more'] or ''}{height} metres{below}"
        f"{' ' if tail and not tail.startswith(',') else ''}{spell_units(tail)}"
    )


def _last_height(text: str) -> re.Match[str] | None:
    """Match the height, which is the last figure: `1.3 km NE of Old Bight on Cat Island 64 m`."""
    ending = re.match(
        r"^(?P<name>.+?),?\s+(?P<more>more than )?(?P<height>-?\d[\d,.]*)(?: m)?(?P<rest>\s*\([^()]*\)(?: below sea level)?)?$",
        text,
    )
    return ending or _HEIGHT.match(text)


def _rivers(fact: FactbookLeaf) -> Iterable[str]:
    yield from _lengths(fact, "rivers", _river)


def _lakes(fact: FactbookLeaf) -> Iterable[str]:
    yield from _lengths(fact, "lakes", _lake)


def _lengths(
    fact: FactbookLeaf, label: str, write: Callable[[FactbookLeaf, str, str, str], str]
) -> Iterable[str]:
    first, *others = paragraphs(fact.html)
    for item in split_top_level(first):
        match = _LENGTH.match(item)
        if match is None or item.lower().startswith("note"):
            yield from write_paragraph(fact.country, label, item)
        else:
            yield write(fact, match["name"].strip(" –-"), match["value"], match["rest"].strip())
    for text in others:
        if "[s] after country name" not in text:
            yield from write_paragraph(fact.country, label, text)


def _split_shared(name: str, rest: str) -> tuple[str, str]:
    """Split a river's or lake's name from the countries that share it."""
    name = _SOURCE_OR_MOUTH.sub("", name)
    name = re.sub(r"(shared with [^()]*)\)(,? [^()]*\)?)$", r"\1\2", name)
    match = _SHARED.search(name)
    if match:
        return name[: match.start()], f" ({match['shared'].strip()})"
    return name, f" {rest}" if rest.startswith("(") else ""


def _river(fact: FactbookLeaf, name: str, value: str, rest: str) -> str:
    name, shared = _split_shared(name, rest)
    role = _RIVER_ROLE.search(name)
    name = _RIVER_ROLE.sub("", name)
    both = _ENGLISH_NAME.match(name)
    local = f" ({both['local']})" if both else ""
    name = _as_river(both["english"] if both else name)
    has = f", which has its {role[1]} there," if role else ""
    return finish(f"The {name}{local} in {fact.country.name}{has} is {value} kilometres long{shared}")


def _as_river(name: str) -> str:
    if name.startswith("River "):
        return f"{name.removeprefix('River ')} River"
    name = re.sub(r" river$", "", name)
    return name if _IS_RIVER_NAME.search(name) else f"{name} River"


def _lake(fact: FactbookLeaf, name: str, value: str, rest: str) -> str:
    name, shared = _split_shared(name, rest)
    bare = name.rstrip("* ")
    if bare in {"Superior", "Huron", "Michigan", "Erie", "Ontario"}:
        bare = f"Lake {bare}"
    if name.endswith("*"):
        # The Factbook's asterisk: the area counts only the part inside the country.
        return finish(
            f"The part of {bare} in {fact.country.name} has an area of {value} square kilometres{shared}"
        )
    name = bare
    kind = "salt water lake" if fact.sub and fact.sub.startswith("salt") else "lake"
    return finish(
        f"{name}, a {kind} in {fact.country.name}, has an area of {value} square kilometres{shared}"
    )


WRITERS: Mapping[str, Callable[[FactbookLeaf], Iterable[str]]] = {
    "Location": _location,
    "Area - comparative": _comparison,
    "Land boundaries/total": _total_boundary,
    "Land boundaries/border countries": _borders,
    "Land boundaries/regional borders": _borders,
    "Coastline": _coastline,
    "Maritime claims": _maritime_claims,
    "Elevation/highest point": _extreme_point("highest"),
    "Elevation/lowest point": _extreme_point("lowest"),
    "Major rivers (by length in km)": _rivers,
    "Major lakes (area sq km)/fresh water lake(s)": _lakes,
    "Major lakes (area sq km)/salt water lake(s)": _lakes,
}
