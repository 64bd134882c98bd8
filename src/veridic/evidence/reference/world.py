"""Writes the entry on the world: its lists of the largest, longest and highest, one sentence per rank."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from veridic.evidence.reference.clean import (
    finish,
    paragraphs,
    plain,
    spell_units,
    split_top_level,
    split_year,
)
from veridic.evidence.reference.facts import FactbookLeaf, label_of, write_paragraph


class Ranking(NamedTuple):
    """The words for a rank: `the second-` `longest` `river in the world`."""

    superlative: str
    noun: str
    article: bool = False
    unit: str = ""
    suffix: str = ""


_RANKINGS: Mapping[str, Ranking] = {
    "top ten largest water bodies": Ranking("largest", "body of water in the world", article=True),
    "top ten largest landmasses": Ranking("largest", "landmass in the world"),
    "top ten largest islands": Ranking("largest", "island in the world"),
    "top ten longest mountain ranges (land-based)": Ranking(
        "longest", "land-based mountain range in the world", article=True
    ),
    "top ten largest forested countries (sq km and percent of land)": Ranking(
        "largest", "country in the world by forested area", unit=" square kilometres"
    ),
    "top ten most densely forested countries (percent of land)": Ranking(
        "most densely forested", "country in the world"
    ),
    "ten smallest independent countries": Ranking("smallest", "independent country in the world by area"),
    "top ten largest (non-polar) deserts": Ranking(
        "largest", "non-polar desert in the world", article=True, suffix=" Desert"
    ),
    "top ten highest mountains (measured from sea level)": Ranking(
        "highest", "mountain in the world", unit=" metres"
    ),
    "top ten highest island peaks": Ranking("highest", "island peak in the world", unit=" metres"),
    "top ten largest natural lakes": Ranking("largest", "natural lake in the world"),
    "top ten longest rivers": Ranking("longest", "river in the world", article=True, suffix=" River"),
    "ten largest urban agglomerations": Ranking(
        "largest", "urban agglomeration in the world", unit=" people"
    ),
    "most-spoken language": Ranking(
        "most-spoken", "language in the world", unit=" of the world's population"
    ),
    "most-spoken first language": Ranking(
        "most-spoken", "first language in the world", unit=" of the world's population"
    ),
    "ten driest places on earth (average annual precipitation)": Ranking(
        "driest", "place on Earth", unit=" of precipitation a year"
    ),
    "ten wettest places on earth (average annual precipitation)": Ranking(
        "wettest", "place on Earth", unit=" of precipitation a year"
    ),
    "ten coldest places on earth (lowest average monthly temperature)": Ranking("coldest", "place on Earth"),
    "ten hottest places on earth (highest average monthly temperature)": Ranking("hottest", "place on Earth"),
}
_ENTITIES_BY_SIZE = "top fifteen world factbook entities ranked by size"
_NOT_COUNTRIES = re.compile(r"Ocean$|^Antarctica$|^European Union$")
_HEADING = re.compile(r"^(?P<heading>[A-Za-z][^:;]{5,80}):\s*(?P<items>.+)$", re.DOTALL)
_ITEM = re.compile(
    r"^(?P<name>[^\d(]+?)(?:,? \((?P<where>[^()\d]*)\))?\s*(?:- |\()?(?P<value>(?<!\w)-?\d[\d,.]*(?:%|°C)?)(?P<rest>.*)$",
    re.DOTALL,
)
_ORDINALS = (
    "",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
_LONG = 160


def applies(fact: FactbookLeaf) -> bool:
    """Whether the field holds lists or running text; figures are written as for any country."""
    return len(fact.html) > _LONG or fact.field in {
        "Climate",
        "Wonders of the World",
        "World biomes",
        "Terrain",
    }


def write(fact: FactbookLeaf) -> Iterable[str]:
    """Yield ranks as sentences, and everything else as running text."""
    heading = (fact.sub or "").lower()
    if heading in _RANKINGS:
        items = [plain(line) for line in re.split(r"<br\s*/?>", fact.html)]
        yield from _ranks(_RANKINGS[heading], [item for item in items if item], fact.names)
        return
    for text in paragraphs(fact.html):
        yield from _paragraph(fact, text)


def _paragraph(fact: FactbookLeaf, text: str) -> Iterator[str]:
    match = _HEADING.match(text)
    heading = re.sub(r"\*", "", match["heading"]).strip().lower() if match else ""
    if match and heading == _ENTITIES_BY_SIZE:
        items = split_top_level(match["items"])
        yield from _largest_countries(items, fact.names)
    elif match and heading in _RANKINGS:
        listed, when = split_year(match["items"])
        separators = ";" if ";" in listed else ","
        listed = re.sub(r"(?<=[a-z]), (?=[A-Z]\w+ \d)", " - ", listed) if separators == "," else listed
        yield from _ranks(_RANKINGS[heading], split_top_level(listed, separators), fact.names, when)
    elif match and heading.endswith("on each continent"):
        yield from _by_continent(match["heading"].removesuffix(" on each continent"), match["items"])
    else:
        yield from write_paragraph(fact.country, label_of(fact.topic or fact.field), text)


def _largest_countries(items: list[str], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the countries by rank: the list also has oceans and continents, but the order of its countries is the rank."""
    countries = [item for item in items if not _NOT_COUNTRIES.search(re.sub(r" \d.*$", "", item))]
    yield from _ranks(Ranking("largest", "country in the world by area"), countries, names)
    yield finish(f"The largest entities of the Factbook ranked by size are {spell_units('; '.join(items))}")


def _ranks(ranking: Ranking, items: list[str], names: Mapping[str, str], when: str = "") -> Iterator[str]:
    parsed = [(item, _ITEM.match(item)) for item in items]
    values = [_number(match["value"]) for _, match in parsed if match]
    for item, match in parsed:
        if match is None:
            yield finish(f"Among the {ranking.superlative} {_plural(ranking.noun)}: {spell_units(item)}")
    for place, match in enumerate(match for _, match in parsed if match):
        name = _subject(ranking, match["name"].strip(" ,"), names)
        where = f" ({match['where']})" if match["where"] else ""
        verb = "are" if name.endswith(("Mountains", "Andes", "Himalayas")) else "is"
        yield finish(
            f"{name}{where} {verb} {_place(ranking, place, values)}: {_measure(ranking, match)}{_year(when)}"
        )


def _subject(ranking: Ranking, name: str, names: Mapping[str, str]) -> str:
    if "country" in ranking.noun:
        return names.get(name, name)
    article = "The " if ranking.article or name.endswith((" Sea", " Ocean")) else ""
    return f"{article}{name}{ranking.suffix}"


def _measure(ranking: Ranking, match: re.Match[str]) -> str:
    """Return the figure with its unit, and the list's remark in brackets."""
    figure, bracket, remark = spell_units((match["value"] + match["rest"]).strip(" ;*")).partition(" (")
    if not bracket:
        figure = figure.rstrip(")")
    unit = "" if ranking.unit.strip() in figure else ranking.unit
    return f"{figure}{unit}{bracket}{remark}"


def _place(ranking: Ranking, place: int, values: list[float]) -> str:
    """Return the rank if the figures confirm the order, else "among the ..."."""
    sign = -1 if ranking.superlative in {"driest", "coldest", "smallest"} else 1
    here = sign * values[place]
    if any(sign * value < here for value in values[:place]) or any(
        sign * value > here for value in values[place + 1 :]
    ):
        return f"among the {len(values)} {ranking.superlative} {_plural(ranking.noun)}"
    ordinal = _ORDINALS[place]
    joint = "-" if " " not in ranking.superlative and "-" not in ranking.superlative else " "
    return f"the {ordinal}{joint if ordinal else ''}{ranking.superlative} {ranking.noun}"


def _plural(noun: str) -> str:
    """Turn `natural lake in the world` into `natural lakes in the world`."""
    head, tail = re.split(r"(?= (?:in the world|on Earth|of water))", noun, maxsplit=1)
    head = f"{head.removesuffix('y')}ies" if head.endswith("y") else f"{head}s"
    return head + tail


def _year(when: str) -> str:
    return f" ({when.removeprefix(' in ').replace('(est.)', 'est.')})" if when else ""


def _number(text: str) -> float:
    return float(re.sub(r"[^\d.-]", "", text).rstrip("."))


def _by_continent(kind: str, items: str) -> Iterator[str]:
    for item in re.split(r"; (?=[A-Z][A-Za-z ]+ - )", items):
        continent, _, place = item.partition(" - ")
        yield finish(
            f"The {kind} in {continent} is {spell_units(place)}"
            if ";" not in place
            else f"The {kind} in {continent}: {spell_units(place)}"
        )
